import { expect, test } from 'vitest';
import { createIdMarks } from '../../../src/changes/standing/id-marks.ts';

test('of some ids it tells exactly those that were found, repeats and others among them', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `id-${index}`);
  const { mark, isMarked } = createIdMarks([...ids, 'id-7', '']);
  for (let index = 0; index < 10_000; index += 2) mark(`id-${index}`);
  expect(ids.filter(isMarked)).toEqual(ids.filter((_, index) => index % 2 === 0));
  expect(['', 'id-6000', 'another'].filter(isMarked)).toEqual([]);
});

test.each([
  ['their own order', ['a', 'b', 'c', 'd'], []],
  ['their own order, others among them', ['x', 'a', 'b', 'y', 'c', 'd', 'z'], []],
  ['another order', ['d', 'b', 'a', 'c'], []],
  ['another order, one twice', ['b', 'a', 'b', 'd'], ['c']],
  ['their own order, one twice', ['a', 'a', 'b', 'd'], ['c']],
  ['their own order, the first missing', ['b', 'c', 'd'], ['a']],
  ['their own order, the last missing', ['a', 'b', 'c'], ['d']],
  ['no order at all', [], ['a', 'b', 'c', 'd']],
])('in %s ids are found: %j leave %j', (_, found, left) => {
  const ids = ['a', 'b', 'c', 'd'];
  const { mark, isMarked, unmarked } = createIdMarks(ids);
  found.forEach(mark);
  expect(unmarked()).toEqual(left);
  expect(ids.filter((id) => !isMarked(id))).toEqual(left);
});

test('an id that is repeated among them is found wherever it stands', () => {
  for (const found of [
    ['a', 'b', 'a', 'c'],
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
  ]) {
    const { mark, unmarked } = createIdMarks(['a', 'b', 'a', 'c']);
    found.forEach(mark);
    expect(unmarked()).toEqual([]);
  }
});

test('nothing is found among none', () => {
  const { mark, isMarked, unmarked } = createIdMarks([]);
  mark('id');
  expect([isMarked('id'), unmarked()]).toEqual([false, []]);
});
