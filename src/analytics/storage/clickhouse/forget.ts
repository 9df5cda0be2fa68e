/**
 * The store's part of the command `forget`. The folder's is `analytics/forget.ts`.
 */
import { randomUUID } from 'node:crypto';
import { BEGINNING_MS, overlaps } from '../../spans.ts';
import { partsOfNobody } from './collect-garbage.ts';
import type { Connection } from './connection.ts';
import { createLog } from './log.ts';
import { TABLES } from './tables.ts';
import { partsOf } from './views.ts';

export interface Removed {
  readonly views: number;
  /** What was removed up to: later than asked where a part held views of both sides. */
  readonly upToMs: number | undefined;
}

/**
 * Removes an account's views from a store, up to a moment or all. First the record stops naming them, for everybody at
 * once; then the rows go, on every node, before the promise resolves.
 */
export async function forgetInStore(
  connection: Connection,
  account: string,
  upToMs: number | undefined,
  clock: () => number = Date.now,
): Promise<Removed> {
  const log = createLog(connection, account, clock);
  return upToMs === undefined ? removeAll() : removeUpTo(upToMs);

  async function removeAll(): Promise<Removed> {
    const { manifest } = await log.read();
    const epoch = randomUUID();
    // What is being read at the moment was begun under the epoch before, and is not kept.
    await log.append({ kind: 'epoch' }, epoch);
    await connection.remove(TABLES.views, account);
    await connection.remove(TABLES.leases, account);
    await log.removeBut(epoch);
    return { views: manifest.windows.reduce((sum, { rows }) => sum + rows, 0), upToMs: undefined };
  }

  async function removeUpTo(toMs: number): Promise<Removed> {
    const { manifest, dead } = await log.read();
    const span = { fromMs: BEGINNING_MS, toMs };
    const gone = manifest.windows.filter((window) => overlaps(window, span));
    // What was replaced before may hold the same views.
    const also = dead.filter((window) => overlaps(window, span));
    const ids = [...gone, ...also].map(({ id }) => id);
    const atMs = clock();
    await log.append({ kind: 'forgotten', span: { ...span, atMs }, windows: ids });
    const known = new Set(partsOf([...manifest.windows, ...dead]));
    const nobodys = await partsOfNobody(connection, account, known, { begunBeforeMs: atMs, toMs });
    await connection.remove(TABLES.views, account, 'part', [...partsOf([...gone, ...also]), ...nobodys]);
    await log.remove(ids);
    return { views: gone.reduce((sum, { rows }) => sum + rows, 0), upToMs: Math.max(toMs, ...gone.map((window) => window.toMs)) };
  }
}
