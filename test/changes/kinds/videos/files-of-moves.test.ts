/** Files as people export them: columns with names of their own, sums below the ids, blank lines; and what is said of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordsIn, type Values } from '../../../harness/client.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { agree, confirmPreview } from '../../support/confirm.ts';
import { COPY, copiedIds, idsIn, MOVE, manyVideos, requestsOf, sorted, UNASKED } from './harness.ts';

const PROJECTS = ['Marketing', 'Training', 'Customer Success'];

/** An account whose videos are in three projects in turn, and a folder for files. */
async function account(videos: number, poisoned = 0) {
  const made = await manyVideos(videos, poisoned);
  const { world } = made.demo;
  const origins = PROJECTS.map((name) => world.projectNamed(name));
  const rows = made.ids.map((id, at) => ({ id, project: origins[at % 3]?.name ?? '' }));
  for (const [at, id] of made.ids.entries()) Object.assign(world.videos.get(id) ?? {}, { projectId: origins[at % 3]?.id });
  const home = freshHome();
  const put = (text: string | Buffer, name = 'list.csv') => writeFileSync(join(home, name), text);
  const open = async (env: Values = {}) =>
    (await start({ demo: made.demo, home, env: { VIDEO_HOSTING_FILES_DIR: home, ...env } as Readonly<Record<string, string>> })).client; // as given
  const places = () => made.ids.map((id) => world.videos.get(id)?.projectId);
  return { ...made, home, origins, rows, put, open, places };
}

type Row = Awaited<ReturnType<typeof account>>['rows'][number];

/** As a German spreadsheet saves it: with a sum, and a blank line on either side. */
const germanCsv = (rows: readonly Row[], sum: string): string =>
  [
    '\uFEFFTitel;Video-ID;Projekt alt',
    '',
    ...rows.map(({ id, project }, at) => `"Folge ${at}; Teil 1";${id};${project}`),
    ';;',
    sum,
    '',
  ].join('\r\n');

const warningsOf = ({ data }: { readonly data: Values | undefined }): string => JSON.stringify(Object(data?.preview).warnings);
const move = { targetProject: 'Archive', videoIdsFile: 'list.csv' };

describe('a column that holds projects', () => {
  test('is named in the preview and not taken; as fromProjectColumn it makes the move undoable, video by video', async () => {
    const { demo, archive, rows, put, open, places } = await account(1_800);
    const before = places();
    put(germanCsv(rows, 'Summe;1800;3 Projekte'));
    const client = await open();
    const asked = await client.callTool('move_videos', move);
    const column =
      'Column "Projekt alt" holds "Marketing" 600, "Training" 600, "Customer Success" 600: if that is where they are now, this could be undone by it.';
    expect(asked.data?.preview).toMatchObject({ undo: { possible: 'no' } });
    expect(Object(asked.data?.preview).warnings[0]).toBe(column);
    expect(warningsOf(asked)).toContain('name such a column as fromProjectColumn');
    const better = await client.callTool('move_videos', { ...move, fromProjectColumn: 'projekt alt ' });
    expect(better.text).not.toContain('as fromProjectColumn');
    expect(better.data?.preview).toMatchObject({ undo: { possible: 'yes' } });
    for (const name of PROJECTS) expect(better.text).toContain(`600 videos from "${name}"`);
    const moved = await confirmPreview(client, better);
    expect(idsIn(demo, archive)).toHaveLength(1_800);
    await agree(client, 'undo_change', { changeId: moved.data?.changeId });
    expect(places()).toEqual(before);
  });

  test('stays with the change when it is retried, and in its file of outcomes', async () => {
    const { demo, archive, rows, put, open, places } = await account(300, 4);
    const before = places();
    put(germanCsv(rows, ''));
    const client = await open(UNASKED);
    const first = await client.callTool('move_videos', { ...move, fromProjectColumn: 'Projekt alt' });
    expect(first.data).toMatchObject({ moved: 296, failedCount: 4 });
    demo.world.poisonedVideoIds.clear();
    await client.callTool('resume_change', { changeId: first.data?.changeId, retryFailed: true });
    expect(idsIn(demo, archive)).toHaveLength(300);
    await client.callTool('undo_change', { changeId: first.data?.changeId });
    expect(places()).toEqual(before);
  });

  test.each([
    ['the target alone', (rows: readonly Row[]) => rows.map((row) => ({ ...row, project: 'Archive' })), {}],
    ['something else in one row', (rows: readonly Row[]) => rows.map((row, at) => (at === 7 ? { ...row, project: 'Vertrieb' } : row)), {}],
    ['projects, and the argument says where they are', (rows: readonly Row[]) => rows, { fromProject: 'Marketing' }],
  ])('is not named where it holds %s', async (_, made, args) => {
    const { rows, put, open } = await account(30);
    put(germanCsv(made(rows), ''));
    const asked = await (await open()).callTool('move_videos', { ...move, ...args });
    expect(asked.data).toMatchObject({ status: 'confirmation_required' });
    expect(asked.text).not.toContain('as fromProjectColumn');
  });

  test('is counted by videos, with those that it has nothing for', async () => {
    const { rows, put, open, ids } = await account(8);
    const some = rows.map((row, at) => (at === 0 ? { ...row, project: '' } : { ...row, project: 'Training' }));
    put(germanCsv([...some, ...some.slice(2, 5)], ''));
    const asked = await (await open()).callTool('move_videos', { ...move, videoIds: ['elsewhere'] });
    expect(ids).toHaveLength(8);
    expect(warningsOf(asked)).toContain('holds \\"Training\\" 7, nothing for 2: if that');
  });

  test.each([
    ['JSON', (rows: readonly Row[]) => JSON.stringify(rows.map(({ id, project }) => ({ id, 'Projekt alt': project })))],
    ['JSON Lines', (rows: readonly Row[]) => rows.map(({ id, project }) => JSON.stringify({ 'Projekt alt': project, id })).join('\n')],
  ])('may be a field of %s', async (_, text) => {
    const { archive, demo, rows, put, open, places } = await account(30);
    const before = places();
    put(text(rows));
    const client = await open(UNASKED);
    const moved = await client.callTool('move_videos', { ...move, fromProjectColumn: 'Projekt alt' });
    expect(idsIn(demo, archive)).toHaveLength(30);
    await client.callTool('undo_change', { changeId: moved.data?.changeId });
    expect(places()).toEqual(before);
    const wrong = await client.callTool('move_videos', { ...move, fromProjectColumn: 'Projekt' });
    expect(wrong.text).toContain('of which none is called "Projekt": ');
    expect(wrong.text).toContain('The nearest: "Projekt alt".');
  });

  test('is refused where it contradicts the argument, with its lines', async () => {
    const { demo, rows, put, open } = await account(9);
    put(germanCsv(rows, ''));
    const client = await open(UNASKED);
    const refused = await client.callTool('move_videos', { ...move, fromProject: 'Marketing', fromProjectColumn: 'Projekt alt' });
    expect(requestsOf(demo, MOVE)).toEqual([]);
    expect(refused.text).toMatch(
      /fromProject: is "Marketing" .* and the file says "Training" \(\w+\) in lines 4, 7, 10, "Customer Success"/,
    );
  });

  test('is named in a form, and so is what is set aside', async () => {
    const { demo, home, rows, put, archive } = await account(120);
    put(germanCsv(rows, 'Summe;120;3 Projekte'));
    const messages: string[] = [];
    const { client } = await start({
      demo,
      home,
      env: { VIDEO_HOSTING_FILES_DIR: home, VIDEO_HOSTING_CONFIRM: 'form' },
      forms: ({ message }) => {
        messages.push(message.replaceAll(/\s+/g, ' '));
        return { action: 'accept', content: { decision: 'nothing' } };
      },
    });
    await client.callTool('move_videos', move);
    expect(idsIn(demo, archive)).toEqual([]);
    expect(messages[0]).toContain('Column "Projekt alt" holds "Marketing" 40, "Training" 40, "Customer Success" 40');
    expect(messages[0]).toContain('set aside and not sent: "120" in line 124.');
  });

  test('that is not there, or holds no projects, is refused with every name, its lines and the nearest', async () => {
    const { demo, rows, put, open } = await account(150);
    put(
      germanCsv(
        rows.map((row, at) => (at === 2 ? { ...row, project: 'Trainning' } : row)),
        'Summe;150;3 Projekte',
      ),
    );
    const client = await open(UNASKED);
    const missing = await client.callTool('move_videos', { ...move, idColumn: 'Asset', fromProjectColumn: 'Projekt' });
    expect(missing.text).toContain(
      'It has 3 columns, of which none is called "Asset", and none is called "Projekt": "Titel", "Video-ID", "Projekt alt". The nearest: "Projekt alt".',
    );
    const typo = await client.callTool('move_videos', { ...move, fromProjectColumn: 'Projekt alt' });
    expect(typo.text).toContain('"Projekt alt" in line 5: No project has the id, key or exact name "Trainning". The nearest: "Training"');
    // What stands beside the sum is not looked for.
    expect(typo.text).not.toContain('3 Projekte');
    const titles = await client.callTool('move_videos', { ...move, fromProjectColumn: 'Titel' });
    expect(titles.text).toContain('Titel in line 3: No project has the id, key or exact name "Folge 0; Teil 1"');
    expect(titles.text).toContain('and: 130 more values of that column are no listed projects either.');
    const alone = await client.callTool('move_videos', {
      targetProject: 'Archive',
      videoIds: ['a'],
      idColumn: 'a',
      fromProjectColumn: 'b',
    });
    for (const name of ['idColumn', 'fromProjectColumn']) expect(alone.text).toContain(`${name}: names a column of videoIdsFile`);
    expect(requestsOf(demo, MOVE)).toEqual([]);
  });
});

describe('a messy file', () => {
  const body = (rows: readonly Row[], separator = ';') => rows.map(({ id, project }) => `${id}${separator}${project}`).join('\r\n');

  test.each([
    ['begins with the line that names its separator', (rows: readonly Row[]) => `sep=;\r\nVideo-ID;Projekt\r\n${body(rows)}`, '1 blank, '],
    [
      'writes ids as formulas of text',
      (rows: readonly Row[]) => `id;Projekt\r\n${rows.map(({ id, project }) => `"=""${id}""";${project}`).join('\r\n')}`,
      '',
    ],
    ['has tabs and a BOM', (rows: readonly Row[]) => `\uFEFFVideo ID\tProjekt\r\n${body(rows, '\t')}\r\n`, ''],
    [
      'has commas at the end of each line',
      (rows: readonly Row[]) => `id,Projekt,,\n${rows.map(({ id, project }) => `${id},${project},,`).join('\n')}\n,,,\n`,
      '1 blank, ',
    ],
    [
      'has its header twice',
      (rows: readonly Row[]) => `id;Projekt\r\n${body(rows.slice(0, 60))}\r\nid;Projekt\r\n${body(rows.slice(60))}`,
      '',
      2,
    ],
  ])('that %s is read', async (_, text, counts, headers = 1) => {
    const { demo, archive, ids, rows, put, open, places } = await account(120);
    const before = places();
    put(text(rows));
    const client = await open(UNASKED);
    const { data } = await client.callTool('move_videos', { ...move, fromProjectColumn: 'Projekt' });
    expect(idsIn(demo, archive)).toHaveLength(ids.length);
    expect(data?.fileRead).toMatch(/^Of the file: 12\d lines: /);
    expect(data?.fileRead).toContain(`: ${headers === 1 ? '1 header' : `${headers} headers`}, ${counts}120 ids.`);
    await client.callTool('undo_change', { changeId: data?.changeId });
    expect(places()).toEqual(before);
  });

  test.each([
    [
      'has another encoding',
      (rows: readonly Row[]) => Buffer.from(`id;Früher in\n${body(rows)}`, 'latin1'),
      { fromProjectColumn: 'Früher in' },
      'The file is not UTF-8',
    ],
    [
      'has another encoding in its projects',
      (rows: readonly Row[]) => Buffer.from(`id;Projekt\n${rows[0]?.id};Schüler`, 'latin1'),
      { fromProjectColumn: 'Projekt' },
      'has letters that are lost, since the file is not UTF-8: save it as UTF-8.',
    ],
    [
      'has a line above its header',
      (rows: readonly Row[]) => `Export vom 12.03.2026;\nid;Projekt\n${body(rows)}`,
      { fromProjectColumn: 'Projekt' },
      'The names of columns are read from the first line that is not blank.',
    ],
    [
      'is JSON without a field of ids',
      (rows: readonly Row[]) => JSON.stringify(rows.map(({ id, project }) => ({ asset: id, project }))),
      {},
      'entry 1 is neither an id nor an object with an id. Its fields: "asset", "project".',
    ],
    [
      'is JSON without objects',
      (rows: readonly Row[]) => JSON.stringify(rows.map(({ id }) => id)),
      { fromProjectColumn: 'Projekt' },
      'It has no fields, so none is called "Projekt".',
    ],
  ])('that %s is refused, and the error says what to do', async (_, text, args, words) => {
    const { demo, rows, put, open } = await account(9);
    put(text(rows));
    const refused = await (await open(UNASKED)).callTool('move_videos', { ...move, ...args });
    expect(requestsOf(demo, MOVE)).toEqual([]);
    expect(refused.text).toContain(words);
  });
});

describe('an entry that doesn’t look like the other ids', () => {
  test('of a move is set aside, told with its line before and after, and can be sent as videoIds', async () => {
    const { demo, rows, put, open } = await account(1_789);
    put(germanCsv([...rows, ...rows.slice(0, 11)], 'Summe;1869;'));
    const client = await open();
    const asked = await client.callTool('move_videos', move);
    expect(warningsOf(asked)).toContain(
      '1 entry doesn’t look like the other ids, so it is set aside and not sent: \\"1869\\" in line 1804.',
    );
    expect(asked.text).toContain(
      '1,804 lines: 1 header, 2 blank, 1 set aside, 1,800 ids, of these 11 repeated (lines 1792, 1793, 1794, 1795, 1796, …).',
    );
    const done = await confirmPreview(client, asked);
    expect(JSON.stringify(requestsOf(demo, MOVE).map(({ body }) => body))).not.toContain('1869');
    expect(done.data).toMatchObject({ status: 'applied', moved: 1_789 });
    expect(done.data?.fileRead).toBe(
      'Of the file: 1,804 lines: 1 header, 2 blank, 1 set aside ("1869" in line 1804), 1,800 ids, of these 11 repeated (lines 1792, 1793, 1794, 1795, 1796, …).',
    );
    const again = await client.callTool('move_videos', { ...move, videoIds: ['1869'] });
    expect(again.text).not.toContain('set aside');
    expect(again.data?.preview).toMatchObject({ summary: expect.stringContaining('Move 1,790 videos') });
  });

  test('of a copy is set aside too', async () => {
    const { demo, ids, put, open } = await account(201);
    const [sourceVideoId = '', ...targets] = ids;
    put(`${targets.join('\n')}\nTotal\n200`, 'list.txt');
    const client = await open(UNASKED);
    const { data, text } = await client.callTool('copy_cta', { sourceVideoId, targetVideoIdsFile: 'list.txt' });
    expect(sorted(copiedIds(demo))).toEqual(sorted(targets));
    expect(JSON.stringify(requestsOf(demo, COPY).map(({ body }) => body))).not.toContain('Total');
    expect(data).toMatchObject({ status: 'applied', copied: 200, total: 200 });
    expect(text).toContain('2 set aside ("Total" in line 201, "200" in line 202)');
    expect(recordsIn(data, 'failed')).toEqual([]);
  });

  test('is sent where the catalogue has it', async () => {
    const { demo, ids, put, open, home } = await account(120);
    put(`id,title\n${ids.join(',A\n')},A\nshort,The short one\n`, 'videos.csv');
    put(`${ids.join('\n')}\nThe short one\n`, 'list.csv');
    const client = await open({ ...UNASKED, VIDEO_HOSTING_VIDEO_CATALOGUE: join(home, 'videos.csv') });
    await client.callTool('move_videos', move);
    expect(JSON.stringify(requestsOf(demo, MOVE).map(({ body }) => body))).toContain('"short"');
  });
});
