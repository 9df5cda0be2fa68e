/** Undo of a move: what was, or may have been, moved goes back to the project that was named, and nothing else does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { recordsIn } from '../../../harness/client.ts';
import type { DemoService } from '../../../harness/service.ts';
import { freshHome, type StartOptions, start } from '../../../harness/start.ts';
import { agree } from '../../support/confirm.ts';
import { ended, idsIn, MOVE, manyVideos, outcomesOf, requestsOf, sorted, UNASKED } from './harness.ts';

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
  const { client } = await start({ demo });
  const { data } = await agree(client, 'move_videos', { targetProject: 'Archive', videoIds: ids, fromProject: 'Marketing' });
  expect(outcomesOf(data)).toEqual({ failed: ids.filter((id) => account.poisoned.has(id)), unknown: [doubtful] });
  expect(data).toMatchObject({ undo: { possible: 'yes' }, before: [{ id: elsewhere }], after: [{ id: archive }] });
  demo.faults.clear();
  const sent = requestsOf(demo, MOVE).length;
  const asked = await client.callTool('undo_change', { changeId: data?.changeId });
  expect(asked.text).toContain('Whether 1 video was moved is not known; it is sent back too, which is harmless if it never left.');
  const undone = await agree(client, 'undo_change', { changeId: data?.changeId });
  const moved = ids.filter((id) => !account.poisoned.has(id));
  const back = requestsOf(demo, MOVE)
    .slice(sent)
    .flatMap(({ body }) => (body as { videoIds: string[] }).videoIds); // as move sends it
  expect(sorted(back)).toEqual(sorted(moved));
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(before));
  expect(undone.data).toMatchObject({ status: 'applied', total: moved.length, undo: { possible: 'yes' } });
});

test('a copy since does not keep a move from being undone, and what was in the target before stays there', async () => {
  const account = await manyVideos(40);
  const { ids } = account;
  const { client } = await start({ demo: account.demo });
  const move = (videoIds: readonly string[], more: object) => agree(client, 'move_videos', { targetProject: 'Archive', videoIds, ...more });
  await move(ids.slice(0, 5), {});
  const { data: first } = await move(ids, { fromProject: 'Marketing' });
  await agree(client, 'copy_cta', { sourceVideoId: ids[1], targetVideoIds: [ids[2]] });
  const { data } = await client.callTool('undo_change', { changeId: first?.changeId });
  expect(data?.preview).toMatchObject({
    summary: expect.stringContaining('move 35 videos back'),
    warnings: ['5 videos stay: no other project is known for them.'],
    notes: ['Where each of them was before can’t be checked; it goes by what was said when they were moved.'],
  });
});

/** Begins a change, kills its server in the middle, and resumes it with another server. */
async function interrupted(options: StartOptions & { readonly demo: DemoService }, tool: string, args: Record<string, unknown>) {
  const { demo } = options;
  const before = requestsOf(demo, MOVE).length;
  const first = await start(options);
  first.client.callTool(tool, args).catch(() => undefined);
  await vi.waitFor(() => expect(requestsOf(demo, MOVE).length).toBeGreaterThan(before + 3), { timeout: 300_000 });
  first.server?.child.kill('SIGKILL');
  await first.server?.exit;
  await sleep(100);
  const { client } = await start(options);
  const [change] = recordsIn((await client.callTool('list_changes', { status: 'interrupted' })).data, 'changes');
  await client.callTool('resume_change', { changeId: change?.changeId });
  return (await ended(client, change?.changeId)).data;
}

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
