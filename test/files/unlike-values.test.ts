/** Which entries of a list don’t look like the others. */
import { expect, test } from 'vitest';
import { unlikeIndexes } from '../../src/files/unlike-values.ts';

const hex = (count: number): string[] => Array.from({ length: count }, (_, at) => `b1f0${at.toString(16).padStart(20, '0')}`);
const digits = (count: number): string[] => Array.from({ length: count }, (_, at) => String(1_000_000 + at));

test.each([
  ['a sum below hexadecimal ids', [...hex(1_799), '1869'], ['1869']],
  ['a word above numbers', ['Summe', ...digits(200)], ['Summe']],
  ['another length or another letter', [...hex(300), 'b1f0', 'g'.repeat(24)], ['b1f0', 'g'.repeat(24)]],
  ['words between keys with - and _', [...hex(150).map((id) => `${id.slice(-9)}-_`), 'Gesamt: 150'], ['Gesamt: 150']],
  ['one of a hundred', [...hex(99), '1869'], ['1869']],
  ['none of fewer than a hundred', [...hex(98), '1869'], []],
  ['none where more than one in a hundred are unlike', [...hex(196), '1', '2'], []],
  ['as many as one in a hundred', [...hex(198), '1', '2'], ['1', '2']],
  ['none of ids of many lengths', Array.from({ length: 5_000 }, (_, at) => String(at)), []],
  ['none of titles', Array.from({ length: 500 }, (_, at) => `Title ${'x'.repeat(at % 40)}`), []],
  ['none of the same kind', hex(5_000), []],
  ['a few hexadecimal ids that happen to have no letter', ['123456789012', ...hex(5_000).map((id) => id.slice(-12))], []],
])('%s', (_, values, unlike) => {
  expect(unlikeIndexes(values).map((index) => values[index])).toEqual(unlike);
});
