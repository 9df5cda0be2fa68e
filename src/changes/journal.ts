import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type ChangeRecord, foldLines } from './change-record.ts';
import type { Intent, Line } from './journal-lines.ts';
import type { ItemOutcome, Seen } from './plan.ts';

/**
 * The journal of one account: a folder with a file a change, a JSON line an event, owner-only and append-only. A file
 * has one writer, so processes never write into each other's lines, and it reads well in a text editor.
 */
export interface Journal {
  /** A new change's id; ids sort by time. */
  newChangeId(): string;
  /** Puts the intent on disk, durably. Nothing may be sent before this is done. */
  begin(intent: Omit<Intent, 'type' | 'format' | 'at' | 'process'>): Promise<ChangeWriter>;
  read(changeId: string): Promise<ChangeRecord | undefined>;
  /** Newest first. */
  list(limit: number, wanted?: (record: ChangeRecord) => boolean): Promise<ChangeRecord[]>;
  /** What this server last sent as a channel's content, if the channel is still as it was after that. */
  contentsSentTo(channelId: string, seen: Seen): Promise<SentContents | undefined>;
}

export interface SentContents {
  readonly videoKeys?: readonly string[];
  readonly projectKeys?: readonly string[];
  readonly changeId: string;
  /** When it was sent. */
  readonly at: string;
}

export interface ChangeWriter {
  /** Durable before it resolves. */
  sending(id: string): Promise<void>;
  record(id: string, outcome: ItemOutcome): Promise<void>;
  /** Durable before it resolves; the writer is closed by it. */
  end(status: 'applied' | 'partly_applied' | 'stopped' | 'failed', message?: string): Promise<void>;
}

/** A running change touches its file this often, so that others can tell it from one whose process is gone. */
const HEARTBEAT_MS = 5_000;
const CHANGE_ID = /^chg-[0-9a-z]{9}-[0-9a-z]{4}$/;

export function createJournal(folder: string): Journal {
  const fileOf = (changeId: string) => join(folder, `${changeId}.jsonl`);
  const cache = new Map<string, { size: number; mtimeMs: number; record: ChangeRecord }>();

  async function read(changeId: string): Promise<ChangeRecord | undefined> {
    if (!CHANGE_ID.test(changeId)) return undefined;
    const info = await stat(fileOf(changeId)).catch(() => undefined);
    if (info === undefined) return undefined;
    const known = cache.get(changeId);
    if (known?.record.ended !== undefined && known.size === info.size && known.mtimeMs === info.mtimeMs) return known.record;
    const record = foldLines(await readFile(fileOf(changeId), 'utf8'), info.mtimeMs);
    if (record !== undefined) cache.set(changeId, { size: info.size, mtimeMs: info.mtimeMs, record });
    return record;
  }

  async function* newestFirst(): AsyncGenerator<ChangeRecord> {
    const names = await readdir(folder).catch(() => []);
    const ids = names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length));
    for (const id of ids.sort().reverse()) {
      const record = await read(id);
      if (record !== undefined) yield record;
    }
  }

  return {
    newChangeId: () =>
      `chg-${Date.now().toString(36).padStart(9, '0')}-${(randomBytes(4).readUInt32BE() % 36 ** 4).toString(36).padStart(4, '0')}`,
    begin: (intent) => beginChange(folder, fileOf(intent.changeId), intent),
    read,
    async list(limit, wanted = () => true) {
      const found: ChangeRecord[] = [];
      for await (const record of newestFirst()) {
        if (wanted(record)) found.push(record);
        if (found.length >= limit) break;
      }
      return found;
    },
    async contentsSentTo(channelId, seen) {
      // Without both marks nobody can tell whether the channel is still as we left it.
      if (seen.version === null || seen.updated === null) return undefined;
      for await (const record of newestFirst()) {
        const found = sentIn(record, channelId, seen);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

function sentIn(record: ChangeRecord, channelId: string, seen: Seen): SentContents | undefined {
  for (const item of record.items) {
    if (item.outcome !== 'done' || (item.result?.id ?? item.id) !== channelId) continue;
    if (item.seenAfter?.version !== seen.version || item.seenAfter.updated !== seen.updated) continue;
    const { videoKeys, projectKeys } = item.after;
    if (!isKeys(videoKeys) && !isKeys(projectKeys)) continue;
    return {
      ...(isKeys(videoKeys) ? { videoKeys } : {}),
      ...(isKeys(projectKeys) ? { projectKeys } : {}),
      changeId: record.intent.changeId,
      at: item.at ?? record.intent.at,
    };
  }
  return undefined;
}

const isKeys = (value: unknown): value is string[] => Array.isArray(value) && value.every((key) => typeof key === 'string');

async function beginChange(
  folder: string,
  file: string,
  intent: Omit<Intent, 'type' | 'format' | 'at' | 'process'>,
): Promise<ChangeWriter> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const started = new Date(Date.now() - process.uptime() * 1000).toISOString();
  const handle = await open(file, 'ax', 0o600);
  const line = { type: 'intent', format: 1, at: now(), process: { pid: process.pid, host: hostname(), started }, ...intent } as const;
  await append(handle, line);
  await handle.datasync();
  await syncFolder(folder);
  return createWriter(handle, file);
}

function createWriter(handle: FileHandle, file: string): ChangeWriter {
  // One line after the other: outcomes of requests in flight arrive together.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const heartbeat = setInterval(() => utimes(file, new Date(), new Date()).catch(() => undefined), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    sending: (id) =>
      inTurn(async () => {
        await append(handle, { type: 'sending', at: now(), id });
        await handle.datasync();
      }),
    record: (id, outcome) => inTurn(() => append(handle, { type: 'outcome', at: now(), id, ...outcome })),
    end: (status, message) =>
      inTurn(async () => {
        clearInterval(heartbeat);
        await append(handle, { type: 'end', at: now(), status, ...(message === undefined ? {} : { message }) });
        await handle.datasync();
        await handle.close();
      }),
  };
}

const now = () => new Date().toISOString();

async function append(handle: FileHandle, line: Line | Record<string, unknown>): Promise<void> {
  await handle.appendFile(`${JSON.stringify(line)}\n`);
}

async function syncFolder(folder: string): Promise<void> {
  // Windows can't open a folder; its file systems keep the name with the file.
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}
