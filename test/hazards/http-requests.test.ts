/** Requests that no client of ours sends, and more than anybody needs: what is refused, and what is logged of it. */

import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { browse } from '../harness/browse.ts';
import { startHttp, toolCall } from '../harness/http.ts';

/** Each address that there is, by a method that it understands. */
const ADDRESSES = [
  ['POST', '/mcp'],
  ['GET', '/mcp'],
  ['GET', '/app/'],
  ['GET', '/app'],
  ['GET', '/app/api/session'],
  ['GET', '/app/api/events'],
  ['POST', '/app/api/changes/chg-1/decision'],
  ['GET', '/changes/chg-1'],
  ['GET', '/sign-in'],
  ['POST', '/sign-in'],
  ['POST', '/sign-out'],
] as const;

function send(url: string, method: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method, headers }, (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.end();
  });
}

test.each(ADDRESSES)('%s %s answers no other Host and no other Origin, whatever credential comes with it', async (method, path) => {
  const { url, people, demo } = await startHttp();
  const { cookie } = await browse({ url }, people.ann.secrets.pageKey);
  const credentials = { cookie, authorization: `Bearer ${people.ann.secrets.clientToken}` };
  for (const host of ['evil.example.com', `evil.example.com:${new URL(url).port}`, 'localhost', '127.0.0.1'])
    expect([host, await send(url, method, path, { ...credentials, host })]).toEqual([host, 421]);
  for (const origin of [
    'https://evil.example.com',
    'null',
    url.replace('127.0.0.1', 'localhost'),
    `${url}/`,
    url.replace('http:', 'https:'),
  ])
    expect([origin, await send(url, method, path, { ...credentials, origin })]).toEqual([origin, 403]);
  expect(demo.requests).toEqual([]);
});

const GET_PATHS = [
  '/mcp',
  '/app/',
  '/app',
  '/app/changes',
  '/app/api/session',
  '/changes/chg-1',
  '/sign-in',
  '/healthz',
  '/readyz',
  '/',
  '/x',
];

test('a credential in an address is refused at each one that there is, also beside a right one, and none of it is logged', async () => {
  const { url, people, requests, log, demo } = await startHttp();
  const { clientToken, pageKey } = people.ann.secrets;
  const ann = await browse({ url }, pageKey);
  const right = { cookie: ann.cookie, 'x-page-token': ann.token, authorization: `Bearer ${clientToken}` };
  const encoded = (secret: string) => secret.replace('_', '%5F');
  const addresses = [
    ...GET_PATHS.flatMap((path) =>
      [`?token=${clientToken}`, `?key=${pageKey}`, `?${clientToken}`, '?access_token=hunter2'].map((query) => path + query),
    ),
    `/sign-in?to=/changes/chg-1&Api-Key=hunter2`,
    `/app/api/changes?x-page-token=hunter2`,
    `/mcp?a=x${encoded(clientToken)}`,
    `/changes/${pageKey}`,
    `/${clientToken}`,
    `/mcp/${encoded(clientToken)}`,
    `/mcp/%zz/${encoded(encoded(clientToken).replace('%', '%25'))}`,
    `/app/api/reports/${pageKey}`,
    `/app/api/channels?search=${clientToken.slice(0, 40)}`,
    `/app/api/channels?search=${clientToken.toLowerCase()}`,
  ];
  for (const address of addresses) {
    const answer = await fetch(`${url}${address}`, { headers: right, redirect: 'manual' });
    expect([address, answer.status, answer.headers.get('set-cookie'), await answer.text()]).toEqual([
      ...[address, 400, null],
      expect.stringMatching(/never stands in an address[\s\S]*rotated/),
    ]);
  }
  await expect.poll(() => requests().length).toBe(addresses.length + 1);
  expect(demo.requests).toEqual([]);
  for (const secret of [clientToken.slice(4), pageKey.slice(4), 'hunter2'])
    expect(`${JSON.stringify(requests())}${log()}`).not.toContain(secret);
});

test('what links from elsewhere have in their query, and what people search for, is no credential', async () => {
  const { url, people } = await startHttp();
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  for (const [path, status] of [
    ['/changes/chg-1?utm_source=chat&fbclid=abc', 303],
    ['/sign-in?to=/app/changes', 200],
    ['/app/api/channels?search=vhm_%20keys%20and%20tokens&page=1', 200],
    ['/app/api/channels?search=vhm_2026_spring', 200],
    ['/app/api/channels?search=VHP_2026_Spring_collection_part2', 200],
  ] as const)
    expect([path, (await ann.get(path)).status]).toEqual([path, status]);
});

const PLANTED = 'planted-argument';
/** What an assistant, or somebody who tries, puts where. */
const BODIES: Readonly<Record<string, unknown>> = {
  'an argument': toolCall('list_channels', { search: PLANTED }),
  'a wrong argument': toolCall('list_channels', { search: { [PLANTED]: PLANTED }, [PLANTED]: 1 }),
  'a call that fails': toolCall('get_channel', { channel: PLANTED }),
  'a change': toolCall('create_project', { name: PLANTED, region: 'use-s', description: `${PLANTED} ann@example.com` }),
  'a batch': [toolCall('list_channels', { search: PLANTED }, 1), toolCall('get_channel', { channel: PLANTED }, 2)],
  'the name of a tool that there is not': toolCall(`tool ${PLANTED}`),
  'the method': { jsonrpc: '2.0', id: 1, method: `x ${PLANTED}` },
  'the id': { jsonrpc: '2.0', id: PLANTED, method: 'tools/list' },
  'what is no JSON': `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"${PLANTED}`,
  'what is no message': { [PLANTED]: [PLANTED] },
  'a resource': { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: `video-hosting://${PLANTED}` } },
  'a prompt': { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: PLANTED, arguments: { question: PLANTED } } },
  'a completion': {
    ...{ jsonrpc: '2.0', id: 1, method: 'completion/complete' },
    params: { ref: { type: 'ref/prompt', name: 'reorganise-channels' }, argument: { name: 'channel', value: PLANTED } },
  },
  'an answer to nothing': { jsonrpc: '2.0', id: PLANTED, result: { [PLANTED]: PLANTED } },
  'a notification': { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: PLANTED, reason: PLANTED } },
};

test.each(Object.entries(BODIES))('what stands in %s is in no log', async (_, body) => {
  const { people, post, requests, log } = await startHttp();
  for (const headers of [{}, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': PLANTED, 'mcp-name': PLANTED }] as const)
    await (await post(people.bob, body, { ...headers, 'user-agent': PLANTED })).text();
  await expect.poll(() => requests().length).toBe(2);
  expect(`${JSON.stringify(requests())}\n${log()}`).not.toContain(PLANTED);
});

test('no credential is logged, wherever a client puts it', async () => {
  const { people, post, requests, log } = await startHttp();
  const { clientToken } = people.bob.secrets;
  for (const body of [
    toolCall(clientToken),
    { jsonrpc: '2.0', id: 1, method: clientToken },
    {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: clientToken, title: clientToken, version: clientToken },
      },
    },
    toolCall('list_channels', { search: clientToken }),
  ])
    await (await post(people.bob, body)).text();
  await expect.poll(() => requests().length).toBe(4);
  expect(`${JSON.stringify(requests())}\n${log()}`).not.toContain(clientToken.slice(4));
});

/** What is no credential of this server, but may be one of another. */
const WRONG = 'sk_live_51Hunter2Hunter2';

test('a wrong credential is in no log, wherever it is sent: in a header, a query, a body or a form', async () => {
  const { url, post, requests, log, people } = await startHttp();
  const bodies = [toolCall(WRONG), { jsonrpc: '2.0', id: 1, method: WRONG }, toolCall('list_channels', { search: WRONG, [WRONG]: WRONG })];
  for (const authorization of [`Bearer ${WRONG}`, `Basic ${WRONG}`, WRONG, `Bearer vhm_${WRONG}`])
    await (await post(undefined, toolCall('list_channels'), { authorization })).text();
  for (const body of bodies) for (const who of [undefined, people.bob]) await (await post(who, body)).text();
  for (const path of [`/mcp?api_key=${WRONG}`, `/app/api/session?key=${WRONG}`, `/app/?search=${WRONG}`, `/sign-in?to=${WRONG}`])
    await (await fetch(`${url}${path}`, { redirect: 'manual' })).text();
  for (const name of ['x-api-key', 'x-page-token', 'cookie', 'user-agent', 'mcp-name'])
    await (await fetch(`${url}/app/api/session`, { headers: { [name]: `session-${new URL(url).port}=${WRONG}` } })).text();
  await browse({ url }, WRONG);
  await browse({ url }, `vhp_${WRONG}`, `/app/${WRONG}`);
  await expect.poll(() => requests().length).toBe(4 + 2 * bodies.length + 4 + 5 + 2);
  expect(`${JSON.stringify(requests())}\n${log()}`).not.toContain('Hunter2');
});

test('as the id of a change is logged what looks like one', async () => {
  const { url, people, requests } = await startHttp();
  const ann = await browse({ url }, people.ann.secrets.pageKey);
  for (const id of ['chg-0mx2lsody-d7l6', 'hunter2', '..%2f..%2f', 'chg-a%20b']) await (await ann.get(`/app/api/changes/${id}`)).text();
  await expect.poll(() => requests().length).toBe(5);
  expect(requests().flatMap(({ changeId }) => changeId ?? [])).toEqual(['chg-0mx2lsody-d7l6']);
});

test('whatever is refused for now says when to come again', async () => {
  const { url, people, post } = await startHttp();
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const flooded = await post(
    people.bob,
    Array.from({ length: 120 }, (_, id) => ({ ...ping, id })),
  );
  expect([flooded.status, flooded.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)]);
  const { cookie } = await browse({ url }, people.eve.secrets.pageKey);
  const answers = await Promise.all(Array.from({ length: 200 }, () => fetch(`${url}/app/api/session`, { headers: { cookie } })));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(refused.map(() => expect.stringMatching(/^[1-9]\d*$/)));
  // The measure of the page is not that of the client.
  expect((await post(people.eve, ping)).status).toBe(200);
});
