/** Files of ids: exports of spreadsheets and dashboards, and lists written by hand. */
import { appendFile, open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { idList } from '../../src/files/id-list.ts';
import { readList } from '../../src/files/read-list.ts';
import { catalogueOf } from '../account/catalogue-of.ts';
import { freshHome } from '../harness/start.ts';

const catalogue = await catalogueOf('id,key,title\nb1,KEY1,One\nb2,KEY2,Two\n');

const NEVER = new AbortController().signal;

async function read(contents: string | Buffer, known?: typeof catalogue) {
  const file = join(freshHome(), 'file');
  await writeFile(file, contents);
  const handle = await open(file);
  return readList({ name: 'ids.txt', from: { handle }, signal: NEVER }, idList(known, { wanted: 'id' })).finally(() => handle.close());
}

const refusal = (contents: string | Buffer) =>
  read(contents).then(
    ({ values }) => `read ${values.length}`,
    ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
  );

test('the apostrophe that keeps an id from being a spreadsheet formula is removed, except in JSON', async () => {
  const ids = ['-a1', '=b', '+c', '@d', "'e", '－f'];
  const marked = ids.map((id) => (id === "'e" ? id : `'${id}`));
  expect((await read(`id,outcome\n${marked.map((id) => `${id},failed`).join('\n')}\n`)).values).toEqual(ids);
  expect((await read(marked.join('\n'))).values).toEqual(ids);
  expect((await read(JSON.stringify(marked))).values).toEqual(marked);
});

describe('a file of ids', () => {
  test.each([
    ['text', 'b1\nb2\nb3\n', 'one a line'],
    ['text without a final line end', 'b1\nb2\nb3', 'one a line'],
    ['text with CR', 'b1\rb2\rb3', 'one a line'],
    ['text with a BOM', '\uFEFFb1\nb2\nb3', 'one a line'],
    ['text below a header', 'Video ID\nb1\nb2\nb3', 'one a line, below the header "Video ID"'],
    ['text below a header and blanks', '\n\nids\nb1\nb2\nb3', 'one a line, below the header "ids"'],
    ['text with a BOM and a header', '\uFEFFvideo_id\r\nb1\r\nb2\r\nb3', 'one a line, below the header "video_id"'],
    ['indented text', '  b1\n\tb2\n b3 ', 'one a line'],
    ['CSV, comma', 'title,id\nA,b1\nB,b2\nC,b3\n', 'column "id"'],
    ['CSV, semicolon', 'Titel;Video-ID\nA, mit Komma;b1\nB;b2\nC;b3\n', 'column "Video-ID"'],
    ['CSV, quoted', '"title","id"\n"A, or ""a""","b1"\n"B\nC","b2"\n"D","b3"\n', 'column "id"'],
    ['CSV with a BOM and CRLF', '\uFEFFid;title\r\nb1;A\r\nb2;B\r\nb3;C\r\n', 'column "id"'],
    ['CSV of one column, quoted', '"id"\n"b1"\n"b2"\n"b3"\n', 'its only column, "id"'],
    ['CSV of one column, its header without quotes', 'id\n"b1"\n"b2"\n"b3"\n', 'its only column, "id"'],
    ['CSV of one column, partly quoted', 'b1\n"b2"\nb3\n', 'its only column'],
    ['CSV with keys', 'title,key\nA,b1\nB,b2\nC,b3', 'column "key"'],
    ['CSV with ids before keys', 'key,id\nK1,b1\nK2,b2\nK3,b3', 'column "id"'],
    ['text below the name of its content', 'videos\nb1\nb2\nb3', 'one a line, below the header "videos"'],
    ['CSV of one column below its name without quotes', 'Video names\n"b1"\n"b2"\n"b3"\n', 'its only column, "Video names"'],
    ['CSV of one column below the name of its content, all quoted', '"videos"\n"b1"\n"b2"\n"b3"\n', 'its only column, "videos"'],
    ['JSON array of texts', '["b1","b2","b3"]', 'a JSON array'],
    ['JSON array of objects', '[{"id":"b1"},{"title":"x","videoId":"b2"},{"video_id":"b3"}]', 'a JSON array'],
    ['JSON Lines of texts', '"b1"\n"b2"\n"b3"\n', 'its only column'],
    ['JSON Lines of objects', '{"id":"b1","n":1}\r\n{"id":"b2"}\r\n\r\n{"id":"b3"}', 'JSON Lines'],
  ])('is read as %s', async (_, contents, how) => {
    const { values, read: words } = await read(contents);
    expect(values).toEqual(['b1', 'b2', 'b3']);
    expect(words).toBe(how);
  });

  test('can have numeric ids, and keys where there are no ids', async () => {
    expect((await read('[1, 22, {"id": 333}, {"key": "K"}]')).values).toEqual(['1', '22', '333', 'K']);
  });

  test('without a usual column name is read from the column with the most values of the catalogue', async () => {
    expect(await read('A,KEY1,x\nB,KEY2,y\n', catalogue)).toMatchObject({ values: ['KEY1', 'KEY2'] });
    expect(await read('name,code,x\nA,b1,x\nB,b2,y\n', catalogue)).toMatchObject({ values: ['b1', 'b2'], read: 'column "code"' });
  });

  test.each([
    ['a word above ids of equal length is one', 'videos\nabcdefghijk\nlmnopqrstuv', ['abcdefghijk', 'lmnopqrstuv']],
    ['a word above other words is not', 'alpha\nbeta\ngamma', ['alpha', 'beta', 'gamma']],
    ['a single word is not', 'videos', ['videos']],
    ['an id of another length is not', '100\n99\n98', ['100', '99', '98']],
  ])('has its first line checked for being a header: %s', async (_, contents, values) => {
    expect((await read(contents)).values).toEqual(values);
  });

  test('has no header if its first line is in the catalogue', async () => {
    expect(await read('One\nb2\n', catalogue)).toMatchObject({ values: ['One', 'b2'], read: 'one a line' });
  });

  test.each([
    ['without a header', 'c1,2026\nc2,2025\nc3,2024', '"c1", "2026"'],
    ['with other names', 'No;Titel;Jahr\n1;A;2024\n2;B;2025\n', '"No", "Titel", "Jahr"'],
  ])('that is CSV with several columns, none known to hold ids, is refused with the column names, %s', async (_, contents, names) => {
    for (const known of [undefined, catalogue])
      await expect(read(contents, known)).rejects.toMatchObject({ code: 'file_refused', message: expect.stringContaining(names) });
  });

  test('has its blanks counted and its repeated ids kept', async () => {
    expect(await read('b1\n\n  \nb1\n')).toMatchObject({ values: ['b1', 'b1'], blanks: 2 });
    expect(await read('id,t\nb1,x\n ,y\nb2\n,z\n')).toMatchObject({ values: ['b1', 'b2'], blanks: 2 });
    expect(await read('["b1",""," "]')).toMatchObject({ values: ['b1'], blanks: 2 });
    expect(await read('[{"id":"b1"},{"id":null,"t":"y"}]')).toMatchObject({ values: ['b1'], blanks: 1 });
    expect(await read('')).toMatchObject({ values: [], blanks: 0 });
  });
});

describe('a broken file is refused, and the error names the place', () => {
  test.each([
    ['a line that is not JSON', '{"id":"b1"}\n{"id":}\n', 'line 2 is not JSON'],
    ['a JSON line without an id', '{"id":"b1"}\n\n{"name":"x"}\n', 'line 3 is neither an id nor an object with an id'],
    ['an entry without an id', '["b1",{"a":1}]', 'entry 2 is neither an id'],
    ['an entry that is null', '["b1",null]', 'entry 2 is neither'],
    ['an entry with a number that is not exact', '[7,12345678901234567890]', 'entry 2 is neither'],
    ['an entry that is a list', '[["b1"]]', 'entry 1 is neither'],
    ['a truncated array', '["b1","b2"', 'After entry'],
    ['text after the array', '["b1"] x', 'not a well-formed JSON array'],
    ['CSV with an unclosed quote', 'id,title\nb1,"A\nb2,B\n', 'is not well-formed CSV'],

    ['an object over several lines', '{\n "ids": ["b1"]\n}', 'neither an array nor JSON Lines'],
    ['an object with a list', '{"ids":["b1"]}', 'line 1 is neither an id'],
    ['a workbook', Buffer.from('PK\u0003\u0004\u0014\u0000'), 'save it as CSV'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'not a text file'],
    ['a line of more than 1 MB', `b1\n${'x'.repeat(1_200_000)}`, 'line 2 is longer than'],
    ['CSV with a record of more than 1 MB', `id,t\nb1,"${'x'.repeat(1_200_000)}"`, 'not well-formed CSV'],
  ])('%s', async (_, contents, problem) => {
    const words = await refusal(contents);
    expect(words).toMatch(/^file_refused "ids.txt": /);
    expect(words).toContain(problem);
  });

  test.each([3, 90_000])('a sparse file of 900 MB that has zeros after %i bytes, without reading its rest', async (length) => {
    const file = join(freshHome(), 'file');
    await writeFile(file, 'b1\n'.repeat(length / 3));
    await truncate(file, 900_000_000);
    const handle = await open(file);
    const reads = vi.spyOn(handle, 'read');
    const refused = { code: 'file_refused', message: expect.stringContaining('not a text file') };
    await expect(readList({ name: 'ids.txt', from: { handle }, signal: NEVER }, idList(undefined, { wanted: 'id' }))).rejects.toMatchObject(
      refused,
    );
    const bytes = await Promise.all(reads.mock.results.map(async ({ value }) => (await value).bytesRead));
    expect(bytes.reduce((sum, count) => sum + count, 0)).toBeLessThan(2_000_000);
    await handle.close();
  });
});

test.each([
  ['text', 'b1\n', 'b2\n'],
  ['CSV', 'id,t\nb1,x\n', 'b2,x\n'],
  ['JSON Lines', '{"id":"b1"}\n', '{"id":"b2"}\n'],
])('a file that is still being written (%s) is read up to its length when it was opened', async (_, begun, more) => {
  const file = join(freshHome(), 'file');
  await writeFile(file, begun);
  const handle = await open(file);
  let isReading = true;
  const reading = readList({ name: 'ids.txt', from: { handle }, signal: NEVER }, idList(undefined, { wanted: 'id' })).finally(() => {
    isReading = false;
  });
  while (isReading) await appendFile(file, more.repeat(100_000));
  expect((await reading).values).toEqual(['b1']);
  await handle.close();
});

test.each([
  ['text', 'b1\n'],
  ['CSV', 'id,x\n'],
  ['JSON Lines', '{"id":"b1"}\n'],
])('an aborted signal stops the reading of a large file (%s)', async (_, line) => {
  const file = join(freshHome(), 'file');
  await writeFile(file, line.repeat(900_000));
  const handle = await open(file);
  const giveUp = new AbortController();
  const reading = readList({ name: 'ids.txt', from: { handle }, signal: giveUp.signal }, idList(undefined, { wanted: 'id' }));
  giveUp.abort();
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  await handle.close();
});

describe('a million ids', () => {
  const ids = Array.from({ length: 1_000_000 }, (_, at) => `b1d0${at.toString(16).padStart(20, '0')}`);

  test.each([
    ['text', () => `${ids.join('\n')}\n\n\n`],
    ['CSV', () => `id,title\n${ids.join(',x\n')}`],
    ['a JSON array', () => JSON.stringify(ids)],
  ])('in %s are read, and one more is refused', async (_, made) => {
    const contents = made();
    const { values } = await read(contents);
    expect(values).toHaveLength(1_000_000);
    expect([values[0], values.at(-1)]).toEqual([ids[0], ids.at(-1)]);
    const more = contents.endsWith(']') ? `${contents.slice(0, -1)},"more"]` : `${contents.trimEnd()}\nmore`;
    expect(await refusal(more)).toContain('more than 1000000 ids');
  });
});
