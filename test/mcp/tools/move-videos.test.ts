/** A move of videos: where its ids come from, what its preview says, and what is moved. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Account, ended, idsIn, MOVE, manyVideos, requestsOf, UNASKED, withFile } from '../../changes/kinds/videos/harness.ts';
import { agree, confirmPreview } from '../../changes/support/confirm.ts';
import { hold } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const NAME_IT = 'To have it undoable, name the project where they are now as their fromProject.';
const NO_FROM = 'It can’t be undone, since it was not said in which project the videos are now. With that named, it can be.';
const ON_MOVE_FAILURE =
  'If some fail, the others are moved all the same, and those are named. If the service can’t be reached, the rest is not sent.';
const UNTRIED = 'Whether this server’s key may move videos shows only with the first move; if it may not, nothing is moved.';
/** A project’s name and id. */
const labels = ({ archive, elsewhere }: Account) => ({ to: `"Archive" (${archive})`, from: `"Marketing" (${elsewhere})` });
const quoted = (ids: readonly string[]) => ids.map((id) => JSON.stringify(id)).join(', ');

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim());

describe('the preview of a move', () => {
  test('says what is moved where, what was dropped, and that it can’t be undone', async () => {
    const account = await manyVideos(2_500);
    const { demo, ids } = account;
    const { client } = await start({ demo });
    const [first = '', ...rest] = ids;
    const { data, text } = await client.callTool('move_videos', {
      targetProject: 'Archive',
      videoIds: [` ${first} `, ' ', first, ...rest],
    });
    expect(requestsOf(demo, MOVE)).toEqual([]);
    expect(data?.preview).toEqual({
      summary: 'Move 2,500 videos into Archive; no undo',
      meaning: `Move 2,500 videos into ${labels(account).to}.`,
      warnings: [NO_FROM, NAME_IT],
      notes: ['1 blank dropped.', '1 repeated id dropped.', UNTRIED],
      lines: [`${quoted(ids.slice(0, 3))} and 2497 more`],
      more: '… and all ids: get_change with page 1 of 26',
      onFailure: ON_MOVE_FAILURE,
      undo: { possible: 'no' },
    });
    for (const line of [`! ${NO_FROM}`, '1 blank dropped.', `- ${quoted(ids.slice(0, 3))} and 2497 more`, 'undo: not possible'])
      expect(linesOf(text)).toContain(line);
  });

  test('of few videos names the project that they come from', async () => {
    const account = await manyVideos(2);
    const { demo, ids } = account;
    const { to, from } = labels(account);
    const { client } = await start({ demo });
    const { data, text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids, fromProject: 'Marketing' });
    const how = `An undo moves what was moved, or may have been, back to ${from}, and nothing else.`;
    expect(data?.preview).toEqual({
      summary: 'Move 2 videos into Archive',
      meaning: `Move 2 videos into ${to}.`,
      notes: [`That they come from ${from} is taken as said; that can’t be checked.`, UNTRIED],
      lines: [quoted(ids)],
      onFailure: ON_MOVE_FAILURE,
      undo: { possible: 'yes', how },
    });
    expect(linesOf(text)).toContain(`undo: possible. ${how}`);
  });

  test('from a list and a file counts the blanks and repeats of each', async () => {
    const account = await manyVideos(4);
    const { demo, ids, archive } = account;
    const home = freshHome();
    const [a = '', b = '', c = '', d = ''] = ids;
    writeFileSync(join(home, 'ids.txt'), `${a}\n\n${b}\n${c}\n${b}\n`);
    const { client } = await start({ demo, home, env: { VIDEO_HOSTING_FILES_DIR: home } });
    const args = { targetProject: 'Archive', videoIds: [d, '', a], videoIdsFile: 'ids.txt' };
    const { data } = await client.callTool('move_videos', args);
    expect(data?.preview).toMatchObject({
      summary: 'Move 4 videos into Archive; no undo',
      meaning: `Move 4 videos into ${labels(account).to}.`,
      warnings: [NO_FROM, NAME_IT],
      notes: ['From "ids.txt" (one a line): 5 lines: 1 blank, 4 ids, of these 2 repeated (lines 1, 5).', '1 blank dropped.', UNTRIED],
      lines: [quoted([d, a, b, c])],
    });
    await agree(client, 'move_videos', args);
    expect(idsIn(demo, archive)).toHaveLength(4);
    expect(requestsOf(demo, MOVE).map(({ body }) => (body as { videoIds: string[] }).videoIds)).toEqual([[d, a, b, c]]); // as move sends it
  });
});

test('idColumn names an unusual column; without it, the file is refused with its column names', async () => {
  const { demo, archive, env } = await withFile(
    3,
    0,
    (ids) => ['Asset,Owner', ...ids.map((id, index) => `${id},owner-${index}@example.com`)],
    'hand-over.csv',
  );
  const { client } = await start({ demo, env });
  const args = { targetProject: 'Archive', videoIdsFile: 'hand-over.csv' };
  const refused = await client.callTool('move_videos', args);
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringContaining('If that names the videos, call again with idColumn: "Asset"'),
  });
  // The names of the columns, and none of their values.
  expect(refused.text).toContain('"Asset", "Owner"');
  expect(refused.text).not.toContain('owner-0');
  const mistyped = await client.callTool('move_videos', { ...args, idColumn: 'Assets' });
  expect(mistyped.text).toContain('none is called "Assets": "Asset", "Owner"');
  const fileless = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ['a'], idColumn: 'Asset' });
  expect(fileless.text).toContain('idColumn: names a column of videoIdsFile, which is not given.');
  expect(requestsOf(demo, MOVE)).toEqual([]);
  const { data } = await client.callTool('move_videos', { ...args, idColumn: 'asset ' });
  expect(idsIn(demo, archive)).toHaveLength(3);
  expect(data).toMatchObject({ status: 'applied', moved: 3 });
});

test('with retryFailed, what fails is sent once more at the end, as the preview says, and nothing else', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(40);
  const [passing = '', bad = ''] = ids;
  for (const id of [passing, bad]) demo.world.poisonedVideoIds.add(id);
  const { client } = await start({ demo });
  const args = { targetProject: 'Archive', fromProject: 'Marketing', videoIds: ids, retryFailed: true };
  const asked = await client.callTool('move_videos', args);
  expect(asked.text).toContain('those are sent once more at the end, and what fails then is named.');
  const alone = () =>
    requestsOf(demo, MOVE).filter(({ body }) => JSON.stringify(body).includes(passing) && !JSON.stringify(body).includes(bad)).length;
  // It is mended while the others are sent.
  demo.faults.next({
    match: { ...MOVE, when: () => alone() > 1 && !demo.world.poisonedVideoIds.delete(passing) },
    do: { kind: 'delay', ms: 1 },
  });
  const moved = await confirmPreview(client, asked);
  expect(idsIn(demo, archive)).toHaveLength(39);
  expect(idsIn(demo, elsewhere)).toEqual([bad]);
  expect(moved.data).toMatchObject({ status: 'partly_applied', moved: 39, failed: [{ id: bad }] });
  expect(moved.data?.next).toMatch(/^1 video failed again when it was sent again, so the same call alone is no help/);
});

test('wrong arguments are refused', () =>
  expectRefused('move_videos', [
    [{}, 'targetProject: is missing'],
    [{ targetProject: 'Archive' }, 'videoIds'],
    [{ targetProject: 'Archive', videoIds: [] }, 'videoIds'],
    [{ targetProject: 'Archve', videoIds: ['a'] }, '"Archive" ('],
    [{ targetProject: 'Archive', fromProject: 'Archive', videoIds: ['a'] }, 'fromProject'],
    [{ targetProject: 'Archive', videoIds: ['a'], waitSeconds: 3_601 }, 'waitSeconds: '],
    [{ targetProject: 'Archive', videoIds: ['a'], waitSeconds: -1 }, 'waitSeconds: '],
    [{ targetProject: 'Archive', videoIdsFile: 'ids.csv' }, 'VIDEO_HOSTING_FILES_DIR'],
  ]));

test('the videos are moved, and the answer counts them and says that an undo is possible where it is known whence they came', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(5);
  const { client } = await start({ demo, forms: 'accept' });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', fromProject: elsewhere, videoIds: ids });
  expect(idsIn(demo, archive)).toEqual(ids);
  expect(client.forms).toHaveLength(1);
  expect(data).toMatchObject({ status: 'applied', total: 5, moved: 5, failedCount: 0, unknownCount: 0, undo: { possible: 'yes' } });
});

test('with waitSeconds 0 the answer comes at once, with the id by which it is followed', async () => {
  const { demo, ids, archive } = await manyVideos(5);
  const letGo = hold(demo, ({ path }) => path === MOVE.path);
  const { client } = await start({ demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids, waitSeconds: 0 });
  expect(idsIn(demo, archive)).toEqual([]);
  expect(data).toMatchObject({ status: 'running', moved: 0, total: 5 });
  letGo();
  expect((await ended(client, data?.changeId)).data).toMatchObject({ status: 'applied', moved: 5 });
});
