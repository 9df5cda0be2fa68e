/**
 * Attacks on the approval page by other sites, servers of other programs, another browser, and a page that knows the address
 * but not the secrets of the session. None of them can read anything or confirm a change.
 */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { channelAt, writesOf } from '../changes/support/world.ts';
import { enterPage, exchange, type HttpOptions, http, type TestPage } from '../harness/page.ts';
import { rename, startWithPage, waitingRename } from '../page/support.ts';

type Waiting = Awaited<ReturnType<typeof waitingRename>>;

interface Attack {
  readonly path: (page: TestPage, changeId: string) => string;
  readonly options: (page: TestPage, planDigest: string) => HttpOptions;
}

const decision = (digest: string, headers: (page: TestPage) => Readonly<Record<string, string | undefined>>, more: HttpOptions = {}) => ({
  path: (page: TestPage, changeId: string) => `${page.folder}api/changes/${changeId}/decision`,
  options: (page: TestPage): HttpOptions => ({
    method: 'POST',
    body: JSON.stringify({ decision: 'apply', planDigest: digest }),
    ...more,
    headers: {
      cookie: page.cookie,
      origin: page.origin,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-dest': 'empty',
      'content-type': 'application/json',
      'x-page-token': page.token,
      ...headers(page),
    },
  }),
});

/** How each forged request differs from the page's own request when Apply is pressed. */
const FORGED: Readonly<Record<string, (page: TestPage) => Readonly<Record<string, string | undefined>>>> = {
  'another origin': () => ({ origin: 'https://evil.example' }),
  'a server on another port of this machine': () => ({ origin: 'http://127.0.0.1:1' }),
  'this server by its other name': ({ origin }) => ({ origin: origin.replace('127.0.0.1', 'localhost') }),
  'the origin of a file or a sandbox': () => ({ origin: 'null' }),
  'an origin that begins like the right one': ({ origin }) => ({ origin: `${origin}.evil.example` }),
  'no origin': () => ({ origin: undefined }),
  'a rebound name': ({ origin }) => ({ host: `evil.example:${new URL(origin).port}` }),
  'a rebound name that the origin agrees with': ({ origin }) => ({
    host: `evil.example:${new URL(origin).port}`,
    origin: `http://evil.example:${new URL(origin).port}`,
  }),
  'the name localhost': ({ origin }) => ({ host: `localhost:${new URL(origin).port}` }),
  'no port in its Host': () => ({ host: '127.0.0.1' }),
  'another site, as the browser says': () => ({ 'sec-fetch-site': 'cross-site' }),
  'the same site on another port, as the browser says': () => ({ 'sec-fetch-site': 'same-site' }),
  'a form that is sent by a person’s click': () => ({ 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }),
  'a frame': () => ({ 'sec-fetch-dest': 'iframe' }),
  'no cookie': () => ({ cookie: undefined }),
  'a guessed cookie': () => ({ cookie: `approval=${'A'.repeat(43)}` }),
  'a cookie that begins right': ({ cookie }) => ({ cookie: cookie.slice(0, -1) }),
  'an empty cookie': () => ({ cookie: 'approval=' }),
  'no token': () => ({ 'x-page-token': undefined }),
  'an empty token': () => ({ 'x-page-token': '' }),
  'a guessed token': () => ({ 'x-page-token': 'A'.repeat(43) }),
  'the cookie as the token': ({ cookie }) => ({ 'x-page-token': cookie.split('=')[1] }),
  'a form’s content type': () => ({ 'content-type': 'application/x-www-form-urlencoded' }),
  'plain text, which needs no preflight': () => ({ 'content-type': 'text/plain' }),
  'no content type': () => ({ 'content-type': undefined }),
};

const METHODS: readonly HttpOptions[] = [
  { method: 'GET' },
  { method: 'PUT' },
  { method: 'PATCH' },
  { method: 'DELETE' },
  { method: 'OPTIONS' },
  { method: 'HEAD' },
  { method: 'GET', headers: { 'x-http-method-override': 'POST' } },
];

/** Variations of the address of the page's own request, none of which is valid. */
const PATHS: Readonly<Record<string, (page: TestPage, changeId: string) => string>> = {
  'no session': (_page, id) => `/api/changes/${id}/decision`,
  'a guessed session': (_page, id) => `/p/${'A'.repeat(43)}/api/changes/${id}/decision`,
  'half of a session': ({ folder }, id) => `${folder.slice(0, -5)}/api/changes/${id}/decision`,
  'a way up': ({ folder }, id) => `${folder}../../api/changes/${id}/decision`,
  'an encoded way up': ({ folder }, id) => `${folder}%2e%2e/api/changes/${id}/decision`,
  'two slashes': ({ folder }, id) => `/${folder}api/changes/${id}/decision`,
  'an encoded slash': ({ folder }, id) => `${folder}api%2Fchanges/${id}/decision`,
  'a backslash': ({ folder }, id) => `${folder}api\\changes\\${id}\\decision`,
  'a longer path': ({ folder }, id) => `${folder}api/changes/${id}/decision/more`,
  'a part that can’t be decoded': ({ folder }, id) => `${folder}api/changes/${id}/%E0%A4%A`,
  'another change': ({ folder }) => `${folder}api/changes/chg-000000000-none/decision`,
};

async function expectUntouched({ demo, page, change }: Waiting): Promise<void> {
  expect(writesOf(demo)).toEqual([]);
  expect((await page.change(change.changeId)).status).toBe('waiting');
}

test('a confirmation with any one forged part is refused, and the real one still applies the change', async () => {
  const waiting = await waitingRename();
  const { page, change, call, demo } = waiting;
  const { changeId, planDigest = '' } = change;
  const attacks: Record<string, Attack> = {
    ...Object.fromEntries(Object.entries(FORGED).map(([name, headers]) => [name, decision(planDigest, headers)])),
    ...Object.fromEntries(METHODS.map((more) => [JSON.stringify(more), decision(planDigest, () => ({}), { ...more, body: '' })])),
    ...Object.fromEntries(Object.entries(PATHS).map(([name, path]) => [name, { ...decision(planDigest, () => ({})), path }])),
    'another plan': decision('0'.repeat(64), () => ({})),
  };
  const statuses = new Map<string, number>();
  for (const [name, { path, options }] of Object.entries(attacks)) {
    const { status } = await http(`${page.origin}/`, { ...options(page, planDigest), path: path(page, changeId) });
    statuses.set(name, status);
  }
  expect([...statuses].filter(([, status]) => status < 400)).toEqual([]);
  await expectUntouched(waiting);
  await page.decide(change, 'apply');
  expect(channelAt(demo, 0).name).toBe('Renamed');
  await call;
});

test('nothing can be read without the session or by another site', async () => {
  const waiting = await waitingRename();
  const { page, change } = waiting;
  const paths = ['', 'api/session', 'api/changes', `api/changes/${change.changeId}`, 'api/channels', 'api/reports', 'api/events'];
  const others = Object.entries(FORGED).filter(([name]) => !/token|content|plain text|no origin|sent by a person/.test(name));
  const read: string[] = [];
  for (const path of paths) {
    for (const [name, headers] of others) {
      const forged = { 'sec-fetch-site': 'same-origin', cookie: page.cookie, ...headers(page) };
      const { status, text } = await http(`${page.origin}${page.folder}${path}`, { headers: forged });
      if (status < 400 || text.includes('Renamed') || text.includes(page.token)) read.push(`${path} by ${name}`);
    }
  }
  expect(read).toEqual([]);
});

test('a code works once, and guessed codes are refused', async () => {
  const waiting = await waitingRename();
  const { browser, page } = waiting;
  const [address = ''] = browser.addresses();
  expect((await exchange(address)).status).toBe(403);
  const guesses = ['A'.repeat(43), '', '../open', 'undefined'].map((code) => `${page.origin}/open/${code}`);
  for (const guess of guesses) expect((await exchange(guess)).status).toBe(403);
  await expectUntouched(waiting);
});

test('a code stays valid after another site, a frame or a program without an origin sent it', async () => {
  const { browser, client, demo } = await startWithWaiting();
  const address = await browser.opened();
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: undefined },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-dest': 'iframe' },
    { host: 'evil.example' },
    { 'content-type': 'text/plain' },
  ])
    expect((await exchange(address, headers)).status).toBeGreaterThanOrEqual(400);
  for (const method of ['GET', 'HEAD', 'POST']) expect((await http(address, { method })).headers['set-cookie']).toBeUndefined();
  const page = await enterPage(address);
  expect(await page.waiting()).toHaveLength(1);
  expect(writesOf(demo)).toEqual([]);
  await client.close();
});

async function startWithWaiting() {
  const session = await startWithPage();
  void session.client.callTool('update_channels', rename(channelAt(session.demo, 0))).catch(() => undefined);
  return session;
}

test('the cookie and the token of one session are refused in another', async () => {
  const first = await waitingRename();
  const second = await waitingRename();
  const { page, change } = second;
  const strange = { cookie: first.page.cookie, 'x-page-token': first.page.token };
  const body = { decision: 'apply', planDigest: change.planDigest };
  const path = `api/changes/${change.changeId}/decision`;
  for (const headers of [strange, { cookie: strange.cookie }, { 'x-page-token': strange['x-page-token'] }])
    expect((await page.post(path, body, headers)).status).toBe(403);
  await expectUntouched(second);
});

test('every response forbids framing, caching, content sniffing and cross-origin reads', async () => {
  const { page, browser } = await waitingRename();
  const [address = ''] = browser.addresses();
  const replies = await Promise.all([
    http(address),
    page.get(''),
    page.get('api/session'),
    page.get('api/nothing'),
    http(`${page.origin}/`),
    http(`${page.origin}/`, { method: 'OPTIONS', headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' } }),
  ]);
  for (const { headers } of replies) {
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|http|\*/);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('the session cookie is HttpOnly, SameSite=Strict and limited to the path of its session', async () => {
  const { browser } = await startWithWaiting();
  const { headers, text } = await exchange(await browser.opened());
  const { location } = JSON.parse(text) as { location: string };
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(new RegExp(`^approval=[\\w-]{43}; Path=${location.split('#')[0]}; HttpOnly; SameSite=Strict$`)),
  ]);
  expect(location).toMatch(/^\/p\/[\w-]{43}\/#/);
});

test('oversized or malformed requests are refused, and the change still waits', async () => {
  const waiting = await waitingRename();
  const { page, change } = waiting;
  const path = `api/changes/${change.changeId}/decision`;
  const large = await page
    .post(path, { decision: 'apply', planDigest: change.planDigest, note: 'x'.repeat(5_000_000) })
    .catch(() => undefined);
  expect(large?.status ?? 413).toBe(413);
  // A list may be longer, up to its own limit; what is longer is refused before it is read.
  const list = await page.post('api/videos/read', { text: 'x'.repeat(5_000_000) });
  expect(list.status).toBe(200);
  const declared = decision('', () => ({ 'content-length': String(32 * 1024 * 1024 + 1) })).options(page);
  expect((await http(`${page.origin}${page.folder}api/videos/read`, declared)).status).toBe(413);
  expect((await page.get('api/session', { 'x-large': 'x'.repeat(10_000) }).catch(() => ({ status: 431 }))).status).toBe(431);
  expect((await page.get(`api/changes?page=${'1'.repeat(3_000)}`)).status).toBe(403);
  const keys = Array.from({ length: 100_001 }, (_, at) => `k${at}`);
  expect((await page.post(`api/channels/${waiting.id}/statement`, { videoKeys: keys })).status).toBe(400);
  for (const body of ['[]', '"x"', '{', 'null', '']) {
    const sent = await http(`${page.origin}${page.folder}${path}`, { ...decision('', () => ({})).options(page), body });
    expect(sent.status).toBe(400);
  }
  await expectUntouched(waiting);
});

test('a note is shortened to one line without hidden characters', async () => {
  const { page, change, call } = await waitingRename();
  await page.decide(change, 'decline', `no\u202e\n${'x'.repeat(2_000)}`);
  const { text } = await call;
  expect(text).toContain('In their words: "no x');
  expect(text.length).toBeLessThan(2_000);
  expect(text).not.toContain('\u202e');
});

test('idle connections above the limit are closed, and at most 20 windows get events', async () => {
  const waiting = await waitingRename();
  const { page } = waiting;
  const port = Number(new URL(page.origin).port);
  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))));
  const closed = () => sockets.filter((socket) => socket.destroyed || socket.readyState !== 'open').length;
  // Connections beyond the limit are closed at once.
  await expect.poll(closed).toBeGreaterThan(30);
  for (const socket of sockets) socket.destroy();
  const streams = await Promise.all(Array.from({ length: 25 }, () => page.events().catch(() => undefined)));
  expect(streams.filter((stream) => stream?.status === 200).length).toBe(20);
  await expectUntouched(waiting);
});
