/** Pure functions of the page’s views: the difference of two lists, and moving rows. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLists } from '../../src/page/views/change/diff.ts';
import { moveBefore, moveByOne, moveToPosition, rowsFrom } from '../../src/page/views/channel/rows.ts';
import { routeOf } from '../../src/page/views/router.ts';

const someKeys = fc.array(fc.constantFrom(...'abcdefgh', 'constructor', '__proto__'), { maxLength: 12 });

test('a list diff has each position before and after once, and unmoved entries keep their order', () => {
  fc.assert(
    fc.property(someKeys, someKeys, (before, after) => {
      const { leaving, after: rows, arriving, moving } = diffLists(before, after);
      const positions = [...leaving, ...rows].flatMap(({ from }) => (from === undefined ? [] : [from]));
      expect(positions.toSorted((a, b) => a - b)).toEqual(before.map((_, index) => index + 1));
      expect(rows.map(({ key, to }) => [key, to])).toEqual(after.map((key, index) => [key, index + 1]));
      for (const { key, from } of [...leaving, ...rows]) if (from !== undefined) expect(before[from - 1]).toBe(key);
      const staying = rows.flatMap(({ kind, from }) => (kind === 'stays' ? [from ?? 0] : []));
      expect(staying).toEqual(staying.toSorted((a, b) => a - b));
      expect([arriving, moving]).toEqual(['arrives', 'moves'].map((kind) => rows.filter((row) => row.kind === kind).length));
    }),
  );
});

test('a list diff marks as few entries as possible as moved', () => {
  const { after } = diffLists(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c']);
  expect(after.filter(({ kind }) => kind === 'moves')).toEqual([{ key: 'd', kind: 'moves', from: 4, to: 1 }]);
});

describe('rows', () => {
  const rows = rowsFrom({ keys: [...'abcdef'], titles: {}, unknown: [] });
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
