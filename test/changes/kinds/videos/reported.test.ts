/** How a bulk change is reported while it runs, once it has ended and after it was undone, even if many changes are newer. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsIn } from '../../../harness/client.ts';
import { hold } from '../../../harness/service.ts';
import { start } from '../../../harness/start.ts';
import { confirmPreview } from '../../support/confirm.ts';
import { moveIntent } from '../../support/intents.ts';
import { changesFolder, ended, idsIn, MOVE, manyVideos, requestsOf, UNASKED } from './harness.ts';

/** Writes journal files of made-up changes that are newer than all others. */
function newerChanges(folder: string, count: number): void {
  const process = { pid: 1, host: 'elsewhere', started: '2026-01-01T00:00:00.000Z' };
  const at = '2026-01-01T00:00:00.000Z';
  for (let number = 0; number < count; number += 1) {
    const changeId = `chg-1${number.toString().padStart(8, '0')}-aaaa`;
    const lines = [
      { ...moveIntent(changeId), type: 'intent', format: 1, at, process, kind: 'create_project', facts: {} },
      { type: 'end', epoch: 0, at, status: 'applied' },
    ];
    writeFileSync(join(folder, `${changeId}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  }
}

test('an undone move is not resumed, until its undo is undone, and is listed with its undo, even if 260 changes are newer', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(3_000);
  demo.faults.always({ match: MOVE, skip: 1, do: { kind: 'status', code: 401 } });
  const { client, dataDir } = await start({ demo, env: UNASKED });
  const args = { targetProject: 'Archive', fromProject: elsewhere, videoIds: ids };
  const { data } = await client.callTool('move_videos', args);
  const { changeId, moved } = data ?? {};
  expect(moved).toBe(idsIn(demo, archive).length);
  demo.faults.clear();
  const undone = await client.callTool('undo_change', { changeId });
  expect(idsIn(demo, archive)).toEqual([]);
  newerChanges(changesFolder({ dataDir }), 260);
  const sent = requestsOf(demo, MOVE).length;
  const resumed = await client.callTool('resume_change', { changeId });
  expect(requestsOf(demo, MOVE)).toHaveLength(sent);
  expect(resumed.data).toMatchObject({ status: 'failed', error: { code: 'not_resumable' } });
  expect(resumed.text).toContain(`was undone by ${String(undone.data?.changeId)}`);
  const told = await client.callTool('get_change', { changeId });
  expect(told.data).toMatchObject({ undoneBy: undone.data?.changeId, undo: { possible: 'no' } });
  expect(told.text).not.toContain('resume_change');
  const [listed] = recordsIn((await client.callTool('list_changes', { status: 'partly_applied' })).data, 'changes');
  expect(listed).toMatchObject({ changeId, undoneBy: undone.data?.changeId });
  expect(listed).not.toHaveProperty('undo');
  await client.callTool('undo_change', { changeId: undone.data?.changeId });
  expect(idsIn(demo, archive)).toHaveLength(Number(moved));
  const { data: whole } = await client.callTool('resume_change', { changeId });
  expect(whole).toMatchObject({ status: 'applied', moved: 3_000 });
});

test('the preview warns of a repeated copy, even if 260 changes are newer', async () => {
  const { demo, ids } = await manyVideos(3);
  const { client, dataDir } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const args = { sourceVideoId: ids[0], targetVideoIds: [ids[1]] };
  const first = await client.callTool('copy_cta', args);
  await confirmPreview(client, first);
  newerChanges(changesFolder({ dataDir }), 260);
  expect((await client.callTool('copy_cta', args)).text).toContain('It got CTAs of this video before');
});

test('get_change reports how many ids are being retried while batches are halved', async () => {
  const { demo, ids } = await manyVideos(2_000, 1);
  const isHalf = (count: number) => count < 1_000;
  const letGo = hold(demo, ({ path, body }) => path === MOVE.path && isHalf((body as { videoIds: string[] }).videoIds.length)); // as move sends it
  const { client } = await start({ demo, shortCalls: true, env: UNASKED });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  const { changeId } = data ?? {};
  expect(requestsOf(demo, MOVE).filter(({ body }) => isHalf((body as { videoIds: string[] }).videoIds.length)).length).toBeGreaterThan(0); // likewise
  const told = await client.callTool('get_change', { changeId });
  expect(told.data).toMatchObject({ status: 'running', moved: 1_000, retryingCount: 1_000 });
  expect(told.text).toContain('1000 of 2000 moved, 1000 being tried again.');
  letGo();
  expect((await ended(client, changeId)).data).toMatchObject({ moved: 1_999, failedCount: 1 });
});
