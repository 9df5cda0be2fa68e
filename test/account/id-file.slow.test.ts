/** Files of ids as people have them: exports of spreadsheets and dashboards, lists by hand. */
import { appendFile, open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readIdFile } from '../../src/account/id-file.ts';
import { freshHome } from '../harness/start.ts';
import { catalogueOf } from './catalogue-of.ts';

const catalogue = await catalogueOf('id,key,title\nb1,KEY1,One\nb2,KEY2,Two\n');

const NEVER = new AbortController().signal;

async function read(contents: string | Buffer, known?: typeof catalogue) {
  const file = join(freshHome(), 'file');
  await writeFile(file, contents);
  const handle = await open(file);
  return readIdFile(handle, 'ids.txt', known, NEVER).finally(() => handle.close());
}

const refusal = (contents: string | Buffer) =>
  read(contents).then(
    ({ values }) => `read ${values.length}`,
    ({ code, message }: { code: string; message: string }) => `${code} ${message}`,
  );

test('an id that a spreadsheet would take for a formula loses the mark that keeps it from that, and no other', async () => {
  const ids = ['-a1', '=b', '+c', '@d', "'e", '－f'];
  const marked = ids.map((id) => (id === "'e" ? id : `'${id}`));
  expect((await read(`id,outcome\n${marked.map((id) => `${id},failed`).join('\n')}\n`)).values).toEqual(ids);
  expect((await read(marked.join('\n'))).values).toEqual(ids);
  expect((await read(JSON.stringify(marked))).values).toEqual(marked);
});

describe('what is read', () => {
  test.each([
    ['text', 'b1\nb2\nb3\n', 'one a line'],
    ['text without an end', 'b1\nb2\nb3', 'one a line'],
    ['text with CRLF', 'b1\r\nb2\r\nb3\r\n', 'one a line'],
    ['text with CR', 'b1\rb2\rb3', 'one a line'],
    ['text with a BOM', '\uFEFFb1\nb2\nb3', 'one a line'],
    ['text below a header', 'Video ID\nb1\nb2\nb3', 'one a line, below the header "Video ID"'],
    ['text below a header and blanks', '\n\nids\nb1\nb2\nb3', 'one a line, below the header "ids"'],
    ['text with a BOM and a header', '\uFEFFvideo_id\r\nb1\r\nb2\r\nb3', 'one a line, below the header "video_id"'],
    ['text indented', '  b1\n\tb2\n b3 ', 'one a line'],
    ['CSV, comma', 'title,id\nA,b1\nB,b2\nC,b3\n', 'column "id"'],
    ['CSV, semicolon', 'Titel;Video-ID\nA, mit Komma;b1\nB;b2\nC;b3\n', 'column "Video-ID"'],
    ['CSV, tab', 'title\tvideo id\nA\tb1\nB\tb2\nC\tb3\n', 'column "video id"'],
    ['CSV, quoted', '"title","id"\n"A, or ""a""","b1"\n"B\nC","b2"\n"D","b3"\n', 'column "id"'],
    ['CSV with a BOM and CRLF', '\uFEFFid;title\r\nb1;A\r\nb2;B\r\nb3;C\r\n', 'column "id"'],
    ['CSV with blank lines first', '\n\nid,title\nb1,A\nb2,B\nb3,C', 'column "id"'],
    ['CSV of one column, quoted', '"id"\n"b1"\n"b2"\n"b3"\n', 'its only column, "id"'],
    ['CSV of one column, its header without quotes', 'id\n"b1"\n"b2"\n"b3"\n', 'its only column, "id"'],
    ['CSV of one column, quoted where need was', 'b1\n"b2"\nb3\n', 'its only column'],
    ['CSV with keys', 'title,key\nA,b1\nB,b2\nC,b3', 'column "key"'],
    ['CSV with ids before keys', 'key,id\nK1,b1\nK2,b2\nK3,b3', 'column "id"'],
    ['text below a header that names something else', 'videos\nb1\nb2\nb3', 'one a line, below the header "videos"'],
    ['CSV of one column below such a header', 'My videos\n"b1"\n"b2"\n"b3"\n', 'its only column, "My videos"'],
    ['CSV of one column below such a header, all quoted', '"videos"\n"b1"\n"b2"\n"b3"\n', 'its only column, "videos"'],
    ['JSON array of texts', '["b1","b2","b3"]', 'a JSON array'],
    ['JSON array, pretty, with a BOM', '\uFEFF[\n  "b1",\n  "b2",\n  "b3"\n]\n', 'a JSON array'],
    ['JSON array of objects', '[{"id":"b1"},{"title":"x","videoId":"b2"},{"video_id":"b3"}]', 'a JSON array'],
    ['JSON Lines of texts', '"b1"\n"b2"\n"b3"\n', 'its only column'],
    ['JSON Lines of objects', '{"id":"b1","n":1}\r\n{"id":"b2"}\r\n\r\n{"id":"b3"}', 'JSON Lines'],
    ['JSON Lines after a blank line', '\n{"id":"b1"}\n{"id":"b2"}\n{"id":"b3"}', 'JSON Lines'],
  ])('%s', async (_, contents, how) => {
    const { values, read: words } = await read(contents);
    expect(values).toEqual(['b1', 'b2', 'b3']);
    expect(words).toBe(how);
  });

  test('ids that are numbers, and keys where there are no ids', async () => {
    expect((await read('[1, 22, {"id": 333}, {"key": "K"}]')).values).toEqual(['1', '22', '333', 'K']);
  });

  test('the column in which the catalogue knows most is the one, where none is named', async () => {
    expect(await read('A,KEY1,x\nB,KEY2,y\n', catalogue)).toMatchObject({ values: ['KEY1', 'KEY2'] });
    expect(await read('name,code,x\nA,b1,x\nB,b2,y\n', catalogue)).toMatchObject({
      values: ['b1', 'b2'],
      read: 'column "code"',
    });
  });

  test.each([
    ['a word above ids of one length', 'videos\nabcdefghijk\nlmnopqrstuv\nwxyzabcdefg', ['abcdefghijk', 'lmnopqrstuv', 'wxyzabcdefg']],
    ['a word among words', 'alpha\nbeta\ngamma', ['alpha', 'beta', 'gamma']],
    ['a word alone', 'videos', ['videos']],
    ['an id of another length', '100\n99\n98', ['100', '99', '98']],
  ])('%s', async (_, contents, values) => {
    expect((await read(contents)).values).toEqual(values);
  });

  test('a first line that the catalogue does not know, above values that it knows, is a header', async () => {
    expect(await read('2026 list\nb1\nTwo\n', catalogue)).toMatchObject({
      values: ['b1', 'Two'],
      read: expect.stringContaining('"2026 list"'),
    });
    expect(await read('One\nb2\n', catalogue)).toMatchObject({ values: ['One', 'b2'], read: 'one a line' });
  });

  test.each([
    ['without a header', 'c1,2026\nc2,2025\nc3,2024', '"c1", "2026"'],
    ['with other names', 'No;Titel;Jahr\n1;A;2024\n2;B;2025\n', '"No", "Titel", "Jahr"'],
  ])('a CSV with several columns of which none is known to hold ids is refused with their names, %s', async (_, contents, names) => {
    for (const known of [undefined, catalogue])
      await expect(read(contents, known)).rejects.toMatchObject({ code: 'file_refused', message: expect.stringContaining(names) });
  });

  test('blanks are counted, repeats kept for the counting', async () => {
    expect(await read('b1\n\n  \nb1\n')).toMatchObject({ values: ['b1', 'b1'], blanks: 2 });
    expect(await read('id,t\nb1,x\n ,y\nb2\n,z\n')).toMatchObject({ values: ['b1', 'b2'], blanks: 2 });
    expect(await read('["b1",""," "]')).toMatchObject({ values: ['b1'], blanks: 2 });
    expect(await read('')).toMatchObject({ values: [], blanks: 0 });
  });

  test('whatever the pieces in which it is read, the lines are the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-z0-9ü]{1,40}$/), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 4_000 }),
        async (ids, repeat) => {
          const long = Array.from({ length: repeat }, () => ids).flat();
          const wanted = ids[0] !== undefined && /^(video)?ids?$|^(video)?keys?$/.test(ids[0]) ? long.slice(1) : long;
          expect((await read(long.join('\r\n'))).values).toEqual(wanted);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('what is broken is named by its place', () => {
  test.each([
    ['a JSON line that is none', '{"id":"b1"}\n{"id":}\n', 'line 2 is not JSON'],
    ['a JSON line without an id', '{"id":"b1"}\n\n{"name":"x"}\n', 'line 3 is neither an id nor an object with an id'],
    ['an entry without an id', '["b1",{"a":1}]', 'entry 2 is neither an id'],
    ['an entry that is null', '["b1",null]', 'entry 2 is neither'],
    ['an entry that no number holds exactly', '[7,12345678901234567890]', 'entry 2 is neither'],
    ['an entry that is a list', '[["b1"]]', 'entry 1 is neither'],
    ['an array that breaks off', '["b1","b2"', 'After entry'],
    ['an array with more behind it', '["b1"] x', 'not a well-formed JSON array'],
    ['CSV with a quote left open', 'id,title\nb1,"A\nb2,B\n', 'is not well-formed CSV'],
    ['CSV with a quote in the middle', 'id,title\nb1,A"B\n', 'line 2 is not well-formed CSV'],
    ['an object over several lines', '{\n "ids": ["b1"]\n}', 'neither an array nor JSON Lines'],
    ['an object with a list', '{"ids":["b1"]}', 'line 1 is neither an id'],
    ['a workbook', Buffer.from('PK\u0003\u0004\u0014\u0000'), 'save it as CSV'],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 'save it as CSV'],
    ['UTF-16', Buffer.from('\uFEFFb1\nb2', 'utf16le'), 'UTF-16'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'not a text file'],
    ['a line without an end', `b1\n${'x'.repeat(1_200_000)}`, 'line 2 is longer than'],
    ['CSV with a record without an end', `id,t\nb1,"${'x'.repeat(1_200_000)}"`, 'not well-formed CSV'],
  ])('%s', async (_, contents, problem) => {
    const words = await refusal(contents);
    expect(words).toMatch(/^file_refused "ids.txt": /);
    expect(words).toContain(problem);
  });

  test('a sparse file is not read to its end', async () => {
    const file = join(freshHome(), 'file');
    await writeFile(file, 'b1\n');
    await truncate(file, 900_000_000);
    const handle = await open(file);
    await expect(readIdFile(handle, 'ids.txt', undefined, NEVER)).rejects.toMatchObject({ code: 'file_refused' });
    await handle.close();
  });
});

test.each([
  ['text', 'b1\n', 'b2\n'],
  ['CSV', 'id,t\nb1,x\n', 'b2,x\n'],
  ['JSON Lines', '{"id":"b1"}\n', '{"id":"b2"}\n'],
])('of a file that somebody goes on writing (%s), what was there when it was opened is read', async (_, begun, more) => {
  const file = join(freshHome(), 'file');
  await writeFile(file, begun);
  const handle = await open(file);
  let isReading = true;
  const reading = readIdFile(handle, 'ids.txt', undefined, NEVER).finally(() => {
    isReading = false;
  });
  while (isReading) await appendFile(file, more.repeat(100_000));
  expect((await reading).values).toEqual(['b1']);
  await handle.close();
});

test.each([
  ['blanks', '\n'],
  ['text', 'b1\n'],
  ['CSV', 'id,x\n'],
  ['JSON Lines', '{"id":"b1"}\n'],
])('who gives up on a large file (%s) does not wait for its end', async (_, line) => {
  const file = join(freshHome(), 'file');
  await writeFile(file, line.repeat(900_000));
  const handle = await open(file);
  const giveUp = new AbortController();
  const reading = readIdFile(handle, 'ids.txt', undefined, giveUp.signal);
  giveUp.abort();
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  await handle.close();
});

describe('a million', () => {
  const ids = Array.from({ length: 1_000_000 }, (_, at) => `b1d0${at.toString(16).padStart(20, '0')}`);

  test.each([
    ['text', () => `${ids.join('\n')}\n\n\n`],
    ['text below a header', () => `id\n${ids.join('\n')}`],
    ['CSV', () => `id,title\n${ids.join(',x\n')}`],
    ['a JSON array', () => JSON.stringify(ids)],
  ])('in %s are read, and not one more', async (_, made) => {
    const contents = made();
    const { values } = await read(contents);
    expect(values).toHaveLength(1_000_000);
    expect([values[0], values.at(-1)]).toEqual([ids[0], ids.at(-1)]);
    const more = contents.endsWith(']') ? `${contents.slice(0, -1)},"more"]` : `${contents.trimEnd()}\nmore`;
    expect(await refusal(more)).toContain('more than 1000000 ids');
  });
});
