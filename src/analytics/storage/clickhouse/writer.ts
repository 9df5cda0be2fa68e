import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { overlaps } from '../../spans.ts';
import type { ViewWriter } from '../contract.ts';
import { replacedBy, SCHEMA, type Segment, wasForgotten } from '../segments.ts';
import { createWorkFolder, removeAbandoned } from '../work-folder.ts';
import { collectStoreGarbage } from './collect-garbage.ts';
import type { Connection } from './connection.ts';
import { createStoreLeases } from './leases.ts';
import type { Log } from './log.ts';
import { readSpool, writePart } from './part.ts';
import { viewerHash } from './viewer-key.ts';

export interface ClickHouseWriterOptions {
  readonly connection: Connection;
  readonly account: string;
  readonly log: Log;
  /** The account's credential, from which the key for hashes of viewers is derived. */
  readonly secret: string;
  /** The account's folder for views on this machine, for files that are not stored yet. */
  readonly folder: string;
  readonly clock: () => number;
}

/** Stores views in a ClickHouse database. Rows are inserted and verified first; an entry of the log then makes them count. */
export function createClickHouseWriter({ connection, account, log, secret, folder, clock }: ClickHouseWriterOptions): ViewWriter {
  const snapshot = async () => (await log.read()).snapshot;
  return {
    clock,
    snapshot,
    open: snapshot,
    lease: createStoreLeases(connection, account),
    async viewerHash(epoch) {
      const { snapshot: current, key } = await log.read();
      return viewerHash(secret, account, epoch, current.epoch === epoch ? key : undefined);
    },
    workFolder: () => createWorkFolder(folder),
    async write(span, spool, { since, serviceMs }) {
      const written = await writePart(connection, account, await readSpool(spool), clock);
      const segment: Segment = { ...span, ...written, id: randomUUID(), schema: SCHEMA };
      const found = replacedBy(segment, await snapshot(), since, serviceMs);
      if (typeof found === 'string') return found;
      const ahead = found.ahead.map(({ id }) => id);
      // They would take precedence again once their time has come.
      if (ahead.length > 0) await log.append({ kind: 'retired', segments: ahead });
      const known = since.forgotten.filter((span) => overlaps(span, segment));
      await log.append({ kind: 'segment', since: { epoch: since.epoch, forgotten: known }, segment }, segment.id);
      const after = await snapshot();
      if (after.segments.some(({ id }) => id === segment.id)) return 'committed';
      return wasForgotten(after, segment, since) ? 'forgotten' : 'superseded';
    },
    async collectGarbage() {
      await removeAbandoned(join(folder, 'work'));
      await collectStoreGarbage(connection, account, log, clock);
    },
  };
}
