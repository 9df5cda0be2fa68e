/** An assistant can’t approve what it asked for, by whatever door it tries; nor can its person where that takes somebody else. */

import { describe, expect, test } from 'vitest';
import { addPerson, removePerson, type WithSecrets } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import { ACCEPTED } from '../changes/support/raw.ts';
import { videoKeysOf, writesOf } from '../changes/support/world.ts';
import { browse } from '../harness/browse.ts';
import { type HttpServerOptions, type HttpSession, startHttp, toolCall } from '../harness/http.ts';

const PROJECT = { name: 'Archive', region: 'use-s' };
const ALWAYS = { env: { VIDEO_HOSTING_SECOND_PERSON: 'always' } };
const never = new AbortController().signal;

/** Ann, who may approve, has her assistant ask for a project. */
async function asked(options: HttpServerOptions = {}) {
  const session = await startHttp(options);
  const { people, connect, demo } = session;
  const ann = await connect(people.ann);
  const { data } = await ann.callTool('create_project', PROJECT);
  const changeId = String(data?.changeId);
  const { planDigest } = await (await browse(session, people.eve.secrets.pageKey)).api(`changes/${changeId}`);
  return {
    ...{ ...session, ann, changeId, planDigest: String(planDigest) },
    async stillWaits(what: string) {
      expect(writesOf(demo), what).toEqual([]);
      expect((await ann.callTool('get_change', { changeId })).data?.status, what).toBe('waiting');
    },
  };
}

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
  'io.modelcontextprotocol/clientInfo': { name: 'eager', version: '1' },
};
const modernHeaders = (name: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name });

interface Known {
  readonly changeId: string;
  readonly planDigest: string;
}
type Attempt = (session: HttpSession, known: Known) => Promise<unknown>;

/** What an assistant has: its person’s client token, and what is in its answers. */
const DOORS: Readonly<Record<string, Attempt>> = {
  'the tool that confirms elsewhere': ({ post, people }, { changeId }) =>
    post(people.ann, toolCall('confirm_change', { changeId, confirmationToken: 'AAAA-BBBB', summary: 'Create project Archive' })),
  'tools that there are not': async ({ post, people }, { changeId }) => {
    for (const name of ['approve_change', 'apply_change', 'decide', 'confirm']) await post(people.ann, toolCall(name, { changeId }));
  },
  'the answer to a form that nobody drew': async ({ post, people }, { changeId }) => {
    const inputs = { inputResponses: ACCEPTED, requestState: changeId };
    for (const [name, args] of [
      ['create_project', PROJECT],
      ['get_change', { changeId }],
    ] as const) {
      const params = { name, arguments: args, ...inputs, _meta: MODERN };
      await post(people.ann, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, modernHeaders(name));
    }
  },
  'the answer to a link that it was asked to open': async ({ post, people }) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    const params = { name: 'create_project', arguments: PROJECT, _meta: MODERN };
    const first = (await (await post(people.ann, { ...call, params }, modernHeaders('create_project'))).json()) as {
      readonly result?: { readonly requestState?: string };
    };
    const again = { ...params, inputResponses: ACCEPTED, requestState: first.result?.requestState };
    await post(people.ann, { ...call, params: again }, modernHeaders('create_project'));
  },
  'an answer without a question': ({ post, people }) =>
    post(people.ann, { jsonrpc: '2.0', id: 1, result: { action: 'accept', content: { decision: 'apply' } } }),
  'arguments that say so': async ({ post, people }, { changeId }) => {
    await post(people.ann, toolCall('get_change', { changeId, decision: 'apply', approved: true }));
    await post(people.ann, toolCall('create_project', { ...PROJECT, confirm: 'never', decision: 'apply' }));
  },
  'its token on the page': async ({ url, people }, { changeId, planDigest }) => {
    const { clientToken } = people.ann.secrets;
    const page = await browse({ url }, clientToken);
    expect(page.entered.status).toBe(401);
    for (const headers of [
      { authorization: `Bearer ${clientToken}` },
      { cookie: `session=${clientToken}` },
      { cookie: `__Host-session=${clientToken}`, authorization: `Bearer ${clientToken}` },
    ] as const) {
      const body = JSON.stringify({ decision: 'apply', planDigest, note: '' });
      const all = { origin: url, 'content-type': 'application/json', 'x-page-token': clientToken, ...headers };
      expect((await fetch(`${url}/app/api/changes/${changeId}/decision`, { method: 'POST', body, headers: all })).status).toBe(401);
    }
  },
  'the link, followed with its token': async ({ url, people }, { changeId }) => {
    const headers = { authorization: `Bearer ${people.ann.secrets.clientToken}`, origin: url };
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      expect((await fetch(`${url}/changes/${changeId}`, { method, headers, redirect: 'manual' })).status).toBe(
        method === 'GET' ? 303 : 405,
      );
  },
  'a prompt and a resource of that name': async ({ post, people }, { changeId }) => {
    await post(people.ann, {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: `video-hosting://changes/${changeId}/apply` },
    });
    await post(people.ann, { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'apply', arguments: { changeId } } });
  },
};

test.each(Object.entries(DOORS))('by %s nothing is approved', async (what, attempt) => {
  const session = await asked();
  await attempt(session, session);
  await session.stillWaits(what);
});

test('a page key, and a sign-in, open nothing at /mcp', async () => {
  const { url, people, post, demo } = await startHttp();
  const { pageKey } = people.ann.secrets;
  const page = await browse({ url }, pageKey);
  const secret = page.cookie.slice(page.cookie.indexOf('=') + 1);
  const { token } = page;
  for (const headers of [
    { cookie: page.cookie },
    { cookie: page.cookie, authorization: `Bearer ${pageKey}` },
    { authorization: `Bearer ${secret}` },
    { authorization: `Bearer ${token}` },
    { cookie: page.cookie, origin: url, 'x-page-token': token },
  ] as const)
    expect((await post(undefined, toolCall('list_channels'), headers)).status).toBe(401);
  expect(demo.requests).toEqual([]);
});

describe('where it takes a second person', () => {
  test('who asked applies nothing on the page either: not that, nor its undo, nor what they ask for there', async () => {
    const session = await asked(ALWAYS);
    const { url, people, demo, changeId, ann } = session;
    const [own, dan] = [await browse({ url }, people.ann.secrets.pageKey), await browse({ url }, people.dan.secrets.pageKey)];
    expect((await own.decide(changeId, 'apply')).status).toBe(409);
    await session.stillWaits('her own');

    // A change that somebody else applied, and that she takes back on the page.
    const [channel, unknown] = demo.world.channels.values();
    const [key, other] = videoKeysOf(demo, 2);
    const statement = { channel: channel?.id, videoKeys: [key], projectKeys: [] };
    const stated = await ann.callTool('state_contents', { channels: [statement] });
    expect((await own.decide(stated.data?.changeId, 'apply')).status).toBe(409);
    expect((await dan.decide(stated.data?.changeId, 'apply')).status).toBe(200);
    const added = await ann.callTool('update_channels', { changes: [{ channel: channel?.id, addVideoKeys: [other] }] });
    expect((await dan.decide(added.data?.changeId, 'apply')).status).toBe(200);
    expect((await ann.callTool('get_change', { changeId: added.data?.changeId, waitSeconds: 60 })).data?.status).toBe('applied');
    const sent = writesOf(demo).length;
    const undo = (await (await own.post(`changes/${String(added.data?.changeId)}/undo`)).json()) as { readonly changeId?: string };
    expect((await own.decide(undo.changeId, 'apply')).status).toBe(409);
    const pasted = await own.post(`channels/${unknown?.id}/statement`, { videoKeys: [other], projects: { kind: 'none' } });
    const { changeId: onPage } = (await pasted.json()) as { readonly changeId?: string };
    expect((await own.decide(onPage, 'apply')).status).toBe(409);
    expect(writesOf(demo)).toHaveLength(sent);
    expect((await dan.decide(undo.changeId, 'apply')).status).toBe(200);
    await expect.poll(() => writesOf(demo).length).toBe(sent + 1);
  });

  test('the same asked for by another person is another change, of which she is the second person; each digest is of its own', async () => {
    const session = await asked(ALWAYS);
    const { url, people, connect, demo, changeId, planDigest } = session;
    const bobs = await (await connect(people.bob)).callTool('create_project', PROJECT);
    expect(bobs.data?.changeId).not.toBe(changeId);
    const own = await browse({ url }, people.ann.secrets.pageKey);
    const shownOfBobs = (await own.api(`changes/${String(bobs.data?.changeId)}`)).planDigest;
    expect(shownOfBobs).not.toBe(planDigest);
    const press = async (id: unknown, digest: unknown) =>
      (await own.post(`changes/${String(id)}/decision`, { decision: 'apply', planDigest: digest, note: '' })).status;
    expect(await press(changeId, shownOfBobs)).toBe(409);
    expect(await press(bobs.data?.changeId, planDigest)).toBe(409);
    await session.stillWaits('with the digest of the other one');
    expect(await press(bobs.data?.changeId, shownOfBobs)).toBe(200);
    await expect.poll(() => writesOf(demo).length).toBe(1);
    expect(await press(changeId, planDigest)).toBe(409);
  });
});

test('whoever is added under the name of somebody who was removed has nothing of theirs: neither what waits, nor a sign-in, nor a secret', async () => {
  const { url, people, connect, post, dataDir, demo } = await startHttp(ALWAYS);
  const bob = await connect(people.bob);
  const { data } = await bob.callTool('create_project', PROJECT);
  const page = await browse({ url }, people.bob.secrets.pageKey);
  await removePerson(peopleFileIn(dataDir), 'bob', never);
  const added: WithSecrets = await addPerson(peopleFileIn(dataDir), 'bob', ['read', 'propose'], never);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await post(people.bob, list)).status).toBe(401);
  expect((await page.get('/app/api/session')).status).toBe(401);
  expect((await browse({ url }, people.bob.secrets.pageKey)).entered.status).toBe(401);
  const again = await connect(added);
  // What the one before asked for is not his to withdraw, by no door.
  expect((await again.callTool('stop_change', { changeId: data?.changeId })).isError).toBe(true);
  const hisPage = await browse({ url }, added.secrets.pageKey);
  expect((await hisPage.decide(data?.changeId, 'decline')).status).toBe(409);
  const own = await again.callTool('create_project', PROJECT);
  expect(own.data).toMatchObject({ status: 'waiting' });
  expect(own.data?.changeId).not.toBe(data?.changeId);
  expect((await again.callTool('get_change', { changeId: data?.changeId })).data?.status).toBe('waiting');
  expect(writesOf(demo)).toEqual([]);
});
