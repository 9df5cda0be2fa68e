/**
 * The lines in which checked views wait to be stored: a view a line, each a JSON array of its values in the order of
 * VIEW_COLUMNS, in UTF-8. Of the formats that were measured (CSV, arrays, objects) this one is cheapest to write and to read.
 */
import { hash } from 'node:crypto';
import type { VIEW_COLUMNS, ViewColumn } from '../columns.ts';

type Cell = string | number | boolean | null;
type CellsOf<Columns extends readonly ViewColumn[]> = { readonly [I in keyof Columns]: Cell };

/**
 * The values of a view, one for each of VIEW_COLUMNS; its `id` and `ts` are never null. A TIMESTAMP is in microseconds since
 * the epoch, UTC; a BIGINT a safe integer; a UBIGINT the text of its decimal digits; no text has a lone surrogate, which JSON
 * allows and Parquet doesn't.
 */
export type ViewCells = CellsOf<typeof VIEW_COLUMNS>;

/** A view as a line, its end included. */
export const spoolLine = (cells: ViewCells): string => `${JSON.stringify(cells)}\n`;

/**
 * The value of the column `viewer`: 64 bits of a keyed hash of a viewer's id, in decimal digits. That is enough to count
 * viewers, and no viewer can be looked up without the key. The key fills a block of SHA-256 and most of the hash is cut
 * off, so HMAC's second round is not needed.
 */
export function createViewerHash(key: Buffer): (viewerId: string) => string {
  const prefix = key.toString('hex');
  return (viewerId) => BigInt(`0x${hash('sha256', prefix + viewerId, 'hex').slice(0, 16)}`).toString();
}
