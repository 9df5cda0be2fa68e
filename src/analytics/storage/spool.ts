/**
 * The lines in which checked views wait to become a part: a view a line, each a JSON array of its values in the order of
 * VIEW_COLUMNS, in UTF-8. Of the formats that were measured (CSV, arrays, objects) this one costs least on both sides.
 */
import type { VIEW_COLUMNS, ViewColumn } from '../columns.ts';

type Cell = string | number | boolean | null;
type CellsOf<Columns extends readonly ViewColumn[]> = { readonly [I in keyof Columns]: Cell };

/**
 * The values of a view, one for each of VIEW_COLUMNS; its `id` and `ts` are never null. A TIMESTAMP is in microseconds since
 * the epoch, UTC; a BIGINT a safe integer; a UBIGINT the text of its decimal digits; no text has half a character, which JSON
 * allows and Parquet doesn't.
 */
export type ViewCells = CellsOf<typeof VIEW_COLUMNS>;

/** A view as a line, its end included. */
export const spoolLine = (cells: ViewCells): string => `${JSON.stringify(cells)}\n`;
