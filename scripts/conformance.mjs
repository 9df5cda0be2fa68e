// Runs the official conformance suite: its scenarios for servers, in both revisions of the protocol, over HTTP on loopback
// (test/conformance/http-server.ts). It also checks every message against the protocol's schema. Scenarios that don't
// apply are listed in test/conformance/does-not-apply.yml. It requires Node 22; the server runs on the Node that runs this.
//
//   node scripts/conformance.mjs FOLDER     where @modelcontextprotocol/conformance is installed
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { lazy } from './build/plugins.mjs';
import { buildAll, common } from './build.mjs';
import { REVISIONS } from './raw-client.mjs';
import { root } from './root.mjs';

const ours = join(root, 'test', 'conformance');
const baseline = join(ours, 'does-not-apply.yml');
const [, , tools = '.'] = process.argv;
const suite = join(resolve(tools), 'node_modules', '@modelcontextprotocol', 'conformance');
const { bin, version } = JSON.parse(readFileSync(join(suite, 'package.json'), 'utf8'));
const cache = join(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
// Below node_modules, so that what the build leaves outside is still found.
const work = mkdtempSync(join(cache, 'conformance-'));
try {
  await buildAll(work);
  await build({
    ...common,
    entryPoints: [join(ours, 'http-server.ts')],
    outfile: join(work, 'http-server.cjs'),
    // Packages are loaded as they are: in one file, zod may come to be set up after the SDK that needs it.
    packages: 'external',
    plugins: [lazy],
  });
  const server = spawn(process.execPath, [join(work, 'http-server.cjs')], { stdio: ['pipe', 'pipe', 'pipe'] });
  try {
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-2000);
    });
    const ended = once(server, 'close').then(([status]) => assert.fail(`the server ended by itself (${status}): ${said}`));
    const [url] = await Promise.race([once(createInterface({ input: server.stdout }), 'line'), ended]);
    ended.catch(() => undefined);
    const excused = Object.values(REVISIONS).flatMap((revision) => judge(url, revision));
    // What passes although it is listed is an error to the suite itself; what isn't run at all is none.
    const listed = [...readFileSync(baseline, 'utf8').matchAll(/^ +- (\S+)$/gm)].map(([, name]) => name);
    const idle = listed.filter((name) => !excused.includes(name));
    assert.deepEqual(idle, [], `${baseline} lists what the suite doesn't run`);
  } finally {
    server.stdin.end();
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Runs every scenario of a revision; answers which failures the list excuses. */
function judge(url, revision) {
  const args = ['server', '--url', url, '--suite', 'all', '--spec-version', revision, '--expected-failures', baseline];
  const run = spawnSync(process.execPath, [join(suite, bin.conformance), ...args], { cwd: work, encoding: 'utf8', timeout: 120_000 });
  const [, summary = run.stdout] = run.stdout.split('=== SUMMARY ===');
  assert.equal(run.status, 0, `revision ${revision}: ${summary}${run.stderr}`);
  const excused = [...summary.matchAll(/^ +~ (\S+)$/gm)].map(([, name]) => name);
  const passed = [...summary.matchAll(/^✓ (\S+):/gm)].map(([, name]) => name).filter((name) => !excused.includes(name));
  const apart = new Set(excused.map((name) => name.split(':')[0])).size;
  console.log(
    `Conformance suite ${version}, ${revision}: ${passed.length} scenarios pass (${passed.join(', ')}); ${apart} don't apply, or not all of their checks.`,
  );
  return excused;
}
