/** Where a spreadsheet would begin a formula, also one that takes another character than a comma for the end of a cell. */
const BEFORE_FORMULA = /(?<=^|[;\t|])(?=[\s'"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const ESCAPE = /(?<=^|[;\t|])'(?=[\s'"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Begins a CSV file for people: without it, a spreadsheet reads its letters in the encoding of the machine. */
export const BYTE_ORDER_MARK = '\ufeff';

/** A text for a cell of a CSV file: an apostrophe stands before whatever would begin a formula. */
export const escapeFormulas = (text: string): string => text.replace(BEFORE_FORMULA, "'");

/** A formula that is nothing but a text: `="00123"`, by which programs keep a spreadsheet from reading a number. */
const TEXT_FORMULA = /^="([^"]*)"$/;

/** A cell that is written as a formula without that, also one of the header. */
export const unformulated = (cell: string): string => (cell.startsWith('="') ? (TEXT_FORMULA.exec(cell)?.[1] ?? cell) : cell);

/** An id or a key without the apostrophe before its digits, which keeps a spreadsheet from reading a number. */
export const unguarded = (text: string): string => text.replace(/^'(?=\d[^']*$)/, '');

/** The text of a cell that `escapeFormulas` made, or that is written as a formula. */
export const unescapeFormulas = (cell: string): string =>
  TEXT_FORMULA.exec(cell)?.[1] ?? (cell.includes("'") ? cell.replace(ESCAPE, '') : cell);
