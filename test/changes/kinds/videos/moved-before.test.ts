/** What this server moved before is told by the plan of another move, and no undo takes it to where its history says that it was not. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createJournal } from '../../../../src/changes/journal/journal.ts';
import { checkOrigins } from '../../../../src/changes/kinds/videos/moved-before.ts';
import { sentence } from '../../../../src/text/sentence.ts';
import { recordsIn } from '../../../harness/client.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { agree, changeIdIn, confirmPreview } from '../../support/confirm.ts';
import { moveIntent } from '../../support/intents.ts';
import { idsIn, MOVE, manyVideos, requestsOf, sorted } from './harness.ts';

/** Videos in Marketing, a third project beside Archive, and a client whose changes are confirmed by token. */
async function account(videos: number) {
  const found = await manyVideos(videos);
  const { demo, archive, elsewhere } = found;
  const other = [...demo.world.projects.keys()].find((id) => id !== archive && id !== elsewhere) ?? '';
  const home = freshHome();
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'token', VIDEO_HOSTING_FILES_DIR: home } });
  const args = (videoIds: readonly string[], targetProject: string, fromProject?: string) => ({ targetProject, videoIds, fromProject });
  const move = (...of: Parameters<typeof args>) => agree(client, 'move_videos', args(...of));
  const undo = (changeId: string) => agree(client, 'undo_change', { changeId });
  return { ...found, client, home, other, args, move, undo };
}

afterEach(() => void vi.useRealTimers());

test('what was moved into the target before is told, and an undo leaves it there', async () => {
  const { demo, client, ids, archive, elsewhere, args, move, undo } = await account(10);
  const earlier = changeIdIn(await move(ids.slice(0, 2), archive, elsewhere));
  const asked = await client.callTool('move_videos', args(ids, archive, elsewhere));
  const changeId = changeIdIn(await confirmPreview(client, asked));
  const page = recordsIn((await client.callTool('get_change', { changeId, list: 'done' })).data, 'done');
  const undone = await undo(changeId);
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(ids.slice(0, 2)));
  expect(idsIn(demo, elsewhere)).toHaveLength(8);
  expect(asked.text).toContain(
    `2 of these were moved into "Archive" (${archive}) by ${earlier} already; an undo of this leaves them there.`,
  );
  const names = page.map(({ fromProject }) => /"(\w+)"/.exec(String(fromProject))?.[1]);
  expect(names).toEqual(ids.map((_, at) => (at < 2 ? 'Archive' : 'Marketing')));
  expect(undone.text).toContain('8 videos');
  // They go back with the move that put them there.
  await undo(earlier);
  expect(idsIn(demo, elsewhere)).toHaveLength(10);
});

test('a list that is moved again is sent again, and says what moved it already; it can’t be undone', async () => {
  const { demo, client, ids, archive, elsewhere, args, move, undo } = await account(4);
  const earlier = changeIdIn(await move(ids, archive, elsewhere));
  const asked = await client.callTool('move_videos', args(ids, archive, elsewhere));
  const again = await confirmPreview(client, asked);
  expect(requestsOf(demo, MOVE)).toHaveLength(2);
  expect(asked.text).toContain(`All 4 were moved into "Archive" (${archive}) by ${earlier} already; an undo of this leaves them there.`);
  expect(again.data).toMatchObject({ moved: 4, undo: { possible: 'no' } });
  expect((await undo(changeIdIn(again))).data).toMatchObject({ error: { code: 'not_undoable' } });
  expect(idsIn(demo, archive)).toHaveLength(4);
  await undo(earlier);
  expect(idsIn(demo, elsewhere)).toHaveLength(4);
});

test('what was moved elsewhere than where it is said to come from is told, and left alone by an undo', async () => {
  const { demo, client, ids, archive, elsewhere, other, args, move, undo } = await account(10);
  const earlier = changeIdIn(await move(ids.slice(0, 3), other, elsewhere));
  const asked = await client.callTool('move_videos', args(ids, archive, elsewhere));
  const changeId = changeIdIn(await confirmPreview(client, asked));
  await undo(changeId);
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(ids.slice(0, 3)));
  expect(idsIn(demo, elsewhere)).toHaveLength(7);
  expect(asked.text).toContain('3 of these were moved into "');
  expect(asked.text).toContain(
    ` by ${earlier}, not where they are said to come from; so an undo of this leaves them where this puts them.`,
  );
  expect(asked.data?.preview).toMatchObject({ undo: { possible: 'partly', how: expect.stringContaining('3 videos stay') } });
});

test('what comes from where this server moved it last is told nothing of, also after an undo', async () => {
  const { client, ids, archive, elsewhere, other, args, move, undo } = await account(4);
  await undo(changeIdIn(await move(ids, archive, elsewhere)));
  await move(ids, other, elsewhere);
  const { data, text } = await client.callTool('move_videos', args(ids, archive, other));
  expect(text).not.toContain('by chg-');
  expect(data?.preview).toMatchObject({ undo: { possible: 'yes' } });
});

test('of a file with several projects the lines that history contradicts are left alone, and what it agrees with goes back', async () => {
  const { demo, client, home, ids, archive, elsewhere, other, move, undo } = await account(6);
  await move(ids.slice(0, 2), archive, elsewhere);
  await move(ids.slice(2, 4), other, elsewhere);
  writeFileSync(
    join(home, 'old.csv'),
    `id,fromProject\n${ids.map((id, at) => `${id},${at === 1 ? archive : at === 2 ? other : elsewhere}`).join('\n')}`,
  );
  const asked = await client.callTool('move_videos', { targetProject: archive, videoIdsFile: 'old.csv' });
  await undo(changeIdIn(await confirmPreview(client, asked)));
  expect(sorted(idsIn(demo, archive))).toEqual(sorted([ids[0], ids[1], ids[3]].map(String)));
  expect([idsIn(demo, other), sorted(idsIn(demo, elsewhere))]).toEqual([[ids[2]], sorted(ids.slice(4))]);
  expect(asked.text).toContain('2 of these were moved into "Archive"');
  expect(asked.text).toContain('1 of these was moved into "');
  expect(asked.text).not.toContain('By the file');
});

test('what a move without an origin moves again is told too', async () => {
  const { client, ids, archive, elsewhere, args, move } = await account(4);
  const earlier = changeIdIn(await move(ids.slice(0, 1), archive, elsewhere));
  const { text, data } = await client.callTool('move_videos', args(ids, archive));
  expect(text).toContain(`1 of these was moved into "Archive" (${archive}) by ${earlier} already.`);
  expect(data?.preview).toMatchObject({ undo: { possible: 'no' } });
});

test('of several earlier moves the last one is named', async () => {
  const { client, ids, archive, elsewhere, args, move } = await account(4);
  await move(ids.slice(0, 2), archive, elsewhere);
  const last = changeIdIn(await move(ids.slice(2), archive, elsewhere));
  const { text } = await client.callTool('move_videos', args(ids, archive, elsewhere));
  expect(text).toContain(`All 4 were moved into "Archive" (${archive}) last by ${last} already`);
});

test('what may have been moved contradicts nothing', async () => {
  const { demo, client, ids, archive, elsewhere, other, args, move } = await account(1);
  demo.faults.always({ match: MOVE, do: { kind: 'reset-after' } });
  await move(ids, other, elsewhere);
  demo.faults.clear();
  const { data } = await client.callTool('move_videos', args(ids, archive, elsewhere));
  expect(data?.preview).toMatchObject({ undo: { possible: 'yes' } });
});

test('a preview whose videos are moved before its token comes back is shown anew', async () => {
  const { demo, client, ids, archive, elsewhere, args, move } = await account(4);
  const asked = await client.callTool('move_videos', args(ids, archive, elsewhere));
  const later = changeIdIn(await move(ids.slice(0, 2), archive, elsewhere));
  const refused = await confirmPreview(client, asked);
  expect(requestsOf(demo, MOVE)).toHaveLength(1);
  expect(refused.text).toContain(`2 of these were moved into "Archive" (${archive}) by ${later}`);
});

test('what was moved longer ago than a change can wait goes by the caller’s word', async () => {
  const { client, ids, archive, elsewhere, args, move } = await account(4);
  await move(ids.slice(0, 2), archive, elsewhere);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 9 * 24 * 3_600_000 });
  const { data, text } = await client.callTool('move_videos', args(ids, archive, elsewhere));
  expect(text).not.toContain('by chg-');
  expect(data?.preview).toMatchObject({ undo: { possible: 'yes' } });
});

const DAY = 24 * 3_600_000;
const setAhead = (days: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY });

test('what was moved lately counts, also by a move that was begun long ago and carried on', async () => {
  const { demo, client, ids, archive, elsewhere, args, move } = await account(2_000);
  demo.faults.always({ match: MOVE, skip: 1, do: { kind: 'status', code: 401 } });
  const earlier = changeIdIn(await move(ids, archive, elsewhere));
  demo.faults.clear();
  const first = idsIn(demo, archive);
  setAhead(9);
  await agree(client, 'resume_change', { changeId: earlier });
  const rest = ids.filter((id) => !first.includes(id));
  expect([first.length, rest.length, idsIn(demo, archive).length]).toEqual([1_000, 1_000, 2_000]);
  const { text } = await client.callTool('move_videos', args(ids, archive, elsewhere));
  expect(text).toContain(`1,000 of these were moved into "Archive" (${archive}) by ${earlier} already`);
});

test('of a move that had waited for a person, the days count from when it was begun', async () => {
  const journal = createJournal(freshHome());
  const changeId = await journal.newChangeId();
  setAhead(7);
  const target = { id: 'p1', label: sentence`"Archive" (p1)`, count: 1 };
  const facts = { move: { digest: '', targetProjects: [target], fromProjects: [] } };
  const writer = await journal.begin({ ...moveIntent(changeId), kind: 'move_videos', facts }, ['a']);
  await writer.sendingRange(0, 1, false);
  await writer.recordRange(0, 1, 'done');
  await writer.end('applied', {});
  const said = { rows: undefined, projects: [], unnamed: 1, columns: [] };
  const told = async () => (await checkOrigins(said, ['a'], target, journal)).notices.map(({ kind }) => kind);
  const found = [];
  for (const days of [0, 2, 7]) {
    if (days > 0) setAhead(days);
    found.push(await told());
  }
  expect(found).toEqual([['in_target_since'], ['in_target_since'], []]);
});

test('of moves of one video the one that sent it last is named, though it was begun first and the clock was set back', async () => {
  const { demo, client, ids, archive, elsewhere, args, move } = await account(1_001);
  demo.faults.always({ match: MOVE, skip: 1, do: { kind: 'status', code: 401 } });
  const first = changeIdIn(await move(ids, archive, elsewhere));
  demo.faults.clear();
  const [rest = ''] = ids.filter((id) => !idsIn(demo, archive).includes(id));
  setAhead(1);
  const later = changeIdIn(await move([rest], archive, elsewhere));
  const told = async () => (await client.callTool('move_videos', args([rest], archive, elsewhere))).text;
  expect(await told()).toContain(`by ${later} already`);
  vi.useRealTimers();
  await agree(client, 'resume_change', { changeId: first });
  expect(requestsOf(demo, MOVE).slice(-1)).toMatchObject([{ body: { videoIds: [rest] } }]);
  expect(await told()).toContain(`by ${first} already`);
});
