/** What this server moved on since is left alone by the undo and the resumption of an earlier move; the last move is the one that was sent last. */
import { expect, test } from 'vitest';
import { recordsIn, type TestClient } from '../../../harness/client.ts';
import { start } from '../../../harness/start.ts';
import { agree, changeIdIn, confirmPreview } from '../../support/confirm.ts';
import { idsIn, MOVE, manyVideos, requestsOf, sorted, UNASKED } from './harness.ts';

/** Videos in Marketing, a third project beside Archive, and a client whose changes are confirmed by token. */
async function account(videos: number) {
  const account = await manyVideos(videos);
  const { demo, archive, elsewhere, ids } = account;
  const other = [...demo.world.projects.keys()].find((id) => id !== archive && id !== elsewhere) ?? '';
  const { client, home } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const move = (videoIds: readonly string[], targetProject: string, fromProject?: string) =>
    agree(client, 'move_videos', { targetProject, videoIds, fromProject });
  const first = () => move(ids, archive, elsewhere);
  /** Makes a change of which only so many requests are carried out. */
  const stoppedAfter = async (requests: number, act: () => ReturnType<typeof move>) => {
    demo.faults.always({ match: MOVE, skip: requests, do: { kind: 'status', code: 401 } });
    const changeId = changeIdIn(await act());
    demo.faults.clear();
    return changeId;
  };
  /** The first move, of which one batch has no answer and is not carried out. */
  const lost = async () => {
    demo.faults.next({ match: MOVE, do: { kind: 'reset-before' } });
    const changeId = await stoppedAfter(0, first);
    expect(idsIn(demo, archive)).toEqual([]);
    return changeId;
  };
  return { ...account, client, home, other, move, first, stoppedAfter, lost };
}

const undo = (client: TestClient, changeId: string) => agree(client, 'undo_change', { changeId });
const resume = (client: TestClient, changeId: string) => agree(client, 'resume_change', { changeId });

test('if some are moved on between the preview of an undo and its token, nothing is sent', async () => {
  const { demo, client, ids, archive, other, move, first } = await account(100);
  const changeId = changeIdIn(await first());
  const asked = await client.callTool('undo_change', { changeId });
  await move(ids.slice(0, 30), other);
  const sent = requestsOf(demo, MOVE).length;
  const reply = await confirmPreview(client, asked);
  expect(requestsOf(demo, MOVE)).toHaveLength(sent);
  expect(idsIn(demo, archive)).toHaveLength(70);
  expect(reply.text).toContain('were moved again since');
});

test('an undo moves back what is still there, and says what was moved on', async () => {
  const { demo, client, ids, archive, elsewhere, other, move, first } = await account(100);
  const changeId = changeIdIn(await first());
  const later = changeIdIn(await move(ids.slice(0, 30), other));
  const asked = await client.callTool('undo_change', { changeId });
  const undone = await confirmPreview(client, asked);
  expect(sorted(idsIn(demo, other))).toEqual(sorted(ids.slice(0, 30)));
  expect(sorted(idsIn(demo, elsewhere))).toEqual(sorted(ids.slice(30)));
  expect(idsIn(demo, archive)).toEqual([]);
  expect(asked.text).toContain('move 70 videos back');
  const which = ids.slice(0, 3).map((id) => JSON.stringify(id));
  expect(asked.text).toContain(
    `! 30 videos (${which.join(', ')} and 27 more) were moved again since, or may have been, last by ${later}. They are left alone.`,
  );
  expect(undone.data).toMatchObject({ status: 'applied', total: 70 });
});

test('a video that a later move put back is where the first move put it', async () => {
  const { demo, client, ids, archive, elsewhere, other, move, first } = await account(100);
  const changeId = changeIdIn(await first());
  await move(ids, other);
  await move(ids.slice(0, 40), archive);
  await undo(client, changeId);
  expect(sorted(idsIn(demo, elsewhere))).toEqual(sorted(ids.slice(0, 40)));
  expect(idsIn(demo, other)).toHaveLength(60);
});

test('what a later move may have moved is left alone too', async () => {
  const { demo, client, ids, archive, other, move, first } = await account(100);
  const changeId = changeIdIn(await first());
  demo.faults.always({ match: MOVE, do: { kind: 'reset-after' } });
  await move(ids.slice(0, 1), other);
  demo.faults.clear();
  await undo(client, changeId);
  expect([idsIn(demo, other), idsIn(demo, archive)]).toEqual([ids.slice(0, 1), []]);
});

test('a move can’t be undone twice, unless its undo was undone', async () => {
  const { demo, client, archive, elsewhere, first } = await account(100);
  const changeId = changeIdIn(await first());
  const undone = changeIdIn(await undo(client, changeId));
  const sent = requestsOf(demo, MOVE).length;
  const again = await undo(client, changeId);
  expect(requestsOf(demo, MOVE)).toHaveLength(sent);
  expect(again.data).toMatchObject({ status: 'failed', error: { code: 'not_undoable' } });
  expect(again.text).toContain(`It was undone before, by ${undone}.`);
  await undo(client, undone);
  expect(idsIn(demo, archive)).toHaveLength(100);
  expect((await undo(client, changeId)).data).toMatchObject({ status: 'applied' });
  expect(idsIn(demo, elsewhere)).toHaveLength(100);
});

test('a resumed move leaves alone what is not known of it and was moved on', async () => {
  const { demo, client, ids, archive, other, move, lost } = await account(100);
  const changeId = await lost();
  const later = changeIdIn(await move(ids.slice(0, 60), other));
  const asked = await client.callTool('resume_change', { changeId });
  const { data } = await confirmPreview(client, asked);
  expect(sorted(idsIn(demo, other))).toEqual(sorted(ids.slice(0, 60)));
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(ids.slice(60)));
  expect(asked.text).toContain('The outcome of 40 videos is not known; they are sent again, which is harmless.');
  expect(asked.text).toContain(`moved again since, or may have been, last by ${later}. They are left alone.`);
  expect(data).toMatchObject({ status: 'partly_applied', moved: 40, unknownCount: 60, notSentCount: 0 });
  const page = recordsIn((await client.callTool('get_change', { changeId, list: 'unknown' })).data, 'unknown');
  expect(page).toHaveLength(60);
  expect(page[0]?.reason).toBe(
    `Whether it was moved here is not known. It was moved again since, or may have been, last by ${later}, so it is left alone.`,
  );
});

test('a resumed move leaves alone what was not sent and was moved on, also after its preview', async () => {
  const { demo, client, ids, archive, other, move, first, stoppedAfter } = await account(100);
  const changeId = await stoppedAfter(0, first);
  const early = await client.callTool('resume_change', { changeId });
  const later = changeIdIn(await move(ids.slice(0, 60), other));
  const sent = requestsOf(demo, MOVE).length;
  const refused = await confirmPreview(client, early);
  expect(requestsOf(demo, MOVE)).toHaveLength(sent);
  expect(refused.text).toContain('were moved again since');
  const { data } = await agree(client, 'resume_change', { changeId });
  expect([idsIn(demo, other).length, idsIn(demo, archive).length]).toEqual([60, 40]);
  expect(data).toMatchObject({ moved: 40, notSentCount: 60 });
  const page = recordsIn((await client.callTool('get_change', { changeId, list: 'notDone' })).data, 'notDone');
  expect(page).toHaveLength(60);
  expect(page[0]?.reason).toBe(`Not sent. It was moved again since, or may have been, last by ${later}, so it is left alone.`);
});

test('an older move that was carried on since counts as later, for what was sent then', async () => {
  const { demo, client, ids, archive, elsewhere, other, move, stoppedAfter } = await account(100);
  const older = await stoppedAfter(0, () => move(ids.slice(0, 50), other));
  const changeId = await stoppedAfter(0, () => move(ids.slice(25), archive, elsewhere));
  await agree(client, 'resume_change', { changeId: older });
  const asked = await client.callTool('resume_change', { changeId });
  await confirmPreview(client, asked);
  expect(sorted(idsIn(demo, other))).toEqual(sorted(ids.slice(0, 50)));
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(ids.slice(50)));
  expect(asked.text).toContain(`last by ${older}. They are left alone.`);
});

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
  const { client, ids, elsewhere, other, move, lost } = await account(20);
  const changeId = await lost();
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
