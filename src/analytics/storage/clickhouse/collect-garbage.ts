/**
 * The store's garbage: what was replaced, and what a killed process left behind. It runs after a sync (`sync.ts`), at most
 * once a day.
 */
import { DAY_MS } from '../../spans.ts';
import { tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Connection } from './connection.ts';
import type { Log } from './log.ts';
import { partBegunMs } from './part.ts';
import { TABLES } from './tables.ts';
import { partsOf } from './views.ts';

/** Rows are rewritten to remove some of them, so it is done seldom: what is replaced takes space and nothing else. */
const EVERY_MS = DAY_MS;

/**
 * Removes what nobody asks for any more. Windows that were replaced are declared void for good, and removed a day later
 * with their rows, when no question can still be reading them; so are rows of parts that never became a window.
 */
export async function collectStoreGarbage(connection: Connection, account: string, log: Log, clock: () => number): Promise<void> {
  const { dead, manifest, retired } = await log.read();
  const now = clock();
  if (retired.some(({ atMs }) => now - atMs < EVERY_MS)) return;
  const due = new Set(retired.flatMap(({ windows }) => windows));
  const gone = dead.filter(({ id }) => due.has(id));
  const known = new Set([...partsOf(manifest.windows), ...partsOf(dead)]);
  const left = await partsOfNobody(connection, account, known, { begunBeforeMs: now - EVERY_MS });
  const parts = [...new Set([...partsOf(gone), ...left])].filter((part) => !partsOf(manifest.windows).includes(part));
  await connection.remove(TABLES.views, account, 'part', parts);
  await log.remove([...gone.map(({ id }) => id), ...retired.map(({ id }) => id)]);
  const fresh = dead.filter(({ id }) => !due.has(id)).map(({ id }) => id);
  if (fresh.length > 0) await log.append({ kind: 'retired', windows: fresh });
  await connection.removeBefore(TABLES.leases, account, Math.floor((now - 2 * DAY_MS) / 1_000));
}

/** Parts that no window is known to have: their process was killed, or the record was lost. With views before `toMs`, where that is given. */
export async function partsOfNobody(
  connection: Connection,
  account: string,
  known: ReadonlySet<string>,
  { begunBeforeMs, toMs }: { readonly begunBeforeMs: number; readonly toMs?: number },
): Promise<string[]> {
  const table = tableIn(connection.address.database, TABLES.views);
  const { rows } = await connection.select({
    sql: (bind) =>
      `SELECT DISTINCT part FROM ${table} WHERE account = ${bind(account)}${toMs === undefined ? '' : ` AND ts < ${bind(toMs)}`}`,
    timeoutMs: 600_000,
  });
  return rows.map(([part]) => String(part)).filter((part) => !known.has(part) && partBegunMs(part) < begunBeforeMs);
}
