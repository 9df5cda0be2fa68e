// Does the built server run on another Node? In both eras of the protocol: open, list the tools, list channels of the
// embedded demo account, count its views of yesterday, draw them, leave when the input ends. So the two packages with
// native parts are loaded there too.
//
//   node scripts/smoke.mjs [path of a node binary]     default: the one that runs this
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { REVISIONS, startRawClient } from './raw-client.mjs';
import { root } from './root.mjs';

const node = process.argv[2] ?? process.execPath;
const TIMEOUT_MS = 60_000;
const QUESTION = { from: 'yesterday', to: 'yesterday', groupBy: ['country'], orderBy: '-views', chart: 'bar' };

for (const era of ['legacy', 'modern']) {
  const client = startRawClient(node, [join(root, 'dist', 'main.cjs'), '--demo'], { era, timeoutMs: TIMEOUT_MS });
  const call = async (name, args) => {
    const { content, structuredContent, isError } = await client.request('tools/call', { name, arguments: args });
    assert.ok(!isError, `${name}: ${JSON.stringify(content)}`);
    return { data: structuredContent, content };
  };
  try {
    const opened = await client.open();
    assert.ok([opened.protocolVersion, ...(opened.supportedVersions ?? [])].includes(REVISIONS[era]), JSON.stringify(opened));
    const { tools } = await client.request('tools/list');
    assert.ok(tools.length > 0, 'no tools');
    const { data } = await call('list_channels', { size: 3 });
    assert.equal(data.channels.length, 3, 'no channels');
    const { data: answer, content } = await call('query_analytics', QUESTION);
    assert.ok(answer.coverage.complete && answer.totals.views > 0, 'no views');
    assert.ok(
      content.some(({ type }) => type === 'image'),
      'no chart',
    );
    assert.deepEqual(client.strayLines, [], 'something other than the protocol on stdout');
  } finally {
    const end = await client.close();
    assert.equal(end?.code, 0, `the server did not leave by itself: ${JSON.stringify(end)}`);
  }
}

const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
console.log(
  `The built server works on Node ${version}, analytics and charts too, for clients of ${Object.values(REVISIONS).join(' and ')}.`,
);
