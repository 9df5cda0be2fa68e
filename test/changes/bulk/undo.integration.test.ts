/** Undo of a move: what was, or may have been, moved goes back to the project that was named, and nothing else does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { recordsIn } from '../../harness/client.ts';
import type { DemoService } from '../../harness/service.ts';
import { freshHome, type StartOptions, start } from '../../harness/start.ts';
import { agree, confirmPreview } from '../support/confirm.ts';
import { changesFolder, ended, idsIn, MOVE, manyVideos, outcomesOf, requestsOf, sorted, UNASKED } from './harness.ts';

test('undo moves back what was, or may have been, moved, but not what failed or was there before', async () => {
  const account = await manyVideos(3_000, 5);
  const { demo, archive, elsewhere } = account;
  const before = account.ids.slice(2_900);
  for (const id of before) Object.assign(demo.world.videos.get(id) ?? {}, { projectId: archive });
  const ids = account.ids.slice(0, 2_900);
  const [doubtful = ''] = ids.filter((id) => !account.poisoned.has(id));
  // Sent alone, it is moved, but its response is lost. Sent with others, nothing is moved.
  const isAlone = (body: unknown) => JSON.stringify((body as { videoIds: string[] }).videoIds) === JSON.stringify([doubtful]); // as move sends it
  const has = (body: unknown) => (body as { videoIds: string[] }).videoIds.includes(doubtful);
  demo.faults.always({ match: { ...MOVE, when: ({ body }) => isAlone(body) }, do: { kind: 'garbage', shape: 'null' } });
  demo.faults.always({ match: { ...MOVE, when: ({ body }) => has(body) }, do: { kind: 'garbage', shape: 'null', processed: false } });
  const { client } = await start({ demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids, fromProject: 'Marketing' });
  expect(outcomesOf(data)).toEqual({ failed: ids.filter((id) => account.poisoned.has(id)), unknown: [doubtful] });
  expect(data).toMatchObject({ undo: { possible: 'yes' }, before: [{ id: elsewhere }], after: [{ id: archive }] });
  demo.faults.clear();
  const sent = requestsOf(demo, MOVE).length;
  const undone = await client.callTool('undo_change', { changeId: data?.changeId });
  const moved = ids.filter((id) => !account.poisoned.has(id));
  const back = requestsOf(demo, MOVE)
    .slice(sent)
    .flatMap(({ body }) => (body as { videoIds: string[] }).videoIds); // as move sends it
  expect(sorted(back)).toEqual(sorted(moved));
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(before));
  expect(undone.data).toMatchObject({ status: 'applied', total: moved.length, undo: { possible: 'yes' } });
});

test('undo of a move that ended early moves back what was, or may have been, moved, and can be undone', async () => {
  const account = await manyVideos(12_000);
  const { demo, archive, elsewhere } = account;
  const { client } = await start({ demo });
  // One batch may have been moved, and some were never sent.
  const isDoubtful = ({ body }: { body: unknown }) => (body as { videoIds: string[] }).videoIds.includes(account.ids[3_500] ?? ''); // as move sends it
  demo.faults.always({ match: { ...MOVE, when: isDoubtful }, do: { kind: 'reset-after' } });
  demo.faults.always({ match: MOVE, skip: 10, do: { kind: 'status', code: 403 } });
  const moved = await agree(client, 'move_videos', { targetProject: 'Archive', videoIds: account.ids, fromProject: 'Marketing' });
  const { moved: done, unknownCount, notSentCount, changeId } = moved.data ?? {};
  expect([Number(unknownCount), Number(notSentCount)].every((count) => count > 0)).toBe(true);
  demo.faults.clear();
  const there = idsIn(demo, archive);
  const sent = requestsOf(demo, MOVE).length;
  const asked = await client.callTool('undo_change', { changeId });
  expect(asked.text).toContain(
    'Whether 1,000 videos were moved is not known; they are sent back too, which is harmless if they never left.',
  );
  const undone = await agree(client, 'undo_change', { changeId });
  const idsSent = (from: number) =>
    requestsOf(demo, MOVE)
      .slice(from)
      .flatMap(({ body }) => (body as { videoIds: string[] }).videoIds); // as move sends it
  const back = idsSent(sent);
  expect(back).toHaveLength(Number(done) + Number(unknownCount));
  expect(idsIn(demo, archive)).toEqual([]);
  expect(back.filter((id) => !there.includes(id))).toEqual([]);
  expect(undone.data).toMatchObject({
    status: 'applied',
    total: Number(done) + 1_000,
    before: [{ id: archive, label: expect.stringContaining('Archive') }],
    after: [{ id: elsewhere, label: expect.stringContaining('Marketing') }],
  });
  const sentBefore = requestsOf(demo, MOVE).length;
  const again = await agree(client, 'undo_change', { changeId: undone.data?.changeId });
  expect(sorted(idsSent(sentBefore))).toEqual(sorted(back));
  expect(again.data).toMatchObject({
    status: 'applied',
    total: back.length,
    after: [{ id: archive, label: expect.stringContaining('Archive') }],
  });
});

test('a copy since, or a move before, does not keep a move from being undone as a whole', async () => {
  const account = await manyVideos(40);
  const { ids } = account;
  const { client } = await start({ demo: account.demo });
  const move = (videoIds: readonly string[], more: object) => agree(client, 'move_videos', { targetProject: 'Archive', videoIds, ...more });
  await move(ids.slice(0, 5), {});
  const { data: first } = await move(ids, { fromProject: 'Marketing' });
  await agree(client, 'copy_cta', { sourceVideoId: ids[1], targetVideoIds: [ids[2]] });
  const { data } = await client.callTool('undo_change', { changeId: first?.changeId });
  expect(data?.preview).toMatchObject({
    summary: expect.stringContaining('move 40 videos back'),
    warnings: ['Where each of them was before can’t be checked; it goes by what was said when they were moved.'],
  });
});

test('undo is refused if the file of ids was replaced since the move', async () => {
  const account = await manyVideos(20);
  const { client, ...session } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', {
    targetProject: 'Archive',
    videoIds: account.ids.slice(0, 10),
    fromProject: 'Marketing',
  });
  const file = join(changesFolder(session), `${String(data?.changeId)}.ids`);
  writeFileSync(file, account.ids.slice(10).join('\n'));
  const sent = requestsOf(account.demo, MOVE).length;
  const refused = await client.callTool('undo_change', { changeId: data?.changeId });
  expect(requestsOf(account.demo, MOVE)).toHaveLength(sent);
  expect(refused.data).toMatchObject({ status: 'failed', error: { code: 'not_resumable' } });
  expect(refused.text).toContain('are damaged or gone');
});

test('an undo can be undone, and so can the undo of the undo', async () => {
  const account = await manyVideos(1_200);
  const { demo, archive, elsewhere } = account;
  const { client } = await start({ demo });
  const agreed = async (tool: string, args: Record<string, unknown>) => {
    const asked = await client.callTool(tool, args);
    expect(asked.data).toMatchObject({ status: 'confirmation_required', preview: { undo: { possible: 'yes' } } });
    return confirmPreview(client, asked);
  };
  let change = await agreed('move_videos', { targetProject: 'Archive', videoIds: account.ids, fromProject: 'Marketing' });
  for (const where of [elsewhere, archive, elsewhere]) {
    change = await agreed('undo_change', { changeId: change.data?.changeId });
    expect(change.data).toMatchObject({ status: 'applied' });
    expect(idsIn(demo, where)).toHaveLength(1_200);
  }
  expect(recordsIn((await client.callTool('list_changes')).data, 'changes').map(({ kind }) => kind)).toEqual([
    'undo_change',
    'undo_change',
    'undo_change',
    'move_videos',
  ]);
});

test('a partly applied move can’t be resumed after its undo, unless the undo was undone too', async () => {
  const account = await manyVideos(5_000);
  const { demo, archive } = account;
  const { client } = await start({ demo, env: UNASKED });
  demo.faults.always({ match: { ...MOVE, when: () => requestsOf(demo, MOVE).length > 2 }, do: { kind: 'status', code: 403 } });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids, fromProject: 'Marketing' });
  demo.faults.clear();
  const moved = idsIn(demo, archive);
  expect(data).toMatchObject({ status: 'partly_applied', moved: moved.length, notSentCount: 5_000 - moved.length });
  const undone = await client.callTool('undo_change', { changeId: data?.changeId });
  expect(idsIn(demo, archive)).toEqual([]);
  const sent = requestsOf(demo, MOVE).length;
  const refused = await client.callTool('resume_change', { changeId: data?.changeId });
  expect(requestsOf(demo, MOVE)).toHaveLength(sent);
  expect(refused.data).toMatchObject({ status: 'failed', error: { code: 'not_resumable' } });
  expect(refused.text).toContain(`was undone by ${String(undone.data?.changeId)}`);
  await client.callTool('undo_change', { changeId: undone.data?.changeId });
  expect(idsIn(demo, archive)).toEqual(moved);
  const resumed = await client.callTool('resume_change', { changeId: data?.changeId });
  expect(idsIn(demo, archive)).toHaveLength(5_000);
  expect(resumed.data).toMatchObject({ status: 'applied', moved: 5_000 });
});

/** Begins a change, kills its server in the middle, and resumes it with another server. */
async function interrupted(options: StartOptions & { readonly demo: DemoService }, tool: string, args: Record<string, unknown>) {
  const { demo } = options;
  const before = requestsOf(demo, MOVE).length;
  const first = await start(options);
  first.client.callTool(tool, args).catch(() => undefined);
  await vi.waitFor(() => expect(requestsOf(demo, MOVE).length).toBeGreaterThan(before + 3), { timeout: 120_000 });
  first.server?.child.kill('SIGKILL');
  await first.server?.exit;
  await sleep(100);
  const { client } = await start(options);
  const [change] = recordsIn((await client.callTool('list_changes', { status: 'interrupted' })).data, 'changes');
  await client.callTool('resume_change', { changeId: change?.changeId });
  return (await ended(client, change?.changeId)).data;
}

test('a move resumed after a kill is undone as a whole, and an undo is resumed after a kill', async () => {
  const account = await manyVideos(9_000);
  const { demo, archive, elsewhere } = account;
  const options = { demo, home: freshHome(), env: UNASKED, via: 'process' } as const;
  demo.faults.always({ match: MOVE, do: { kind: 'delay', ms: 60 } });

  const moved = await interrupted(options, 'move_videos', { targetProject: 'Archive', videoIds: account.ids, fromProject: 'Marketing' });
  expect(idsIn(demo, archive)).toHaveLength(9_000);
  expect(moved).toMatchObject({ status: 'applied', moved: 9_000, undo: { possible: 'yes' } });
  const undone = await interrupted(options, 'undo_change', { changeId: moved?.changeId });
  expect(idsIn(demo, elsewhere)).toHaveLength(9_000);
  expect(undone).toMatchObject({ status: 'applied', total: 9_000 });
});

test('a resumed move from several projects is undone to each project, even if the undo is killed and resumed', async () => {
  const account = await manyVideos(9_000);
  const { demo, ids } = account;
  const home = freshHome();
  const others = [...demo.world.projects.values()].filter(({ id }) => id !== account.archive).slice(0, 3);
  const wanted = new Map(ids.map((id, index) => [id, String(others[index % 3]?.id)]));
  for (const [id, projectId] of wanted) Object.assign(demo.world.videos.get(id) ?? {}, { projectId });
  writeFileSync(join(home, 'ids.csv'), ['id,fromProject', ...ids.map((id, index) => `${id},${others[index % 3]?.key}`)].join('\n'));
  const options = { demo, home, env: { ...UNASKED, VIDEO_HOSTING_FILES_DIR: home }, via: 'process' } as const;
  demo.faults.always({ match: MOVE, do: { kind: 'delay', ms: 60 } });

  const moved = await interrupted(options, 'move_videos', { targetProject: 'Archive', videoIdsFile: 'ids.csv' });
  expect(idsIn(demo, account.archive)).toHaveLength(9_000);
  expect(moved).toMatchObject({ status: 'applied', moved: 9_000, undo: { possible: 'yes' } });
  // The file is not needed any more.
  writeFileSync(join(home, 'ids.csv'), '');
  const undone = await interrupted(options, 'undo_change', { changeId: moved?.changeId });
  expect(new Map([...demo.world.videos.values()].map(({ id, projectId }) => [id, projectId]))).toEqual(wanted);
  expect(undone).toMatchObject({ status: 'applied', total: 9_000 });
});

test('a move that moved nothing and a copy can’t be undone, and fromProject can’t be the target', async () => {
  const account = await manyVideos(3, 3);
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const failed = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids, fromProject: 'Marketing' });
  expect(failed.data).toMatchObject({ status: 'failed', undo: { possible: 'no' } });
  expect((await client.callTool('undo_change', { changeId: failed.data?.changeId })).data).toMatchObject({
    error: { code: 'not_undoable' },
  });
  const [source = '', target = ''] = account.ids;
  const copied = await client.callTool('copy_cta', { sourceVideoId: source, targetVideoIds: [target] });
  expect(copied.data).toMatchObject({ status: 'applied', undo: { possible: 'no' } });
  expect((await client.callTool('undo_change', { changeId: copied.data?.changeId })).data).toMatchObject({
    error: { code: 'not_undoable' },
  });
  const sent = requestsOf(account.demo, MOVE).length;
  const same = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids, fromProject: 'Archive' });
  expect(same.data).toMatchObject({ status: 'failed', error: { code: 'invalid_arguments' } });
  expect(requestsOf(account.demo, MOVE)).toHaveLength(sent);
});

test('an undo into a deleted project ends with the service’s message', async () => {
  const account = await manyVideos(1_500);
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids, fromProject: 'Marketing' });
  account.demo.world.projects.delete(account.elsewhere);
  const undone = await client.callTool('undo_change', { changeId: data?.changeId });
  expect(idsIn(account.demo, account.archive)).toHaveLength(1_500);
  expect(undone.data).toMatchObject({ status: 'failed', notSentCount: 1_500 });
  expect(undone.text).toContain('The target project could not be resolved.');
});
