/** One person who takes more than a share, or sends what takes long to look at: nobody else waits for it. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { manyVideos } from '../changes/kinds/videos/harness.ts';
import { browse } from '../harness/browse.ts';
import { atEnd } from '../harness/cleanup.ts';
import { startHttp, toolCall } from '../harness/http.ts';
import { hold, startService } from '../harness/service.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** Sends bytes as they are. Resolves with what came back, once `isWhole` holds of it or the connection is over. */
function sendRaw(url: string, text: string, isWhole = (_: string): boolean => false): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    atEnd(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (isWhole(answer)) resolve(answer);
    });
    socket.once('close', () => resolve(answer));
  });
}

const head = (url: string, token: string, lines: readonly string[]): string =>
  [
    'POST /mcp HTTP/1.1',
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...lines,
    '',
    '',
  ].join('\r\n');

test.each([
  // Each counts for as many requests as it is long, before any of it is read.
  ['that tell their length', 'Content-Length: 4194304', 13],
  ['that don’t', 'Transfer-Encoding: chunked', 4],
])('bodies %s and are never whole are refused once they would take more time or memory than one person has', async (_, line, refused) => {
  const { url, people, post } = await startHttp();
  const { clientToken } = people.bob.secrets;
  const statuses: string[] = [];
  for (let index = 0; index < 14; index += 1)
    void sendRaw(url, `${head(url, clientToken, [line])}1\r\n{`, (answer) => answer !== '').then((answer) =>
      statuses.push(answer.split('\r\n')[0] ?? ''),
    );
  await expect.poll(() => statuses).toEqual(Array.from({ length: refused }, () => 'HTTP/1.1 429 Too Many Requests'));
  expect((await post(people.ann, PING)).status).toBe(200);
});

test('a list that is told as numbers, or as a text, is read at once; one of nothing that can be meant is refused as what it is', async () => {
  const { people, post, demo } = await startHttp();
  const call = async (args: object) => (await post(people.bob, toolCall('query_analytics', args))).text();
  const numbers = Array.from({ length: 100_000 }, (_, index) => index);
  expect(await call({ metrics: ['views'], videoKeys: numbers.map(String) })).toContain('expected at most 500 entries');
  expect(await call({ metrics: ['views'], videoKeys: JSON.stringify(numbers) })).toContain('expected at most 500 entries');
  expect(await call({ metrics: numbers.slice(0, 40_000).map(String), weekdays: numbers.slice(0, 40_000).map(String) })).toContain(
    'expected one of',
  );
  expect(await call({ channels: `[${'{"a":1},'.repeat(300_000)}1]` })).toContain('channels');
  await expect.poll(async () => (await post(people.bob, `[${'1,'.repeat(200_000)}1]`)).status).toBe(400);
  expect(demo.requests).toEqual([]);
});

test('on the page, too, and one person has twenty windows, which are not another’s', async () => {
  const { url, people } = await startHttp();
  const eve = await browse({ url }, people.eve.secrets.pageKey);
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const gone = new AbortController();
  atEnd(() => gone.abort());
  const open = (cookie: string) => fetch(`${url}/app/api/events`, { headers: { cookie }, signal: gone.signal });
  const answers = await Promise.all(Array.from({ length: 25 }, () => open(eve.cookie)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  const [refused] = answers.filter(({ status }) => status === 429);
  expect(await refused?.json()).toEqual({ message: expect.stringContaining('too many windows') });
  expect((await open(ann.cookie)).status).toBe(200);
});

test('what is nested without end is refused before it is parsed', async () => {
  const { url, people, post, demo } = await startHttp();
  const depth = 1_000_000;
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_channels","arguments":{"search":${'['.repeat(depth)}${']'.repeat(depth)}}}}`;
  const answer = await post(people.eve, deep);
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: expect.stringContaining('64 levels') } },
  ]);
  const many = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${'{},'.repeat(500_000)}1]}}`;
  expect((await post(people.eve, many)).status).toBe(400);
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const page = await ann.post('videos/read', JSON.parse('{"text":"x"}') as object);
  expect(page.status).not.toBe(429);
  expect(demo.requests).toEqual([]);
});

test('a mark before a body keeps none of it from being counted', async () => {
  const { people, post, requests } = await startHttp();
  const call = `\uFEFF${JSON.stringify(toolCall('list_channels', { size: 5 }))}`;
  expect((await post(people.bob, call)).status).toBe(200);
  const batch = JSON.stringify(Array.from({ length: 61 }, (_, id) => ({ ...PING, id })));
  expect((await post(people.bob, `\uFEFF${batch}`)).status).toBe(429);
  expect((await post(people.bob, `\uFEFF\uFEFF${batch}`)).status).toBe(400);
  await expect.poll(() => requests()[0]).toMatchObject({ rpc: 'tools/call', tool: 'list_channels' });
});

test('hundreds of thousands of wrong arguments are told as a hundred and a number', async () => {
  const { people, post, demo } = await startHttp();
  const many = Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`key${index}`, 1]));
  const text = await (await post(people.eve, toolCall('list_channels', many))).text();
  expect(text).toContain('15000 arguments are wrong');
  expect(text.length).toBeLessThan(100_000);
  expect(demo.requests).toEqual([]);
});

test('what an answer repeats of a request is bounded', async () => {
  const { people, post } = await startHttp();
  const long = 'x'.repeat(3_000_000);
  const answers = [
    await post(people.eve, { ...PING, id: long }),
    await post(people.eve, { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: `video-hosting://${long}` } }),
  ];
  for (const answer of answers) expect((await answer.text()).length).toBeLessThan(10_000);
});

test.each(['Host: evil.example.com', 'Authorization: Bearer vhm_other', 'Origin: https://evil.example.com'])(
  'a second header (%s) is refused, whichever of the two a proxy went by',
  async (line) => {
    const { url, people, demo } = await startHttp();
    const body = JSON.stringify(toolCall('list_channels'));
    const origin = line.startsWith('Origin') ? [`Origin: ${url}`] : [];
    const lines = [...origin, line, `Content-Length: ${body.length}`, 'Connection: close'];
    expect(await sendRaw(url, `${head(url, people.bob.secrets.clientToken, lines)}${body}`)).toMatch(/^HTTP\/1\.1 400 .*more than once/s);
    expect(demo.requests).toEqual([]);
  },
);

test('a connection that is to be closed is closed with the answer', async () => {
  const { url, people } = await startHttp();
  const body = JSON.stringify(PING);
  const lines = [`Content-Length: ${body.length}`, 'Connection: close'];
  expect(await sendRaw(url, `${head(url, people.bob.secrets.clientToken, lines)}${body}`)).toMatch(/^HTTP\/1\.1 200/);
});

test.each(['GET', 'DELETE', 'PUT', 'TRACE', 'PROPFIND'])('%s is not understood at /mcp', async (method) => {
  const { url, people } = await startHttp();
  const sent = head(url, people.bob.secrets.clientToken, ['Connection: close']).replace('POST', method);
  expect(await sendRaw(url, sent)).toMatch(/^HTTP\/1\.1 405 .*allow: POST/is);
});

test('who has the page open is told that the server ends', async () => {
  const { url, people, stop } = await startHttp();
  const { cookie } = await browse({ url }, people.ann.secrets.pageKey);
  const events = await fetch(`${url}/app/api/events`, { headers: { cookie } });
  const told = events.text();
  await stop();
  expect(await told).toContain('data: {"type":"ended"}');
});

test('what one person looks at on the page leaves others a place at the service, and few of it are worked on at once', async () => {
  const { url, people, connect, demo } = await startHttp({ demo: await startService({ channels: 30 }) });
  const [eve, ann] = [await browse({ url }, people.eve.secrets.pageKey), await connect(people.ann)];
  await ann.callTool('list_plans');
  const release = hold(demo, () => true);
  const asked = demo.requests.length;
  const ids = [...demo.world.channels.keys()];
  const looks = ids.slice(0, 16).map((id) => eve.get(`/app/api/channels/${id}`));
  await expect.poll(() => demo.requests.length).toBeGreaterThan(asked);
  const listed = ann.callTool('list_projects');
  await expect.poll(() => demo.requests.some(({ path }) => path.includes('/projects'))).toBe(true);
  release();
  expect((await listed).isError).toBe(false);
  await Promise.all(looks);
});

test('whoever looks at a change that waits shares its plan with the others', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(10);
  const { url, people, connect } = await startHttp({ demo });
  const move = { videoIds: ids, targetProject: archive, fromProject: elsewhere };
  const { data } = await (await connect(people.bob)).callTool('move_videos', move);
  expect(data?.status).toBe('waiting');
  const pages = await Promise.all([people.ann, people.dan, people.eve].map(({ secrets }) => browse({ url }, secrets.pageKey)));
  const before = demo.requests.length;
  const [one] = pages;
  expect(await one?.api(`changes/${String(data?.changeId)}`)).toMatchObject({ status: 'waiting' });
  const ofOne = demo.requests.length - before;
  expect(ofOne).toBeGreaterThan(0);
  const views = await Promise.all([...pages, ...pages, ...pages].map((page) => page.api(`changes/${String(data?.changeId)}`)));
  expect(views.map(({ status }) => status)).toEqual(views.map(() => 'waiting'));
  expect(demo.requests.length - before).toBeLessThanOrEqual(2 * ofOne);
});

test('a decision that is no text is refused in words', async () => {
  const { url, people, connect, log } = await startHttp();
  const { data } = await (await connect(people.bob)).callTool('create_project', { name: 'Archive', region: 'use-s' });
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  const answer = await ann.post(`changes/${String(data?.changeId)}/decision`, { decision: 'decline', planDigest: { toString: 1 } });
  expect(answer.status).toBe(409);
  expect(log()).not.toContain('    at ');
});

test('of requests that come on one connection before the first is answered, two are begun at most, and the connection ends', async () => {
  const { url, people, requests, post } = await startHttp();
  const body = JSON.stringify(PING);
  const sent = (...lines: readonly string[]): string =>
    `${head(url, people.eve.secrets.clientToken, [`Content-Length: ${body.length}`, ...lines])}${body}`;
  await sendRaw(url, `${sent().repeat(200)}${sent('Connection: close')}`);
  expect((await post(people.bob, PING)).status).toBe(200);
  expect(requests().filter(({ person }) => person === 'eve').length).toBeLessThanOrEqual(2);
});

test('one that comes while the answer before it is still sent is answered after that one', async () => {
  const { url, people } = await startHttp();
  const gets = (path: string, ...lines: readonly string[]): string =>
    head(url, people.eve.secrets.clientToken, lines).replace('POST /mcp', `GET ${path}`);
  const answers = await sendRaw(url, `${gets('/sign-in')}${gets('/healthz', 'Connection: close')}`);
  expect(answers.match(/^HTTP\/1\.1 \d+|^The process runs\.|<h1>[^<]+/gm)).toEqual([
    'HTTP/1.1 200',
    '<h1>Sign in',
    'HTTP/1.1 200',
    'The process runs.',
  ]);
});
