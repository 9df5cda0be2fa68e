import { DAY_MS } from '../../../platform/time-units.ts';
import { literal, tableIn } from '../../sql/clickhouse-dialect.ts';
import { partNames } from '../segments.ts';
import type { Connection } from './connection.ts';
import type { Log } from './log.ts';
import { partBegunMs } from './part.ts';
import { partList, TABLES } from './tables.ts';

/** Once a day: removing rows rewrites their files, and replaced rows only take space. */
const INTERVAL_MS = DAY_MS;

/**
 * Removes replaced segments in two steps. Each run marks the segments that were replaced since the last run, and removes
 * those that the last run marked a day ago: no question can still be reading them. Parts without a segment are removed too.
 */
export async function collectStoreGarbage(connection: Connection, account: string, log: Log, clock: () => number): Promise<void> {
  const { dead, snapshot, retired } = await log.read();
  const now = clock();
  if (retired.some(({ atMs }) => now - atMs < INTERVAL_MS)) return;
  const marked = new Set(retired.flatMap(({ segments }) => segments));
  const gone = dead.filter(({ id }) => marked.has(id));
  const current = partNames(snapshot.segments);
  const orphans = await orphanedParts(connection, account, [...current, ...partNames(dead)], { begunBeforeMs: now - INTERVAL_MS });
  const parts = [...partNames(gone), ...orphans].filter((part) => !current.includes(part));
  await removeParts(connection, account, parts);
  await log.remove([...gone, ...retired].map(({ id }) => id));
  const replaced = dead.filter(({ id }) => !marked.has(id)).map(({ id }) => id);
  if (replaced.length > 0) await log.append({ kind: 'retired', segments: replaced });
  await connection.remove(TABLES.leases, account, `at < ${literal(Math.floor((now - 2 * DAY_MS) / 1_000))}`);
}

export async function removeParts(connection: Connection, account: string, parts: readonly string[]): Promise<void> {
  if (parts.length > 0) await connection.remove(TABLES.views, account, `part IN (${partList(parts)})`);
}

/** Parts without a segment, because their process was killed or the entry was lost; only those with views before `toMs`, if given. */
export async function orphanedParts(
  connection: Connection,
  account: string,
  known: readonly string[],
  { begunBeforeMs, toMs }: { readonly begunBeforeMs: number; readonly toMs?: number },
): Promise<string[]> {
  const table = tableIn(connection.address.database, TABLES.views);
  const conditions = [`account = ${literal(account)}`, ...(toMs === undefined ? [] : [`ts < ${literal(toMs)}`])];
  const sql = `SELECT DISTINCT part FROM ${table} WHERE ${conditions.join(' AND ')}`;
  const { rows } = await connection.select(sql, { timeoutMs: 600_000 });
  const isKnown = new Set(known);
  return rows.map(([part]) => String(part)).filter((part) => !isKnown.has(part) && partBegunMs(part) < begunBeforeMs);
}
