// Runs the official conformance suite: its scenarios for servers, in both revisions of the protocol, against the built `serve --http`
// with a credential. It also checks every message against the protocol's schema. Scenarios that don't apply are listed in
// test/conformance/does-not-apply.yml. It requires Node 22; the server runs on the Node that runs this.
//
//   node scripts/conformance.mjs FOLDER     where @modelcontextprotocol/conformance is installed
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildAll } from './build.mjs';
import { REVISIONS } from './raw-client.mjs';
import { root } from './root.mjs';

const baseline = join(root, 'test', 'conformance', 'does-not-apply.yml');
const [, , tools = '.'] = process.argv;
const suite = join(resolve(tools), 'node_modules', '@modelcontextprotocol', 'conformance');
const { bin, version } = JSON.parse(readFileSync(join(suite, 'package.json'), 'utf8'));
const cache = join(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
// Below node_modules, so that what the build leaves outside is still found.
const work = mkdtempSync(join(cache, 'conformance-'));
/** The suite sends more at once than one person may. */
const PEOPLE = 10;
const relay = createServer();
relay.listen(0, '127.0.0.1');
await once(relay, 'listening');
const url = `http://127.0.0.1:${relay.address().port}`;
const env = {
  PATH: process.env.PATH,
  HOME: work,
  VIDEO_HOSTING_PEOPLE: join(work, 'people.json'),
  VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0',
  VIDEO_HOSTING_PUBLIC_URL: url,
};
try {
  await buildAll(work);
  const command = join(work, 'main.cjs');
  const tokens = Array.from({ length: PEOPLE }, (_, index) => addPerson(command, `suite-${index}`));
  const server = spawn(process.execPath, [command, 'serve', '--http', '--demo'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-10_000);
    });
    const ended = once(server, 'close').then(([status]) => assert.fail(`the server ended by itself (${status}): ${said}`));
    ended.catch(() => undefined);
    relay.on('request', withCredentials(tokens, await Promise.race([listening(server, () => said), ended])));
    const excused = [];
    for (const revision of Object.values(REVISIONS)) excused.push(...(await judge(`${url}/mcp`, revision)));
    // What passes although it is listed is an error to the suite itself; what isn't run at all is none.
    const listed = [...readFileSync(baseline, 'utf8').matchAll(/^ +- (\S+)(?: # .*)?$/gm)].map(([, name]) => name);
    const idle = listed.filter((name) => !excused.includes(name));
    assert.deepEqual(idle, [], `${baseline} lists what the suite doesn't run`);
  } finally {
    server.kill();
    await once(server, 'close');
  }
} finally {
  relay.close();
  relay.closeAllConnections();
  rmSync(work, { recursive: true, force: true });
}

/** Where the server listens, once it says so. */
async function listening(server, said) {
  for (;;) {
    const found = /listening on (http:\S+)\)/.exec(said())?.[1];
    if (found !== undefined) return found;
    await once(server.stderr, 'data');
  }
}

/** Returns the client token. */
function addPerson(command, name) {
  const added = spawnSync(process.execPath, [command, 'people', 'add', name, '--roles', 'read,propose,approve'], { env, encoding: 'utf8' });
  return /vhm_[\w-]+/.exec(added.stdout)?.[0] ?? assert.fail(added.stderr);
}

/** The suite sends no credential: what stands before the server, as a proxy would, adds that of one of some people in turn, and passes the rest on as it came. */
function withCredentials(tokens, origin) {
  let next = 0;
  return (incoming, outgoing) => {
    next = (next + 1) % tokens.length;
    const headers = { ...incoming.headers, authorization: `Bearer ${tokens[next]}` };
    const passed = request(origin, { method: incoming.method, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  };
}

/** What is listed for a revision. */
function baselineFor(revision) {
  const lines = readFileSync(baseline, 'utf8').split('\n');
  const file = join(work, `${revision}.yml`);
  writeFileSync(file, lines.filter((line) => (/ # (\S+) alone$/.exec(line)?.[1] ?? revision) === revision).join('\n'));
  return file;
}

/** Runs every scenario of a revision; answers which failures the list excuses. */
async function judge(address, revision) {
  const args = ['server', '--url', address, '--suite', 'all', '--spec-version', revision, '--expected-failures', baselineFor(revision)];
  // The relay answers in this process meanwhile.
  const run = spawn(process.execPath, [join(suite, bin.conformance), ...args], { cwd: work, timeout: 240_000 });
  const ended = once(run, 'close');
  const [stdout, stderr] = await Promise.all([text(run.stdout), text(run.stderr)]);
  const [status] = await ended;
  const [, summary = stdout] = stdout.split('=== SUMMARY ===');
  assert.equal(status, 0, `revision ${revision}: ${summary}${stderr}`);
  const excused = [...summary.matchAll(/^ +~ (\S+)$/gm)].map(([, name]) => name);
  const passed = [...summary.matchAll(/^✓ (\S+):/gm)].map(([, name]) => name).filter((name) => !excused.includes(name));
  const apart = new Set(excused.map((name) => name.split(':')[0])).size;
  console.log(
    `Conformance suite ${version}, ${revision}: ${passed.length} scenarios pass (${passed.join(', ')}); ${apart} don't apply, or not all of their checks.`,
  );
  return excused;
}
