/** What the page shows of a change of many videos is what is sent: all projects by name, and of a change that is resumed the rest. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { ChangeView } from '../../src/page/contract.ts';
import { idsIn, MOVE, manyVideos } from '../changes/kinds/videos/harness.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { writesOf } from '../changes/support/world.ts';
import { recordsIn } from '../harness/client.ts';
import { hold } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { asked, openPage, startWithPage } from './support.ts';

test('the undo of a move out of several projects names each of them, before and after it', async () => {
  const { demo, ids, archive } = await manyVideos(9);
  const [home, files] = [freshHome(), freshHome()];
  const [one, two] = [...demo.world.projects.values()].filter(({ id }) => id !== archive);
  writeFileSync(join(files, 'ids.csv'), `id,fromProject\n${ids.map((id, at) => `${id},${(at < 5 ? one : two)?.id}`).join('\n')}`);
  const env = { VIDEO_HOSTING_FILES_DIR: files, VIDEO_HOSTING_CONFIRM: 'never' };
  const moved = await (await start({ demo, home, env })).client.callTool('move_videos', {
    targetProject: archive,
    videoIdsFile: 'ids.csv',
  });
  const { call, page, change } = await asked(await startWithPage({ demo, home }), 'undo_change', { changeId: changeIdIn(moved) });
  const named = [/^From "Archive"/, /^To .*: 5 videos$/, /^To .*: 4 videos$/].map((fact) => expect.stringMatching(fact));
  expect(change.bulk?.facts).toEqual(named);
  for (const project of [one, two]) expect(change.bulk?.facts.join()).toContain(JSON.stringify(project?.name));
  const over = await page.decide(change, 'apply');
  await call;
  expect(idsIn(demo, String(one?.id))).toHaveLength(5);
  expect(over.change.bulk).toMatchObject({ facts: named, done: 9 });
});

test('a move that is resumed is shown with what is still to be sent, and no more', async () => {
  const { demo, ids, archive } = await manyVideos(2_400);
  const home = freshHome();
  const first = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  demo.faults.always({ match: MOVE, skip: 2, do: { kind: 'status', code: 401 } });
  const move = await first.client.callTool('move_videos', { targetProject: archive, videoIds: ids });
  demo.faults.clear();
  const moved = new Set(idsIn(demo, archive));
  const left = ids.filter((id) => !moved.has(id));
  expect(left).toHaveLength(400);
  const session = await startWithPage({ demo, home });
  const changeId = changeIdIn(move);
  const { call, page, change } = await asked(session, 'resume_change', { changeId });
  expect(change).toMatchObject({ actionLabel: 'Carry on: Move 400 videos', bulk: { total: 400, notSent: 400, ids: left } });
  expect(change.bulk?.facts).toEqual([
    expect.stringMatching(/^400 videos of 2,400 are moved now, to "Archive" .*\.$/),
    'The other 2,000 were sent before, or are left alone.',
  ]);
  expect((await session.client.callTool('get_change', { changeId: change.changeId })).data?.status).toBe('waiting');
  const sent = writesOf(demo).length;
  await page.decide(change, 'apply');
  await call;
  expect(writesOf(demo)).toHaveLength(sent + 1);
  expect(idsIn(demo, archive)).toHaveLength(2_400);
});

test('what is left of an undo, what failed again, and what keeps a running change from going on are told here too', async () => {
  const { demo, ids, archive } = await manyVideos(9);
  const home = freshHome();
  const first = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const move = { targetProject: 'Archive', fromProject: 'Marketing', videoIds: ids };
  const moved = await first.client.callTool('move_videos', move);
  for (const id of ids.slice(0, 2)) demo.world.poisonedVideoIds.add(id);
  const undone = changeIdIn(await first.client.callTool('undo_change', { changeId: changeIdIn(moved) }));
  await first.client.callTool('resume_change', { changeId: undone, retryFailed: true });
  expect(idsIn(demo, archive)).toHaveLength(2);
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 503, retryAfter: 300 } });
  const session = await startWithPage({ demo, home });
  const { call, page, change } = await asked(session, 'move_videos', { ...move, waitSeconds: 0 });
  // That they come from there is only said, also of what is over.
  expect(change.undo.words).toMatch(
    /^This can be undone: the videos go back to "Marketing" \([0-9a-f]{24}\)\. That they come from there was only said; nobody checked it\.$/,
  );
  expect((await page.change(changeIdIn(moved))).undo.words).toBe(change.undo.words);
  expect((await page.change(undone)).undo.words).toBeUndefined();
  await page.decide(change, 'apply');
  await call;
  const told = async () => (await page.change(change.changeId)).paused;
  const paused = { status: 503, since: expect.any(String), until: expect.any(String) };
  await vi.waitFor(async () => expect(await told()).toEqual(paused), { timeout: 300_000 });
  expect((await page.changes()).changes.find(({ status }) => status === 'running')?.paused).toEqual(paused);
  await session.client.callTool('stop_change', { changeId: change.changeId });
  expect(await told()).toBeUndefined();
  expect(await page.change(undone)).toMatchObject({
    notes: ['Of the 2 not moved back, 2 had been moved for certain, and none were in doubt.'],
    steps: [expect.stringMatching(/^2 videos failed again when they were sent again/)],
  });
});

test('what failed alone is offered to be tried again, and sent once a person agreed to that', async () => {
  const { demo, ids, archive } = await manyVideos(6);
  const home = freshHome();
  for (const id of ids.slice(0, 3)) demo.world.poisonedVideoIds.add(id);
  const first = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const move = { targetProject: 'Archive', fromProject: 'Marketing' };
  const failed = changeIdIn(await first.client.callTool('move_videos', { ...move, videoIds: ids.slice(0, 3) }));
  const done = changeIdIn(await first.client.callTool('move_videos', { ...move, videoIds: ids.slice(3) }));
  const page = await openPage(await startWithPage({ demo, home }));
  expect(await page.change(done)).toMatchObject({ status: 'applied', canRetry: false });
  expect(await page.change(failed)).toMatchObject({ status: 'failed', canRetry: true, canResume: false });
  demo.world.poisonedVideoIds.clear();
  // Without that, nothing is left of it.
  expect((await page.post(`api/changes/${failed}/resume`, {})).status).toBe(409);
  const sent = writesOf(demo).length;
  const proposed = JSON.parse((await page.post(`api/changes/${failed}/resume`, { retryFailed: true })).text) as ChangeView;
  expect(proposed).toMatchObject({ status: 'waiting', isOwn: true, bulk: { total: 3 } });
  expect(writesOf(demo)).toHaveLength(sent);
  expect((await page.decide(proposed, 'apply')).change).toMatchObject({ status: 'applied', canRetry: false });
  expect(idsIn(demo, archive)).toHaveLength(6);
});

const STOPPED = { words: 'You stopped it', at: expect.any(String) };

test('a change that runs is told with how far it is and since when, and one that was stopped on the page as that', async () => {
  const { demo, ids, archive } = await manyVideos(12_000);
  const home = freshHome();
  const isMove = ({ method, path }: { method: string; path: string }) => method === MOVE.method && path === MOVE.path;
  const release = hold(demo, (request) => isMove(request) && demo.requests.filter(isMove).length > 1);
  const session = await startWithPage({ demo, home });
  const { call, page, change } = await asked(session, 'move_videos', { targetProject: archive, videoIds: ids });
  const { changeId } = change;
  expect((await page.decide(change, 'apply')).change.status).toBe('running');
  const [running] = (await page.changes()).changes;
  expect(running).toMatchObject({ changeId, status: 'running', progress: { done: 1_000, total: 12_000, before: 0, since: running?.at } });
  await page.post(`api/changes/${changeId}/stop`);
  release();
  await call;
  await vi.waitFor(async () => expect((await page.change(changeId)).status).toBe('stopped'), 60_000);
  const told = { outcome: 'You stopped it.', canResume: true };
  expect(await page.change(changeId)).toMatchObject(told);
  // Another process knows who it was, and so does the assistant.
  const later = await startWithPage({ demo, home });
  const other = await openPage(later);
  expect(await other.change(changeId)).toMatchObject({ ...told, agreed: expect.arrayContaining([STOPPED]) });
  const byUser = /^The user stopped it on the approval page on .* UTC\./;
  expect((await later.client.callTool('get_change', { changeId })).data?.note).toMatch(byUser);
  const [listed] = recordsIn((await later.client.callTool('list_changes', { status: 'stopped' })).data, 'changes');
  expect(listed).toMatchObject({ changeId, stopped: expect.stringMatching(byUser) });
});
