/** `doctor --url`: whether a server for several people can be used from here, and what to do where it can’t. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as send } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rotateSecrets } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import { freshHome } from '../harness/cleanup.ts';
import { type HttpSession, startHttp } from '../harness/http.ts';
import { answerWith } from '../harness/loopback.ts';
import { startTls } from '../harness/proxy.ts';
import { runInProcess } from '../harness/run-command.ts';

interface Finding {
  readonly level: string;
  readonly about: string;
  readonly detail: string;
  readonly remedy?: string;
}

async function examine(argv: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout } = await runInProcess(['doctor', '--json', ...argv], { HOME: freshHome(), ...env });
  expect(stdout).not.toMatch(/vh[mp]_[\w-]{20}/);
  // The shape is what is tested here.
  const report = JSON.parse(stdout) as { readonly ok: boolean; readonly url: string; readonly findings: readonly Finding[] };
  const of = (about: string): string => {
    const found = report.findings.find((finding) => finding.about === about);
    return `${found?.level}: ${found?.detail} ${found?.remedy ?? ''}`;
  };
  return { code, report, of };
}

const tokenOf = ({ people }: Pick<HttpSession, 'people'>, name: 'ann' | 'bob' = 'bob') => ({
  VIDEO_HOSTING_CLIENT_TOKEN: people[name].secrets.clientToken,
});

/** A proxy that passes on what comes, with other headers. */
const passingOn = (url: string, change: (headers: IncomingMessage['headers']) => IncomingMessage['headers']) =>
  answerWith((request, response) => {
    const { hostname, port, host } = new URL(url);
    const headers = change({ ...request.headers, host });
    const onward = send({ hostname, port, path: request.url, method: request.method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(response);
    });
    request.pipe(onward);
  });

test('a server that can be used is told with whose the token is, what it may do and that the account is reached', async () => {
  const server = await startHttp();
  const { code, report, of } = await examine(['--url', server.url], tokenOf(server, 'ann'));
  expect(code).toBe(0);
  expect(report).toMatchObject({ ok: true, url: server.url });
  expect(report.findings.map(({ level, about }) => `${level} ${about}`)).toEqual([
    'fine Address',
    'fine Server',
    'fine Host',
    'fine Client token',
    'fine Account',
  ]);
  expect(of('Client token')).toMatch(/^fine: of ann, who has read, propose, approve; \d+ tools are listed\./);
  // It names itself to nobody: whose client it is called stays what that said.
  expect(server.requests().map(({ client }) => client)).toEqual(expect.arrayContaining([undefined]));
  expect(server.requests().some(({ client }) => client !== undefined)).toBe(false);
  const text = await runInProcess(['doctor', '--url', server.url], { HOME: freshHome(), ...tokenOf(server) });
  expect([text.code, text.stdout]).toEqual([0, expect.stringMatching(/✓ Client token +of bob[\s\S]*Nothing is wrong\.\n$/)]);
});

test('without a token all else is tried', async () => {
  const { url } = await startHttp();
  const { code, of } = await examine(['--url', url]);
  expect([code, of('Client token')]).toEqual([0, expect.stringMatching(/^note: not tried.*Set VIDEO_HOSTING_CLIENT_TOKEN/)]);
});

test('a token whose person may do nothing is told as that', async () => {
  const server = await startHttp();
  const path = peopleFileIn(server.dataDir);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/("name": "bob",\s+"roles": \[)\s+"read",/, '$1'), { mode: 0o600 });
  const { code, of } = await examine(['--url', server.url], tokenOf(server));
  expect([code, of('Client token')]).toEqual([
    1,
    expect.stringMatching(/^wrong: it is taken, and whoever has it may do nothing.*people roles NAME/),
  ]);
});

test('a token that was rotated, and a page key, are told', async () => {
  const server = await startHttp();
  await rotateSecrets(peopleFileIn(server.dataDir), 'bob', new AbortController().signal);
  const old = await examine(['--url', server.url], tokenOf(server));
  expect([old.code, old.of('Client token')]).toEqual([
    1,
    expect.stringMatching(/^wrong: the server knows nobody with it\. .*people rotate/),
  ]);
  const key = await examine(['--url', server.url], { VIDEO_HOSTING_CLIENT_TOKEN: server.people.ann.secrets.pageKey });
  expect([key.code, key.of('Client token')]).toEqual([1, expect.stringMatching(/^wrong: .*page key/)]);
});

test.each<[string, string, RegExp, () => Promise<string>]>([
  ['nothing listens', 'Address', /nothing listens there \(ECONNREFUSED\)\. Start the server/, async () => 'http://127.0.0.1:9'],
  [
    'a proxy without the server behind it',
    'Server',
    /A proxy answers at \S+ \(status 502\), and the server behind it does not\. Start it/,
    () => answerWith((_, response) => void response.writeHead(502).end('<html>')),
  ],
  [
    'another program',
    'Address',
    /is no server of this kind \(status 200\)/,
    () => answerWith((_, response) => void response.writeHead(200).end('<html>')),
  ],
  [
    'an address that leads on',
    'Address',
    /leads on to https:\/\/videos\.example\.com, which is not followed/,
    () => answerWith((_, response) => void response.writeHead(301, { location: 'https://videos.example.com/x?vhm_secret' }).end()),
  ],
  ['http where https is asked for', 'TLS', /does not speak https/, async () => (await startHttp()).url.replace('http:', 'https:')],
  [
    'a certificate that is not trusted',
    'TLS',
    /certificate is not trusted on this machine .*NODE_EXTRA_CA_CERTS/,
    async () => `https://127.0.0.1:${(await startTls((await startHttp()).url)).port}`,
  ],
  [
    'another Host than the public URL’s',
    'Host',
    /answers for another one than 127\.0\.0\.1:\d+: videos\.example\.com\. .*VIDEO_HOSTING_PUBLIC_URL/,
    async () => (await startHttp({ env: { VIDEO_HOSTING_PUBLIC_URL: 'https://videos.example.com' } })).url,
  ],
])('%s is told with what to do, and nothing behind it is tried', async (_, about, says, start) => {
  const { code, report, of } = await examine(['--url', await start()], { VIDEO_HOSTING_CLIENT_TOKEN: `vhm_${'x'.repeat(43)}` });
  expect([code, of(about)]).toEqual([1, expect.stringMatching(says)]);
  expect(report.findings.at(-1)?.about).toBe(about);
});

test('a proxy that takes the token out is told apart from a token of nobody', async () => {
  const server = await startHttp();
  const url = await passingOn(server.url, ({ authorization: _, ...headers }) => headers);
  const { code, of } = await examine(['--url', url], tokenOf(server));
  expect([code, of('Client token')]).toEqual([
    1,
    expect.stringMatching(/^wrong: it does not get to the server.*pass on every path and header/),
  ]);
});

test('a server that is not ready, and an account that it does not get to, are told', async () => {
  const { people, url, demo } = await startHttp();
  demo.behaviour.onExchange = async ({ response }) => void response.writeHead(401).end();
  const { code, of } = await examine(['--url', url], tokenOf({ people }));
  expect([code, of('Account')]).toEqual([1, expect.stringMatching(/^wrong: the server does not get to it: .*doctor on its machine/)]);
});

test('clocks that differ are told', async () => {
  const server = await startHttp();
  const url = await answerWith((request, response) => {
    response.sendDate = false;
    response.setHeader('date', new Date(Date.now() + 20 * 60_000).toUTCString());
    if (request.url === '/healthz') response.end('The process runs.\n');
    else response.writeHead(503).end();
  });
  expect((await examine(['--url', url], tokenOf(server))).of('Clock')).toMatch(
    /^note: This machine’s clock is 20 minutes behind the server’s/,
  );
});

test('an address that can’t be one is a wrong setting, and --client goes without it', async () => {
  const { code, of } = await examine(['--url', 'http://videos.example.com']);
  expect([code, of('Settings')]).toEqual([1, expect.stringMatching(/^wrong: --url must start with https:\/\//)]);
  expect((await examine(['--url', 'https://videos.example.com', '--client', 'cursor'])).of('Settings')).toMatch(/--client/);
});

test('the entry of a client for an address is tried as that client would', async () => {
  const server = await startHttp();
  const home = freshHome();
  const file = join(home, '.cursor', 'mcp.json');
  mkdirSync(join(home, '.cursor'));
  const write = (authorization: string, url = `${server.url}/mcp`) =>
    writeFileSync(file, JSON.stringify({ mcpServers: { 'video-hosting': { url, headers: { Authorization: authorization } } } }));
  const doctor = (env: Record<string, string> = {}) => examine(['--client', 'cursor'], { HOME: home, ...env });
  write(`Bearer ${server.people.bob.secrets.clientToken}`);
  expect((await doctor()).of('Client token')).toMatch(/^fine: of bob/);
  write(`Bearer \${env:VIDEO_HOSTING_CLIENT_TOKEN}`);
  expect((await doctor()).of('Client')).toMatch(/^note: The token is not known here: Cursor takes it from its own environment/);
  expect((await doctor(tokenOf(server, 'ann'))).of('Client token')).toMatch(/^fine: of ann/);
  write(`Bearer ${server.people.bob.secrets.clientToken}`, server.url);
  const { code, of } = await doctor();
  expect([code, of('Client')]).toEqual([1, expect.stringMatching(/does not end in \/mcp/)]);
});
