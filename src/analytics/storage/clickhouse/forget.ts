import { randomUUID } from 'node:crypto';
import { BEGINNING_MS, overlaps } from '../../spans.ts';
import { partNames, rowCount } from '../segments.ts';
import { orphanedParts, removeParts } from './collect-garbage.ts';
import type { Connection } from './connection.ts';
import { createLog } from './log.ts';
import { TABLES } from './tables.ts';

interface RemovedViews {
  readonly views: number;
  /** Later than requested if a part holds views from both sides of that moment. */
  readonly upToMs: number | undefined;
}

/**
 * Removes an account's views from a store, up to a moment or all. The log stops naming them first, for every process; then
 * the rows are removed on every node.
 */
export async function forgetInStore(connection: Connection, account: string, upToMs: number | undefined): Promise<RemovedViews> {
  const log = createLog(connection, account, Date.now);
  const { snapshot, dead } = await log.read();
  if (upToMs === undefined) {
    const epoch = randomUUID();
    // Readings in progress belong to the epoch before and are not stored.
    await log.append({ kind: 'epoch' }, epoch);
    await connection.remove(TABLES.views, account);
    await connection.remove(TABLES.leases, account);
    await log.removeAllBut(epoch);
    return { views: rowCount(snapshot.segments), upToMs };
  }
  const span = { fromMs: BEGINNING_MS, toMs: upToMs };
  const gone = snapshot.segments.filter((segment) => overlaps(segment, span));
  // Segments that were replaced earlier may hold the same views.
  const all = [...gone, ...dead.filter((segment) => overlaps(segment, span))];
  const ids = all.map(({ id }) => id);
  const atMs = Date.now();
  await log.append({ kind: 'forgotten', span: { ...span, atMs }, segments: ids });
  const known = partNames([...snapshot.segments, ...dead]);
  const orphans = await orphanedParts(connection, account, known, { begunBeforeMs: atMs, toMs: upToMs });
  await removeParts(connection, account, [...partNames(all), ...orphans]);
  await log.remove(ids);
  return { views: rowCount(gone), upToMs: Math.max(upToMs, ...gone.map(({ toMs }) => toMs)) };
}
