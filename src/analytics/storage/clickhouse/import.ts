/**
 * The command `store import`: the views that a machine has in its folder, into a store, so that they need not be read from
 * the service again.
 */
import { cancelledError, VideoHostingError } from '../../../errors.ts';
import { VIEW_COLUMNS } from '../../columns.ts';
import type { Engine } from '../../engine/contract.ts';
import { isReadable } from '../../ingest/refresh-policy.ts';
import { createFolderStorage, type FolderStorage } from '../folder/folder-storage.ts';
import type { Segment } from '../folder/manifest.ts';
import { readViewerKey } from '../folder/viewer-key.ts';
import type { Connection } from './connection.ts';
import { lineOf } from './lines.ts';
import { createLog, type Log } from './log.ts';
import type { PartRows } from './part.ts';
import { seal } from './viewer-key.ts';
import { writePart } from './write-part.ts';

export interface ImportOptions {
  readonly connection: Connection;
  readonly account: string;
  /** The account's credential. */
  readonly secret: string;
  /** The folder of the account's views, and what reads its files. */
  readonly source: { readonly folder: string; readonly engine: Pick<Engine, 'query'> };
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, message: string) => void;
  readonly clock?: () => number;
}

export interface Imported {
  /** Views that were brought. */
  readonly views: number;
  /** Views that an earlier import had brought. */
  readonly before: number;
}

/** Most rows that a part is asked for; parts have fewer. */
const MAX_ROWS = 50_000_000;
const READ_MS = 10 * 60_000;

/**
 * Brings the windows of a folder to a store, each with the views it has. Hashes of viewers stay what they are, so the
 * folder's key for them goes with it, and what the store held under another key would not fit: it must hold nothing else.
 * Throws `not_found` where the folder has none, `store_refused` where the store has others, and `cancelled`. May be run
 * again: what is there already is left.
 */
export async function importLake({
  connection,
  account,
  secret,
  source,
  signal,
  progress,
  clock = Date.now,
}: ImportOptions): Promise<Imported> {
  const lake = createFolderStorage(source.folder, clock);
  const manifest = await lake.read();
  const windows = (manifest?.windows ?? []).filter(isReadable);
  if (manifest === undefined || windows.length === 0)
    throw new VideoHostingError('not_found', `There are no views in ${source.folder}.`, {
      hint: 'Views are read from the service when a question needs them, or ahead by `video-hosting-mcp sync --from DATE`.',
    });
  const log = createLog(connection, account, clock);
  await begin(log, lake, manifest.epoch, { account, secret });
  const held = new Set((await log.read()).manifest.windows.map(({ id }) => id));
  const total = windows.reduce((sum, { rows }) => sum + rows, 0);
  const done = { views: 0, before: 0 };
  for (const window of windows) {
    if (signal.aborted) throw cancelledError({ outcome: 'not-known' });
    if (held.has(window.id)) done.before += window.rows;
    else {
      const { part, setAsideFile: _, ...facts } = window;
      const content = await rowsOf(lake, source.engine, window, signal);
      const written = await writePart(connection, account, content, clock);
      await log.append({ kind: 'window', epoch: epochOf(manifest.epoch), window: { ...facts, ...written } }, window.id);
      done.views += window.rows;
    }
    progress(done.views + done.before, total, 'Bringing views');
  }
  return done;
}

/** The store's name of a folder's epoch. */
const epochOf = (epoch: string): string => `lake-${epoch}`;

/** Declares the folder's key the store's own, where it isn't yet. */
async function begin(
  log: Log,
  lake: FolderStorage,
  epoch: string,
  { account, secret }: { account: string; secret: string },
): Promise<void> {
  const { manifest } = await log.read();
  if (manifest.epoch === epochOf(epoch)) return;
  if (manifest.windows.some(({ rows }) => rows > 0))
    throw new VideoHostingError(
      'store_refused',
      'The store holds views of this account already, whose viewers are counted by another key.',
      {
        hint: 'Leave the folder as it is and let the store read the rest from the service, or remove what the store holds with `video-hosting-mcp forget --all` first.',
      },
    );
  const key = await readViewerKey(lake.folder, lake.temporaryFolder, epoch);
  await log.append({ kind: 'epoch', key: seal(secret, account, key) }, epochOf(epoch));
}

async function rowsOf(lake: FolderStorage, engine: Pick<Engine, 'query'>, window: Segment, signal: AbortSignal): Promise<PartRows> {
  if (window.part === undefined || window.rows === 0) return { rows: 0, async *lines() {} };
  const columns = VIEW_COLUMNS.map(({ name }) => (name === 'ts' ? 'epoch_ms(ts)' : name));
  const { rows } = await engine.query({
    parts: [lake.partPath(window.part)],
    sql: `SELECT ${columns.join(', ')} FROM views`,
    params: [],
    maxRows: MAX_ROWS,
    timeoutMs: READ_MS,
    signal,
  });
  return {
    rows: rows.length,
    async *lines(account, part) {
      for (const row of rows) yield lineOf([account, part, ...row]);
    },
  };
}
