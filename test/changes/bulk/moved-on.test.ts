/** What this server moved on since is left alone by the undo and the resumption of an earlier move, and said. */
import { expect, test } from 'vitest';
import { recordsIn, type TestClient } from '../../harness/client.ts';
import { start } from '../../harness/start.ts';
import { agree, changeIdIn, confirmPreview } from '../support/confirm.ts';
import { idsIn, MOVE, manyVideos, requestsOf, sorted } from './harness.ts';

/** A hundred videos that are moved from Marketing into Archive, and a third project. */
async function hundred() {
  const account = await manyVideos(100);
  const { demo, archive, elsewhere, ids } = account;
  const other = [...demo.world.projects.keys()].find((id) => id !== archive && id !== elsewhere) ?? '';
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const move = (videoIds: readonly string[], targetProject: string, fromProject?: string) =>
    agree(client, 'move_videos', { targetProject, videoIds, ...(fromProject === undefined ? {} : { fromProject }) });
  const first = () => move(ids, archive, elsewhere);
  /** The first move, of which one batch has no answer and is not carried out. */
  const lost = async () => {
    demo.faults.next({ match: MOVE, do: { kind: 'reset-before' } });
    demo.faults.always({ match: MOVE, do: { kind: 'status', code: 403 } });
    const reply = await first();
    demo.faults.clear();
    expect(reply.data).toMatchObject({ moved: 0, unknownCount: 100 });
    return changeIdIn(reply);
  };
  return { ...account, client, other, move, first, lost };
}

const undo = (client: TestClient, changeId: string) => agree(client, 'undo_change', { changeId });

test('an undo that was confirmed too late leaves alone what was moved on since its preview', async () => {
  const { demo, client, ids, other, move, first } = await hundred();
  const changeId = changeIdIn(await first());
  const asked = await client.callTool('undo_change', { changeId });
  const later = changeIdIn(await move(ids, other));
  const reply = await confirmPreview(client, asked);
  expect(idsIn(demo, other)).toHaveLength(100);
  expect(reply.data).toMatchObject({ error: { code: 'not_undoable' } });
  expect(reply.text).toContain(`moved again since, or may have been, last by ${later}. They are left alone.`);
});

test('if some are moved on between the preview of an undo and its token, nothing is sent', async () => {
  const { demo, client, ids, archive, other, move, first } = await hundred();
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
  const { demo, client, ids, archive, elsewhere, other, move, first } = await hundred();
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
  const { demo, client, ids, archive, elsewhere, other, move, first } = await hundred();
  const changeId = changeIdIn(await first());
  await move(ids, other);
  await move(ids.slice(0, 40), archive);
  await undo(client, changeId);
  expect(sorted(idsIn(demo, elsewhere))).toEqual(sorted(ids.slice(0, 40)));
  expect(idsIn(demo, other)).toHaveLength(60);
});

test('what a later move may have moved is left alone too', async () => {
  const { demo, client, ids, archive, other, move, first } = await hundred();
  const changeId = changeIdIn(await first());
  demo.faults.always({ match: MOVE, do: { kind: 'reset-after' } });
  await move(ids.slice(0, 1), other);
  demo.faults.clear();
  await undo(client, changeId);
  expect([idsIn(demo, other), idsIn(demo, archive)]).toEqual([ids.slice(0, 1), []]);
});

test('a move can’t be undone twice, unless its undo was undone', async () => {
  const { demo, client, archive, elsewhere, first } = await hundred();
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
  const { demo, client, ids, archive, other, move, lost } = await hundred();
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
  const { demo, client, ids, archive, other, move, first } = await hundred();
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 403 } });
  const changeId = changeIdIn(await first());
  demo.faults.clear();
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

test('a move that was confirmed after one that was proposed later is the later one', async () => {
  const { demo, client, ids, archive, elsewhere, other, move } = await hundred();
  const args = { targetProject: other, videoIds: ids };
  const proposed = await client.callTool('move_videos', args);
  const changeId = changeIdIn(await move(ids, archive, elsewhere));
  await confirmPreview(client, proposed);
  const refused = await undo(client, changeId);
  expect(idsIn(demo, other)).toHaveLength(100);
  expect(refused.data).toMatchObject({ error: { code: 'not_undoable' } });
  expect(refused.text).toContain(`last by ${changeIdIn(proposed)}`);
});

test('an older move that was carried on since counts as later, for what was sent then', async () => {
  const { demo, client, ids, archive, elsewhere, other, move } = await hundred();
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 403 } });
  const older = changeIdIn(await move(ids.slice(0, 50), other));
  const changeId = changeIdIn(await move(ids.slice(25), archive, elsewhere));
  demo.faults.clear();
  await agree(client, 'resume_change', { changeId: older });
  const asked = await client.callTool('resume_change', { changeId });
  await confirmPreview(client, asked);
  expect(sorted(idsIn(demo, other))).toEqual(sorted(ids.slice(0, 50)));
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(ids.slice(50)));
  expect(asked.text).toContain(`last by ${older}. They are left alone.`);
});
