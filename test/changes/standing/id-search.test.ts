import { expect, test } from 'vitest';
import { createIdSearch } from '../../../src/changes/standing/uses.ts';

test('of many ids exactly those are left that were not found, repeats and others among what was looked for', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `id-${index}`);
  const { find, unfound } = createIdSearch(ids);
  for (let index = 0; index < 10_000; index += 2) {
    find(`id-${index}`);
    find(`id-${index}`);
  }
  expect(unfound()).toEqual(ids.filter((_, index) => index % 2 === 1));
});

test.each([
  ['their own order', ['a', 'b', 'c', 'd'], []],
  ['their own order, others among them', ['x', 'a', 'b', 'y', 'c', 'd', 'z'], []],
  ['another order', ['d', 'b', 'a', 'c'], []],
  ['another order, one twice', ['b', 'a', 'b', 'd'], ['c']],
  ['their own order, one twice', ['a', 'a', 'b', 'd'], ['c']],
  ['their own order, the first missing', ['b', 'c', 'd'], ['a']],
  ['their own order, the last missing', ['a', 'b', 'c'], ['d']],
  ['their own order, with more after the last', ['a', 'b', 'c', 'd', 'a'], []],
  ['no order at all', [], ['a', 'b', 'c', 'd']],
])('in %s ids are found: %j leave %j', (_, found, left) => {
  const { find, unfound } = createIdSearch(['a', 'b', 'c', 'd']);
  found.forEach(find);
  expect(unfound()).toEqual(left);
});

test('nothing is found among none', () => {
  const { find, unfound } = createIdSearch([]);
  find('id');
  expect(unfound()).toEqual([]);
});
