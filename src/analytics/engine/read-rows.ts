import { DuckDBDecimalValue, type DuckDBPreparedStatement, type DuckDBValue } from '@duckdb/node-api';
import type { ResultColumn, Rows, Scalar } from '../contract.ts';

interface Bounds {
  readonly maxRows: number;
  /** The answer ends with the row that reaches this number of characters. */
  readonly maxChars?: number;
  readonly cut?: (text: string) => string;
}

/** Reads the rows of a statement up to the limits. DuckDB does not compute further rows if it can stream. */
export async function readRows(
  prepared: DuckDBPreparedStatement,
  { maxRows, maxChars = Number.POSITIVE_INFINITY, cut = (text) => text }: Bounds,
): Promise<Rows> {
  const result = await prepared.stream();
  const columns = result.columnNames().map((name, index): ResultColumn => ({ name, type: typeOf(String(result.columnType(index))) }));
  const rows: Scalar[][] = [];
  let chars = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return { columns, rows, truncated: false };
    for (let index = 0; index < chunk.rowCount; index++) {
      if (rows.length >= maxRows || chars >= maxChars) return { columns, rows, truncated: true };
      const row = columns.map(({ type }, column) => {
        const value = scalar(chunk.getColumnVector(column).getItem(index), type);
        return typeof value === 'string' ? cut(value) : value;
      });
      for (const value of row) chars += typeof value === 'string' ? value.length : 8;
      rows.push(row);
    }
  }
}

function typeOf(name: string): ResultColumn['type'] {
  if (/^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/.test(name)) return 'integer';
  if (/^(?:FLOAT|DOUBLE|DECIMAL)/.test(name)) return 'number';
  if (name === 'BOOLEAN') return 'boolean';
  return /^(?:DATE|TIMESTAMP)/.test(name) ? 'time' : 'text';
}

/**
 * An integer beyond 2^53 becomes decimal digits, so that it stays exact; an infinity becomes null; a time becomes ISO text,
 * with `Z` if its type has a zone: `2026-03-01T05:00:00`.
 */
function scalar(value: DuckDBValue, type: ResultColumn['type']): Scalar {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  }
  if (value === null || value === undefined) return null;
  if (value instanceof DuckDBDecimalValue) return value.toDouble();
  const text = String(value);
  // After a time before the year 1, ` (BC)` follows.
  return type === 'time' ? text.replace(/ (?=\d)/, 'T').replace(/\+00$/, 'Z') : text;
}
