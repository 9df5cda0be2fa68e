/** Pure functions of the page’s views: reading pasted text, and moving rows. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChannelView } from '../../src/page/contract.ts';
import { analyse } from '../../src/page/views/channel/analyse.ts';
import { readList } from '../../src/page/views/channel/read-list.ts';
import { moveBefore, moveByOne, moveToPosition, rowsFrom } from '../../src/page/views/channel/rows.ts';
import { createVideoIndex } from '../../src/page/views/channel/video-index.ts';
import { routeOf } from '../../src/page/views/router.ts';

describe('a pasted text', () => {
  const known = (text: string): boolean => ['One, two', 'Three', 'Title'].includes(text);
  test.each([
    ['one a line', 'a\n\n b \r\nc', { rows: [['a'], ['b'], ['c']], blanks: 1 }],
    ['one line', 'a, b,,c', { rows: [['a'], ['b'], ['c']], blanks: 1 }],
    ['titles with commas', 'One, two\nThree', { rows: [['One, two'], ['Three']] }],
    ['one column with a name', 'Video key\na\nb', { header: ['Video key'], rows: [['a'], ['b']] }],
    ['cells of a spreadsheet', 'id\tkey\n1\ta\n2\tb', { header: ['id', 'key'], rows: [['1', 'a'], ['2', 'b']] }], // biome-ignore format: one a line
    ['quoted CSV', 'key;title\na;"x;""y""\nz"\nb;c', { rows: [['a', 'x;"y"\nz'], ['b', 'c']] }], // biome-ignore format: one a line
    ['rows of unequal length', 'a,b,c\nd', { rows: [['a', 'b', 'c'], ['d', '', '']] }], // biome-ignore format: one a line
    ['a JSON array', '["a", 2, ""]', { rows: [['a'], ['2']], blanks: 1 }],
    ['JSON objects', '[{"key":"a"},{"key":"b","x":1}]', { header: ['key', 'x'], rows: [['a', ''], ['b', '1']] }], // biome-ignore format: one a line
    ['an object with a list', '{"videoKeys":["a","b"]}', { rows: [['a'], ['b']] }],
    ['an object with two lists', '{"projectKeys":["p"],"videoKeys":["a"]}', { rows: [['a']] }],
    ['a video that is called like a column', 'Title\nThree', { rows: [['Title'], ['Three']] }],
    ['lines that end with CR', 'key,title\ra,x\rb,y', { header: ['key', 'title'], rows: [['a', 'x'], ['b', 'y']] }], // biome-ignore format: one a line
    ['cells that are kept from being formulas', "key\n'-a\n'b", { rows: [['-a'], ["'b"]] }],
    ['JSON with fractions', '[{"key":"a","minutes":1.5}]', { rows: [['a', '1.5']] }],
    ['the list of one channel', 'channel,key\nA,a\nA,b', { rows: [['A', 'a'], ['A', 'b']] }], // biome-ignore format: one a line
    ['JSON Lines', '{"key":"a"}\n{"key":"b"}', { rows: [['a'], ['b']] }],
  ])('is read as %s', (_name, text, wanted) => {
    expect(readList(text, known)).toMatchObject(wanted);
  });

  test.each([
    ['["a",{"key":"b"}]', 'Entry 2 is of another kind than the first. Nothing was read.'],
    ['["a",["b"]]', 'Entry 2 is of another kind than the first. Nothing was read.'],
    ['{"a":["b"],"c":["d"]}', 'The file has several lists, and none is named after videos. Nothing was read.'],
    [
      '[1, 12345678901234567890]',
      'A number near 12345678901234567000 can’t be read exactly: put such numbers in quotes. Nothing was read.',
    ],
    ['key,title\na,"x\nb,y\nc,z', 'A quotation mark is left open, so the lines below it can’t be told apart. Nothing was read.'],
    [
      'title,key,\nHello, world,a\nx,b',
      'Entry 1 has more cells than the first line has names: a title with a comma needs quotes. Nothing was read.',
    ],
    ['channel,key\nA,a\nB,b', 'The file has the lists of 2 channels. Nothing was read.'],
    ['[{"channel":"A","videoKeys":["a"]},{"channel":"B","videoKeys":["b"]}]', 'The file has the lists of 2 channels. Nothing was read.'],
  ])('with a part that would be left out is refused as a whole: %s', (text, words) => {
    expect(() => readList(text, known)).toThrow(words);
  });

  test('says of each entry that it can’t add why, also of one without a key and of a rounded number', () => {
    const index = createVideoIndex({ titles: {}, ids: {}, hasCatalogue: false, seen: [] } as unknown as ChannelView); // what it reads
    const list = readList('key,title\na,x\n,y\n1.23E+15,z', known);
    const { keys, problems } = analyse(list, 0, new Set(), index);
    expect(keys).toEqual(['a']);
    expect(problems).toEqual([
      { text: 'y', problem: 'names no video' },
      { text: '1.23E+15', problem: 'is a number that a spreadsheet has rounded: import the column as text' },
    ]);
  });

  test('with a line of invalid JSON is refused as a whole', () => {
    expect(() => readList('{"key":"a"}\n{"key":', known)).toThrow('Line 2 is not JSON. Nothing was read.');
  });

  test('of any kind is either read or refused with a sentence', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          for (const row of readList(text, known).rows) expect(row.length).toBeGreaterThan(0);
        } catch (thrown) {
          expect(String(thrown)).toMatch(/Nothing was read\.$/);
        }
      }),
    );
  });
});

describe('rows', () => {
  const rows = rowsFrom([...'abcdef']);
  const chosen = (letters: string) => new Set(rows.filter(({ key }) => letters.includes(key)));
  const text = (moved: readonly { readonly key: string }[]): string => moved.map(({ key }) => key).join('');

  test.each([
    ['up', text(moveByOne(rows, chosen('bdf'), -1)), 'badcfe'],
    ['up, at the top', text(moveByOne(rows, chosen('ab'), -1)), 'abcdef'],
    ['down, together', text(moveByOne(rows, chosen('bc'), 1)), 'adbcef'],
    ['to the top', text(moveToPosition(rows, chosen('ce'), 1)), 'ceabdf'],
    ['to the bottom', text(moveToPosition(rows, chosen('ac'), 6)), 'bdefac'],
    ['to a position', text(moveToPosition(rows, chosen('f'), 3)), 'abfcde'],
    ['before a row that moves too', text(moveBefore(rows, chosen('bd'), 3)), 'acbdef'],
    ['after the last row', text(moveBefore(rows, chosen('a'), 6)), 'bcdefa'],
  ])('move %s', (_where, moved, wanted) => expect(moved).toBe(wanted));
});

test.each([
  ['', { view: 'changes' }],
  ['#/channels', { view: 'channels' }],
  ['#/changes/a%2Fb', { view: 'change', id: 'a/b' }],
  ['#/changes/%E0%A4%A', { view: 'change', id: '%E0%A4%A' }],
  ['#/constructor/x', { view: 'missing' }],
])('the URL fragment %j opens its view', (hash, route) => expect(routeOf(hash)).toEqual(route));
