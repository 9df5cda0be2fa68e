import type { DuckDBPreparedStatement } from '@duckdb/node-api';
import type { Column, Scalar } from '../contract.ts';
import { columnType, scalar } from './values.ts';

/** Takes an answer as it comes. */
export interface Sink {
  readonly columns: (columns: readonly Column[]) => void;
  readonly rows: (rows: readonly (readonly Scalar[])[]) => void;
}

export interface Bounds {
  readonly maxRows: number;
  /** Longer text is cut. */
  readonly maxCellChars?: number;
  /** The answer ends with the row that reaches this. */
  readonly maxChars?: number;
}

/** Runs a statement and hands on its rows up to the bounds; the rest is never computed where it needn't be. Tells whether there was more. */
export async function streamRows(
  prepared: DuckDBPreparedStatement,
  { maxRows, maxCellChars = Number.POSITIVE_INFINITY, maxChars = Number.POSITIVE_INFINITY }: Bounds,
  sink: Sink,
): Promise<{ truncated: boolean }> {
  const result = await prepared.stream();
  const names = result.columnNames();
  sink.columns(names.map((name, index) => ({ name, type: columnType(result.columnType(index)) })));
  let left = maxRows;
  let chars = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return { truncated: false };
    const rows: Scalar[][] = [];
    for (let index = 0; index < chunk.rowCount; index++) {
      if (left === 0 || chars >= maxChars) {
        sink.rows(rows);
        return { truncated: true };
      }
      const row = names.map((_, column) => cut(scalar(chunk.getColumnVector(column).getItem(index)), maxCellChars));
      for (const value of row) chars += typeof value === 'string' ? value.length : 8;
      rows.push(row);
      left--;
    }
    sink.rows(rows);
  }
}

function cut(value: Scalar, maxChars: number): Scalar {
  return typeof value === 'string' && value.length > maxChars ? `${value.slice(0, maxChars - 1).replace(/\p{Surrogate}$/u, '')}…` : value;
}
