import { expect, test } from 'vitest';
import { cutQuoted, wrapToColumns } from '../../../src/changes/view/text-columns.ts';

const rowsOf = (text: string, columns: number): string[] => wrapToColumns(text, columns, 9).map((row) => row.text);

test.each([
  ['alone', 'It loses "one of two" today', ['It loses', '  "one of two"', '  today']],
  ['in brackets', 'It holds ("one of two") now', ['It holds', '  ("one of two")', '  now']],
  ['after what touches it', 'It sets a "b":"one two", no more', ['It sets a', '  "b":"one two",', '  no more']],
  ['with a quotation mark', 'It loses "one \\" two of" today', ['It loses', '  "one \\" two of"', '  today']],
])('a row does not end inside a quoted text: %s', (_, text, rows) => {
  expect(rowsOf(text, 18)).toEqual(rows);
});

test('what is quoted is cut, stays quoted, and does not end in half an escape', () => {
  expect(cutQuoted('Of "abcdefgh" and ("ab\\"cdef"): all that is not quoted', 4)).toBe('Of "abc…" and ("ab…"): all that is not quoted');
});
