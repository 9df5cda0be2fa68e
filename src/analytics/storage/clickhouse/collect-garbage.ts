import { DAY_MS } from '../../spans.ts';
import { tableIn } from '../../sql/clickhouse-dialect.ts';
import { partsOf } from '../segments.ts';
import type { Connection } from './connection.ts';
import type { Log } from './log.ts';
import { partBegunMs } from './part.ts';
import { TABLES } from './tables.ts';

/** Removing rows rewrites the files they are in, and replaced rows only take space: so it is done once a day. */
const INTERVAL_MS = DAY_MS;

/**
 * Removes replaced segments in two steps. Each run marks those that were replaced since, and removes those that the run
 * before marked, a day ago, with their rows: no question can still be reading them. Parts that no segment has go as well.
 */
export async function collectStoreGarbage(connection: Connection, account: string, log: Log, clock: () => number): Promise<void> {
  const { dead, snapshot, retired } = await log.read();
  const now = clock();
  if (retired.some(({ atMs }) => now - atMs < INTERVAL_MS)) return;
  const marked = new Set(retired.flatMap(({ windows }) => windows));
  const gone = dead.filter(({ id }) => marked.has(id));
  const current = partsOf(snapshot.segments);
  const orphans = await orphanedParts(connection, account, [...current, ...partsOf(dead)], { begunBeforeMs: now - INTERVAL_MS });
  const parts = [...partsOf(gone), ...orphans].filter((part) => !current.includes(part));
  await connection.remove(TABLES.views, account, 'part', parts);
  await log.remove([...gone, ...retired].map(({ id }) => id));
  const replaced = dead.filter(({ id }) => !marked.has(id)).map(({ id }) => id);
  if (replaced.length > 0) await log.append({ kind: 'retired', windows: replaced });
  await connection.removeBefore(TABLES.leases, account, Math.floor((now - 2 * DAY_MS) / 1_000));
}

/** Parts that no segment has: their process was killed, or the entry was lost. With views before `toMs`, where that is given. */
export async function orphanedParts(
  connection: Connection,
  account: string,
  known: readonly string[],
  { begunBeforeMs, toMs }: { readonly begunBeforeMs: number; readonly toMs?: number },
): Promise<string[]> {
  const table = tableIn(connection.address.database, TABLES.views);
  const { rows } = await connection.select({
    sql: (bind) =>
      `SELECT DISTINCT part FROM ${table} WHERE account = ${bind(account)}${toMs === undefined ? '' : ` AND ts < ${bind(toMs)}`}`,
    timeoutMs: 600_000,
  });
  const isKnown = new Set(known);
  return rows.map(([part]) => String(part)).filter((part) => !isKnown.has(part) && partBegunMs(part) < begunBeforeMs);
}
