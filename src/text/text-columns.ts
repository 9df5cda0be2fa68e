import { asSentence, type Sentence, sentenceParts } from './sentence.ts';

// How much room a text takes on a terminal, whose cells are as wide as a Latin letter.

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE = /[\p{Emoji_Presentation}\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Yi}\uFF01-\uFF60\uFFE0-\uFFE6]/u;

/** The columns of a character with its marks; never fewer than its UTF-16 units, since some clients count those. */
const columnsOf = (character: string): number => Math.max(character.length, WIDE.test(character) ? 2 : 1);

const charactersIn = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** How many characters of a list fit into so many columns. */
function fitting(characters: readonly string[], columns: number): number {
  let used = 0;
  const end = characters.findIndex((character) => {
    used += columnsOf(character);
    return used > columns;
  });
  return end < 0 ? characters.length : end;
}

/** The text, or its beginning and `…` where it takes more columns. */
export const cutToColumns = (text: Sentence, columns: number): Sentence => asSentence(cut(text, columns));

function cut(text: string, columns: number): string {
  const characters = charactersIn(text);
  if (fitting(characters, columns) === characters.length) return text;
  return `${characters
    .slice(0, fitting(characters, columns - 1))
    .join('')
    .trimEnd()}…`;
}

/** The text with each quoted part cut to so many columns; it stays quoted. */
export const cutQuoted = (text: Sentence, columns: number): Sentence =>
  asSentence(
    sentenceParts(text)
      .map((part) => (part.isQuoted ? cutQuotation(part.text, columns) : part.text))
      .join(''),
  );

/** No half of an escape ends it. */
const cutQuotation = (text: string, columns: number): string => `"${cut(text.slice(1, -1), columns).replace(/\\…$/, '…')}"`;

/** A row of a form. */
export interface Row {
  readonly text: string;
  readonly isCut: boolean;
}

const rowOf = (text: string, columns: number): Row => ({ text: cut(text, columns), isCut: !isWithin(text, columns) });

const INDENT = '  ';

/**
 * The text in at most so many rows, all but the first indented; what does not fit is cut. A row ends between words and never
 * inside quotes, so that what strangers wrote is quoted on each row.
 */
export const wrapToColumns = (text: Sentence, columns: number, rows: number): Row[] =>
  wrapWords(wordsOf(text), columns, INDENT, rows).map((row) => rowOf(row, columns));

/** The words in rows, of which the last of so many has all that is left. */
function wrapWords(words: readonly string[], columns: number, indent: string, max = Number.POSITIVE_INFINITY): string[] {
  const rows = words.slice(0, 1);
  for (const word of words.slice(1)) {
    const row = `${rows.at(-1)} ${word}`;
    if (rows.length === max || isWithin(row, columns)) rows.splice(-1, 1, row);
    else rows.push(`${indent}${word}`);
  }
  return rows;
}

/** Lines for a terminal of so many columns: a row ends between words, and all but the first of a line are indented. Nothing is cut. */
export const wrapLines = (text: string, columns: number): string =>
  text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n');

function wrapLine(line: string, columns: number): string {
  const [start = ''] = /^ *(?:[-!] )?/.exec(line) ?? [];
  const [first = '', ...words] = line.slice(start.length).split(' ');
  const indent = ' '.repeat(Math.max(start.length, INDENT.length));
  return wrapWords([`${start}${first}`, ...words], columns, indent).join('\n');
}

const isWithin = (text: string, columns: number): boolean => {
  const characters = charactersIn(text);
  return fitting(characters, columns) === characters.length;
};

/** Its words, a quoted part with what touches it being one. */
function wordsOf(text: Sentence): string[] {
  const words = [''];
  for (const { text: part, isQuoted } of sentenceParts(text)) {
    const [first = '', ...others] = isQuoted ? [part] : part.split(' ');
    words.push(`${words.pop()}${first}`, ...others);
  }
  return words.filter((word) => word !== '');
}
