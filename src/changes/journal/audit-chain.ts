import { createHash } from 'node:crypto';
import { constants, existsSync, readFileSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { diskReason, VideoHostingError } from '../../errors.ts';
import { assertRegular, codeOf, fsyncFolder, isShortage, makeFolder, OPENS_AT_ONCE } from '../../platform/files.ts';
import { limitedSignal } from '../../platform/limited-signal.ts';
import { hasProcessEnded, processName } from '../../platform/process-liveness.ts';
import { ownCommand } from '../../text/own-command.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import {
  type AuditHead,
  type AuditRecord,
  auditLine,
  type FileRecord,
  type NewAuditRecord,
  NO_RECORDS,
  readAuditLine,
  type UnbegunChange,
  unbegunKey,
} from './audit-record.ts';
import { replayLines } from './change-record.ts';
import { idsIn } from './file-names.ts';
import { withRecordLock } from './record-lock.ts';
import { journalFailed } from './writer.ts';

/**
 * The records of the changes of an account, each with the hash of the one before, so that whoever noted one of them can tell later whether a
 * change was altered, removed or put elsewhere since. It lies beside the journal, in a file that is appended to, by one process at a time.
 */
export interface AuditChain {
  /** On disk before it resolves: what is added to the change’s file from now on is its writer’s. Throws `journal_failed`. */
  open(changeId: string): Promise<Writing>;
  /** The same for a change that has just begun, and nobody waits for it: if this process is killed first, the next one notes it. */
  begun(changeId: string): Writing;
  /** Notes one that waited and was never begun, unless a record tells of that end already. Nobody need wait for it. */
  unbegun(changeId: string, endedAt: string, change: () => UnbegunChange): void;
  /** Resolves once what has happened here is on disk. Never rejects: what could not be noted is told, and noted later. */
  noted(): Promise<void>;
  /** Notes what no record tells of, of processes that have ended. Never rejects, as above. */
  catchUp(): Promise<void>;
  /** The same when a server begins. A chain that was removed is not made anew for that: nobody could tell any more that it was. */
  catchUpAtStart(): Promise<void>;
  /** What this process saw of it that is not as it should be; what failed is tried once more first. */
  trouble(): Promise<ChainTrouble>;
  /** The last record, once all that has happened is noted durably. Throws `journal_failed`. */
  head(): Promise<AuditHead>;
  /** Waits until all is noted that can be, and begins nothing more. */
  end(): Promise<void>;
}

export interface ChainTrouble {
  /** Nothing can be noted now: why. */
  readonly failing?: Sentence;
  /** Records are missing, or were replaced. */
  readonly altered?: Sentence;
}

/** Of one writer, on one change. */
export interface Writing {
  /** It adds nothing more. Nobody need wait for it. */
  close(): void;
}

/** What is to be noted of a change’s file as it is then. */
type Event = Pick<NewAuditRecord, 'change' | 'event' | 'writer' | 'unbegun'>;

const LOCK = 'chain';
/** Files of changes that are read at once, so that nothing else waits for a long journal. */
const BATCH = 100;
/** What happens within so long is noted together: that costs a tenth. */
const DELAY_MS = 250;
const NOBODY: ReadonlySet<string> = new Set();
/** A lock that is held for longer was left in a folder that was moved away and put back; what is to be noted is noted by the next process. */
const LOCK_WAIT_MS = 5_000;
/** What could not be noted is tried again after so long. */
const RETRY_MS = 5_000;
/** Between a folder for records and the first of them there is less. */
const FIRST_RECORD_MS = 1_000;
/** Of what was read last, so much is compared with what is there: more than the hash at the end of a record. */
const COMPARED_BYTES = 200;

/** The file, in a folder of the account’s own. */
export const chainFileIn = (folder: string): string => join(folder, 'chain.jsonl');

let writings = 0;

/** `changes`: the folder of the journal. Nothing is written before something is to be noted. `log` is told of trouble at once. */
export function createAuditChain(folder: string, changes: string, log: (message: string) => void = () => undefined): AuditChain {
  const file = chainFileIn(folder);
  const fileOf = (change: string): string => join(changes, `${change}.jsonl`);
  /** The changes that it tells of, each with those who may add to it. */
  const known = new Map<string, ReadonlySet<string>>();
  /** The ends of others, which it tells of, or is to tell of once it was written. */
  const [unbegun, toBeNoted] = [new Set<string>(), new Set<string>()];
  let [head, offset] = [NO_RECORDS, 0];
  /** What stands before `offset`. */
  let end: Buffer = Buffer.alloc(0);
  let trouble: ChainTrouble = {};
  /** That a record does not follow on the one before it was told of this file. */
  let isBrokenTold = false;
  let pending: Event[] = [];
  let timer: NodeJS.Timeout | undefined;
  /** One after another, since each begins where the one before ended. */
  let last: Promise<unknown> = Promise.resolve();
  let [isEnding, isEnded, isCaughtUp] = [false, false, false];
  /** The account’s folder was there. One that is removed later stays away: made anew, it would be told as the whole history. */
  let isKept = existsSync(dirname(folder));

  async function makeOwnFolder(): Promise<void> {
    if (!isKept) await makeFolder(folder);
    isKept = true;
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }

  function note({ n, hash, change, event, writer, unbegun: ended }: Event & AuditHead): void {
    head = { n, hash };
    if (ended !== undefined) unbegun.add(unbegunKey(change, ended));
    // It has no file.
    if (event === 'unbegun') return;
    const writers = new Set(known.get(change));
    if (writer !== undefined) event === 'opened' ? writers.add(writer) : writers.delete(writer);
    known.set(change, writers.size === 0 ? NOBODY : writers);
  }

  function tellAltered(altered: Sentence): void {
    log(sentence`${altered} ${afterThat()}`);
    trouble = { ...trouble, altered };
  }

  /** Forgets what was read of a file that was cut or replaced, so that what happens next is noted in the one that is there. */
  async function forgetUnlessThere(handle: FileHandle, size: number): Promise<void> {
    if (offset === 0) return;
    const there = Buffer.alloc(end.length);
    if (size >= offset) await handle.read(there, 0, there.length, offset - there.length);
    if (size >= offset && there.equals(end)) return;
    tellAltered(
      sentence`The records of changes were cut or replaced while this process ran: it had read them up to record ${head.n}, which is not there any more.`,
    );
    [head, offset, end] = [NO_RECORDS, 0, Buffer.alloc(0)];
    known.clear();
    unbegun.clear();
    toBeNoted.clear();
    [isCaughtUp, isBrokenTold] = [false, false];
  }

  /** What was appended since it was read last, by whichever process. Resolves to whether the last line is whole. */
  async function read(handle: FileHandle): Promise<boolean> {
    const { size } = await handle.stat();
    await forgetUnlessThere(handle, size);
    if (size === offset) return true;
    const bytes = Buffer.alloc(size - offset);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
    const length = bytes.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    offset += length;
    end = Buffer.concat([end, bytes.subarray(0, length)].map((part) => part.subarray(-COMPARED_BYTES))).subarray(-COMPARED_BYTES);
    for (const [index, line] of bytes.toString('utf8', 0, length).split('\n').entries()) {
      if (index % LINES_AT_ONCE === LINES_AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
      const record = readAuditLine(line)?.record;
      if (record === undefined) continue;
      if (!isBrokenTold && (record.n !== head.n + 1 || record.prev !== head.hash)) {
        isBrokenTold = true;
        tellAltered(sentence`The records of changes are not as they were written: record ${record.n} does not follow on record ${head.n}.`);
      }
      if (record.n === head.n + 1) note(record);
    }
    return size === offset;
  }

  /** Appends what `eventsOf` makes of what is known, while nobody else appends. */
  function append(eventsOf: () => readonly Event[] | Promise<readonly Event[]>, isDurable: boolean): Promise<void> {
    const appended = last.then(async () => {
      await makeOwnFolder();
      const { signal, release } = limitedSignal(LOCK_WAIT_MS);
      await withRecordLock(folder, LOCK, signal, async () => {
        const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | OPENS_AT_ONCE, 0o600);
        try {
          await assertRegular(handle, file);
          const isWhole = await read(handle);
          const events = await eventsOf();
          await write(handle, events, isWhole);
          // Of what was never begun nothing else is kept for good.
          if (!isDurable && !events.some(({ event }) => event === 'unbegun')) return;
          await handle.datasync();
        } finally {
          await handle.close();
        }
        await fsyncFolder(folder);
      }).finally(release);
    });
    last = appended.then(tellWorking, tellFailing);
    return appended;
  }

  function tellFailing(error: unknown): void {
    const cause = error instanceof VideoHostingError ? error.cause : error;
    const failing =
      cause === undefined && error instanceof VideoHostingError ? error.reason : sentence`The disk refused it (${diskReason(cause)}).`;
    if (trouble.failing === undefined)
      log(sentence`What happens to changes can’t be recorded for audit now. ${failing} Changes go on, and it is tried again.`);
    trouble = { ...trouble, failing };
  }

  function tellWorking(): void {
    const { failing, ...rest } = trouble;
    if (failing !== undefined) log('What happens to changes is recorded for audit again.');
    trouble = rest;
  }

  async function write(handle: FileHandle, events: readonly Event[], isWhole: boolean): Promise<void> {
    const states = new Map<string, FileState | undefined>();
    const at = new Date().toISOString();
    let [text, now] = ['', head];
    const records: AuditRecord[] = [];
    for (const event of events) {
      const isOfFile = event.unbegun === undefined;
      // By another process, or before this one was started.
      if (event.unbegun !== undefined && unbegun.has(unbegunKey(event.change, event.unbegun))) continue;
      if (isOfFile && !states.has(event.change)) states.set(event.change, stateOf(fileOf(event.change)));
      const state = states.get(event.change);
      if (isOfFile && state === undefined) continue;
      const made = auditLine({ ...event, ...state }, now, at);
      text += made.line;
      now = made.head;
      records.push(made.record);
    }
    if (text === '') return;
    // A process that was killed may have left a part of a line, which stays for itself.
    await handle.appendFile(isWhole ? text : `\n${text}`);
    if (!isWhole) {
      await read(handle);
      return;
    }
    offset += Buffer.byteLength(text);
    end = Buffer.from(text).subarray(-COMPARED_BYTES);
    for (const record of records) note(record);
  }

  /** Notes what has happened here since the last time. What could not be noted is kept. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0 && trouble.failing === undefined) return;
    let events: Event[] = [];
    // Taken once those before are noted, or are back in their place.
    const taken = (): Event[] => {
      [events, pending] = [pending, []];
      return events;
    };
    await append(taken, false).catch((error: unknown) => {
      pending = [...events, ...pending];
      if (!isEnding) flushIn(RETRY_MS);
      throw error;
    });
  }

  function flushIn(ms: number): void {
    timer ??= setTimeout(() => void flush().catch(ignored), ms).unref();
  }

  function later(event: Event): void {
    if (isEnded) return;
    isKept ||= existsSync(dirname(folder));
    pending.push(event);
    flushIn(DELAY_MS);
    if (isEnding) void flush().catch(ignored);
  }

  const newWriter = (): string => {
    writings += 1;
    return `${processName()}~${writings}`;
  };
  const writingOf = (change: string, writer: string): Writing => ({ close: () => later({ change, event: 'closed', writer }) });

  /** What is to be noted of one change that this process need not know. */
  async function missed(change: string): Promise<readonly Event[]> {
    const told = known.get(change);
    const gone = [...(told ?? [])].filter(hasProcessEnded);
    if (told !== undefined && gone.length === 0) return [];
    const info = await stat(fileOf(change)).catch(() => undefined);
    const bytes = info && bytesOf(fileOf(change));
    const record = bytes && info && replayLines(bytes.toString(), info.mtimeMs);
    // Whoever carries it out notes it. Without its first line it is none, or damaged, which is told where it is verified.
    if (record === undefined || record.status === 'running') return [];
    return told === undefined ? [{ change, event: 'noted' }] : gone.map((writer) => ({ change, event: 'closed', writer }));
  }

  /** Whether there are changes, and a folder of records without any; of an account from before there were records, there is none. */
  const isRemoved = async (): Promise<boolean> =>
    isFolder(folder) && !existsSync(file) && idsIn(await readdir(changes).catch(noneIfGone)).length > 0;

  async function catchUpAtStart(): Promise<void> {
    if (await isRemoved()) {
      // Another process may be about to write the first.
      await sleep(FIRST_RECORD_MS, undefined, { ref: false });
      if (await isRemoved()) {
        tellAltered(
          sentence`There are changes of this account, and no record of any: the records were removed, or none could be written so far.`,
        );
        return;
      }
    }
    await catchUp();
  }

  async function catchUp(): Promise<void> {
    if (isEnding) return;
    isCaughtUp = true;
    try {
      await flush();
      const ids = idsIn(await readdir(changes).catch(noneIfGone)).toReversed();
      if (ids.length === 0) return;
      await append(() => [], false);
      const open = ids.filter((id) => known.get(id)?.size !== 0);
      for (let next = 0; next < open.length && !isEnding; next += BATCH)
        await append(async () => (await Promise.all(open.slice(next, next + BATCH).map(missed))).flat(), false);
    } catch (error) {
      isCaughtUp = false;
      throw error;
    }
  }

  return {
    async open(change) {
      const writer = newWriter();
      await flush().catch(ignored);
      await append(() => [{ change, event: 'opened', writer }], true).catch((error: unknown) => {
        throw error instanceof VideoHostingError ? error : journalFailed(change, error);
      });
      return writingOf(change, writer);
    },
    begun(change) {
      const writer = newWriter();
      later({ change, event: 'opened', writer });
      // What processes left that were killed.
      if (!isCaughtUp) void catchUp().catch(ignored);
      return writingOf(change, writer);
    },
    unbegun(change, endedAt, told) {
      const key = unbegunKey(change, { endedAt });
      if (unbegun.has(key) || toBeNoted.has(key)) return;
      toBeNoted.add(key);
      later({ change, event: 'unbegun', unbegun: told() });
    },
    async noted() {
      await flush().catch(ignored);
      await last;
    },
    catchUp: () => catchUp().catch(ignored),
    catchUpAtStart: () => catchUpAtStart().catch(ignored),
    async trouble() {
      if (trouble.failing !== undefined) await flush().catch(ignored);
      return trouble;
    },
    async head() {
      await catchUp();
      await append(() => [], true);
      return head;
    },
    async end() {
      isEnding = true;
      await flush().catch(ignored);
      await last;
      // What comes later is caught up by the next process: nothing is written in a folder that was given up.
      isEnded = true;
    },
  };
}

const LINES_AT_ONCE = 2_000;

const afterThat = (): Sentence =>
  sentence`What happens from now on is recorded after what is there. ${ownCommand('audit verify --head')} LINE, with a line that was noted before, tells what is missing.`;

/** It was told where it failed, and what could not be noted is tried again, by this process or by the next. */
const ignored = (): undefined => undefined;

const noneIfGone = (error: unknown): string[] => {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

type FileState = Pick<FileRecord, 'bytes' | 'sha256'>;

/** A file as it is now; undefined where there is none. At once, since files of changes are small. */
function stateOf(file: string): FileState | undefined {
  const bytes = bytesOf(file);
  return bytes && { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Undefined for what is no file, is not there, or can’t be read; a machine that is short of something tells nothing of it. */
function bytesOf(file: string): Buffer | undefined {
  try {
    // To open a pipe would wait for whoever writes into it.
    return statSync(file).isFile() ? readFileSync(file) : undefined;
  } catch (error) {
    if (isShortage(error)) throw error;
    return undefined;
  }
}
