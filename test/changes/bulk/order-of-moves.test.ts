/** Which move had a video last is told by when it was sent, and what an answer offers goes by that. */
import { expect, test } from 'vitest';
import type { TestClient } from '../../harness/client.ts';
import { start } from '../../harness/start.ts';
import { agree, changeIdIn, confirmPreview } from '../support/confirm.ts';
import { idsIn, MOVE, manyVideos, sorted, UNASKED } from './harness.ts';

/** Videos in Marketing, a third project beside Archive, and a client whose changes are confirmed by token. */
async function account(videos: number) {
  const account = await manyVideos(videos);
  const { demo, archive, elsewhere, ids } = account;
  const other = [...demo.world.projects.keys()].find((id) => id !== archive && id !== elsewhere) ?? '';
  const { client, home } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const move = (videoIds: readonly string[], targetProject: string, fromProject: string) =>
    agree(client, 'move_videos', { targetProject, videoIds, fromProject });
  const first = () => move(ids, archive, elsewhere);
  /** Makes a change of which only so many requests are carried out. */
  const stoppedAfter = async (requests: number, act: () => ReturnType<typeof move>) => {
    demo.faults.always({ match: MOVE, skip: requests, do: { kind: 'status', code: 401 } });
    const changeId = changeIdIn(await act());
    demo.faults.clear();
    return changeId;
  };
  return { ...account, client, home, other, move, first, stoppedAfter };
}

const undo = (client: TestClient, changeId: string) => agree(client, 'undo_change', { changeId });
const resume = (client: TestClient, changeId: string) => agree(client, 'resume_change', { changeId });

test('of two moves that were proposed in one order and confirmed in the other, the one confirmed last counts', async () => {
  const { demo, client, ids, archive, other, move, first } = await account(20);
  const changeId = changeIdIn(await first());
  const away = { targetProject: other, videoIds: ids, fromProject: archive };
  const asked = await client.callTool('move_videos', away);
  await move(ids, archive, other);
  await confirmPreview(client, asked);
  const refused = await undo(client, changeId);
  expect(idsIn(demo, other)).toHaveLength(20);
  expect(refused.text).toContain(`last by ${changeIdIn(asked)}. They are left alone.`);
});

test('what a move that was begun earlier sent later is left alone by an undo', async () => {
  const { demo, client, home, ids, archive, elsewhere, other, move } = await account(1_100);
  const rest = ids.slice(1_000);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    demo.behaviour.onRequest = ({ path, body }) => {
      const { projectId, videoIds = [] } = (body ?? {}) as { projectId?: string; videoIds?: string[] }; // as move sends it
      if (path !== MOVE.path || projectId !== other || !videoIds.includes(String(rest[0]))) return;
      resolve();
      return released;
    };
  });
  const long = move(ids, other, elsewhere);
  await arrived;
  const second = await start({ demo, home, env: UNASKED });
  const short = changeIdIn(await second.client.callTool('move_videos', { targetProject: archive, videoIds: rest, fromProject: elsewhere }));
  release();
  const changeId = changeIdIn(await long);
  const refused = await undo(client, short);
  expect(idsIn(demo, other)).toHaveLength(1_100);
  expect(refused.text).toContain(`last by ${changeId}. They are left alone.`);
  // It was the last one that had them.
  await undo(client, changeId);
  expect(sorted(idsIn(demo, elsewhere))).toContain(ids[0]);
});

test('a move counts as earlier for what it sent before, though it was carried on again since', async () => {
  const { demo, client, ids, archive, elsewhere, other, move, stoppedAfter } = await account(2_500);
  const changeId = await stoppedAfter(0, () => move(ids, archive, elsewhere));
  await stoppedAfter(1, () => resume(client, changeId));
  const moved = idsIn(demo, archive);
  const later = changeIdIn(await move(moved, other, archive));
  await resume(client, changeId);
  expect([moved.length, idsIn(demo, other).length, idsIn(demo, archive).length]).toEqual([1_000, 1_000, 1_500]);
  const undone = await undo(client, later);
  expect(idsIn(demo, archive)).toHaveLength(2_500);
  expect(undone.data).toMatchObject({ status: 'applied', moved: 1_000 });
});

test('a move of which the rest was moved on is not offered to be carried on or undone', async () => {
  const { demo, client, ids, archive, elsewhere, other, move } = await account(20);
  demo.faults.next({ match: MOVE, do: { kind: 'reset-before' } });
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 403 } });
  const changeId = changeIdIn(await move(ids, archive, elsewhere));
  demo.faults.clear();
  const told = () => client.callTool('get_change', { changeId });
  expect((await told()).data).toMatchObject({ next: expect.stringContaining('resume_change carries it on: 20 not known') });
  await move(ids.slice(0, 5), other, elsewhere);
  expect((await told()).data).toMatchObject({ next: expect.stringContaining('resume_change carries it on: 15 not known') });
  const later = changeIdIn(await move(ids.slice(5), other, elsewhere));
  const { data } = await told();
  expect(data).not.toHaveProperty('next');
  const how = `All that it moved was moved again since, or may have been, last by ${later}.`;
  expect(data).toMatchObject({ unknownCount: 20, undo: { possible: 'no', how } });
});

test('how many videos an undo of a move would move back are those that were not moved back yet', async () => {
  const { demo, client, archive, first, stoppedAfter } = await account(1_500);
  const changeId = changeIdIn(await first());
  const part = await stoppedAfter(1, () => undo(client, changeId));
  const { data } = await client.callTool('get_change', { changeId });
  expect(idsIn(demo, archive)).toHaveLength(500);
  expect(data).toMatchObject({ partlyUndoneBy: part, undo: { how: expect.stringMatching(/As it is, that is 500 videos\.$/) } });
  // All of it was moved back, in two parts.
  const undone = changeIdIn(await undo(client, changeId));
  expect(idsIn(demo, archive)).toEqual([]);
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ undoneBy: undone, undo: { possible: 'no' } });
});

test('a move of which an undo left a part alone counts as partly undone, and the part can be undone later', async () => {
  const { demo, client, ids, archive, elsewhere, other, move, first } = await account(20);
  const changeId = changeIdIn(await first());
  const later = changeIdIn(await move(ids.slice(0, 8), other, archive));
  const part = changeIdIn(await undo(client, changeId));
  await undo(client, later);
  expect(idsIn(demo, archive)).toHaveLength(8);
  const told = await client.callTool('get_change', { changeId });
  expect(told.data).toMatchObject({ partlyUndoneBy: part, undo: { possible: 'yes' } });
  expect(told.text).toContain('As it is, that is 8 videos.');
  const undone = changeIdIn(await undo(client, changeId));
  expect(idsIn(demo, elsewhere)).toHaveLength(20);
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ undoneBy: undone });
});

test('the undo of a move that was carried on since is not carried on', async () => {
  const { demo, client, archive, first, stoppedAfter } = await account(1_200);
  const changeId = await stoppedAfter(1, first);
  const undone = await stoppedAfter(0, () => undo(client, changeId));
  await resume(client, changeId);
  const refused = await resume(client, undone);
  expect(idsIn(demo, archive)).toHaveLength(1_200);
  expect(refused.data).toMatchObject({ error: { code: 'not_resumable' } });
  expect(refused.text).toContain(`${changeId} was carried on after ${undone}, its undo, was begun.`);
  await undo(client, changeId);
  expect(idsIn(demo, archive)).toEqual([]);
});
