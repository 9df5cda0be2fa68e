/**
 * The lines in which checked views wait to become a part: a view a line, each a JSON array of its values in the order of
 * VIEW_COLUMNS, in UTF-8. Of the formats that were measured (CSV, arrays, objects) this one costs least on both sides: 1 µs
 * a view to write, 5 µs to read, sort and put into Parquet.
 */
import type { VIEW_COLUMNS, ViewColumn } from './columns.ts';

interface ValueOf extends Record<ViewColumn['sql'], string | number | boolean | null> {
  readonly VARCHAR: string | null;
  /** Microseconds since the epoch, UTC. */
  readonly TIMESTAMP: number;
  readonly BOOLEAN: boolean | null;
  /** Safe integers. */
  readonly BIGINT: number | null;
  readonly INTEGER: number | null;
  /** Decimal digits. */
  readonly UBIGINT: string | null;
}

type RowOf<Columns extends readonly ViewColumn[]> = {
  readonly [I in keyof Columns]: Columns[I]['name'] extends 'id' ? string : ValueOf[Columns[I]['sql']];
};

/** The values of a view, one for each of VIEW_COLUMNS. Its `id` and `ts` are never missing. */
export type ViewRow = RowOf<typeof VIEW_COLUMNS>;

/** Half of a character, which JSON allows and Parquet doesn't; behind a pair of backslashes it is only text that looks like one. */
const LONE_SURROGATE = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/** A view as a line, its end included. */
export function spoolLine(row: ViewRow): string {
  const line = JSON.stringify(row);
  const wellFormed = line.includes('\\ud') ? line.replace(LONE_SURROGATE, (found) => (found === '\\\\' ? found : '\ufffd')) : line;
  return `${wellFormed}\n`;
}
