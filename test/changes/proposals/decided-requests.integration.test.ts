/** What one process decides on a request ends what waits for it in every process with the same data folder. */

import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ShownPlan } from '../../../src/changes/plan/plan.ts';
import { createDecidedRequests } from '../../../src/changes/proposals/decided-requests.ts';
import type { BeginApproved } from '../../../src/changes/proposals/proposal.ts';
import { DECLINED_DAYS } from '../../../src/changes/proposals/proposal-limits.ts';
import { SURE_MS } from '../../../src/platform/seen-since.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { freshHome } from '../../harness/cleanup.ts';
import { APPLY, afterThinking, type FormResult, type ToolReply } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { CHANGE_TOOLS, sampleOf } from '../../mcp/tools/calls.ts';
import { asked, startWithPage } from '../../page/support.ts';
import { idsIn, manyVideos } from '../kinds/videos/harness.ts';
import { AGENT, fileOf, moveRule, writeApprovals } from '../standing/harness.ts';
import { agreementIn, changeIdIn, confirmPreview } from '../support/confirm.ts';
import { ASKED } from '../support/intents.ts';
import { inMemory } from '../support/proposals.ts';
import { stateOf, writesOf } from '../support/world.ts';
import { personOf, waitingAgent } from './harness.ts';

const TOKEN = { VIDEO_HOSTING_CONFIRM: 'token' };
const FORM = { VIDEO_HOSTING_CONFIRM: 'form' };
const DAY_MS = 86_400_000;
const LAPSED = 'lapsed when the same request was answered otherwise';

describe.concurrent.each(CHANGE_TOOLS)('%s', (tool) => {
  test('a token lapses when another process declines or begins the same request', async () => {
    const demo = await startService({ channels: 4, projects: 3, videos: 20 });
    const home = freshHome();
    const { args } = await sampleOf(tool, demo, home);
    const { client } = await start({ demo, home, env: TOKEN });
    const answers: FormResult[] = [{ action: 'decline' }, APPLY];
    const forms = async () => afterThinking(answers.shift() ?? APPLY)({ message: '', requestedSchema: {} });
    const other = await start({ demo, home, forms, env: FORM });
    const before = [stateOf(demo), writesOf(demo).length];
    const first = await client.callTool(tool, args);
    expect((await other.client.callTool(tool, args)).data?.status).toBe('declined');
    const refused = await confirmPreview(client, first);
    expect([stateOf(demo), writesOf(demo).length]).toEqual(before);
    expect(refused.text).toContain(LAPSED);
    // Who is asked anew may agree; what another process begins meanwhile is not done again.
    const second = await client.callTool(tool, args);
    expect((await other.client.callTool(tool, args)).data?.status).toBe('applied');
    const after = [stateOf(demo), writesOf(demo).length];
    expect((await confirmPreview(client, second)).text).toContain(LAPSED);
    expect([stateOf(demo), writesOf(demo).length]).toEqual(after);
  });
});

test.concurrent('a token counts where another process decided on another request, or before it was given out', async () => {
  const { demo, ids, archive } = await manyVideos(10);
  const home = freshHome();
  const move = (videoIds: readonly string[]) => ({ videoIds, targetProject: archive });
  const declining = await start({ demo, home, forms: afterThinking({ action: 'decline' }), env: FORM });
  const { client } = await start({ demo, home, env: TOKEN });
  await declining.client.callTool('move_videos', move(ids.slice(0, 2)));
  const preview = await client.callTool('move_videos', move(ids.slice(0, 2)));
  await declining.client.callTool('move_videos', move(ids.slice(0, 3)));
  expect((await confirmPreview(client, preview)).data?.status).toBe('applied');
  expect(idsIn(demo, archive)).toHaveLength(2);
});

test.concurrent.each(['v2 client, legacy', 'v2 client, modern'] as const)(
  'an open form counts no more once another process declined (%s)',
  async (kind) => {
    const { demo, ids, archive } = await manyVideos(10);
    const home = freshHome();
    const args = { videoIds: ids.slice(0, 2), targetProject: archive };
    const declining = await start({ demo, home, forms: afterThinking({ action: 'decline' }), env: FORM });
    let shown = 0;
    const forms = async (): Promise<FormResult> => {
      shown += 1;
      if (shown > 1) return { action: 'decline' };
      await declining.client.callTool('move_videos', args);
      return APPLY;
    };
    const { client } = await start({ demo, home, client: kind, forms, env: FORM });
    const reply = await client.callTool('move_videos', args);
    expect(idsIn(demo, archive)).toEqual([]);
    expect(reply.data?.status).not.toBe('applied');
  },
);

test.concurrent('what waits on disk is declined with the words of whoever declines the same in a form', async () => {
  const { client, demo, home, ids, archive, elsewhere, move } = await waitingAgent();
  const changeId = changeIdIn(await move(3));
  const other = changeIdIn(await move(4));
  const forms = afterThinking({ action: 'accept', content: { decision: 'nothing', note: 'They stay.' } });
  const person = await start({ demo, home, forms, env: FORM });
  await person.client.callTool('move_videos', { videoIds: ids.slice(0, 3), targetProject: archive, fromProject: elsewhere });
  const { data } = await client.callTool('get_change', { changeId });
  expect(data).toMatchObject({ status: 'declined', message: expect.stringContaining('They stay.') });
  expect((await client.callTool('get_change', { changeId: other })).data?.status).toBe('waiting');
  expect(idsIn(demo, archive)).toEqual([]);
});

test.concurrent('a decision at a terminal ends the token of the same request in a server', async () => {
  const { demo, home, ids, archive, elsewhere, move, person } = await waitingAgent();
  const args = { videoIds: ids.slice(0, 3), targetProject: archive, fromProject: elsewhere };
  const { client } = await start({ demo, home, env: TOKEN });
  const preview = await client.callTool('move_videos', args);
  await (await personOf(person)).decisions.decline(changeIdIn(await move(3)), '');
  expect((await confirmPreview(client, preview)).text).toContain(LAPSED);
  expect(idsIn(demo, archive)).toEqual([]);
});

/** Holds the answer to one of the next reads of the account, by its number, until it is let go. */
function holdRead({ behaviour }: Awaited<ReturnType<typeof startService>>, number: number) {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let reads = 0;
  behaviour.onRequest = ({ method }) => {
    if (method === 'GET') reads += 1;
    return method === 'GET' && reads === number ? gate : undefined;
  };
  return { letGo, isHeld: () => expect.poll(() => reads).toBeGreaterThanOrEqual(number) };
}

const PROJECT = { name: 'Autumn', region: 'use-s' };
const projectsNamed = ({ world }: Awaited<ReturnType<typeof startService>>) =>
  [...world.projects.values()].filter(({ name }) => name === PROJECT.name);

test('what is declined in a form of another process, while a yes is checked, is not begun', async () => {
  const { demo } = await manyVideos(2);
  const home = freshHome();
  const { client } = await start({ demo, home, env: TOKEN });
  const other = await start({ demo, home, forms: afterThinking({ action: 'decline' }), env: FORM });
  const preview = await client.callTool('create_project', PROJECT);
  const { letGo, isHeld } = holdRead(demo, 2);
  const confirming = confirmPreview(client, preview);
  await isHeld();
  expect((await other.client.callTool('create_project', PROJECT)).data?.status).toBe('declined');
  letGo();
  const refused = await confirming;
  expect(projectsNamed(demo)).toEqual([]);
  expect(refused.text).toContain('A person declined the same before it began. Nothing was sent.');
});

test('what is declined in a form, while Apply on the page of another process is checked, is not begun', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(4);
  const session = await startWithPage({ demo });
  const args = { videoIds: ids, targetProject: archive, fromProject: elsewhere };
  const { call, page, change } = await asked(session, 'move_videos', args);
  const other = await start({ demo, home: session.home, forms: afterThinking({ action: 'decline' }), env: FORM });
  const { letGo, isHeld } = holdRead(demo, 1);
  const pressed = page.decide(change, 'apply');
  await isHeld();
  expect((await other.client.callTool('move_videos', args)).data?.status).toBe('declined');
  letGo();
  expect((await pressed).status).toBe(409);
  const answer = await call;
  expect(idsIn(demo, archive)).toEqual([]);
  expect(answer.data?.status).toBe('declined');
});

test('what is declined on the page, while the token of another process is checked, is not begun', async () => {
  const { demo } = await manyVideos(2);
  const session = await startWithPage({ demo });
  const { client } = await start({ demo, home: session.home, env: TOKEN });
  const preview = await client.callTool('create_project', PROJECT);
  const { call, page, change } = await asked(session, 'create_project', PROJECT);
  const { letGo, isHeld } = holdRead(demo, 2);
  const confirming = confirmPreview(client, preview);
  await isHeld();
  expect((await page.decide(change, 'decline', 'no')).status).toBe(200);
  letGo();
  await confirming;
  expect(projectsNamed(demo)).toEqual([]);
  expect((await call).data?.status).toBe('declined');
});

/** An agent whose rule has room for the same move the next day, and a person who answers a form for it today. */
async function answeredInAForm(...answers: readonly FormResult[]) {
  const account = await manyVideos(10);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const path = writeApprovals(fileOf([moveRule(account, { perDay: 3 })]));
  const agent = { VIDEO_HOSTING_STANDING_APPROVALS: path, VIDEO_HOSTING_AGENT: AGENT, ...TOKEN };
  const { client } = await start({ demo, home, env: agent });
  const left = [...answers];
  const forms = async () => afterThinking(left.shift() ?? APPLY)({ message: '', requestedSchema: {} });
  const person = await start({ demo, home, forms, env: FORM });
  // In another order, and as another call.
  const asked = { videoIds: ids.slice(0, 3).toReversed(), targetProject: archive, fromProject: elsewhere };
  for (const _ of answers) await person.client.callTool('move_videos', asked);
  const moveAt = async (days: number): Promise<ToolReply> => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY_MS });
    try {
      return await client.callTool('move_videos', { videoIds: ids.slice(0, 3), targetProject: archive, fromProject: elsewhere });
    } finally {
      vi.useRealTimers();
    }
  };
  return { demo, archive, moveAt };
}

test.each<[string, FormResult]>([
  ['declined', { action: 'decline' }],
  ['chose to leave as it is', { action: 'accept', content: { decision: 'nothing' } }],
])('what a person %s in a form is covered by no standing approval the next day', async (_how, answer) => {
  const { demo, archive, moveAt } = await answeredInAForm(answer);
  const asked = await moveAt(1);
  expect(idsIn(demo, archive)).toEqual([]);
  expect(asked.data?.status).toBe('confirmation_required');
  expect(asked.text).toMatch(/A person declined the same on .* UTC, so no standing approval covers it\./);
});

test('a form that was closed without an answer says nothing of what is covered later', async () => {
  const { demo, archive, moveAt } = await answeredInAForm({ action: 'cancel' });
  expect((await moveAt(0)).data?.status).toBe('applied');
  expect(idsIn(demo, archive)).toHaveLength(3);
});

test('what was declined is covered again once a person approved the same', async () => {
  const { demo, archive, moveAt } = await answeredInAForm({ action: 'decline' }, APPLY);
  expect(idsIn(demo, archive)).toHaveLength(3);
  expect((await moveAt(1)).text).not.toContain('declined');
});

const plan: ShownPlan = {
  ...{ kind: 'move_videos', facts: { move: { digest: '', targetProjects: [], fromProjects: [] } }, ids: ['a'], total: 1 },
  preview: { summary: sentence`Move`, notices: [], undo: { possible: 'yes', how: sentence`Back.` }, onFailure: sentence`` },
};

/** Two processes with one folder. */
function twoProcesses(clock = { now: Date.now() }) {
  const folder = join(freshHome(), 'decided');
  const open = () => {
    const decided = createDecidedRequests({ folder, now: () => clock.now });
    const { proposals, askedHere } = inMemory({ decided });
    const begin = vi.fn<BeginApproved>((_approved, _signal, decide) => decide(async () => 'started' as const));
    const propose = async (isOwn = false) => {
      const asked = { changeId: 'one', asked: ASKED, tool: 'move_videos', args: {}, requestDigest: 'request', action: 'action', plan };
      return (await askedHere.propose({ ...asked, route: 'page', isOwn }, begin, new AbortController().signal)).change;
    };
    const approve = () => askedHere.approve('one', () => true, { how: 'page' });
    const decline = () => proposals.decide('one', { status: 'declined', how: 'page' });
    const declineRequest = () => proposals.declineRequest({ requestDigest: 'request' }, { how: 'page' });
    return { decided, proposals, propose, approve, decline, declineRequest, begin };
  };
  return { folder, clock, one: open(), other: open() };
}

test.each(['begun', 'declined'] as const)('what waits on the page of another process is ended once the same was %s', async (how) => {
  const { one, other } = twoProcesses();
  await one.propose();
  await (how === 'begun' ? other.decided.begins('request', 'chg-1') : other.declineRequest());
  expect(await one.proposals.onPage.get('one')).toMatchObject({ status: 'withdrawn', isAnswered: true });
  expect(await one.approve()).toBe('changed');
  expect(one.begin).not.toHaveBeenCalled();
  await expect(one.decline()).rejects.toMatchObject({ code: 'not_approved' });
});

test('what a person asked for on the page is theirs to cancel there, until another process begins it', async () => {
  const { one, other } = twoProcesses();
  await one.propose(true);
  await other.declineRequest();
  expect((await one.proposals.onPage.get('one'))?.status).toBe('waiting');
  await other.decided.begins('request', 'chg-1');
  expect(await one.proposals.onPage.get('one')).toMatchObject({ status: 'withdrawn', isAnswered: true });
});

test('of a no and a beginning, the first counts, in whichever process', async () => {
  const { one, other } = twoProcesses();
  for (const decliner of [one, other]) {
    const since = { last: one.decided.last('request') };
    await decliner.declineRequest();
    await expect(one.decided.begins('request', 'chg-1', since)).rejects.toMatchObject({ code: 'not_approved' });
    // Who was asked since then may agree.
    await one.decided.begins('request', 'chg-1', { last: one.decided.last('request') });
  }
});

test('a change that begins in the process of its page is not ended by that', async () => {
  const { one } = twoProcesses();
  await one.propose();
  one.begin.mockImplementation((_approved, _signal, decide) =>
    decide(async () => {
      await one.decided.begins('request', 'chg-1');
      expect((await one.proposals.onPage.get('one'))?.status).toBe('started');
      return 'started' as const;
    }),
  );
  expect(await one.approve()).toBe('started');
});

test('what was declined on a page is known to other processes, also after that one is gone, until it is approved', async () => {
  const { one, other, clock } = twoProcesses();
  const change = await one.propose();
  expect(await other.decided.declinedAt(() => 'action')).toBeUndefined();
  await one.decline();
  await one.proposals.declineRequest(change, { how: 'page' });
  expect(await other.decided.declinedAt(() => 'action')).toBe(new Date(clock.now).toISOString());
  expect(await other.decided.declinedAt(() => 'another')).toBeUndefined();
  await other.decided.approved(() => 'action');
  expect(await one.decided.declinedAt(() => 'action')).toBeUndefined();
});

/** So much later by the clock that nobody sets. */
async function after(ms: number, act: () => Promise<void>): Promise<void> {
  const laterMs = performance.now() + ms;
  const { mockRestore } = vi.spyOn(performance, 'now').mockImplementation(() => laterMs);
  await act().finally(mockRestore);
}

test('what was declined is forgotten after 37 days', async () => {
  const { one, clock } = twoProcesses();
  await one.decided.declined({ requestDigest: 'request', action: 'action' });
  clock.now += DECLINED_DAYS * DAY_MS - 1_000;
  expect(await one.decided.declinedAt(() => 'action')).toBeDefined();
  clock.now += 2_000;
  // Not at one look: the clock may have jumped ahead.
  expect(await one.decided.declinedAt(() => 'action')).toBeDefined();
  await after(SURE_MS, async () => expect(await one.decided.declinedAt(() => 'action')).toBeUndefined());
});

test('what is damaged counts as decided, and as declined', async () => {
  const { one, other, folder } = twoProcesses();
  await other.decided.declined({ requestDigest: 'request', action: 'action' });
  await one.propose();
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{');
  expect(await one.proposals.onPage.get('one')).toMatchObject({ status: 'withdrawn', isAnswered: true });
  expect(await one.decided.declinedAt(() => 'action')).toBeDefined();
});

test('what only a newer version can decide keeps a change from beginning', async () => {
  const { one, folder } = twoProcesses();
  await one.decided.begins('request', 'chg-1');
  const since = { last: one.decided.last('request') };
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"id":"other","how":"postponed"}');
  const begins = one.decided.begins('request', 'chg-2', since);
  await expect(begins).rejects.toMatchObject({ code: 'not_approved', message: expect.stringContaining('written by a newer version') });
});

test('old decisions are removed, and a flood of requests makes nothing be forgotten that a person declined', async () => {
  const { one, folder, clock } = twoProcesses();
  await one.decided.declined({ requestDigest: 'request', action: 'action' });
  const age = (name: string, days: number) =>
    utimesSync(join(folder, name), clock.now / 1_000 - days * 86_400, clock.now / 1_000 - days * 86_400);
  for (let index = 0; index < 5_200; index += 1) writeFileSync(join(folder, `request-${index}.json`), '{}');
  writeFileSync(join(folder, 'request-old.json'), '{}');
  writeFileSync(join(folder, 'left.new'), '');
  age('request-old.json', 2);
  age('left.new', 2);
  age('action-action.json', 30);
  const look = () => {
    clock.now += 3_600_001;
    return one.decided.begins('last', 'chg-1');
  };
  await look();
  await after(SURE_MS, look);
  const names = readdirSync(folder);
  expect(names).toEqual(expect.arrayContaining(['action-action.json', 'request-last.json']));
  expect(names).toHaveLength(5_001);
  expect(names).not.toEqual(expect.arrayContaining(['request-old.json', 'left.new']));
});

test.concurrent('an agreement that is sent twice is carried out once', async () => {
  const { demo, ids, archive } = await manyVideos(4);
  const home = freshHome();
  const { client } = await start({ demo, home, env: TOKEN });
  const other = await start({ demo, home, env: TOKEN });
  const args = { videoIds: ids.slice(0, 2), targetProject: archive };
  const previews = [await client.callTool('move_videos', args), await other.client.callTool('move_videos', args)] as const;
  expect((await client.callTool('confirm_change', agreementIn(previews[0]))).data?.status).toBe('applied');
  expect((await other.client.callTool('confirm_change', agreementIn(previews[1]))).text).toContain(LAPSED);
  expect(idsIn(demo, archive)).toHaveLength(2);
});
