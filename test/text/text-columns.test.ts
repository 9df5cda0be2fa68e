import { expect, test } from 'vitest';
import { asSentence } from '../../src/text/sentence.ts';
import { cutQuoted, cutToColumns, wrapLines, wrapToColumns } from '../../src/text/text-columns.ts';

const rowsOf = (text: string, columns: number): string[] => wrapToColumns(asSentence(text), columns, 9).map((row) => row.text);

test.each([
  ['alone', 'It loses "one of two" today', ['It loses', '  "one of two"', '  today']],
  ['in brackets', 'It holds ("one of two") now', ['It holds', '  ("one of two")', '  now']],
  ['after what touches it', 'It sets a "b":"one two", no more', ['It sets a', '  "b":"one two",', '  no more']],
  ['with a quotation mark', 'It loses "one \\" two of" today', ['It loses', '  "one \\" two of"', '  today']],
])('a row does not end inside a quoted text: %s', (_, text, rows) => {
  expect(rowsOf(text, 18)).toEqual(rows);
});

test('what is quoted is cut, stays quoted, and does not end in half an escape', () => {
  expect(cutQuoted(asSentence('Of "abcdefgh" and ("ab\\"cdef"): all that is not quoted'), 4)).toBe(
    'Of "abc…" and ("ab…"): all that is not quoted',
  );
});

test.each([
  ['wide letters', '日本語の名前', '日本語の…'],
  ['combining marks', 'a\u0308e\u0301i\u0302o\u0303', 'a\u0308e\u0301i\u0302o\u0303'],
  ['marks of which some clients count each', 'e\u0301'.repeat(6), `${'e\u0301'.repeat(4)}…`],
  ['an emoji of several, whole or not at all', 'Films 👩‍💻🎬', 'Films…'],
  ['flags', 'Spring 🇩🇪🇫🇷', 'Spring…'],
])('a text is cut to its columns between characters: %s', (_, text, cut) => {
  expect(cutToColumns(asSentence(text), 10)).toBe(cut);
});

test('lines of a terminal end between words and go on indented, and nothing of them is cut', () => {
  expect(wrapLines('Move 40 videos.\n! They may be elsewhere by now.\n  Not so narrow\n- "a long name" → "b"', 16).split('\n')).toEqual([
    'Move 40 videos.',
    '! They may be',
    '  elsewhere by',
    '  now.',
    '  Not so narrow',
    '- "a long name"',
    '  → "b"',
  ]);
  expect(wrapLines('See /a/path/that/is/longer now', 16)).toBe('See\n  /a/path/that/is/longer\n  now');
  expect(wrapLines('日本語の名前 日本語', 16)).toBe('日本語の名前\n  日本語');
});
