/**
 * The format of spool files, in which checked views wait to be stored: a line a view, each a JSON array of its values in the
 * order of VIEW_COLUMNS, in UTF-8. Measured against CSV and objects, it is the cheapest to write and to read.
 */
import { hash } from 'node:crypto';

/**
 * The values of a view, one for each of VIEW_COLUMNS; its `id` and `ts` are never null. A TIMESTAMP is in microseconds since
 * the epoch, UTC; a BIGINT is a safe integer; a UBIGINT is decimal digits; no text has a lone surrogate, which JSON allows and
 * Parquet doesn't.
 */
export type ViewCells = readonly (string | number | boolean | null)[];

export const spoolLine = (cells: ViewCells): string => `${JSON.stringify(cells)}\n`;

/**
 * The value of the column `viewer`: 64 bits of a keyed hash of the viewer's id, in decimal digits. They suffice to count
 * viewers, and without the key no viewer can be looked up. The key fills a block of SHA-256 and most of the hash is dropped,
 * so HMAC's second round is not needed.
 */
export function createViewerHash(key: Buffer): (viewerId: string) => string {
  const prefix = key.toString('hex');
  return (viewerId) => BigInt(`0x${hash('sha256', prefix + viewerId, 'hex').slice(0, 16)}`).toString();
}
