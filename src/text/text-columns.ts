import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { asSentence, type Sentence, sentenceParts } from './sentence.ts';

// How much room a text takes on a terminal, whose cells are as wide as a Latin letter.

let graphemes: Intl.Segmenter | undefined;

/** Never fewer than its UTF-16 units, since some clients count those. */
const columnsOf = (text: string): number => Math.max(text.length, stringWidth(text));

/** The text, or its beginning and `…` where it takes more columns. */
export const cutToColumns = (text: Sentence, columns: number): Sentence => asSentence(cut(text, columns));

function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  // Made when first needed: that takes some milliseconds.
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let [units, width] = [0, 0];
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment);
    // The last column is that of the `…`.
    if (Math.max(units + segment.length, width) >= columns) break;
    units += segment.length;
  }
  return `${text.slice(0, units).trimEnd()}…`;
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

const INDENT = '  ';
/** In the place of each column of a quoted part, which is not to be broken: of white space, a sentence has spaces alone. */
const HELD = '\u00A0';
const HELD_PART = new RegExp(`"${HELD}*"`, 'g');

/**
 * The text in at most so many rows, all but the first indented; what does not fit is cut. A row ends between words and never
 * inside quotes, so that what strangers wrote is quoted on each row.
 */
export function wrapToColumns(text: Sentence, columns: number, max: number): Row[] {
  const parts = sentenceParts(text);
  const quotations = parts.filter(({ isQuoted }) => isQuoted).values();
  const held = parts.map(({ text: part, isQuoted }) => (isQuoted ? `"${HELD.repeat(columnsOf(part) - 2)}"` : part)).join('');
  const rows = wrap(held, columns, INDENT);
  const last = rows
    .splice(max - 1)
    .join('\n')
    .replaceAll(`\n${INDENT}`, ' ');
  return [...rows, last]
    .filter((row) => row !== '')
    .map((row) => row.replace(HELD_PART, () => quotations.next().value?.text ?? ''))
    .map((row) => ({ text: cut(row, columns), isCut: columnsOf(row) > columns }));
}

/** Lines for a terminal of so many columns: a row ends between words, and all but the first of a line are indented. Nothing is cut. */
export const wrapLines = (text: string, columns: number): string =>
  text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns))
    .join('\n');

function wrapLine(line: string, columns: number): string[] {
  const [start = ''] = /^ *(?:[-!] )?/.exec(line) ?? [];
  const rows = wrap(line.slice(start.length), columns - start.length, INDENT.slice(start.length));
  return rows.map((row, index) => `${index === 0 ? start : ' '.repeat(start.length)}${row}`);
}

/** Its rows: the first has all columns, and the others what is left beside the indent. */
function wrap(text: string, columns: number, indent: string): string[] {
  // As `wrapAnsi` does, so that its first row is the beginning of the text.
  const whole = text.normalize();
  const [first = ''] = wrapAnsi(whole, columns).split('\n');
  const rest = whole.slice(first.length).trimStart();
  if (rest === '') return [first];
  return [
    first,
    ...wrapAnsi(rest, columns - indent.length)
      .split('\n')
      .map((row) => `${indent}${row}`),
  ];
}
