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

test('no credential in an address lets anybody in, and none of it is logged', async () => {
  const { url, people, requests, log } = await startHttp();
  const { clientToken, pageKey } = people.ann.secrets;
  for (const path of [
    `/app/?key=${pageKey}`,
    `/app/api/session?access_token=${clientToken}`,
    `/app/api/session?token=${pageKey}`,
    `/sign-in?key=${pageKey}`,
    `/changes/${pageKey}`,
    `/${clientToken}`,
    `/app/api/reports/${pageKey}`,
  ]) {
    const answer = await fetch(`${url}${path}`, { redirect: 'manual' });
    expect([path.split('?')[0], answer.headers.get('set-cookie')]).toEqual([path.split('?')[0], null]);
    if (path.startsWith('/app/api')) expect(answer.status).toBe(401);
  }
  for (const secret of [clientToken, pageKey]) expect(`${JSON.stringify(requests())}${log()}`).not.toContain(secret.slice(4));
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

test('whatever is refused for now says when to come again', async () => {
  const { url, people, post } = await startHttp();
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const flooded = await post(
    people.bob,
    Array.from({ length: 61 }, (_, id) => ({ ...ping, id })),
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
