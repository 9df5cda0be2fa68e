import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import type { Failure } from './contract.ts';

const MAX_CANDIDATES = 8;
const MAX_CHARS = 600;

/** Errors about the text of a query. They contain names, types, and only values from the text itself. */
const ABOUT_TEXT = new Set(['Parser', 'Syntax', 'Binder', 'Catalog']);
const ABOUT_VALUES = new Set(['Conversion', 'Invalid Input', 'Out of Range', 'Mismatch Type', 'Not implemented', 'Divide by Zero']);

const SET_ADVICE = /\s*Use "SET [^"]*"[^.]*\./g;

interface SqlError {
  readonly exception_type: string;
  readonly exception_message: string;
  readonly position?: string;
}

/** A caller's SQL that was not run, or failed. The message is for the caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** DuckDB's error messages begin with the kind of the error. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Refusal) return { kind: 'refused', message };
  if (/^(Out of Memory|INTERRUPT) Error/.test(message)) return { kind: 'too_heavy', message };
  return { kind: 'failed', message };
}

/**
 * What a caller may know of an error, with its position: no path, no setting, no value of a row. DuckDB reports errors as JSON
 * (`errors_as_json`).
 */
export function explainSqlError(error: unknown, sql: string): Error {
  if (error instanceof Refusal || !(error instanceof Error)) return error instanceof Error ? error : new Error(String(error));
  // The form of DuckDB's pinned version.
  const parsed = parseJsonOrUndefined(error.message.slice(error.message.indexOf('{'))) as SqlError | undefined;
  if (parsed === undefined) return error;
  const { exception_type: type, position } = parsed;
  const message = withoutAdvice(parsed.exception_message);
  const place = positionText(sql, position === undefined ? undefined : Number(position));
  if (ABOUT_TEXT.has(type)) return new Refusal(`${place}${shortened(message)}`);
  if (ABOUT_VALUES.has(type)) return new Refusal(`${place}${withoutValues(message)}`);
  return new Error(`${type} Error: ${message}`);
}

export function withoutAdvice(message: string): string {
  return message.replace(SET_ADVICE, '');
}

/** `Line 3, column 2: `, or an empty text if the position is unknown. The binder counts bytes of UTF-8, the parser characters. */
export function positionText(sql: string, position: number | undefined, unit: 'bytes' | 'characters' = 'bytes'): string {
  const text = Buffer.from(sql);
  if (position === undefined || !(position <= text.length)) return '';
  const before = (unit === 'bytes' ? text.subarray(0, position).toString() : sql.slice(0, position)).split('\n');
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: `;
}

function shortened(message: string): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.length > MAX_CANDIDATES + 2 ? [...lines.slice(0, MAX_CANDIDATES + 2), '…'] : lines;
  return shown
    .map((line) => line.trim())
    .join('\n')
    .slice(0, MAX_CHARS);
}

/** Removes the text from the first quotation mark to the last, and numbers in brackets: a value may itself contain either. */
function withoutValues(message: string): string {
  const hint = /convert|parse/i.test(message) ? ' Use TRY_CAST, or try_strptime, to get NULL where that is so.' : '';
  const [text = ''] = message.split('\n\n');
  const unquoted = withoutRange(text, text.search(/["']/), Math.max(text.lastIndexOf('"'), text.lastIndexOf("'")), '(a value)');
  const [from, to] = [unquoted.indexOf('('), unquoted.lastIndexOf(')')];
  const bare = /\d/.test(unquoted.slice(from, to)) ? withoutRange(unquoted, from, to, '(values)') : unquoted;
  return `${(bare.split('\n')[0] ?? '').slice(0, MAX_CHARS)}${hint}`;
}

function withoutRange(text: string, from: number, to: number, put: string): string {
  return from < 0 || to <= from ? text : text.slice(0, from) + put + text.slice(to + 1);
}
