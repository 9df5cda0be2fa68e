/** The whole preview of a move, a copy, the rest of a move and an undo. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshHome, start } from '../../harness/start.ts';
import { agree, changeIdIn } from '../support/confirm.ts';
import { changeFiles } from '../support/journal-files.ts';
import { type Account, COPY, idsIn, MOVE, manyVideos, requestsOf } from './harness.ts';

const NAME_IT = 'To have it undoable, name the project where they are now as their fromProject.';
const NO_FROM = 'It can’t be undone, since it was not said in which project the videos are now.';
const NO_COPY_UNDO = 'Copied CTAs can’t be taken away again through this API, so this can’t be undone.';
const NO_EARLIER = 'No earlier copy of this source onto them is in this server’s history.';
const KEEPS = 'A video that has CTAs already keeps them, as far as is known: copying twice makes doubles.';
const ON_MOVE_FAILURE =
  'If some fail, the others are moved all the same, and those are named. If the service can’t be reached, the rest is not sent.';
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
      summary: `Move 2,500 videos into ${labels(account).to}. Can’t be undone.`,
      warnings: [NO_FROM, '1 blank dropped.', '1 repeated id dropped.', NAME_IT],
      lines: [`${quoted(ids.slice(0, 3))} and 2497 more, as in the call`],
      more: '… and all ids: get_change with page 1 of 26',
      onFailure: ON_MOVE_FAILURE,
      undo: { possible: 'no' },
    });
    for (const line of [
      `! ${NO_FROM}`,
      '! 1 blank dropped.',
      `- ${quoted(ids.slice(0, 3))} and 2497 more, as in the call`,
      'undo: not possible',
    ])
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
      summary: `Move 2 videos into ${to}.`,
      warnings: [`That they come from ${from} is taken as said; that can’t be checked.`],
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
      summary: `Move 4 videos into ${labels(account).to}. Can’t be undone.`,
      warnings: [
        NO_FROM,
        'Read from the file: one a line. 5 lines: 1 blank, 4 ids, of these 2 repeated (lines 1, 5).',
        '1 blank dropped.',
        NAME_IT,
      ],
      lines: [quoted([d, a, b, c])],
    });
    await agree(client, 'move_videos', args);
    expect(idsIn(demo, archive)).toHaveLength(4);
    expect(requestsOf(demo, MOVE).map(({ body }) => (body as { videoIds: string[] }).videoIds)).toEqual([[d, a, b, c]]); // as move sends it
  });
});

describe('the preview of a copy', () => {
  test('names the source and the targets, and says that it can’t be undone and sends nothing twice', async () => {
    const { demo, ids } = await manyVideos(3);
    const { client } = await start({ demo });
    const [source = '', ...targets] = ids;
    const args = { sourceVideoId: ` ${source} `, targetVideoIds: targets };
    const { data, text } = await client.callTool('copy_cta', args);
    expect(requestsOf(demo, COPY)).toEqual([]);
    expect(data?.preview).toEqual({
      summary: `Copy all CTAs of the video "${source}" onto 2 videos. Can’t be undone.`,
      warnings: [NO_COPY_UNDO, KEEPS],
      lines: [quoted(targets), NO_EARLIER],
      onFailure: 'Sent 25 at a time, each once. If an answer is lost, those 25 are in doubt and not sent again.',
      undo: { possible: 'no' },
    });
    expect(linesOf(text)).toContain('undo: not possible');
    await agree(client, 'copy_cta', args);
    expect(requestsOf(demo, COPY).map(({ path }) => path)).toEqual([`/v1/videos/${source}/cta/copy`]);
  });

  test('with a catalogue shows the title of the source, or says that it is not in the catalogue', async () => {
    const { demo, ids } = await manyVideos(3);
    const home = freshHome();
    const [source = '', known = '', stranger = ''] = ids;
    const file = join(home, 'videos.csv');
    writeFileSync(file, `id,key,title\n${source},K1,"The ""first"" one"\n${known},K2,Second\n`);
    const { client } = await start({ demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: file } });
    const one = await client.callTool('copy_cta', { sourceVideoId: 'K1', targetVideoIds: ['Second', stranger] });
    expect(one.data?.preview).toMatchObject({
      summary: `Copy all CTAs of the video "${source}" ("The \\"first\\" one") onto 2 videos. Can’t be undone.`,
      warnings: [
        NO_COPY_UNDO,
        KEEPS,
        '1 key or title translated to ids by the video catalogue.',
        '1 of them is not in the video catalogue; it is taken for an id as it stands.',
      ],
      lines: [quoted([known, stranger]), NO_EARLIER],
    });
    const other = await client.callTool('copy_cta', { sourceVideoId: stranger, targetVideoIds: [known] });
    expect(other.data?.preview).toMatchObject({
      summary: `Copy all CTAs of the video "${stranger}" onto 1 video. Can’t be undone.`,
      warnings: [NO_COPY_UNDO, KEEPS, 'The source is not in the video catalogue; it is taken for an id as it stands.'],
    });
  });

  test.each([
    ['list of ids is empty', 'ids', ''],
    ['list of ids is cut off', 'ids', 'b1f0'],
    ['intent is damaged', 'jsonl', '{"type":"inte\n'],
  ])('tells of an earlier copy whose %s', async (_what, ending, text) => {
    const { demo, ids } = await manyVideos(10);
    const { client, dataDir } = await start({ demo });
    const [sourceVideoId, ...targetVideoIds] = ids;
    const made = await agree(client, 'copy_cta', { sourceVideoId, targetVideoIds });
    writeFileSync((changeFiles(dataDir)[0] ?? '').replace(/jsonl$/, ending), text);
    const asked = await client.callTool('copy_cta', { sourceVideoId, targetVideoIds: targetVideoIds.slice(-2) });
    expect(asked.text).toContain(`Onto which videos "${changeIdIn(made)}" copied, if onto any, is not known any more`);
    expect(asked.text).not.toContain(NO_EARLIER);
  });

  test('is refused for a source that can’t be an id, for no targets, and for a source among its targets by id, key or title', async () => {
    const { demo, ids } = await manyVideos(3);
    const home = freshHome();
    const [source = '', target = ''] = ids;
    const file = join(home, 'videos.csv');
    writeFileSync(file, `id,key,title\n${source},K1,First\n`);
    const { client } = await start({ demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: file, VIDEO_HOSTING_CONFIRM: 'never' } });
    const blank = await client.callTool('copy_cta', { sourceVideoId: ' ', targetVideoIds: [target, 'x'.repeat(201)] });
    for (const words of ['2 arguments are wrong', 'sourceVideoId', 'can’t be the id of a video', 'looks like no id'])
      expect(blank.text).toContain(words);
    const plain = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
    for (const sourceVideoId of ['..', 'src\u0000', 'src\u200b', '\ufffd'])
      expect((await plain.client.callTool('copy_cta', { sourceVideoId, targetVideoIds: [target] })).text).toContain(
        'sourceVideoId: can’t be the id of a video',
      );
    const none = await client.callTool('copy_cta', { sourceVideoId: source, targetVideoIds: [' ', ''] });
    expect(none.text).toContain('holds no ids');
    expect((await client.callTool('copy_cta', { sourceVideoId: source })).text).toContain('targetVideoIdsFile must be given');
    for (const name of [source, 'K1', 'First']) {
      const { text } = await client.callTool('copy_cta', { sourceVideoId: name, targetVideoIds: [target, source] });
      expect(text).toContain('hold the source itself');
    }
    expect(requestsOf(demo, COPY)).toEqual([]);
  });
});

test('the preview of an undo says how many videos are moved where, and what it relies on', async () => {
  const account = await manyVideos(1_001, 1);
  const { demo, ids, poisoned } = account;
  const moved = ids.filter((id) => !poisoned.has(id));
  const { client } = await start({ demo });
  const { data: first } = await agree(client, 'move_videos', { targetProject: 'Archive', videoIds: ids, fromProject: 'Marketing' });
  const { data } = await client.callTool('undo_change', { changeId: first?.changeId });
  expect(data?.preview).toEqual({
    summary: `Undo ${String(first?.changeId)}: move 1,000 videos back into ${labels(account).from}.`,
    warnings: ['Where each of them was before can’t be checked; it goes by what was said when they were moved.'],
    lines: [`${quoted(moved.slice(0, 3))} and 997 more`],
    more: '… and all ids: get_change with page 1 of 11',
    onFailure: ON_MOVE_FAILURE,
    undo: { possible: 'yes', how: `An undo of this moves them to ${labels(account).to} again.` },
  });
});

test('the preview of a resumed move says what is done, what will be sent, and how to undo it', async () => {
  const account = await manyVideos(12_000);
  const { demo, ids, archive } = account;
  const { to, from } = labels(account);
  const { client } = await start({ demo });
  demo.faults.always({ match: MOVE, skip: 11, do: { kind: 'status', code: 403 } });
  const { data: first } = await agree(client, 'move_videos', { targetProject: 'Archive', videoIds: ids, fromProject: 'Marketing' });
  expect(first).toMatchObject({ moved: 11_000, notSentCount: 1_000 });
  const there = new Set(idsIn(demo, archive));
  const open = ids.filter((id) => !there.has(id));
  const { data } = await client.callTool('resume_change', { changeId: first?.changeId });
  expect(data?.preview).toEqual({
    summary: `Carry on ${String(first?.changeId)} (Move 12,000 videos into ${to}): 11,000 videos done, 1,000 videos to be sent.`,
    // Ids that are done are not listed any more.
    lines: [`${quoted(open.slice(0, 3))} and 997 more`],
    more: '… and all ids: get_change with page 1 of 11',
    onFailure: ON_MOVE_FAILURE,
    undo: {
      possible: 'yes',
      how: `An undo moves what was moved, or may have been, back to ${from}, and nothing else. That goes for the whole change: what was moved before, too.`,
    },
  });
});
