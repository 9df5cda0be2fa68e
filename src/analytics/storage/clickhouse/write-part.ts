/**
 * A part's way into the store, tried again with a new number where it broke. It counts only once the record names it, which
 * is for the caller to do (`keep.ts`, `import.ts`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { VideoHostingError } from '../../../errors.ts';
import { tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Segment } from '../folder/manifest.ts';
import type { Connection } from './connection.ts';
import { newPart, type PartRows } from './part.ts';
import { STORED_COLUMNS, TABLES } from './tables.ts';
import { viewsOf } from './views.ts';

export type WrittenPart = Pick<Segment, 'part' | 'rows' | 'minMs' | 'maxMs'>;

/** How often a part is written, where the way to the store broke. */
const WRITES = 3;
const AGAIN_MS = 2_000;

/** Writes a part under a new number, and makes sure that every shard has its share, every view once. Throws `store_unreachable`. */
export async function writePart(connection: Connection, account: string, content: PartRows, clock: () => number): Promise<WrittenPart> {
  if (content.rows === 0) return { rows: 0 };
  const table = tableIn(connection.address.database, TABLES.views);
  for (let tries = 1; ; tries += 1) {
    // What a broken attempt left behind belongs to a part that nobody names.
    const part = newPart(clock());
    try {
      await connection.insert(table, STORED_COLUMNS, content.lines(account, part));
      return { part, ...(await verify(connection, account, part, content.rows)) };
    } catch (error) {
      if (tries >= WRITES || !(error instanceof VideoHostingError) || error.code !== 'store_unreachable') throw error;
      await sleep(AGAIN_MS * tries);
    }
  }
}

async function verify(connection: Connection, account: string, part: string, rows: number): Promise<Omit<WrittenPart, 'part'>> {
  const { table, always } = viewsOf(connection, account, [part]);
  const found = await connection.select({
    sql: () => `SELECT count(*), uniqExact(id), min(ts), max(ts) FROM ${table} WHERE ${always.join(' AND ')}`,
  });
  const [count, ids, minMs, maxMs] = (found.rows[0] ?? []).map(Number);
  if (count === rows && ids === rows && minMs !== undefined && maxMs !== undefined) return { rows, minMs, maxMs };
  throw new VideoHostingError(
    'store_unreachable',
    `Of ${rows} views that were written, the ClickHouse cluster has ${count}, ${ids} of them different. None of them was kept.`,
  );
}
