/**
 * Where `analytics/sync` puts the views that it reads, with a store: the counterpart of `folder-keep.ts`, behind the same
 * interface (`sync/keep.ts`). Questions are asked by `store.ts`.
 */
import { randomUUID } from 'node:crypto';
import { overlaps } from '../../spans.ts';
import { collectGarbage } from '../folder/collect-garbage.ts';
import { createFolderStorage, SCHEMA } from '../folder/folder-storage.ts';
import { type Segment, trimmed, wasForgotten } from '../folder/manifest.ts';
import type { ReadSpan, ViewWriter, WriteResult } from '../view-writer.ts';
import { collectStoreGarbage } from './collect-garbage.ts';
import type { Connection } from './connection.ts';
import { createStoreLeases } from './leases.ts';
import type { Log } from './log.ts';
import { readPart } from './part.ts';
import { viewerHash } from './viewer-key.ts';
import { readCoverage } from './views.ts';
import { writePart } from './write-part.ts';

export interface ClickHouseWriterOptions {
  readonly connection: Connection;
  /** Whose views: `accountFingerprint`. */
  readonly account: string;
  readonly log: Log;
  /** The account's credential, from which the key for hashes of viewers follows. */
  readonly secret: string;
  /** The account's folder for views on this machine: what is being read waits there. */
  readonly folder: string;
  readonly clock?: () => number;
}

/** Keeps views in a ClickHouse store. Rows are written first and looked at; one entry of the record then makes them part of it. */
export function createClickHouseWriter({
  connection,
  account,
  log,
  secret,
  folder,
  clock = Date.now,
}: ClickHouseWriterOptions): ViewWriter {
  const lake = createFolderStorage(folder, clock);
  const leases = createStoreLeases(connection, account);
  const read = async () => (await log.read()).manifest;

  return {
    clock,
    read,
    open: read,
    lease: leases.take,
    async viewerHash(epoch) {
      const { manifest, key } = await log.read();
      return viewerHash(secret, account, epoch, manifest.epoch === epoch ? key : undefined);
    },
    workFolder: lake.workFolder,
    async isForgotten(spans, epoch) {
      const manifest = await read();
      return spans.some((span) => wasForgotten(manifest, span, epoch));
    },
    async keep({ setAsideLines: _, ...span }: ReadSpan, lines, { epoch }): Promise<WriteResult> {
      const window: Segment = {
        ...span,
        ...(await writePart(connection, account, await readPart(lines), clock)),
        id: randomUUID(),
        schema: SCHEMA,
      };
      const before = await read();
      if (wasForgotten(before, window, epoch)) return 'forgotten';
      const met = before.windows.filter((other) => overlaps(other, window));
      if (trimmed(met, window) === undefined) return 'beaten';
      await log.append({ kind: 'window', epoch, window }, window.id);
      const after = await read();
      if (after.windows.some(({ id }) => id === window.id)) return 'committed';
      return wasForgotten(after, window, epoch) ? 'forgotten' : 'beaten';
    },
    coverage: (span, how) => readCoverage(connection, account, log, span, how),
    async tidy() {
      await collectGarbage(lake);
      await collectStoreGarbage(connection, account, log, clock);
    },
  };
}
