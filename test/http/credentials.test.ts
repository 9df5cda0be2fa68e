/** Who gets in at /mcp, and what everybody else is told. */
import { request as httpRequest } from 'node:http';
import { connect as connectTo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { removePerson, rotateSecrets, setRoles } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import { atEnd } from '../harness/cleanup.ts';
import { startHttp, toolCall } from '../harness/http.ts';
import { pathsOf } from '../harness/service.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const never = new AbortController().signal;

/** A request as no browser and no fetch sends it. */
function send(
  url: string,
  options: { path?: string; headers?: Record<string, string>; method?: string } = {},
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { hostname, port, path: options.path ?? '/mcp', method: options.method ?? 'GET', headers: options.headers ?? {} },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.once('error', reject);
    sent.end();
  });
}

test('without a credential nothing is answered, and the challenge says how one is sent', async () => {
  const { post, demo } = await startHttp();
  const answer = await post(undefined, toolCall('list_channels'));
  expect(pathsOf(demo)).toEqual([]);
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="video-hosting-mcp"']);
  expect(await answer.text()).toContain('Authorization: Bearer vhm_');
});

test.each([
  ['a token that is none', `Bearer vhm_${'A'.repeat(43)}`, 'no client token'],
  ['another scheme', 'Basic YW5uOnNlY3JldA==', 'no client token'],
  ['nothing behind the scheme', 'Bearer ', 'no client token'],
])('%s is refused with a challenge', async (_, authorization, words) => {
  const { post } = await startHttp();
  const answer = await post(undefined, LIST, { authorization });
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="video-hosting-mcp", error="invalid_token"']);
  expect(await answer.text()).toContain(words);
});

test('a page key opens nothing at /mcp, and its owner is told what does', async () => {
  const { post, people } = await startHttp();
  const answer = await post(undefined, LIST, { authorization: `Bearer ${people.ann.secrets.pageKey}` });
  expect(answer.status).toBe(401);
  expect(await answer.text()).toContain('page key');
});

test('a credential in an address is refused, also beside a right one, and is in no log', async () => {
  const { url, people, requests, demo } = await startHttp();
  const { clientToken } = people.ann.secrets;
  for (const query of [`access_token=${clientToken}`, `key=${clientToken}`, 'token=x']) {
    const answer = await fetch(`${url}/mcp?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${clientToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(toolCall('list_channels')),
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('never stands in an address')]);
  }
  expect(pathsOf(demo)).toEqual([]);
  await expect.poll(() => requests().map(({ path }) => path)).toEqual(['/mcp', '/mcp', '/mcp']);
});

describe('the file of people counts from the next request on', () => {
  test('for whoever is removed, has new secrets, or other roles', async () => {
    const { post, people, dataDir } = await startHttp();
    const file = peopleFileIn(dataDir);
    expect((await post(people.bob, LIST)).status).toBe(200);
    await removePerson(file, 'bob', never);
    expect((await post(people.bob, LIST)).status).toBe(401);
    const { secrets } = await rotateSecrets(file, 'eve', never);
    expect((await post(people.eve, LIST)).status).toBe(401);
    expect((await post({ ...people.eve, secrets }, LIST)).status).toBe(200);
    await setRoles(file, 'ann', ['read'], never);
    expect(await (await post(people.ann, toolCall('copy_cta', { sourceVideoId: 'a', targetVideoIds: ['b'] }))).text()).toContain(
      'takes the role propose',
    );
  });
});

test('after twenty wrong ones in a minute further ones are told to wait, and a right one is answered all the same', async () => {
  const { post, people } = await startHttp();
  const statuses: number[] = [];
  for (let index = 0; index < 22; index += 1) statuses.push((await post(undefined, LIST, { authorization: `Bearer vhm_${index}` })).status);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429]);
  const refused = await post(undefined, LIST, { authorization: 'Bearer vhm_wrong' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await post(people.bob, LIST)).status).toBe(200);
});

test('another Host than that of the public URL is answered 421 with the right one; what looks after the server may use any', async () => {
  const { url } = await startHttp();
  const host = 'rebound.example.com';
  const { status, text } = await send(url, { headers: { host } });
  expect([status, text]).toEqual([421, expect.stringContaining(new URL(url).host)]);
  for (const path of ['/healthz', '/readyz']) expect((await send(url, { path, headers: { host } })).status).toBe(200);
  expect((await send(url, { headers: { host: 'a b' } })).status).toBe(421);
});

test('behind a proxy it answers for the public URL, as it stands there, and believes no forwarded header', async () => {
  const { url, people } = await startHttp({ env: { VIDEO_HOSTING_PUBLIC_URL: 'https://videos.example.com' } });
  const statusFor = async (headers: Record<string, string>) =>
    (await send(url, { headers: { authorization: `Bearer ${people.ann.secrets.clientToken}`, ...headers } })).status;
  // A GET is for sessions, which there are none of.
  for (const host of ['videos.example.com', 'VIDEOS.example.com', 'videos.example.com:443'])
    expect([host, await statusFor({ host })]).toEqual([host, 405]);
  expect(await statusFor({ host: new URL(url).host, 'x-forwarded-host': 'videos.example.com', forwarded: 'host=videos.example.com' })).toBe(
    421,
  );
  expect(await statusFor({ host: 'videos.example.com', origin: 'http://videos.example.com' })).toBe(403);
  expect(await statusFor({ host: 'videos.example.com', origin: 'https://videos.example.com' })).toBe(405);
});

test.each(['https://evil.example.com', 'null', 'http://127.0.0.1:1'])('the Origin %s is answered 403', async (origin) => {
  const { post, people, demo } = await startHttp();
  const answer = await post(people.ann, toolCall('list_channels'), { origin });
  expect(pathsOf(demo)).toEqual([]);
  expect(answer.status).toBe(403);
});

test('its own Origin is answered', async () => {
  const { url, post, people } = await startHttp();
  expect((await post(people.ann, LIST, { origin: url })).status).toBe(200);
});

test.each([
  ['an absolute address', 'http://evil.example.com/mcp'],
  ['one that leads elsewhere', '/x/../mcp'],
])('%s is refused', async (_, path) => {
  const { url, people } = await startHttp();
  const answer = await send(url, { path, headers: { authorization: `Bearer ${people.ann.secrets.clientToken}` } });
  expect(answer.status).toBe(400);
});

test('nothing else answers, with or without a credential', async () => {
  const { url, people } = await startHttp();
  const headers = { authorization: `Bearer ${people.ann.secrets.clientToken}` };
  for (const path of ['/mcp/', '/MCP', '//evil.example.com/mcp', '/.well-known/oauth-protected-resource', '/metrics'])
    for (const given of [{}, headers]) expect([path, (await send(url, { path, headers: given })).status]).toEqual([path, 404]);
});

test('a body of more than 4 MiB and headers of more than 16 KiB are refused', async () => {
  const { url, post, people, demo } = await startHttp();
  const large = JSON.stringify(toolCall('list_channels', { search: 'x'.repeat(4 * 1024 * 1024) }));
  expect((await post(people.bob, large)).status).toBe(413);
  expect((await send(url, { headers: { 'x-long': 'y'.repeat(17 * 1024) } })).status).toBe(431);
  expect(pathsOf(demo)).toEqual([]);
});

test.each(['content-length', 'chunked'] as const)(
  'a body that is too large is refused in words also to whoever reads no answer before all of it is sent (%s)',
  async (how) => {
    const { url, people } = await startHttp();
    const body = Buffer.alloc(6 * 1024 * 1024, 'x');
    const length = how === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
    const head = `POST /mcp HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${people.bob.secrets.clientToken}\r\n${length}\r\n\r\n`;
    const pieces = how === 'chunked' ? [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'] : [body];
    const socket = connectTo(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    atEnd(() => void socket.destroy());
    for (const piece of [head, ...pieces]) await new Promise((resolve) => socket.write(piece, resolve));
    let answered = '';
    await new Promise((resolve) => socket.on('data', (text) => (answered += String(text))).once('close', resolve));
    expect(answered).toMatch(/^HTTP\/1\.1 413 [\s\S]*A list of 100,000 ids has room in it\./);
  },
);

test('more requests of one person than their measure are answered 429 with the time to come again, and another’s are answered', async () => {
  const { post, people } = await startHttp();
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  // As many in one batch as no pause allows, however slow the machine is.
  const refused = await post(
    people.bob,
    Array.from({ length: 62 }, (_, id) => ({ ...ping, id })),
  );
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect((await post(people.eve, ping)).status).toBe(200);
});

test('the file of people that can’t be trusted lets nobody in, and the server says so without its path', async () => {
  const { post, people, dataDir, log } = await startHttp();
  const { chmod } = await import('node:fs/promises');
  await chmod(peopleFileIn(dataDir), 0o644);
  const answer = await post(people.ann, LIST);
  expect([answer.status, await answer.text()]).toEqual([503, expect.not.stringContaining(dataDir)]);
  expect(log()).toContain('chmod 600');
});
