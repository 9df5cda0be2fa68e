import { Refusal } from './failure.ts';

/** Lists of what was meant are cut after this many. */
const MAX_CANDIDATES = 8;
const MAX_CHARS = 600;

/** Errors about the text of a query: they hold names and types, and of values only those of the text itself. */
const ABOUT_TEXT = new Set(['Parser', 'Syntax', 'Binder', 'Catalog']);
/** Errors about values that a query met. */
const ABOUT_VALUES = new Set(['Conversion', 'Invalid Input', 'Out of Range', 'Mismatch Type', 'Not implemented', 'Divide by Zero']);

/** Settings can't be set here. */
const SET_ADVICE = /\s*Use "SET [^"]*"[^.]*\./g;

interface SqlError {
  readonly exception_type: string;
  readonly exception_message: string;
  readonly position?: string;
}

/**
 * What a stranger may know of an error in their query, with its place: no path, no setting, no value of a row.
 * DuckDB gives its errors as JSON (`errors_as_json`).
 */
export function explainSqlError(error: unknown, sql: string): Error {
  if (error instanceof Refusal || !(error instanceof Error)) return error instanceof Error ? error : new Error(String(error));
  const parsed = parse(error.message);
  if (parsed === undefined) return error;
  const { exception_type: type, position } = parsed;
  const message = withoutAdvice(parsed.exception_message);
  const place = placeOf(sql, position === undefined ? undefined : Number(position));
  if (ABOUT_TEXT.has(type)) return new Refusal(`${place}${bounded(message)}`);
  if (ABOUT_VALUES.has(type)) return new Refusal(`${place}${withoutValues(message)}`);
  return new Error(`${type} Error: ${message}`);
}

/** DuckDB's words without its advice on settings, which nobody can follow here. */
export function withoutAdvice(message: string): string {
  return message.replace(SET_ADVICE, '');
}

/** `Line 3, column 2: `, or nothing where the place isn't known. The binder counts bytes of UTF-8, the parser characters. */
export function placeOf(sql: string, position: number | undefined, unit: 'bytes' | 'characters' = 'bytes'): string {
  const text = Buffer.from(sql);
  if (position === undefined || !(position <= text.length)) return '';
  const before = (unit === 'bytes' ? text.subarray(0, position).toString() : sql.slice(0, position)).split('\n');
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: `;
}

function parse(message: string): SqlError | undefined {
  try {
    // DuckDB's own form, by its pinned version; anything else is not JSON.
    return JSON.parse(message.slice(message.indexOf('{'))) as SqlError;
  } catch {
    return undefined;
  }
}

function bounded(message: string): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.length > MAX_CANDIDATES + 2 ? [...lines.slice(0, MAX_CANDIDATES + 2), '…'] : lines;
  return shown
    .map((line) => line.trim())
    .join('\n')
    .slice(0, MAX_CHARS);
}

/** From the first quotation mark to the last, and what is in brackets: a value may itself hold either. */
function withoutValues(message: string): string {
  const hint = /convert|parse/i.test(message) ? ' Use TRY_CAST, or try_strptime, to get NULL where that is so.' : '';
  const [text = ''] = message.split('\n\n');
  const unquoted = withoutRange(text, text.search(/["']/), Math.max(text.lastIndexOf('"'), text.lastIndexOf("'")), '(a value)');
  const [from, to] = [unquoted.indexOf('('), unquoted.lastIndexOf(')')];
  const bare = /\d/.test(unquoted.slice(from, to)) ? withoutRange(unquoted, from, to, '(values)') : unquoted;
  return `${(bare.split('\n')[0] ?? '').slice(0, MAX_CHARS)}${hint}`;
}

/** A text with something else from one character to another; the text itself where they are not in that order. */
function withoutRange(text: string, from: number, to: number, put: string): string {
  return from < 0 || to <= from ? text : text.slice(0, from) + put + text.slice(to + 1);
}
