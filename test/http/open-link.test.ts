/** A client that declares it asks its user to open a link under which a change waits, once, and is believed only where somebody saw it. */
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { unseenLinksIn } from '../../src/changes/asking/unseen-forms.ts';
import type { WithSecrets } from '../../src/people/change-people.ts';
import { fieldsIn, type Values } from '../../src/platform/is-object.ts';
import { idsIn, manyVideos } from '../changes/kinds/videos/harness.ts';
import { browse } from '../harness/browse.ts';
import { atEnd } from '../harness/cleanup.ts';
import { recordsIn } from '../harness/client.ts';
import { type HttpSession, type PersonName, startHttp } from '../harness/http.ts';
import { type DemoService, pathsOf } from '../harness/service.ts';

const PROJECT = { name: 'Archive', region: 'use-s' };

/** A client that declares links, and what it was asked to have opened. */
async function linkClient(
  url: string,
  { secrets }: WithSecrets,
  answer: () => Promise<'accept' | 'decline' | 'cancel'>,
  { mode = 'modern', userAgent = 'linker/1.0.0' }: { readonly mode?: 'modern' | 'legacy'; readonly userAgent?: string } = {},
) {
  const opened: Values[] = [];
  const versionNegotiation = { mode: mode === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const) };
  const client = new Client({ name: 'linker', version: '1.0.0' }, { capabilities: { elicitation: { url: {} } }, versionNegotiation });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    opened.push(fieldsIn(params));
    return { action: await answer() };
  });
  const requestInit = { headers: { authorization: `Bearer ${secrets.clientToken}`, 'user-agent': userAgent } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  atEnd(() => client.close().catch(() => undefined));
  const call = async (name: string, args: object, more: object = {}) =>
    fieldsIn((await client.callTool({ name, arguments: { ...args }, ...more })).structuredContent);
  return { opened, call, ask: (name: string) => call('create_project', { ...PROJECT, name }) };
}

/** An answer at once is one on a busy machine too: time passes slowly from now on. */
function slowTheClock(): void {
  const now = performance.now.bind(performance);
  const from = now();
  vi.spyOn(performance, 'now').mockImplementation(() => from + (now() - from) / 50);
}
afterEach(() => void vi.restoreAllMocks());

const slowly = (action: 'accept' | 'decline') => async () => {
  await new Promise((resolve) => setTimeout(resolve, 700));
  return action;
};

test('the user is asked to open the link of the change, and the call ends with it, waiting', async () => {
  const { url, people, demo } = await startHttp();
  const { opened, ask } = await linkClient(url, people.bob, slowly('accept'));
  const answer = await ask('One');
  expect(pathsOf(demo).filter((path) => path.startsWith('POST'))).toEqual([]);
  expect(answer).toMatchObject({ status: 'waiting', link: `${url}/changes/${String(answer.changeId)}` });
  expect(opened).toEqual([expect.objectContaining({ mode: 'url', url: answer.link, message: expect.stringContaining('One') })]);
  expect(JSON.stringify(opened)).not.toMatch(/vh[mp]_/);
});

describe('what somebody decided before the client was told to go on', () => {
  const POST = 'POST /v1/projects';
  const createdIn = (demo: DemoService) => pathsOf(demo).filter((path) => path === POST);

  /** Bob opens the link, and decides, or has it decided, before his client goes on. */
  async function decided(decision: 'apply' | 'decline', by: PersonName) {
    const session = await startHttp();
    const { url, people } = session;
    const bob = await linkClient(url, people.bob, async () => {
      const browser = await browse(session, people[by].secrets.pageKey);
      const changeId = String(bob.opened.at(-1)?.url).split('/').at(-1);
      expect((await browser.decide(changeId, decision)).status).toBe(200);
      return 'accept';
    });
    const answer = await bob.ask('One');
    const listed = recordsIn(await bob.call('list_changes', {}), 'changes');
    return { ...session, answer, listed };
  }

  test('leads an export of emails to its file, and to no second request', async () => {
    const session = await startHttp();
    const { url, people } = session;
    const bob = await linkClient(url, people.bob, async () => {
      const ann = await browse(session, people.ann.secrets.pageKey);
      expect((await ann.decide(String(bob.opened.at(-1)?.url).split('/').at(-1), 'apply')).status).toBe(200);
      return 'accept';
    });
    const answer = await bob.call('get_collected_emails', { exportAs: 'csv' });
    expect(answer).toMatchObject({
      status: 'applied',
      link: `${url}/changes/${String(answer.changeId)}`,
      next: expect.stringContaining('bob, who asked, and ann, who approved'),
    });
    expect(recordsIn(await bob.call('list_changes', {}), 'changes')).toHaveLength(1);
  });

  test('is what the call is answered with: it was applied, and nothing is asked for a second time', async () => {
    const { demo, answer, listed } = await decided('apply', 'ann');
    expect(createdIn(demo)).toHaveLength(1);
    expect(listed.map(({ changeId, status }) => [changeId, status])).toEqual([[answer.changeId, 'applied']]);
    expect(answer).toMatchObject({ status: 'applied', confirmed: expect.stringContaining('ann approved') });
  });

  test.each([
    ['dan', 'dan declined'],
    ['bob', 'withdr'],
  ] as const)('a no of %s too', async (by, words) => {
    const { demo, answer, listed } = await decided('decline', by);
    expect(createdIn(demo)).toEqual([]);
    expect(listed.map(({ status }) => status)).not.toContain('waiting');
    expect(answer).toMatchObject({ status: 'declined', message: expect.stringContaining(words) });
  });
});

test('a change that waits on is told as what was just asked for', async () => {
  const { url, people } = await startHttp();
  const { ask } = await linkClient(url, people.bob, slowly('accept'));
  expect((await ask('One')).message).not.toContain('already');
});

test('a decline that took its time only leaves the link closed: the change waits on, and the next one is asked about', async () => {
  const { url, people } = await startHttp();
  const { opened, ask } = await linkClient(url, people.bob, slowly('decline'));
  expect((await ask('One')).status).toBe('waiting');
  expect((await ask('Two')).status).toBe('waiting');
  expect(opened).toHaveLength(2);
});

test.each(['decline', 'cancel'] as const)(
  'a %s at once is nobody’s: it is remembered for that person and client, and for nobody else',
  async (action) => {
    const { url, people } = await startHttp();
    const bob = await linkClient(url, people.bob, async () => action);
    slowTheClock();
    expect(await bob.ask('One')).toMatchObject({ status: 'waiting', link: expect.stringContaining('/changes/') });
    expect(await bob.ask('Two')).toMatchObject({ status: 'waiting', link: expect.stringContaining('/changes/') });
    expect(bob.opened).toHaveLength(1);
    vi.restoreAllMocks();
    const ann = await linkClient(url, people.ann, slowly('accept'));
    await ann.ask('Three');
    expect(ann.opened).toHaveLength(1);
  },
);

test('what a client declines where nobody sits at it says nothing of where somebody does', async () => {
  const { url, people } = await startHttp();
  const job = await linkClient(url, people.bob, async () => 'decline', { userAgent: 'linker/1.0.0 (sdk)' });
  slowTheClock();
  await job.ask('One');
  vi.restoreAllMocks();
  const sitting = await linkClient(url, people.bob, slowly('accept'), { userAgent: 'linker/1.0.0 (cli)' });
  expect(await sitting.ask('Two')).toMatchObject({ status: 'waiting', link: sitting.opened[0]?.url });
  await job.ask('Three');
  expect([job.opened.length, sitting.opened.length]).toEqual([1, 1]);
});

/** A bare call of the newer era, by a client that declares links; with `answer`, the repetition of one that was asked about. */
async function bareCall(
  { post }: Pick<HttpSession, 'post'>,
  who: WithSecrets,
  name: string,
  args: Values,
  answer?: { readonly state: unknown; readonly action?: 'accept' | 'decline' },
  client = 'linker',
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
    'io.modelcontextprotocol/clientInfo': { name: client, version: '1' },
  };
  const again = answer && { requestState: answer.state, inputResponses: { confirm: { action: answer.action ?? 'accept' } } };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, ...again, _meta: meta } };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
  const text = await (await post(who, body, headers)).text();
  const { result } = fieldsIn(JSON.parse(text.slice(text.indexOf('{"'))));
  const { requestState: state, structuredContent } = fieldsIn(result);
  return { state, answer: fieldsIn(structuredContent) };
}

const project = (name: string) => ({ ...PROJECT, name });

test('a state leads to what came of its call: with other arguments, of another client or another person it is as none', async () => {
  const session = await startHttp();
  const { people, demo, connect } = session;
  const ask = (who: WithSecrets, name: string, answer?: { readonly state: unknown }, client?: string) =>
    bareCall(session, who, 'create_project', project(name), answer, client);
  const { state } = await ask(people.bob, 'One');
  const changeId = String(state).split('.')[0] ?? '';
  const ann = await browse(session, people.ann.secrets.pageKey);
  expect((await ann.decide(changeId, 'apply')).status).toBe(200);
  const created = () => pathsOf(demo).filter((path) => path === 'POST /v1/projects');
  await expect.poll(created).toHaveLength(1);
  for (const again of [
    await ask(people.bob, 'Two', { state }),
    await ask(people.bob, 'One', { state }, 'another'),
    await ask(people.ann, 'One', { state }),
    await ask(people.bob, 'One', { state: changeId }),
  ]) {
    expect(again).toEqual({ state: expect.stringMatching(/^chg-/), answer: {} });
    expect(again.state).not.toContain(changeId);
  }
  const waits = recordsIn((await (await connect(people.bob)).callTool('list_changes', { status: 'waiting' })).data, 'changes');
  expect(waits.map(({ asked, summary }) => [asked, summary])).toEqual(
    expect.arrayContaining([
      ['by bob through linker', expect.stringContaining('"Two"')],
      ['by ann through linker', expect.stringContaining('"One"')],
    ]),
  );
  expect((await ask(people.bob, 'One', { state })).answer).toMatchObject({ status: 'applied', changeId });
  expect(created()).toHaveLength(1);
});

test('what another call was asked in between, or somebody else answers, takes nothing from the time that a question was shown', async () => {
  const session = await startHttp();
  const { people } = session;
  const declines = (who: WithSecrets, client: string, state: unknown) =>
    bareCall(session, who, 'create_project', project('One'), { state, action: 'decline' }, client);
  const start = (client: string) => bareCall(session, people.bob, 'create_project', project('One'), undefined, client);
  const first = await start('sitting');
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect((await start('other')).state).not.toBe(first.state);
  expect((await declines(people.bob, 'sitting', first.state)).answer).toMatchObject({ status: 'waiting' });
  expect((await start('sitting')).state).toMatch(/^chg-/);
  // One that declines at once is remembered, whoever sends its state meanwhile.
  slowTheClock();
  const second = await start('job');
  await declines(people.ann, 'job', second.state);
  await declines(people.bob, 'job', second.state);
  expect((await start('job')).answer).toMatchObject({ status: 'waiting' });
  expect((await bareCall(session, people.ann, 'create_project', project('Two'), undefined, 'job')).state).toMatch(/^chg-/);
});

test('of the clients that declined links for one person the latest are remembered, and none for more than 90 days', async () => {
  const { dataDir, people } = await startHttp();
  const unseenOf = (client: string) => {
    const unseen = unseenLinksIn({ dataDir }, people.bob.person.id, 'job/1.0');
    const identity = { name: client, version: '1' };
    return { remember: () => unseen.remember(identity, 'declined'), find: () => unseen.find(identity) };
  };
  const folder = join(dataDir, 'unseen-forms', people.bob.person.id);
  await unseenOf('old').remember();
  const before = new Date(Date.now() - 91 * 86_400_000);
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), before, before);
  expect(await unseenOf('new').remember()).toBe(true);
  expect([readdirSync(folder).length, await unseenOf('old').find()]).toEqual([1, undefined]);
  for (let one = 0; one < 60; one += 1) await unseenOf(`client ${one}`).remember();
  expect(readdirSync(folder)).toHaveLength(50);
  expect([await unseenOf('new').find(), await unseenOf('client 59').find()]).toEqual([undefined, expect.anything()]);
});

test('how long the account takes to answer is no part of the time in which a client declined', async () => {
  const { url, people, demo } = await startHttp();
  const { opened, ask } = await linkClient(url, people.bob, async () => 'decline');
  demo.behaviour.onRequest = () => new Promise((resolve) => setTimeout(resolve, 700));
  expect(await ask('One')).toMatchObject({ status: 'waiting' });
  expect(await ask('Two')).toMatchObject({ status: 'waiting' });
  expect(opened).toHaveLength(1);
});

test('an undo that names no change is answered with what came of it, though nothing is left to be undone then', async () => {
  const account = await manyVideos(3);
  const { demo, ids, archive, elsewhere } = account;
  const session = await startHttp({ demo });
  const { url, people } = session;
  const page = await browse(session, people.ann.secrets.pageKey);
  const bob = await linkClient(url, people.bob, async () => {
    expect((await page.decide(String(bob.opened.at(-1)?.url).split('/').at(-1), 'apply')).status).toBe(200);
    return 'accept';
  });
  const move = { videoIds: ids, targetProject: archive, fromProject: elsewhere };
  expect(await bob.call('move_videos', move)).toMatchObject({ status: 'applied' });
  expect(idsIn(demo, archive)).toHaveLength(3);
  const undone = await bob.call('undo_change', {});
  expect([idsIn(demo, archive), undone]).toMatchObject([[], { status: 'applied', moved: 3 }]);
  expect(bob.opened).toHaveLength(2);
});

test('of the older era, and by a client that declares none, nobody is asked: the link is in the answer', async () => {
  const { url, people, connect } = await startHttp();
  const { opened, ask } = await linkClient(url, people.bob, slowly('accept'), { mode: 'legacy' });
  expect(await ask('One')).toMatchObject({ status: 'waiting', link: expect.stringContaining('/changes/') });
  expect(opened).toEqual([]);
  const plain = await connect(people.ann);
  expect((await plain.callTool('create_project', PROJECT)).data).toMatchObject({
    status: 'waiting',
    link: expect.stringContaining('/changes/'),
  });
});
