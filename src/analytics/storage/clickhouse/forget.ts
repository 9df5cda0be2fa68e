import { randomUUID } from 'node:crypto';
import { BEGINNING_MS, overlaps } from '../../spans.ts';
import { partsOf, rowsOf } from '../segments.ts';
import { orphanedParts } from './collect-garbage.ts';
import type { Connection } from './connection.ts';
import { createLog } from './log.ts';
import { TABLES } from './tables.ts';

export interface RemovedViews {
  readonly views: number;
  /** What was removed up to: later than asked where a part held views of both sides. */
  readonly upToMs: number | undefined;
}

/**
 * Removes an account's views from a store, up to a moment or all. The log stops naming them first, for every process at
 * once; then the rows are removed, on every node, before the promise resolves.
 */
export async function forgetInStore(
  connection: Connection,
  account: string,
  upToMs: number | undefined,
  clock: () => number = Date.now,
): Promise<RemovedViews> {
  const log = createLog(connection, account, clock);
  const { snapshot, dead } = await log.read();
  if (upToMs === undefined) {
    const epoch = randomUUID();
    // Readings under way began in the epoch before, and are not stored.
    await log.append({ kind: 'epoch' }, epoch);
    await connection.remove(TABLES.views, account);
    await connection.remove(TABLES.leases, account);
    await log.removeAllBut(epoch);
    return { views: rowsOf(snapshot.segments), upToMs };
  }
  const span = { fromMs: BEGINNING_MS, toMs: upToMs };
  const gone = snapshot.segments.filter((segment) => overlaps(segment, span));
  // Segments that were replaced before may hold the same views.
  const all = [...gone, ...dead.filter((segment) => overlaps(segment, span))];
  const ids = all.map(({ id }) => id);
  const atMs = clock();
  await log.append({ kind: 'forgotten', span: { ...span, atMs }, windows: ids });
  const known = partsOf([...snapshot.segments, ...dead]);
  const orphans = await orphanedParts(connection, account, known, { begunBeforeMs: atMs, toMs: upToMs });
  await connection.remove(TABLES.views, account, 'part', [...partsOf(all), ...orphans]);
  await log.remove(ids);
  return { views: rowsOf(gone), upToMs: Math.max(upToMs, ...gone.map(({ toMs }) => toMs)) };
}
