/** The video catalogue: the user's list of videos, in every format in which it can be exported. */
import { rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCatalogueReader, setAsideText } from '../../src/account/catalogue.ts';
import { countTurns } from '../changes/kinds/videos/harness.ts';
import { freshHome } from '../harness/start.ts';
import { catalogueOf } from './catalogue-of.ts';

async function problemsOf(text: string): Promise<string> {
  try {
    await catalogueOf(text);
    return 'none';
  } catch (error) {
    const { code, message, facts } = error as { code: string; message: string; facts: { fields?: { field: string; problem: string }[] } }; // as it throws
    return [code, message, ...(facts.fields ?? []).map(({ field, problem }) => `${field}: ${problem}`)].join('\n');
  }
}

const ENTRIES = [
  { id: 'b1', key: 'K1', title: 'One, two' },
  { id: 'b2', key: 'K2', title: 'Ünïcode “x”' },
  { id: 'b3', key: 'K3', title: 'He said "no"; and left' },
];
const IDS = ['id', 'ID', 'video id', 'video_id', 'Video-ID'];
const COLUMNS = { id: IDS, key: ['key', 'Video Key', 'VIDEO_KEY'], title: ['title', 'Name', 'video title'] };

test('CSV, JSON and JSON Lines give the same catalogue with any columns in any order, delimiter, line end and usual column name', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(['id', 'key', 'title', 'other'] as const).filter((some) => some.includes('id') || some.includes('key')),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.nat(),
      async (order, delimiter, end, bom, pick) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const heading = order.map((column) => (column === 'other' ? 'views' : (COLUMNS[column][pick % COLUMNS[column].length] ?? column)));
        const rows = ENTRIES.map((entry) => order.map((column) => (column === 'other' ? '7' : entry[column])));
        const csv = (bom ? '\uFEFF' : '') + [heading, ...rows].map((row) => row.map(quote).join(delimiter)).join(end);
        const json = JSON.stringify(rows.map((row) => Object.fromEntries(heading.map((name, at) => [name, row[at]]))));
        const jsonLines = JSON.parse(json)
          .map((entry: unknown) => JSON.stringify(entry))
          .join(end);
        for (const catalogue of [await catalogueOf(csv), await catalogueOf(json), await catalogueOf(jsonLines)]) {
          expect(catalogue.size).toBe(3);
          for (const { id, key, title } of ENTRIES) {
            const entry = Object.fromEntries(Object.entries({ id, key, title }).filter(([column]) => order.some((one) => one === column)));
            expect(catalogue.byId(id)).toEqual('id' in entry ? entry : undefined);
            expect(catalogue.byKey(key)).toEqual('key' in entry ? entry : undefined);
            expect(catalogue.byTitle(title)).toEqual('title' in entry ? [entry] : []);
          }
        }
      },
    ),
    { numRuns: 30 },
  );
});

test('a title finds every video that has it, and its composed and decomposed letters are equal', async () => {
  const catalogue = await catalogueOf('id,title\nb1,Caf\u00e9\nb2,Cafe\u0301\nb3,Tea\n');
  expect(catalogue.byTitle('Cafe\u0301').map(({ id }) => id)).toEqual(['b1', 'b2']);
  expect(catalogue.byTitle('tea')).toEqual([]);
});

test('blank lines before the header do not affect the detection of the delimiter', async () => {
  expect((await catalogueOf('\n\nid;key;title\nb1;K1;One, two\n')).byKey('K1')).toEqual(ENTRIES[0]);
});

test('a title that half of 300,000 videos have finds all of them', async () => {
  const rows = Array.from({ length: 300_000 }, (_, at) => `b${at},${at % 2 === 0 ? 'Untitled' : `Title ${at}`}`);
  const catalogue = await catalogueOf(['id,title', ...rows].join('\n'));
  expect(catalogue.byTitle('Untitled')).toHaveLength(150_000);
  expect(catalogue.byTitle('Title 7')).toEqual([{ id: 'b7', title: 'Title 7' }]);
});

test('cells can be empty, and numeric ids are read as text', async () => {
  expect((await catalogueOf('id,key,title\nb1,,\n,K2,Two\n')).byKey('K2')).toEqual({ key: 'K2', title: 'Two' });
  expect((await catalogueOf('[{"id":7,"title":null},{"key":"K"}]')).byId('7')).toEqual({ id: '7' });
});

describe('a row that can’t be used costs that row, and is told', () => {
  test.each([
    ['a row with too many columns', 'id,key\nb1,K1\nb2,K2,x\n', 'line 3 has 3 columns; the header has 2'],
    ['a row with too few columns after a title of two lines', 'id,title\nb1,"One\nmore"\nb2\n', 'line 4 has 1 columns'],
    ['a row without id and key', 'id,key,title\nb1,K1,One\n,,Two\n', 'line 3 has neither an id nor a key'],
    ['an id again with another title', 'id,title\nb1,One\nb1,Two\n', 'line 3 names the id "b1" again'],
    ['an entry that is not an object', '[{"id":"b1"},"b2"]', 'entry 2 must be an object'],
    ['a numeric id that is not exact', '[{"id":"b1"},{"id":12345678901234567890}]', 'entry 2 has a number as its id that can’t be read'],
    ['an entry with two ids', '[{"id":"b1"},{"id":1,"videoId":"b1"}]', 'entry 2 has "id" and "videoId": rename the one'],
    ['an id that a spreadsheet has rounded', 'id\nb1\n1.23457E+15\n', 'line 3 has 1.23457E+15, a number that a spreadsheet has rounded'],
    ['an id that a program has made a number with decimals', 'id\nb1\n123.0\n', 'line 3 has 123.0, a number with decimals'],
    ['an entry without id and key', '[{"id":"b1"},{"title":"x"}]', 'entry 2 has neither'],
  ])('%s', async (_, text, problem) => {
    const catalogue = await catalogueOf(text);
    expect([catalogue.size, catalogue.setAside.count, catalogue.byId('b1')?.id]).toEqual([1, 1, 'b1']);
    expect(setAsideText(catalogue)).toContain(`1 row can’t be used (${problem}`);
  });

  test('of rows that contradict each other none counts, since nobody knows which is right', async () => {
    for (const text of ['id,key\nb1,K1\nb1,K2\nb1,K1\nb3,K3\n', 'id,key\nb1,K1\nb2,K1\nb2,K4\nb3,K3\n']) {
      const catalogue = await catalogueOf(text);
      expect([catalogue.size, catalogue.setAside.count, [...catalogue.entries()]]).toEqual([1, 3, [{ id: 'b3', key: 'K3' }]]);
      expect(setAsideText(catalogue)).toMatch(/^3 rows can’t be used \(line 3 pairs the id "b[12]" otherwise than another row does/);
    }
  });
});

test.each([
  ['blank rows', 'id,key,title\n,,\nb1,K1,One\n\n , , \n,,\n'],
  ['longer blank rows and empty cells at the end', 'id,key,title\nb1,K1,One,,\n,,,,\n'],
  ['the same row again, or less of it', 'id,key,title\nb1,K1,One\nb1,K1,One\nb1,,\n,K1,One\n'],
  ['blank entries', '[null,{"id":"b1","key":"K1","title":"One"},{},"",{"id":"","key":null}]'],
  ['a header in the middle, with a byte order mark', '\uFEFFid,key,title\n\uFEFFid,key,title\n\uFEFF"b1",K1,One\n'],
  ['cells that are guarded against a spreadsheet', 'id;key;title\n"=""b1""";="K1";="One"\n'],
])('%s cost nothing', async (_, text) => {
  const catalogue = await catalogueOf(text);
  expect([...catalogue.entries()]).toEqual([{ id: 'b1', key: 'K1', title: 'One' }]);
  expect(catalogue.setAside.count).toBe(0);
});

test('an apostrophe before digits is no part of an id, and one before a title is', async () => {
  const catalogue = await catalogueOf("id,title\n'00123,'Tis the season\n");
  expect([...catalogue.entries()]).toEqual([{ id: '00123', title: "'Tis the season" }]);
});

describe('a broken catalogue is refused, and the error names the line', () => {
  test.each([
    ['an empty file', '', 'holds no videos'],
    ['a header alone', 'id,key\n', 'holds no videos'],
    ['a header in another language', 'Kennung;Titel\nb1;One\n', 'line 1: is the header ("Kennung", "Titel"), and names no column'],
    ['fields in another language', '[{"kennung":"b1"}]', 'entry 1: has neither an id nor a key, but "kennung".'],
    ['no header', 'b1,K1,One\nb2,K2,Two\n', 'names no column id or key'],
    ['titles without ids and keys', 'title\nOne\n', 'names no column id or key'],
    ['rows of which none can be used', 'id,key\n,\nb1,K1,x\n', 'line 3: has 3 columns; the header has 2'],
    ['an unclosed quote', 'id,title\nb1,"One\nb2,Two\n', 'line 2: is not well-formed CSV'],
    [
      'an unclosed quote, where lines end as on Windows',
      'id,title\r\nb1,"One\r\nand a half"\r\nb2,"Two\r\nb3,Three\r\n',
      'line 4: is not well-formed CSV',
    ],
    ['truncated JSON', '[\n{"id":"b1"},\n{"id":', 'line 3: ends in the middle of its JSON: export the file anew.'],
    ['JSON with a trailing comma', '[\n{"id":"b1"},\n]', 'line 3: is not well-formed JSON'],
    ['a JSON object', '{"videos":[]}', 'line 1: has neither an id nor a key'],
    ['a JSON object over several lines', '{\n"videos":[]}', 'line 1: begins like JSON, and is neither an array nor JSON Lines'],
    ['a fraction as a key', '[{"key":1.5}]', 'entry 1: has a number as its key'],
    ['two columns of ids', 'ID,Video ID,title\n1,b1,One\n', 'line 1: has "ID" and "Video ID": rename the one that is no id of the video'],
  ])('%s', async (_, text, problem) => {
    const words = await problemsOf(text);
    expect(words).toMatch(/^catalogue_unusable\nThe video catalogue ".*videos.csv" can’t be used/);
    expect(words).toContain(problem);
  });

  test('several problems are listed at once, but not hundreds of them', async () => {
    const words = await problemsOf(`id,key\n${Array.from({ length: 500 }, () => 'b1,K,x').join('\n')}`);
    expect(words).toContain('line 2: has 3 columns');
    expect(words).toContain('line 3: has 3 columns');
    expect(words.split('\n').length).toBeLessThan(30);
  });

  test('any text is either read or refused as unusable', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 200 }),
          fc.json(),
          fc.string().map((text) => `id,key\n${text}`),
        ),
        async (text) => {
          expect(await problemsOf(text)).toMatch(/^(none|catalogue_unusable)/);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('a large file', () => {
  const titleOf = (at: number) => `${at} "quoted ü",\nand on a second line`;
  const entries = Array.from({ length: 10_000 }, (_, at) => ({ id: `b${at}`, key: `K${at}`, title: titleOf(at) }));
  const csv = ['id;key;title', ...entries.map(({ id, key, title }) => `${id};${key};"${title.replaceAll('"', '""')}"`)];

  test.each([
    ['CSV', csv.join('\n')],
    ['CSV with CRLF', csv.join('\r\n')],
    ['CSV with CR', csv.join('\r')],
    ['JSON', JSON.stringify(entries)],
  ])('in %s is read in chunks, and the event loop does other work between them', async (_, text) => {
    const { result: catalogue, turns } = await countTurns(() => catalogueOf(text));
    expect(catalogue.size).toBe(entries.length);
    expect([...catalogue.entries()]).toEqual(entries);
    expect(turns).toBeGreaterThan(text.length / 65_536 / 2);
  });

  test('with a problem near its end is refused with the number of that line', async () => {
    const last = 2 * entries.length + 2;
    const latin1 = Buffer.concat([Buffer.from([...csv, 'b'].join('\n')), Buffer.from('\xff;K;t', 'latin1')]);
    expect(setAsideText(await catalogueOf([...csv, 'b1;K99999;again'].join('\n')))).toContain(`line ${last} pairs the id "b1"`);
    await expect(catalogueOf([...csv, '"b;K;t'].join('\n'))).rejects.toThrow(`is not well-formed CSV`);
    await expect(catalogueOf(latin1)).rejects.toThrow(`line ${last}: is not UTF-8`);
  });
});

describe('the file of the catalogue', () => {
  test.each([
    ['UTF-16', Buffer.from('\uFEFFid,key\nb1,K1\n', 'utf16le'), 'file: It is UTF-16 text; save it as UTF-8.'],
    ['UTF-16 without a mark', Buffer.from('id,key\nb1,K1\n', 'utf16le'), 'file: It is not a text file.'],
    ['Latin-1', Buffer.from('id,title\nb1,Tea\nb2,Caf\xe9\n', 'latin1'), 'line 3: is not UTF-8'],
    ['a workbook', Buffer.from('PK\u0003\u0004\u0014\u0000'), 'save it as CSV'],
  ])('is refused with its real format if it is not UTF-8 text: %s', async (_, bytes, problem) => {
    const file = join(freshHome(), 'videos.csv');
    writeFileSync(file, bytes);
    const refused = { code: 'catalogue_unusable', message: expect.stringContaining(problem) };
    expect((await createCatalogueReader(file)())?.unusable).toMatchObject(refused);
  });

  test('is read at first use, and again after it has changed', async () => {
    const file = join(freshHome(), 'videos.csv');
    const read = createCatalogueReader(file);
    expect((await read())?.unusable).toMatchObject({ code: 'catalogue_unusable' });
    writeFileSync(file, 'id,key\nb1,K1\n');
    const first = await read();
    expect(first?.size).toBe(1);
    expect(await read()).toBe(first);
    writeFileSync(file, 'id,key\nb1,K1\nb2,K2\n');
    expect((await read())?.size).toBe(2);
    // The same length, but another modification time.
    writeFileSync(file, 'id,key\nb1,K1\nb3,K3\n');
    utimesSync(file, new Date(), new Date(Date.now() + 5_000));
    expect((await read())?.byId('b3')).toEqual({ id: 'b3', key: 'K3' });
    writeFileSync(file, 'nonsense');
    expect((await read())?.unusable).toMatchObject({ code: 'catalogue_unusable' });
    rmSync(file);
    expect((await read())?.unusable).toMatchObject({ code: 'catalogue_unusable', facts: { outcome: 'nothing-sent' } });
  });

  test('is refused if it is a folder or too large', async () => {
    const home = freshHome();
    expect((await createCatalogueReader(home)())?.unusable).toMatchObject({ code: 'catalogue_unusable' });
    const large = join(home, 'large.csv');
    writeFileSync(large, 'id\nb1\n');
    truncateSync(large, 513 * 1_024 * 1_024);
    expect((await createCatalogueReader(large)())?.unusable?.message).toContain('is larger than');
  });

  test('is read again if only its length has changed', async () => {
    const file = join(freshHome(), 'videos.csv');
    const read = createCatalogueReader(file);
    const at = new Date('2026-11-01T00:00:00Z');
    for (const ids of [['b1'], ['b1', 'b2']]) {
      writeFileSync(file, ['id', ...ids].join('\n'));
      utimesSync(file, at, at);
      expect((await read())?.size).toBe(ids.length);
    }
  });

  test('is optional: without it there is no catalogue', async () => {
    expect(await createCatalogueReader(undefined)()).toBeUndefined();
  });
});
