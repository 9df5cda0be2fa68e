/** Pure functions of the page’s views: moving rows, and addresses. */
import { describe, expect, test } from 'vitest';
import { editorRows, moveBefore, moveByOne, moveToPosition } from '../../src/page/views/channel/rows.ts';
import { routeOf } from '../../src/page/views/router.ts';

describe('rows', () => {
  const rows = editorRows({ keys: [...'abcdef'], titles: {}, unknown: [] });
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
