/** The command `store import`: copies the views of this machine's folder into a store, so that they need not be read from the service again. */
import { cancelledError, VideoHostingError } from '../../errors.ts';
import { VIEW_COLUMNS } from '../columns.ts';
import type { Engine } from '../engine/contract.ts';
import type { Connection } from './clickhouse/connection.ts';
import { createLog } from './clickhouse/log.ts';
import { type PartRows, writePart } from './clickhouse/part.ts';
import { lineOf } from './clickhouse/rows.ts';
import { seal } from './clickhouse/viewer-key.ts';
import { createFolderStorage, type FolderStorage } from './folder/folder-storage.ts';
import { isReadable, rowsOf, type Segment } from './segments.ts';

export interface ImportOptions {
  readonly connection: Connection;
  readonly account: string;
  /** The account's credential. */
  readonly secret: string;
  /** The folder of the account's views, and what reads its files. */
  readonly source: { readonly folder: string; readonly engine: Pick<Engine, 'query'> };
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, message: string) => void;
}

export interface ImportedViews {
  /** Views that were imported. */
  readonly views: number;
  /** Views that an earlier import had brought. */
  readonly before: number;
}

/** Parts have fewer rows. */
const MAX_ROWS = 50_000_000;
const READ_TIMEOUT_MS = 10 * 60_000;

/**
 * Copies the segments of a folder into a store. The hashes of viewers stay the same, so the folder's key is copied too, and
 * views that were hashed with another key would not match: the store must have none. Throws `not_found` where the folder has
 * no views, `store_refused` where the store has others, and `cancelled`. May be run again: it copies what is missing.
 */
export async function importFolder({ connection, account, secret, source, signal, progress }: ImportOptions): Promise<ImportedViews> {
  const storage = createFolderStorage(source.folder, Date.now);
  const manifest = await storage.read();
  const segments = (manifest?.segments ?? []).filter(isReadable);
  if (manifest === undefined || segments.length === 0)
    throw new VideoHostingError('not_found', `There are no views in ${source.folder}.`, {
      hint: 'Views are read from the service when a question needs them, or ahead by `video-hosting-mcp sync --from DATE`.',
    });
  const log = createLog(connection, account, Date.now);
  const epoch = `lake-${manifest.epoch}`;
  const { snapshot } = await log.read();
  if (snapshot.epoch !== epoch) {
    checkEmpty(snapshot.segments);
    await log.append({ kind: 'epoch', key: seal(secret, account, await storage.viewerKey(manifest.epoch)) }, epoch);
  }
  const stored = new Set((await log.read()).snapshot.segments.map(({ id }) => id));
  const done = { views: 0, before: 0 };
  for (const segment of segments) {
    if (signal.aborted) throw cancelledError({ outcome: 'not-known' });
    if (stored.has(segment.id)) done.before += segment.rows;
    else {
      const { part: _, ...facts } = segment;
      const content = await partRows(storage, source.engine, segment, signal);
      const written = await writePart(connection, account, content, Date.now);
      await log.append({ kind: 'window', epoch, window: { ...facts, ...written } }, segment.id);
      done.views += segment.rows;
    }
    progress(done.views + done.before, rowsOf(segments), 'Importing views');
  }
  return done;
}

function checkEmpty(segments: readonly Segment[]): void {
  if (rowsOf(segments) === 0) return;
  throw new VideoHostingError(
    'store_refused',
    'The store holds views of this account already, whose viewers are hashed with another key.',
    {
      hint: 'Leave the folder as it is and let the store read the rest from the service, or remove what the store holds with `video-hosting-mcp forget --all` first.',
    },
  );
}

async function partRows(storage: FolderStorage, engine: Pick<Engine, 'query'>, segment: Segment, signal: AbortSignal): Promise<PartRows> {
  if (segment.part === undefined || segment.rows === 0) return { rows: 0, async *lines() {} };
  const columns = VIEW_COLUMNS.map(({ name }) => (name === 'ts' ? 'epoch_ms(ts)' : name));
  const { rows } = await engine.query({
    parts: [storage.partPath(segment.part)],
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
