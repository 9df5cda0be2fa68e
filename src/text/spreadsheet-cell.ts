/** Where a spreadsheet would begin a formula, also one that takes another character than a comma for the end of a cell. */
const BEFORE_FORMULA = /(?<=^|[;\t|])(?=[\s'"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const ESCAPE = /(?<=^|[;\t|])'(?=[\s'"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** A text for a cell of a CSV file: an apostrophe stands before whatever would begin a formula. */
export const escapeFormulas = (text: string): string => text.replace(BEFORE_FORMULA, "'");

/** The text of a cell that `escapeFormulas` made. */
export const unescapeFormulas = (cell: string): string => cell.replace(ESCAPE, '');
