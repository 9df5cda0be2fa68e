/** Rows as text: inserted rows and the answer to a caller's SELECT as `TabSeparated`, the answers to our own statements as JSON. */
import { Readable } from 'node:stream';
import type { ResultColumn, Rows, Scalar } from '../../contract.ts';
import { cutText, MAX_ANSWER_CHARS } from '../../sql/caller-sql.ts';
import { escaped } from '../../sql/clickhouse-dialect.ts';

function columnType(type: string): ResultColumn['type'] {
  const bare = type.replace(/^(?:(?:Nullable|LowCardinality)\()+/, '');
  if (/^U?Int/.test(bare)) return 'integer';
  if (/^(?:Float|Decimal)/.test(bare)) return 'number';
  if (/^Bool/.test(bare)) return 'boolean';
  return /^Date/.test(bare) ? 'time' : 'text';
}

/**
 * Reads up to `maxRows` rows of an answer in tab-separated lines, names and types first. Long texts are cut. Throws
 * `SyntaxError` if the answer broke off.
 */
export async function rowsOfText(lines: AsyncIterable<readonly { readonly text: string }[]>, maxRows: number): Promise<Rows> {
  let names: readonly string[] | undefined;
  let columns: readonly ResultColumn[] | undefined;
  const rows: Scalar[][] = [];
  let chars = 0;
  for await (const piece of lines)
    for (const { text } of piece) {
      const cells = text.split('\t');
      if (names === undefined) names = cells.map(unescaped);
      else if (columns === undefined) columns = names.map((name, index) => ({ name, type: columnType(cells[index] ?? '') }));
      else if (rows.length === maxRows || chars >= MAX_ANSWER_CHARS) return { columns, rows, truncated: true };
      else {
        if (cells.length !== columns.length) throw new SyntaxError(`The answer broke off: ${text.slice(0, 300)}`);
        const known = columns;
        rows.push(cells.map((cell, index) => scalarOfText(cell, known[index]?.type ?? 'text')));
        chars += text.length;
      }
    }
  if (columns === undefined) throw new SyntaxError('The answer was cut off.');
  return { columns, rows, truncated: false };
}

function scalarOfText(cell: string, type: ResultColumn['type']): Scalar {
  if (cell === String.raw`\N`) return null;
  if (type === 'boolean') return cell === 'true' || cell === '1';
  if (type === 'integer') return Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
  if (type === 'number') return Number.isFinite(Number(cell)) ? Number(cell) : null;
  if (type === 'time') return cell.replace(' ', 'T');
  return cutText(unescaped(cell));
}

const LETTERS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', 0: '\0', b: '\b', f: '\f' };
const unescaped = (cell: string): string => cell.replace(/\\(.)/gs, (_, letter: string) => LETTERS[letter] ?? letter);

interface JsonAnswer {
  readonly meta?: readonly { readonly name: string; readonly type: string }[] | undefined;
  readonly data: readonly (readonly unknown[])[];
  readonly rows?: number | undefined;
}

/** An answer in JSON, cut to `maxRows` rows. Throws `SyntaxError` if it has fewer rows than it states. */
export function rowsOfJson({ meta, data, rows }: JsonAnswer, maxRows = Number.POSITIVE_INFINITY): Rows {
  if (meta === undefined || rows !== data.length) throw new SyntaxError('The answer was cut off.');
  const columns = meta.map(({ name, type }): ResultColumn => ({ name, type: columnType(type) }));
  const cells = data.slice(0, maxRows).map((row) => row.map((value, index) => scalarOfJson(value, columns[index]?.type)));
  return { columns, rows: cells, truncated: data.length > maxRows };
}

function scalarOfJson(value: unknown, type: ResultColumn['type'] | undefined): Scalar {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (type === 'integer' || type === 'number') {
    const number = Number(value);
    if (type === 'number') return Number.isFinite(number) ? number : null;
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return type === 'time' ? text.replace(' ', 'T') : text;
}

const CHUNK_CHARS = 64 * 1_024;

export function streamOf(lines: AsyncIterable<string>): Readable {
  return Readable.from(chunksOf(lines), { objectMode: false });
}

async function* chunksOf(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let chunk = '';
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARS) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  if (chunk !== '') yield Buffer.from(chunk);
}

export const lineOf = (values: readonly (string | number | boolean | null)[]): string => `${values.map(field).join('\t')}\n`;

function field(value: string | number | boolean | null): string {
  if (value === null) return String.raw`\N`;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'number' ? String(value) : escaped(value);
}
