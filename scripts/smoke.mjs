// Does the built server run on another Node? In both eras of the protocol: open, list the tools, list channels of the
// embedded demo account, leave when the input ends.
//
//   node scripts/smoke.mjs [path of a node binary]     default: the one that runs this
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { REVISIONS, startRawClient } from './raw-client.mjs';
import { root } from './root.mjs';

const node = process.argv[2] ?? process.execPath;

for (const era of ['legacy', 'modern']) {
  const client = startRawClient(node, [join(root, 'dist', 'main.cjs'), '--demo'], { era });
  try {
    const opened = await client.open();
    assert.ok([opened.protocolVersion, ...(opened.supportedVersions ?? [])].includes(REVISIONS[era]), JSON.stringify(opened));
    const { tools } = await client.request('tools/list');
    assert.ok(tools.length > 0, 'no tools');
    const { structuredContent, isError } = await client.request('tools/call', { name: 'list_channels', arguments: { size: 3 } });
    assert.ok(!isError && structuredContent.channels.length === 3, 'no channels');
    assert.deepEqual(client.strayLines, [], 'something other than the protocol on stdout');
  } finally {
    const end = await client.close();
    assert.equal(end?.code, 0, `the server did not leave by itself: ${JSON.stringify(end)}`);
  }
}

const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
console.log(`The built server works on Node ${version}, for clients of ${Object.values(REVISIONS).join(' and ')}.`);
