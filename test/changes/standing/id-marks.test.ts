import { expect, test } from 'vitest';
import { createIdMarks } from '../../../src/changes/standing/id-marks.ts';

test('of some ids it tells exactly those that were found, repeats and others among them', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `id-${index}`);
  const { mark, isMarked } = createIdMarks([...ids, 'id-7', '']);
  for (let index = 0; index < 10_000; index += 2) mark(`id-${index}`);
  expect(ids.filter(isMarked)).toEqual(ids.filter((_, index) => index % 2 === 0));
  expect(['', 'id-6000', 'another'].filter(isMarked)).toEqual([]);
});

test('nothing is found among none', () => {
  const { mark, isMarked } = createIdMarks([]);
  mark('id');
  expect(isMarked('id')).toBe(false);
});
