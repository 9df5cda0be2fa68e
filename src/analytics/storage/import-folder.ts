/** The command `store import`: copies the views of the local folder into a store, so that they are not read from the service again. */
import { cancelledError, VideoHostingError } from '../../errors.ts';
import { ownCommand } from '../../text/own-command.ts';
import { sentence, word } from '../../text/sentence.ts';
import { VIEW_COLUMNS } from '../columns.ts';
import type { Engine } from '../engine/contract.ts';
import type { Connection } from './clickhouse/connection.ts';
import { createLog } from './clickhouse/log.ts';
import { type PartRows, writePart } from './clickhouse/part.ts';
import { lineOf } from './clickhouse/rows.ts';
import { seal } from './clickhouse/viewer-key.ts';
import { createFolderStorage, type FolderStorage } from './folder/folder-storage.ts';
import { isReadable, rowCount, type Segment } from './segments.ts';

export interface ImportOptions {
  readonly connection: Connection;
  readonly account: string;
  readonly secret: string;
  readonly source: { readonly folder: string; readonly engine: Pick<Engine, 'query'> };
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, message: string) => void;
}

interface ImportedViews {
  readonly views: number;
  /** Views that an earlier import copied. */
  readonly before: number;
}

/** More than any part has. */
const MAX_ROWS = 50_000_000;
const READ_TIMEOUT_MS = 10 * 60_000;

/**
 * Copies the segments of a folder into a store, together with the key for the hashes of viewers. Views in the store that were
 * hashed with another key would not match, so there must be none. Throws `not_found` if the folder has no views,
 * `store_refused` if the store has other views, and `cancelled`. A second run copies only what is missing.
 */
export async function importFolder({ connection, account, secret, source, signal, progress }: ImportOptions): Promise<ImportedViews> {
  const storage = createFolderStorage(source.folder, Date.now);
  const manifest = await storage.read();
  const segments = (manifest?.segments ?? []).filter(isReadable);
  if (manifest === undefined || segments.length === 0)
    throw new VideoHostingError('not_found', sentence`There are no views in ${word(source.folder, 1_000)}.`, {
      hint: sentence`A question reads the views that it needs from the service; \`${ownCommand('sync --from DATE')}\` reads them ahead.`,
    });
  const log = createLog(connection, account, Date.now);
  const epoch = `folder-${manifest.epoch}`;
  const { snapshot } = await log.read();
  if (snapshot.epoch !== epoch) {
    checkEmpty(snapshot.segments);
    await log.append({ kind: 'epoch', key: seal(secret, account, await storage.viewerKey(manifest.epoch)) }, epoch);
  }
  const { forgotten, segments: present } = (await log.read()).snapshot;
  const since = { epoch, forgotten };
  const stored = new Set(present.map(({ id }) => id));
  const done = { views: 0, before: 0 };
  for (const segment of segments) {
    if (signal.aborted) throw cancelledError({ outcome: 'not-known' });
    if (stored.has(segment.id)) done.before += segment.rows;
    else {
      const { part: _, file: __, ...facts } = segment;
      const content = await partRows(storage, source.engine, segment, signal);
      const written = await writePart(connection, account, content, Date.now);
      await log.append({ kind: 'segment', since, segment: { ...facts, ...written } }, segment.id);
      done.views += segment.rows;
    }
    progress(done.views + done.before, rowCount(segments), 'Importing views');
  }
  return done;
}

function checkEmpty(segments: readonly Segment[]): void {
  if (rowCount(segments) === 0) return;
  throw new VideoHostingError(
    'store_refused',
    'The store already contains views of this account, with viewers that were hashed with another key.',
    {
      hint: sentence`Leave the folder as it is and let the store read the rest from the service, or first remove the views in the store with \`${ownCommand('forget --all')}\`.`,
    },
  );
}

async function partRows(storage: FolderStorage, engine: Pick<Engine, 'query'>, segment: Segment, signal: AbortSignal): Promise<PartRows> {
  const parts = storage.partFilesOf([segment]);
  if (parts.length === 0) return { rows: 0, async *lines() {} };
  const columns = VIEW_COLUMNS.map(({ name }) => (name === 'ts' ? 'epoch_ms(ts)' : name));
  const { rows } = await engine.query({
    parts,
    sql: `SELECT ${columns.join(', ')} FROM views`,
    params: [],
    maxRows: MAX_ROWS,
    timeoutMs: READ_TIMEOUT_MS,
    signal,
  });
  return {
    rows: rows.length,
    async *lines(account, part) {
      for (const row of rows) yield lineOf([account, part, ...row]);
    },
  };
}
