/** What the page’s requests are answered where nothing can be: always JSON with a sentence, which the views show. */
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect as connectTo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Browser, browse } from '../harness/browse.ts';
import { atEnd, freshHome } from '../harness/cleanup.ts';
import { addPeople, startHttp } from '../harness/http.ts';

const READS = [
  'session',
  'changes',
  'changes/chg-1',
  'channels',
  'approvals',
  'reports',
  'reports/1/chart.png',
  'videos',
  'client',
  'events',
  'nothing',
];
const PRESSES = [
  'changes/chg-1/decision',
  'changes/chg-1/undo',
  'changes/chg-1/stop',
  'changes/chg-1/resume',
  'approvals/stop',
  'client/token',
];

/** Each answer that is an error, which has to be JSON of one shape. Returns the statuses. */
async function statusesOf(answers: readonly (readonly [path: string, answer: Response])[], hidden: string): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  for (const [path, answer] of answers) {
    statuses.add(answer.status);
    if (answer.ok) {
      await answer.body?.cancel();
      continue;
    }
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, answer.status, 'application/json; charset=utf-8']);
    const body = await answer.json();
    // What is not there helps nobody to be asked for again.
    const { title, since, setup, ...told } = body;
    expect([path, told]).toEqual([path, { message: expect.any(String), ...(answer.status === 404 && { isFinal: true }) }]);
    for (const text of [body.message, title, setup]) if (text !== undefined) expect(text).toMatch(/^[A-Z“].*\.$/s);
    expect(JSON.stringify(body)).not.toContain(hidden);
  }
  return statuses;
}

const asked = async (browser: Browser) => [
  ...(await Promise.all(READS.map(async (path) => [path, await browser.get(`/app/api/${path}`)] as const))),
  ...(await Promise.all(PRESSES.map(async (path) => [path, await browser.post(path)] as const))),
];

/** A server whose people are in another folder than its data. */
async function server() {
  const home = freshHome();
  const people = join(home, 'people', 'people.json');
  const session = await startHttp({ home, env: { VIDEO_HOSTING_PEOPLE: people }, people: await addPeople(people) });
  return { ...session, file: people, ann: await browse(session, session.people.ann.secrets.pageKey) };
}

const AWAY: readonly (readonly [name: string, take: (dataDir: string) => void])[] = [
  ['is gone', (dataDir) => renameSync(dataDir, `${dataDir}.away`)],
  [
    'is a file',
    (dataDir) => {
      renameSync(dataDir, `${dataDir}.away`);
      writeFileSync(dataDir, '');
    },
  ],
  [
    'has nothing in it any more',
    (dataDir) => {
      renameSync(dataDir, `${dataDir}.away`);
      mkdirSync(dataDir);
    },
  ],
];

test.each(AWAY)('while the data folder %s', async (_, take) => {
  const { ann, dataDir, home, log } = await server();
  await ann.api('changes');
  take(dataDir);
  await statusesOf(await asked(ann), home);
  expect(log()).not.toMatch(/\n {4}at /);
});

test.skipIf(process.platform === 'win32')('while the file of people can’t be used, with what to do', async () => {
  const { ann, file, home } = await server();
  chmodSync(file, 0o644);
  expect(await ann.api('session')).toEqual({
    message: 'This server can’t answer now. Try again in a moment; if that goes on, whoever runs it finds in its log why.',
  });
  expect([...(await statusesOf(await asked(ann), home))]).toEqual([503]);
});

test('of requests that are refused before anybody looks who sends them', async () => {
  const { url } = await server();
  const { hostname, port } = new URL(url);
  const send = (headers: Record<string, string | string[]>, method = 'GET', path = '/app/api/changes') =>
    new Promise<{ status: number | undefined; type: string | undefined; body: string }>((resolve, reject) => {
      const sent = httpRequest({ hostname, port, path, method, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.once('end', () => resolve({ status: response.statusCode, type: response.headers['content-type'], body }));
      });
      sent.once('error', reject);
      sent.end();
    });
  const refused = [
    [421, await send({ host: 'evil.example.com' })],
    [403, await send({ origin: 'https://evil.example.com' })],
    [400, await send({ 'x-page-token': ['a', 'b'] })],
    [400, await send({}, 'GET', '/app/api/changes?token=x')],
    [400, await send({}, 'GET', '/app/api/../api/changes')],
    [405, await send({}, 'PUT')],
    [401, await send({})],
    [401, await send({}, 'POST')],
  ] as const;
  for (const [status, answer] of refused) {
    expect([status, answer.type]).toEqual([answer.status, 'application/json; charset=utf-8']);
    expect(Object.keys(JSON.parse(answer.body))).toEqual(['message']);
  }
});

test('of a body that is none, is too large, or comes too often', async () => {
  const { ann, url, home } = await server();
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/app/api/changes/chg-1/decision`, {
      method: 'POST',
      headers: { cookie: ann.cookie, origin: url, 'content-type': 'application/json', 'x-page-token': ann.token, ...headers },
      body,
    });
  const odd = [
    '',
    '[]',
    'null',
    '{',
    '"x"',
    '{"decision":{}}',
    '{"decision":"apply","planDigest":{"toString":1}}',
    '{"__proto__":{"decision":"apply"}}',
  ];
  const answers = [
    ...odd.map(async (body) => [body, await post(body)] as const),
    (async () => ['large', await post('x'.repeat(5 * 1024 * 1024))] as const)(),
    (async () => ['form', await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })] as const)(),
  ];
  expect(await statusesOf(await Promise.all(answers), home)).not.toContain(500);
  const flood = Array.from({ length: 400 }, async () => ['session', await ann.get('/app/api/session')] as const);
  expect(await statusesOf(await Promise.all(flood), home)).toContain(429);
});

test.each(['content-length', 'chunked'] as const)(
  'of a body that is refused before its end, also to whoever reads no answer before all of it is sent (%s)',
  async (how) => {
    const { ann, url } = await server();
    const body = Buffer.alloc(6 * 1024 * 1024, 'x');
    const length = how === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
    const lines = [
      'POST /app/api/changes/chg-1/decision HTTP/1.1',
      ...[`host: ${new URL(url).host}`, `origin: ${url}`, `cookie: ${ann.cookie}`, `x-page-token: ${ann.token}`],
      ...['content-type: application/json', length],
    ];
    const pieces = how === 'chunked' ? [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'] : [body];
    const socket = connectTo(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    atEnd(() => void socket.destroy());
    for (const piece of [`${lines.join('\r\n')}\r\n\r\n`, ...pieces]) await new Promise((resolve) => socket.write(piece, resolve));
    let answered = '';
    await new Promise((resolve) => socket.on('data', (text) => (answered += String(text))).once('close', resolve));
    expect(answered).toMatch(/^HTTP\/1\.1 413 [\s\S]*\{"message":"That is too long\. Nothing was changed\."\}$/);
  },
);

test('once the data folder is back, everything is answered again', async () => {
  const { ann, dataDir } = await server();
  renameSync(dataDir, `${dataDir}.away`);
  await ann.get('/app/api/changes');
  rmSync(dataDir, { recursive: true, force: true });
  renameSync(`${dataDir}.away`, dataDir);
  expect((await ann.get('/app/api/changes')).status).toBe(200);
});

test('where the service says when to come again, the page is told', async () => {
  const { url, people, demo } = await startHttp();
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  demo.faults.always({ match: { method: 'GET', path: '/v1/channels' }, do: { kind: 'status', code: 429, retryAfter: 3_600 } });
  expect(await ann.api('channels')).toEqual({ message: expect.any(String), retryAt: expect.stringMatching(/^\d{4}-/) });
});
