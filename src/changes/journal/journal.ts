import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SentContents } from '../../account/contents.ts';
import { VideoHostingError } from '../../errors.ts';
import { makeFolder, writeDurably } from '../../platform/files.ts';
import { thisProcess } from '../../platform/process-liveness.ts';
import type { BulkState } from '../bulk/bulk-state.ts';
import { lastSentTo } from '../channels/last-sent.ts';
import type { ChangeKind, Seen } from '../plan.ts';
import { type ChangeRecord, replayLines } from './change-record.ts';
import type { Intent } from './format.ts';
import { type ChangeWriter, claimTurn, createChangeWriter, journalFailed, resumeChangeWriter } from './writer.ts';

/**
 * The journal of one account: a folder with a file a change, a JSON line an event, owner-only and append-only. A file
 * has one writer, so processes never write into each other's lines, and it reads well in a text editor.
 */
export interface Journal {
  /** A new change's id; ids sort by time. */
  newChangeId(): string;
  /** Puts the intent, and the ids of a bulk change, on disk, durably. Nothing may be sent before this is done. */
  begin(intent: Omit<Intent, 'type' | 'format' | 'at' | 'process'>, ids?: readonly string[]): Promise<ChangeWriter>;
  /** Carries a bulk change on in its file, from what is known of it once its turn is ours. Undefined when another process was quicker. */
  resume(changeId: string): Promise<{ readonly writer: ChangeWriter; readonly state: BulkState } | undefined>;
  /** Throws `not_found` where the file is there and its first line is torn. */
  read(changeId: string): Promise<ChangeRecord | undefined>;
  /** The ids of a bulk change. */
  readIds(changeId: string): Promise<string[]>;
  /** Asks whichever process carries a change out to stop it. */
  requestStop(changeId: string): Promise<void>;
  /** Newest first. */
  list(limit: number, wanted?: Wanted): Promise<ChangeRecord[]>;
  /** All of some kinds, newest first, each read when it comes to it; of those that are newer than `newerThan`, where that is given. */
  each(kinds: readonly ChangeKind[], newerThan?: string): AsyncIterable<ChangeRecord>;
  /**
   * Tells of a channel what this server last sent as its content, if the channel is still as it was after that: by the
   * changes that are there when it is first asked, so for channels that were read before.
   */
  sentContents(): (channelId: string, seen: Seen) => Promise<SentContents | undefined>;
  /** Where a file that belongs to a change lies. */
  pathOf(changeId: string, ending: 'fates.csv'): string;
}

/** Which changes a list is to hold; all unless said. */
interface Wanted {
  readonly status?: ChangeRecord['status'] | undefined;
  /** What their ids begin with. */
  readonly idStart?: string;
}

/** What never changes of a change, so that its file need not be opened again to pass it over. */
interface Settled {
  readonly kind: ChangeKind;
  /** The records that it may have written; undefined as long as that may change. */
  readonly written: readonly string[] | undefined;
  /** Of what can't be carried on. */
  readonly status: ChangeRecord['status'] | undefined;
}

/** Changes whose files were read are kept for the next time, up to so many bytes. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** What a record takes: of each byte of its file, and of each id of a bulk change (`bulk-state.ts`). */
const BYTES_PER_FILE_BYTE = 3;
const BYTES_PER_ID = 3;

/** Files of changes that are read at once. */
const MAX_AHEAD = 8;

/** A change's record, and what its file was when it was read. */
interface Kept {
  readonly size: number;
  readonly mtimeMs: number;
  readonly record: ChangeRecord;
}

function bytesOf(kept: Kept | undefined): number {
  return kept === undefined ? 0 : kept.size * BYTES_PER_FILE_BYTE + (kept.record.bulk?.total ?? 0) * BYTES_PER_ID;
}

/** A time of last touch that makes whoever wrote it count as gone. */
const LONG_AGO = 0;

const CHANGE_ID = /^chg-[0-9a-z]{9}-[0-9a-z]{4}$/;

/** Touches nothing on disk before the first change begins. */
export function createJournal(folder: string): Journal {
  const fileOf = (changeId: string, ending = 'jsonl') => join(folder, `${changeId}.${ending}`);
  const cache = new Map<string, Kept>();
  let keptBytes = 0;
  const settled = new Map<string, Settled>();

  async function read(changeId: string): Promise<ChangeRecord | undefined> {
    if (!CHANGE_ID.test(changeId)) return undefined;
    const info = await stat(fileOf(changeId)).catch(() => undefined);
    if (info === undefined) return undefined;
    const known = cache.get(changeId);
    if (known?.record.ended !== undefined && known.size === info.size && known.mtimeMs === info.mtimeMs) return known.record;
    // What can't be read at all, or was taken away this very moment, is as good as torn.
    const text = await readFile(fileOf(changeId), 'utf8').catch(() => '');
    const record = replayLines(text, info.mtimeMs);
    // A copy under another name tells of nothing that was done under that one.
    if (record?.intent.changeId !== changeId) throw tornAtTheTop(changeId);
    keep(changeId, { size: info.size, mtimeMs: info.mtimeMs, record });
    return record;
  }

  function forget(changeId: string): void {
    keptBytes -= bytesOf(cache.get(changeId));
    cache.delete(changeId);
  }

  function keep(changeId: string, entry: Kept): void {
    const { intent, items, bulk, ended, status } = entry.record;
    forget(changeId);
    cache.set(changeId, entry);
    keptBytes += bytesOf(entry);
    for (const oldest of cache.keys()) {
      if (keptBytes <= MAX_KEPT_BYTES) break;
      forget(oldest);
    }
    const { kind } = intent;
    if (bulk !== undefined) settled.set(changeId, { kind, written: [], status: undefined });
    else if (ended === undefined) settled.set(changeId, { kind, written: undefined, status: undefined });
    else settled.set(changeId, { kind, written: items.map(({ id, result }) => String(result?.id ?? id)), status });
  }

  async function idsNewestFirst(): Promise<readonly string[]> {
    const names = await readdir(folder).catch(() => []);
    const ids = names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length));
    return ids.sort().reverse();
  }

  /** Those of the changes that may match, each read when it comes to it. */
  async function* eachOf(
    all: Promise<readonly string[]>,
    mayMatch: (changeId: string, settled: Settled | undefined) => boolean,
    kinds?: readonly ChangeKind[],
  ): AsyncGenerator<ChangeRecord> {
    const ids = (await all).filter((id) => mayMatch(id, settled.get(id)));
    // Most want but a few; who looks through all of them waits for the disk less often.
    for (let at = 0, ahead = 1; at < ids.length; at += ahead, ahead = Math.min(ahead * 2, MAX_AHEAD)) {
      // One that can't be read hides no other.
      const records = await Promise.all(ids.slice(at, at + ahead).map((id) => read(id).catch(noneIfTorn)));
      for (const record of records) if (record !== undefined && kinds?.includes(record.intent.kind) !== false) yield record;
    }
  }

  return {
    newChangeId: () =>
      `chg-${Date.now().toString(36).padStart(9, '0')}-${(randomBytes(4).readUInt32BE() % 36 ** 4).toString(36).padStart(4, '0')}`,
    async begin(intent, ids) {
      const first = { type: 'intent', format: 1, at: new Date().toISOString(), process: thisProcess(), ...intent } as const;
      try {
        await makeFolder(folder);
        return await createChangeWriter(folder, intent.changeId, ids === undefined ? first : { ...first, ids: ids.length }, ids);
      } catch (error) {
        throw journalFailed(intent.changeId, error);
      }
    },
    async resume(changeId) {
      const before = await read(changeId);
      if (before?.bulk === undefined || before.status === 'running') return undefined;
      const turn = await claimTurn(folder, changeId, before.turn);
      if (turn === undefined) return undefined;
      // Whoever had it last may have written until now; whatever is written from here on was not sent.
      const record = replayLines(await readFile(fileOf(changeId), 'utf8'), LONG_AGO);
      if (record?.bulk === undefined) return undefined;
      const first = { type: 'resumed', at: new Date().toISOString(), turn, process: thisProcess() } as const;
      return { writer: await resumeChangeWriter(folder, changeId, first, turn), state: record.bulk };
    },
    read,
    readIds: async (changeId) => (await readFile(fileOf(changeId, 'ids'), 'utf8')).split('\n'),
    requestStop: (changeId) => writeDurably(fileOf(changeId, 'stop'), ''),
    async list(limit, { status, idStart = '' } = {}) {
      const found: ChangeRecord[] = [];
      const mayMatch = (id: string, known: Settled | undefined) =>
        id.startsWith(idStart) && (status === undefined || known?.status === undefined || known.status === status);
      for await (const record of eachOf(idsNewestFirst(), mayMatch)) {
        if (status === undefined || record.status === status) found.push(record);
        if (found.length >= limit) break;
      }
      return found;
    },
    each: (kinds, newerThan = '') =>
      eachOf(idsNewestFirst(), (id, known) => id > newerThan && (known === undefined || kinds.includes(known.kind)), kinds),
    sentContents() {
      let ids: Promise<readonly string[]> | undefined;
      return async (channelId, seen) => {
        ids ??= idsNewestFirst();
        const changes = eachOf(ids, (_id, known) => known?.written?.includes(channelId) ?? true);
        return lastSentTo(channelId, seen, changes);
      };
    },
    pathOf: fileOf,
  };
}

function tornAtTheTop(changeId: string): VideoHostingError {
  return new VideoHostingError('not_found', `${changeId} is there, but its journal can’t be read: the first line, its intent, is torn.`, {
    facts: { outcome: 'nothing-sent' },
    hint: 'Nothing is sent before that line is on disk; if the file was damaged later, look at the account itself.',
  });
}

function noneIfTorn(error: unknown): undefined {
  if (error instanceof VideoHostingError) return undefined;
  throw error;
}
