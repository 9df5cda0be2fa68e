/** What waits on disk (VIDEO_HOSTING_CONFIRM=wait): a person decides on it on a page of another process, which carries it out. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { ChangeView } from '../../src/page/contract.ts';
import { idsIn, MOVE, manyVideos, requestsOf } from '../changes/kinds/videos/harness.ts';
import { fileOf, writeApprovals } from '../changes/standing/harness.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { channelAt, writesOf } from '../changes/support/world.ts';
import { enterPage } from '../harness/page.ts';
import { type DemoService, type Environment, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { openPage, rename, startWithPage } from './support.ts';

const WAIT = { VIDEO_HOSTING_CONFIRM: 'wait', VIDEO_HOSTING_AGENT: 'nightly' };

/** An agent whose changes wait, and a person whose page is of another server on the same data folder. */
async function withPerson({ demo: given, env }: { readonly demo?: DemoService; readonly env?: Environment } = {}) {
  const demo = given ?? (await startService({ channels: 3, projects: 2 }));
  const home = freshHome();
  const agent = await start({ demo, home, env: WAIT });
  const open = async () => openPage(await startWithPage({ demo, home, env: env ?? {} }));
  /** A rename that waits. */
  const ask = async (name = 'Renamed', index = 0) =>
    changeIdIn(await agent.client.callTool('update_channels', rename(channelAt(demo, index), name)));
  const becameOf = async (changeId: string) => (await agent.client.callTool('get_change', { changeId })).data;
  return { demo, home, client: agent.client, dataDir: agent.dataDir, ask, becameOf, open, page: await open() };
}

test('what waits is shown with who asked, since when and until when, and is carried out in the process of the page', async () => {
  const { ask, page, demo, becameOf } = await withPerson();
  const changeId = await ask();
  expect((await page.changes()).changes).toMatchObject([{ changeId, status: 'waiting', asked: 'by nightly through test-client' }]);
  const change = await page.firstWaiting();
  expect(change).toMatchObject({
    ...{ changeId, status: 'waiting', asked: 'by nightly through test-client', kept: {}, actionLabel: 'Change 1 channel' },
    records: [{ fields: [{ name: 'Name', after: 'Renamed' }] }],
  });
  expect(Date.parse(change.expiresAt ?? '') - Date.parse(change.at)).toBe(7 * 86_400_000);
  expect(writesOf(demo)).toEqual([]);
  const decided = await page.decide(change, 'apply', 'go on');
  expect(channelAt(demo, 0).name).toBe('Renamed');
  expect(decided).toMatchObject({
    status: 200,
    change: {
      changeId,
      status: 'applied',
      agreed: [{ words: 'Asked by nightly through test-client' }, { words: 'You agreed on the approval page' }],
    },
  });
  const confirmed = expect.stringContaining('on the approval page');
  expect(await becameOf(changeId)).toMatchObject({ status: 'applied', confirmed, userNote: 'go on' });
  // Once.
  expect((await page.decide(change, 'apply')).status).toBe(409);
  expect(writesOf(demo)).toHaveLength(1);
});

test('why no standing approval covered it is told, and that it would overtake an older one', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(4);
  const home = freshHome();
  const path = writeApprovals(fileOf([{ kind: 'move_videos', to: [{ id: archive }], perDay: 2 }]));
  const agent = await start({ demo, home, env: { ...WAIT, VIDEO_HOSTING_STANDING_APPROVALS: path } });
  const move = (count: number) =>
    agent.client.callTool('move_videos', { videoIds: ids.slice(0, count), targetProject: archive, fromProject: elsewhere });
  const older = changeIdIn(await move(3));
  const newer = changeIdIn(await move(4));
  const page = await openPage(await startWithPage({ demo, home }));
  const change = await page.change(newer);
  expect(change.kept).toEqual({ why: expect.stringMatching(/^2 over today’s 2 of test-approval/) });
  expect(change.overtakes).toEqual([older]);
  expect(change.bulk).toMatchObject({ total: 4, ids });
  await page.decide(change, 'apply');
  expect(idsIn(demo, archive)).toHaveLength(4);
});

test('what a person declined before, and is asked for again, is shown with when that was', async () => {
  const { ask, page } = await withPerson();
  await ask();
  await page.decide(await page.firstWaiting(), 'decline', 'not this one');
  await ask();
  expect((await page.firstWaiting()).notes).toEqual([expect.stringMatching(/^A person declined the same on .* UTC\.$/)]);
});

test('a plan that moved while it was shown is shown as it is now, and carried out only once that is approved', async () => {
  const { ask, page, demo } = await withPerson();
  await ask();
  const change = await page.firstWaiting();
  demo.world.editChannel(channelAt(demo, 0).id, { description: 'By somebody else' });
  const pressed = await page.decide(change, 'apply');
  expect(writesOf(demo)).toEqual([]);
  expect(pressed).toMatchObject({
    status: 409,
    change: { status: 'waiting', conflicts: [expect.stringContaining('was changed meanwhile')] },
  });
  expect(pressed.change.planDigest).not.toBe(change.planDigest);
  // What was shown before is approved no more.
  expect((await page.decide(change, 'apply')).status).toBe(409);
  expect(writesOf(demo)).toEqual([]);
  expect(await page.decide(pressed.change, 'apply')).toMatchObject({ status: 200, change: { status: 'applied' } });
  expect(channelAt(demo, 0)).toMatchObject({ name: 'Renamed', description: 'By somebody else' });
});

test('of two who decide at once the first counts, and the other is told', async () => {
  const { ask, page, open, demo } = await withPerson();
  await ask();
  const other = await open();
  const [mine, theirs] = [await page.firstWaiting(), await other.firstWaiting()];
  const decided = await Promise.all([page.decide(mine, 'apply'), other.decide(theirs, 'apply'), other.decide(theirs, 'decline', 'no')]);
  expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const isApplied = decided[2].status === 409;
  expect(writesOf(demo)).toHaveLength(isApplied ? 1 : 0);
  for (const { change } of decided.filter(({ status }) => status === 409)) {
    expect(change.notes[0]).toBe('Somebody decided on it before you, so your press did nothing.');
    expect(change.status).toMatch(isApplied ? /running|applied/ : /declined/);
  }
});

test('what can’t be planned any more says why, and can only be declined', async () => {
  const { ask, page, demo } = await withPerson();
  await ask();
  demo.world.channels.delete(channelAt(demo, 0).id);
  const change = await page.firstWaiting();
  const { problem = '', problemSteps = [] } = change;
  expect(problem).toMatch(/^".+" is gone, or this server’s key has no access to it any more, so nothing can be sent\.$/);
  expect(problemSteps[0]).toBe('If it was deleted, turn this down: nothing is left of it.');
  // In a person’s words.
  expect([problem, ...problemSteps].join(' ')).not.toMatch(/changes\[|\/v1\/|GET|status \d|credential/);
  expect((await page.decide(change, 'apply')).status).toBe(409);
  expect((await page.decide(change, 'decline')).change.status).toBe('declined');
  expect(writesOf(demo)).toEqual([]);
});

test('of several of which one is gone, the others are told, and what the service can’t tell just now is no reason to decline', async () => {
  const { client, page, demo } = await withPerson();
  const names = [0, 1, 2].flatMap((index) => rename(channelAt(demo, index), `Renamed ${index}`).changes);
  await client.callTool('update_channels', { changes: names });
  const [gone] = [channelAt(demo, 0)];
  demo.world.channels.delete(gone.id);
  const change = await page.firstWaiting();
  expect(change.problem).toContain(`"${gone.name}" is gone`);
  expect(change.problem).toContain('Since it is one change, the other 2 channels are not changed either.');
  expect(change.problemSteps?.[0]).toContain('the rest is to be asked for without it');
  demo.faults.always({ match: { method: 'GET' }, do: { kind: 'status', code: 500 } });
  expect(await page.firstWaiting()).toMatchObject({ status: 'waiting', isPassing: true });
  expect(writesOf(demo)).toEqual([]);
});

test('what is so already can be dismissed alone, which is no refusal, and nothing is sent', async () => {
  const { ask, page, demo, becameOf } = await withPerson();
  const changeId = await ask();
  const shown = await page.firstWaiting();
  demo.world.editChannel(channelAt(demo, 0).id, { name: 'Renamed' });
  const { status, change } = await page.decide(shown, 'apply');
  expect([status, change.status, change.problem]).toEqual([409, 'waiting', expect.stringContaining('Nothing is left to be done.')]);
  expect(change.isNeedless).toBe(true);
  expect((await page.decide(change, 'apply')).status).toBe(409);
  expect(writesOf(demo)).toEqual([]);
  const dismissed = (await page.decide(change, 'decline')).change;
  expect([dismissed.status, dismissed.outcome]).toEqual([
    'needless',
    'Nothing was left to be done: all is as it was to be already. Nothing was sent.',
  ]);
  expect(await becameOf(changeId)).toMatchObject({ status: 'needless' });
  // The same waits again without being told as declined before.
  demo.world.editChannel(channelAt(demo, 0).id, { name: 'Another' });
  const again = await page.change(await ask());
  expect([again.status, again.notes]).toEqual(['waiting', []]);
});

test('an open page is told what begins to wait, and what was decided elsewhere', async () => {
  const { ask, page, open } = await withPerson();
  const first = await ask('First');
  await page.changes();
  const events = await page.events();
  const second = await ask('Second', 1);
  await events.next((event) => event.type === 'change' && event.changeId === second && event.status === 'waiting');
  const other = await open();
  await other.decide(await other.change(first), 'decline');
  await events.next((event) => event.type === 'change' && event.changeId === first && event.status === 'declined');
});

test('of two ways to carry a change on each is shown and decided on by itself, and the page is told of both', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(5);
  // So that the last one is sent alone.
  for (const id of [0, 1, 3].map((index) => ids[index] ?? '')) demo.world.poisonedVideoIds.add(id);
  const isLast = ({ body }: { body: unknown }) => JSON.stringify(body).includes(`"videoIds":["${ids[4]}"]`);
  demo.faults.always({ match: { ...MOVE, when: isLast }, do: { kind: 'garbage', shape: 'null', processed: false } });
  const { home, client, page } = await withPerson({ demo });
  const other = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const moved = await other.client.callTool('move_videos', { videoIds: ids, targetProject: archive, fromProject: elsewhere });
  expect(moved.data).toMatchObject({ moved: 1, failedCount: 3, unknownCount: 1 });
  demo.faults.clear();
  demo.world.poisonedVideoIds.clear();
  const changeId = changeIdIn(moved);
  const before = requestsOf(demo, MOVE).length;
  await client.callTool('resume_change', { changeId });
  const shown = await page.firstWaiting();
  const events = await page.events();
  await page.changes();
  // The agent asks for more, which has an id of its own.
  const more = changeIdIn(await client.callTool('resume_change', { changeId, retryFailed: true }));
  await events.next((event) => event.type === 'change' && event.changeId === more && event.status === 'waiting');
  expect(await page.decide(shown, 'apply')).toMatchObject({ status: 200, change: { changeId } });
  await expect.poll(() => requestsOf(demo, MOVE).length).toBe(before + 1);
  expect(requestsOf(demo, MOVE).at(-1)?.body).toMatchObject({ videoIds: [ids[4]] });
  await events.next((event) => event.type === 'change' && event.changeId === more && event.status === 'withdrawn');
  expect((await page.change(more)).outcome).toContain(`${changeId} was carried on by another call`);
});

test('a page that is read-only shows what waits, and lets it be declined alone', async () => {
  const { ask, page, demo } = await withPerson({ env: { VIDEO_HOSTING_READ_ONLY: '1' } });
  await ask();
  const change = await page.firstWaiting();
  expect(change.problem).toContain('switched off on this server');
  const pressed = await page.post(`api/changes/${change.changeId}/decision`, { decision: 'apply', planDigest: change.planDigest });
  expect(pressed).toMatchObject({ status: 409, text: expect.stringContaining('switched off on this server') });
  expect(writesOf(demo)).toEqual([]);
  expect((await page.decide(change, 'decline')).change.status).toBe('declined');
});

test('a statement that waits can be confirmed on a page that is read-only: nothing in the account changes', async () => {
  const { client, page, demo, becameOf } = await withPerson({ env: { VIDEO_HOSTING_READ_ONLY: '1' } });
  const { id, videoKeys } = channelAt(demo, 0);
  const stated = { channel: id, videoKeys: [...videoKeys], projectKeys: [] };
  const changeId = changeIdIn(await client.callTool('state_contents', { channels: [stated] }));
  const change = await page.firstWaiting();
  expect(change.problem).toBeUndefined();
  expect(await page.decide(change, 'apply')).toMatchObject({ status: 200, change: { changeId, status: 'applied' } });
  expect(writesOf(demo)).toEqual([]);
  expect(await becameOf(changeId)).toMatchObject({ status: 'applied' });
});

test('a person can be shown one that waits, and what became of it', async () => {
  const { demo, home, ask, client: agent } = await withPerson();
  const changeId = await ask();
  const { client, browser } = await startWithPage({ demo, home });
  const shown = client.callTool('show_to_user', { what: 'change', id: changeId });
  const page = await enterPage(await browser.opened());
  expect((await shown).data).toMatchObject({ shown: true });
  expect(page.view).toBe(`#/changes/${changeId}`);
  await page.decide(await page.change(changeId), 'decline');
  // Known all the same, where there is no browser.
  expect((await agent.callTool('show_to_user', { what: 'change', id: changeId })).data).toMatchObject({ shown: false });
});

test('a file that can’t be read is told in the list, and nothing of it is believed', async () => {
  const { ask, page, dataDir, demo } = await withPerson();
  const changeId = await ask();
  const accounts = join(dataDir, 'accounts');
  writeFileSync(join(accounts, readdirSync(accounts)[0] ?? '', 'kept', `${changeId}.json`), '{"changeId":"x"}');
  const list = await page.changes();
  expect(list.changes).toEqual([]);
  expect(list.problems).toEqual([expect.stringContaining(changeId)]);
  const answer: ChangeView = JSON.parse((await page.get(`api/changes/${changeId}`)).text);
  expect(answer).toMatchObject({ message: expect.stringContaining('can’t be relied on') });
  expect(requestsOf(demo, MOVE)).toEqual([]);
});

test('a press on what expired, or was withdrawn, while its page was open is told so, and not that somebody decided', async () => {
  const { demo, client, ask, page } = await withPerson();
  await ask();
  const expiring = await page.firstWaiting();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 + 1_000 });
  try {
    const { status, change } = await page.decide(expiring, 'apply');
    expect([status, change.status]).toEqual([409, 'expired']);
    expect(change.notes.join()).not.toContain('Somebody decided');
    expect(change.outcome).toContain('nobody decided in 7 days');
  } finally {
    vi.useRealTimers();
  }
  await ask('Otherwise');
  const withdrawn = await page.firstWaiting();
  expect(withdrawn.changeId).not.toBe(expiring.changeId);
  await client.callTool('stop_change', { changeId: withdrawn.changeId });
  const { status, change } = await page.decide(withdrawn, 'apply');
  expect([status, change.status]).toEqual([409, 'withdrawn']);
  expect(change.notes.join()).not.toContain('Somebody decided');
  expect(writesOf(demo)).toEqual([]);
});
