// Runs the built server behind each proxy of `deploy/`, with its configuration as it stands there but for addresses, names and
// certificates, and uses it through that: clients of both eras, progress and events as they come, the page's sign-in in a
// browser, bodies at the limit, a call that waits for a person, and one whose client goes. Everything is on loopback. It needs
// openssl and whichever proxies it is to try (on Debian: apt-get install nginx-light caddy), and is no part of `.ci/run`.
//
//   node scripts/try-proxies.mjs [nginx|caddy …]
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { Agent, fetch as fetchWith } from 'undici';
import { buildAll } from './build.mjs';
import { root } from './root.mjs';

const work = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-proxies-'));
const command = join(root, 'dist', 'main.cjs');
/** Other than the address that is listened on, so that what the proxy has to pass on differs from what it would send by itself. */
const HOST = 'localhost';
const [certificate, key] = [join(work, 'proxy.pem'), join(work, 'proxy.key')];
const env = { PATH: `${process.env.PATH}${delimiter}/usr/sbin`, HOME: work };

/** Each proxy: how its configuration is put on loopback, and what starts it. */
const PROXIES = {
  nginx: {
    version: () => /nginx\/\S+/.exec(spawnSync('nginx', ['-v'], { env, encoding: 'utf8' }).stderr)?.[0],
    start(text, { port, plainPort, upstream }) {
      const site = replaced(text, [
        [/^.*listen \[::\].*\n/gm, ''],
        ['listen 80;', `listen 127.0.0.1:${plainPort};`],
        ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
        ['127.0.0.1:8765', upstream],
        [/\/etc\/nginx\/tls\/\S+\.pem/g, certificate],
        [/\/etc\/nginx\/tls\/\S+\.key/g, key],
        ['/var/log/nginx', work],
        [/videos\.example\.com/g, HOST],
      ]);
      writeFileSync(join(work, 'site.conf'), site);
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(work, name)};`);
      // Its workers have to get into the folder for temporary files.
      const user = process.getuid() === 0 ? 'user root;\n' : '';
      const whole = `${user}daemon off;\npid ${work}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\n${places.join('\n')}\ninclude ${work}/site.conf;\n}\n`;
      writeFileSync(join(work, 'nginx.conf'), whole);
      return ['nginx', '-e', 'stderr', '-c', join(work, 'nginx.conf')];
    },
  },
  caddy: {
    file: 'Caddyfile',
    version: () => `Caddy ${spawnSync('caddy', ['version'], { env, encoding: 'utf8' }).stdout?.trim()}`,
    start(text, { port, upstream }) {
      const site = replaced(text, [
        ['127.0.0.1:8765', upstream],
        [/^videos\.example\.com \{/m, `${HOST}:${port} {\n\tbind 127.0.0.1`],
        [/# With a certificate of your own: tls \S+ \S+/, `tls ${certificate} ${key}`],
      ]);
      writeFileSync(join(work, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
      return ['caddy', 'run', '--config', join(work, 'Caddyfile'), '--adapter', 'caddyfile'];
    },
  },
};

const { startDemoService } = createRequire(import.meta.url)(join(root, 'dist', 'demo.cjs'));
const wanted = process.argv.slice(2);

try {
  await buildAll(join(root, 'dist'));
  makeCertificate();
  for (const [name, proxy] of Object.entries(PROXIES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    if (spawnSync('sh', ['-c', `command -v ${name}`], { env }).status !== 0) console.log(`${name}: NOT TRIED, it is not installed.`);
    else await tryBehind(name, proxy);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

function makeCertificate() {
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...subject], { stdio: 'ignore' });
}

/** A text with each of these replaced; one that is not there is an error of this script. */
function replaced(text, pairs) {
  return pairs.reduce((result, [from, to]) => {
    const next = result.replaceAll(typeof from === 'string' || from.global ? from : new RegExp(from, `${from.flags}g`), to);
    assert.notEqual(next, result, `the configuration holds ${from}`);
    return next;
  }, text);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a program, and ends it at the end. Answers what it wrote to stderr. */
function start(line, options, ends) {
  const child = spawn(line[0], line.slice(1), { stdio: ['ignore', 'ignore', 'pipe'], ...options });
  let told = '';
  child.stderr.on('data', (text) => {
    told += text;
  });
  const end = once(child, 'close');
  ends.push(async () => {
    child.kill();
    await end;
  });
  return { child, told: () => told };
}

async function until(what, isThere, told) {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await isThere();
    if (found) return found;
    await sleep(50);
  }
  return assert.fail(`${what} did not come.\n${told()}`);
}

async function tryBehind(name, { file = `${name}.conf`, version, start: lineOf }) {
  const ends = [];
  const folder = join(work, name);
  mkdirSync(folder);
  const demo = await startDemoService({ now: new Date().toISOString(), views: 20_000 });
  ends.push(() => demo.close());
  try {
    const [port, plainPort, listening] = [await freePort(), await freePort(), await freePort()];
    const url = `https://${HOST}:${port}`;
    const settings = {
      ...env,
      VIDEO_HOSTING_BASE_URL: demo.baseUrl,
      VIDEO_HOSTING_STATS_URL: demo.statsUrl,
      VIDEO_HOSTING_API_KEY: demo.apiKey,
      VIDEO_HOSTING_DATA_DIR: join(folder, 'data'),
      VIDEO_HOSTING_PUBLIC_URL: url,
      VIDEO_HOSTING_HTTP_LISTEN: `127.0.0.1:${listening}`,
    };
    const add = (...argv) => execFileSync(process.execPath, [command, 'people', 'add', ...argv], { env: settings, encoding: 'utf8' });
    const ann = secretsIn(add('ann', '--roles', 'read,approve'));
    const bob = secretsIn(add('bob', '--roles', 'read,propose'));
    const server = start([process.execPath, command, 'serve', '--http'], { env: settings }, ends);
    await until('the server', () => server.told().includes('Serves at'), server.told);
    const text = readFileSync(join(root, 'deploy', file), 'utf8');
    const proxy = start(lineOf(text, { port, plainPort, upstream: `127.0.0.1:${listening}` }), { env: { ...env, HOME: folder } }, ends);
    const agent = new Agent({ connect: { ca: readFileSync(certificate) } });
    ends.push(() => agent.destroy());
    const fetch = (target, options) =>
      fetchWith(String(target).startsWith('/') ? `${url}${target}` : target, { ...options, dispatcher: agent });
    await until(
      'the proxy',
      () =>
        fetch('/healthz').then(
          ({ ok }) => ok,
          () => false,
        ),
      proxy.told,
    );
    await use({ url, ann, bob, demo, server, fetch });
    await useByDoctor({ url, bob });
    console.log(`${version()}: everything works through it.`);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

function secretsIn(printed) {
  return { token: /vhm_[\w-]+/.exec(printed)[0], pageKey: /vhp_[\w-]+/.exec(printed)[0] };
}

async function use({ url, ann, bob, demo, server, fetch }) {
  const options = { fetch, requestInit: { headers: { authorization: `Bearer ${bob.token}` } } };
  const address = new URL('/mcp', url);
  const client = new Client({ name: 'proxied', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const earlier = new EarlierClient({ name: 'proxied-before', version: '1.0.0' });
  const clients = [client, earlier];
  await client.connect(new StreamableHTTPClientTransport(address, options));
  await earlier.connect(new EarlierTransport(address, options));
  for (const one of clients) assert.ok((await one.listTools()).tools.length > 10);
  console.log('  tools, in both eras');

  await progressComes(client, demo);
  console.log('  progress while the call goes on');

  const row = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const post = (body) =>
    fetch('/mcp', {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${bob.token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
  const bodyOf = (bytes) => {
    const empty = JSON.stringify({ ...row, params: { name: 'nothing', arguments: { text: '' } } });
    return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
  };
  const largest = await post(bodyOf(4 * 1_024 * 1_024));
  assert.notEqual(largest.status, 413);
  assert.match(await largest.text(), /nothing/);
  const larger = await post(bodyOf(4 * 1_024 * 1_024 + 1));
  assert.equal(larger.status, 413);
  assert.match(await larger.text(), /A list of 100,000 ids has room/);
  console.log('  bodies of 4 MiB, and of more a refusal in words');

  const { structuredContent: asked } = await client.callTool({ name: 'create_project', arguments: { name: 'Proxied', region: 'use-s' } });
  assert.equal(asked.status, 'waiting');
  assert.equal(asked.link, `${url}/changes/${asked.changeId}`);
  const waiting = client.callTool({ name: 'get_change', arguments: { changeId: asked.changeId, waitSeconds: 600 } }, { timeout: 120_000 });
  await pressInBrowser(asked.link, ann, fetch);
  const { structuredContent: done } = await waiting;
  assert.equal(done.status, 'applied');
  console.log('  a call that waits while somebody signs in in a browser, follows the link and applies; events of the page as they come');

  await clientGoes(client, server);
  console.log('  a call whose client goes ends');

  const direct = await fetch('/mcp', { method: 'POST', headers: { 'x-forwarded-host': 'evil.example.com' }, body: '{}' });
  assert.equal(direct.status, 401);
  for (const one of clients) await one.close();
}

/** The service holds a page of the log until progress of the call was seen, which a proxy that keeps it back would never let be. */
async function progressComes(client, demo) {
  let open;
  const seen = new Promise((resolve) => {
    open = resolve;
  });
  let pages = 0;
  demo.behaviour.onRequest = ({ api }) => {
    if (api !== 'stats') return undefined;
    pages += 1;
    return pages > 3 ? Promise.race([seen, sleep(30_000, undefined, { ref: false })]) : undefined;
  };
  let isSeen = false;
  const answer = await client.callTool(
    { name: 'query_analytics', arguments: { metrics: ['views'], from: '1y', groupBy: ['month'] } },
    {
      onprogress: () => {
        isSeen = true;
        open();
      },
      timeout: 120_000,
    },
  );
  demo.behaviour.onRequest = undefined;
  assert.ok(!answer.isError, JSON.stringify(answer.content));
  assert.ok(isSeen && pages > 3, `${pages} pages`);
}

/** What a person does who gets the link in a chat. */
async function pressInBrowser(link, { pageKey }, fetch) {
  const browser = await chromium.launch({ executablePath: await sparticuz.executablePath(), args: ['--no-sandbox'], headless: true });
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(link);
    assert.equal(new URL(page.url()).pathname, '/sign-in');
    await page.getByLabel('Page key').fill(pageKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Signed in as ann').waitFor();
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie.name, cookie.secure, cookie.httpOnly], ['__Host-session', true, true]);
    const events = eventsOf(fetch, `${cookie.name}=${cookie.value}`);
    assert.match((await events.next()).value, /^retry/);
    await page.getByRole('button', { name: /Create/ }).click();
    await page.getByText('Everything was applied.').first().waitFor();
    assert.match((await events.next()).value, /^data: \{/);
    await events.return();
    const token = await page.evaluate(() => localStorage.getItem('page-token'));
    await listOfMegabytes(fetch, `${cookie.name}=${cookie.value}`, token);
  } finally {
    await browser.close();
  }
}

/** The events of the page, each as it comes. */
async function* eventsOf(fetch, cookie) {
  const gone = new AbortController();
  try {
    const response = await fetch('/app/api/events', {
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
      signal: gone.signal,
    });
    assert.equal(response.status, 200);
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      const text = decoder.decode(chunk);
      if (!/^:\n\n$/.test(text)) yield text;
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    gone.abort();
  }
}

/** A file of 20 MB that somebody drops on the page gets through. */
async function listOfMegabytes(fetch, cookie, token) {
  const headers = {
    cookie,
    origin: new URL((await fetch('/healthz')).url).origin,
    'x-page-token': token,
    'content-type': 'application/json',
  };
  const { status } = await fetch('/app/api/videos/read', {
    method: 'POST',
    headers,
    body: JSON.stringify({ text: 'x'.repeat(20_000_000) }),
  });
  assert.notEqual(status, 413);
}

/** Where the proxy keeps the connection, the server would wait on for nobody. */
async function clientGoes(client, server) {
  const { structuredContent } = await client.callTool({ name: 'create_project', arguments: { name: 'Left', region: 'use-s' } });
  const gone = new AbortController();
  const waits = () =>
    server
      .told()
      .split('\n')
      .filter((line) => line.includes('"tool":"get_change"')).length;
  const before = waits();
  const call = client.callTool(
    { name: 'get_change', arguments: { changeId: structuredContent.changeId, waitSeconds: 600 } },
    { signal: gone.signal },
  );
  await sleep(1_000);
  assert.equal(waits(), before);
  const at = performance.now();
  gone.abort();
  await assert.rejects(call);
  await until('the end of the call', () => waits() > before, server.told);
  assert.ok(performance.now() - at < 20_000);
}

/** What `doctor --url` says of it. */
async function useByDoctor({ url, bob }) {
  const given = { ...env, NODE_EXTRA_CA_CERTS: certificate, VIDEO_HOSTING_CLIENT_TOKEN: bob.token };
  // The service is of this process, which must not stand still.
  const child = spawn(process.execPath, [command, 'doctor', '--url', url], { env: given, stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.on('data', (text) => {
    told += text;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, 0, told);
  console.log('  doctor --url finds nothing wrong');
}
