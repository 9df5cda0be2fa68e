/** The first line of a list: a video unless its name says that it is a header, and never guessed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translateVideos } from '../../src/account/video-references.ts';
import type { ListColumns } from '../../src/files/columns.ts';
import { idList } from '../../src/files/id-list.ts';
import { readList } from '../../src/files/read-list.ts';
import { sentence } from '../../src/text/sentence.ts';
import { catalogueOf } from '../account/catalogue-of.ts';

const catalogue = await catalogueOf('id,key,title\nb1,KEY1,One\nb2,KEY2,Two\nb3,KEY3,Three\n');

const read = (contents: string, known?: typeof catalogue, asked: ListColumns = { wanted: 'id' }) =>
  readList({ name: 'list', from: { text: contents } }, idList(known, asked));

const refusal = (message: unknown) => ({ code: 'file_refused', message });

test('no key of a plain list is lost, whichever letters and digits its keys have', async () => {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
  const key = fc.string({ unit: fc.constantFrom(...letters, ...'123456789'), minLength: 11, maxLength: 11 });
  const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 11, maxLength: 11 });
  await fc.assert(
    fc.asyncProperty(word, fc.array(key, { minLength: 1, maxLength: 6 }), async (first, others) => {
      expect((await read([first, ...others].join('\n'))).values).toEqual([first, ...others]);
      expect((await read(`"${[first, ...others].join('"\n"')}"`)).values).toEqual([first, ...others]);
    }),
  );
});

test.each(['id', 'Video IDs', 'key', 'video_keys', 'videos', 'Video', 'Title', 'Video names'])(
  'a first line is a header where it is called: %s',
  async (header) => {
    expect((await read(`${header}\nk1\nk2`)).values).toEqual(['k1', 'k2']);
    expect((await read(`${header}\nKEY1\nTwo`, catalogue)).values).toEqual(['KEY1', 'Two']);
  },
);

test.each([
  ['a word above keys with digits', 'Schluessel\nab1\ncd2', undefined],
  ['a word above keys of one length', 'Clips\nabcdefghijk\nlmnopqrstuv', undefined],
  ['several words above keys', 'My videos\nabcdefghijk\nlm1', undefined],
  ['words and a number above keys', '2026 list\nabcdefghijk\nlm1', undefined],
  ['a title that the catalogue lacks, above its keys', 'Intro\nKEY1\nKEY2', catalogue],
  ['a title that the catalogue lacks, above its titles', 'Ones\nTwo\nThree', catalogue],
  ['the only column of a CSV', '"My videos"\n"KEY1"\n"KEY2"', catalogue],
  ['a column of titles beside another', 'Oen,2026\nTwo,2025\nThree,2024', catalogue],
])('a first line that may be a video or a header is asked about: %s', async (_what, contents, known) => {
  await expect(read(contents, known)).rejects.toMatchObject({
    code: 'file_refused',
    message: expect.stringMatching(/^"list": Its first line, ".+", is unlike the lines below it/),
    hint: expect.stringContaining('Ask the user which it is. If it is a video, put a line "id" above it'),
  });
});

test('the name of a column that the caller gives is a header, whatever it looks like', async () => {
  const format = { wanted: 'id', column: 'Clips', columnArgument: sentence`idColumn` } as const;
  expect((await read('Clips\nab1\ncd2', undefined, format)).values).toEqual(['ab1', 'cd2']);
  await expect(read('Clips\nab1', undefined, { wanted: 'id', columnArgument: sentence`idColumn` })).rejects.toMatchObject({
    hint: expect.stringContaining('or give it as idColumn'),
  });
});

test('of several columns the first line is a header where ids or keys of the catalogue are below it, or numbers beside them', async () => {
  expect((await read('name,code\nA,b1\nB,b2', catalogue)).values).toEqual(['b1', 'b2']);
  expect((await read('A,KEY1\nB,KEY2', catalogue)).values).toEqual(['KEY1', 'KEY2']);
  expect((await read('place,film\n1,One\n2,Two', catalogue)).values).toEqual(['One', 'Two']);
});

test('a column is known where it alone has ids of an older catalogue, and nothing in it looks otherwise', async () => {
  const old = await catalogueOf('id,key,title\nb1d0b258143a,KEY1,One\nb1d092b6bf9d,KEY2,Two\n');
  const rows = (clips: readonly string[]) => ['No,Clip,Note', ...clips.map((clip, at) => `A-${at},${clip},take ${at}`)].join('\n');
  const ids = ['b1d0b258143a', 'b1d0181dbad3', 'b1d04d8a4551', 'b1d0c5c0f85a', 'b1d0fd01fb09'];
  expect(await read(rows(ids), old)).toMatchObject({ values: ids, header: 'Clip' });
  const none = { code: 'file_refused', message: expect.stringContaining('none is known to hold ids, keys or titles') };
  // No id of the catalogue, or something else among them.
  await expect(read(rows(ids.slice(1)), old)).rejects.toMatchObject(none);
  await expect(read(rows([...ids, 'see annex']), old)).rejects.toMatchObject(none);
  await expect(read(`${rows(ids)}\nTwo,b1d04d8a4552,x`, old)).rejects.toMatchObject({ code: 'file_refused' });
});

test('where no column is known to hold ids, the only one whose values look like ids is named', async () => {
  const [one, other] = ['b1d0b25814399f9ac21f58c5', 'b1d092b6bf9d4b231f7e4cf8'];
  const rows = (second: string) => `No,Clip,Note\n1,${one},${second}\n2,${other},${second}`;
  await expect(read(rows('cut'))).rejects.toMatchObject(
    refusal(
      '"list": It has 3 columns, of which none is known to hold ids, keys or titles: "No", "Clip", "Note". Only "Clip" has values that look like ids.',
    ),
  );
  await expect(read(rows(one))).rejects.toMatchObject({ message: expect.not.stringContaining('look like ids') });
});

test('a line with more cells than the first is refused, since its cells are in other columns', async () => {
  const longer = refusal('"list": Line 3 has 3 cells, and the first line has 2.');
  await expect(read('title,key\nA,k1\nHello, world,k2\n')).rejects.toMatchObject(longer);
  expect((await read('key,title\nk1,A,\nk2\n')).values).toEqual(['k1', 'k2']);
});

describe('a column is never the first of several that may be meant', () => {
  test.each([
    ['two names of ids', 'ID,Video ID\n1,b1\n2,b2\n', undefined, undefined, '2 of its columns may name the videos: "ID", "Video ID"'],
    ['one name twice', 'id,id\n1,b1\n2,b2\n', undefined, undefined, '2 of its columns may name the videos: "id", "id"'],
    ['a given name twice', 'Clip;clip\n1;b1\n', undefined, { wanted: 'id', column: 'clip' }, '2 of its columns may name the videos'],
    ['two ids of a record', '[{"id":1,"videoId":"b1"}]', undefined, undefined, '2 of its columns may name the videos: "id", "videoId"'],
    ['several ids in one line', 'b1,b2,b3', catalogue, undefined, 'Its columns 1 and 2 both name videos, and not the same ones.'],
    ['ids from and to', 'from,to\nb1,KEY2\nb2,Three\n', catalogue, undefined, 'Its columns 1 and 2 both name videos'],
  ] as const)('%s', async (_what, contents, known, format, message) => {
    await expect(read(contents, known, format)).rejects.toMatchObject({ code: 'file_refused', message: expect.stringContaining(message) });
  });

  test('columns that name the same videos are no doubt', async () => {
    expect((await read('b1,KEY1,One\nb2,KEY2,Two\n', catalogue)).values).toEqual(['b1', 'b2']);
    expect((await read('ID,Video ID\n1,b1\n', undefined, { wanted: 'id', column: 'video id' })).values).toEqual(['b1']);
  });
});

test('cells that a title with a comma has shifted are found where a spreadsheet has filled up the first line', async () => {
  const longer = refusal('"list": Line 2 has 3 cells, and the first line has 2.');
  await expect(read('title,key,,\nHello, world,k2,,\nA,k1,,\n')).rejects.toMatchObject(longer);
  expect((await read('title,key,,\n"Hello, world",k2,,\nA,k1,,\n')).values).toEqual(['k2', 'k1']);
});

test('the cells of a table below a line of one cell are no ids', async () => {
  const several = refusal('"list": line 2 has several cells, and the first line has one.');
  for (const title of ['Export', 'id']) await expect(read(`${title}\nb1,Intro\nb2,Second`)).rejects.toMatchObject(several);
  const titles = await catalogueOf('key,title\nK1,One\nK2,"Three, four"\n');
  expect((await read('One\nThree, four', titles)).values).toEqual(['One', 'Three, four']);
});

test.each(['id\n1.23457E+15\n1.23457E+15', 'id;title\nb1;A\n1,23457E+15;B', '["b1","1e+21"]'])(
  'a number that a spreadsheet has rounded is no id: %j',
  async (contents) => {
    await expect(read(contents)).rejects.toMatchObject({
      message: expect.stringMatching(/(line|entry) \d is ".+", a number that a spreadsheet has rounded\./),
    });
  },
);

test.each(['="id"\n="001"\n="002"', '="id";="title"\n="001";"A"\n="002";"B"\n'])(
  'cells that are written as formulas are read as their texts, the header too: %j',
  async (contents) => {
    expect((await read(contents)).values).toEqual(['001', '002']);
  },
);

test('apostrophes on both sides of an id are no part of it', async () => {
  const { values } = await read("id\n'001'\n'a2'\n'003\n");
  expect(translateVideos(values, 'id', sentence`ids`, undefined).values).toEqual(['001', 'a2', '003']);
});

test('a line with other cells and no key is no blank: its video would leave the channel', async () => {
  const keys = { wanted: 'key' } as const;
  const at = (where: string) => refusal(`"list": ${where} names no video, and is not blank.`);
  await expect(read('key,title\nk1,A\n,B\nk3,C\n', undefined, keys)).rejects.toMatchObject(at('line 3'));
  await expect(read('[{"key":"k1"},{"key":"","title":"B"}]', undefined, keys)).rejects.toMatchObject(at('entry 2'));
  expect(await read('key,title\nk1,A\n,\nk3,C\n', undefined, keys)).toMatchObject({ values: ['k1', 'k3'], blanks: 1 });
  expect(await read('id,title\nb1,A\n,B\nb3,C\n')).toMatchObject({ values: ['b1', 'b3'], blanks: 1, incomplete: [3] });
});

test('a channel or project of a JSON entry that is no text is refused, and not overlooked', async () => {
  const byChannel = { wanted: 'key', hasChannels: true } as const;
  const records = '[{"channel":{"id":"c1"},"key":"k1"},{"channel":{"id":"c2"},"key":"k2"}]';
  await expect(read(records, undefined, byChannel)).rejects.toThrow('"list": entry 1 has a field "channel" that is no text.');
  await expect(read('[{"channel":null,"key":"k1"}]', undefined, byChannel)).rejects.toThrow('names no channel for "k1"');
  const byProject = read('{"id":"b1","fromProject":["p1"]}', undefined, { wanted: 'id', hasProjects: true });
  await expect(byProject).rejects.toThrow('"list": line 1 has a field "fromProject" that is no text.');
});

test('lines may end in several ways in one file, as where lists were put together, and none is joined with the next', async () => {
  const positions = new Uint32Array([2, 3, 4, 6]);
  const mixed = await read('id,title,a,b,c,d\r\nb1,\nb2,\rb3,\r\n\r\nb4,\n');
  expect(mixed).toMatchObject({ values: ['b1', 'b2', 'b3', 'b4'], positions });
  const rows = Array.from({ length: 30_000 }, (_, at) => `b${at},Title${'\r\n'.repeat(1 + (at % 2))}`);
  const values = rows.map((row) => row.slice(0, row.indexOf(',')));
  expect(await read(`id,title\r\n${rows.join('')}`)).toMatchObject({ values, blanks: 15_000 });
  expect((await catalogueOf('id,title\r\nb1,One\nb2,Two\rb3,Three')).size).toBe(3);
});

test.each([
  ['semicolons, and commas within quotes', '"id, as exported, of a video";title\nb1;One\nb2;Two'],
  ['tabs, and a comma within quotes', '"id"\t"Title, short"\nb1\tOne\nb2\tTwo'],
  ['semicolons, and more commas in the first line than in the others', 'id;one, two, three\nb1;One\nb2;Two'],
])('what cuts every row into as many cells is the separator: %s', async (_what, contents) => {
  expect((await read(contents, catalogue)).values).toEqual(['b1', 'b2']);
});
