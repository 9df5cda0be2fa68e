/** Writes the lines of one change into its file. One process at a time does (`change-owner.ts`). */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, fdatasync, openSync, writeSync } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { diskReason } from '../../errors/disk-error.ts';
import { VideoHostingError } from '../../errors.ts';
import {
  appendToFile,
  codeOf,
  fsyncFolder,
  linkExclusive,
  moveFile,
  namingFile,
  removeIfPossible,
  writeDurably,
} from '../../platform/files.ts';
import { HEARTBEAT_MS } from '../../platform/process-liveness.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Stopped } from '../plan/asked-and-decided.ts';
import { eachChunk, type IdRows, rowBytes } from '../plan/id-files.ts';
import type { Outcome } from './bulk-state.ts';
import { isLate } from './change-order.ts';
import { beginsToWrite, claimFile, isOfLiving } from './change-owner.ts';
import { isIntentWhole } from './change-reader.ts';
import { LONG, OFFER } from './file-names.ts';
import type { ItemOutcome, Line } from './format.ts';
import { withRecordLock } from './record-lock.ts';
import { stopFileOf, stopRequestIn } from './stop-request.ts';

export interface ChangeWriter {
  /** Announces the request for an item; on disk before it resolves. Rejects like `sendingRange`. */
  sending(id: string): Promise<void>;
  record(id: string, outcome: ItemOutcome): Promise<void>;
  /**
   * Announces the request for ids of a bulk change; on disk before it resolves only where `durable`. Rejects with
   * `journal_failed`, or with `not_approved` once another process has taken the change over.
   */
  sendingRange(from: number, to: number, durable: boolean): Promise<void>;
  /** Records the outcome of ids: in the file when it resolves, on disk with the end. Once another process has taken the change over, it does nothing. */
  recordRange(from: number, to: number, outcome: Outcome | 'retrying', reason?: Sentence, isAsBefore?: boolean): Promise<void>;
  /** Records the end, durably, and closes the file. */
  end(
    status: End['status'],
    facts: Pick<End, 'message' | 'hint' | 'advice' | 'setup' | 'wantsJwt' | 'credential' | 'requests' | 'stopped' | 'resumeFrom'>,
  ): Promise<void>;
  /** Sets what is called when another process asks for the change to stop, with who does, where that is known. */
  onStopRequest(stop: (by: Stopped | undefined) => void): void;
  /** Calls that if another process asks for it now. */
  lookForStopRequest(): void;
  /** Runs `act` while no other process with this journal works on the same record of the account. */
  withRecordLock<T>(id: string, stop: AbortSignal, act: () => Promise<T>): Promise<T>;
  /** False once another process has taken the change over. */
  isOwner(): boolean;
}

type End = Extract<Line, { type: 'end' }>;

/** The line with which a writer begins. */
type FirstLine = Extract<Line, { type: 'intent' | 'resumed' }>;

/**
 * Creates a new change's file with its first line, and before it the files of its ids and rows, all durably.
 * Rejects with Node's error where the disk refuses.
 */
export async function createChangeWriter(
  folder: string,
  changeId: string,
  first: FirstLine,
  ids?: readonly string[],
  rows?: IdRows,
): Promise<ChangeWriter> {
  const file = join(folder, `${changeId}.jsonl`);
  // Before anything of it is written over.
  if (existsSync(file) && isIntentWhole(file)) throw new Error(TAKEN);
  // What a kill left of an earlier beginning sent nothing, and must not keep this one from its name.
  if (existsSync(file)) await moveFile(file, join(folder, `${changeId}.torn`));
  const lists = [
    ...(ids === undefined ? [] : [{ path: join(folder, `${changeId}.ids`), bytes: eachChunk(ids) }]),
    ...(rows === undefined ? [] : [{ path: join(folder, `${changeId}.rows`), bytes: rowBytes(rows) }]),
  ];
  const endsToWrite = beginsToWrite(changeId);
  let fd: number | undefined;
  try {
    for (const { path, bytes } of lists) await writeDurably(path, bytes);
    // A whole intent or none, so that nobody ever takes a change for begun that is not.
    const isFirst = await linkExclusive(join(folder, `${changeId}.${randomUUID()}${INTENT}`), textOf(first), file);
    if (!isFirst) throw new Error(TAKEN);
    fd = openSync(file, constants.O_WRONLY | constants.O_APPEND);
    await fsyncFolder(folder);
    return createWriter(fd, folder, first, changeId, endsToWrite);
  } catch (error) {
    endsToWrite();
    if (fd !== undefined) closeSync(fd);
    // On a full disk they take the room that is missing.
    if (!existsSync(file)) for (const { path } of lists) await removeIfPossible(path);
    throw error;
  }
}

const TAKEN = 'there is a change of this id already';

/** As `OFFER`, of the first line of a change. */
const INTENT = '.intent';

/** Removes such files of processes that were killed before that. */
export async function removeUnfinished(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names)
    if (name.endsWith(INTENT) || name.endsWith(OFFER)) {
      const file = join(folder, name);
      // It may have got its name by now.
      if (!(await isOfLiving(file).catch(() => true))) await removeIfPossible(file);
    }
}

/** Resumes an earlier change's file, in an epoch that was claimed. Rejects like `createChangeWriter`. */
export async function resumeChangeWriter(folder: string, changeId: string, first: FirstLine): Promise<ChangeWriter> {
  const fd = openSync(join(folder, `${changeId}.jsonl`), constants.O_WRONLY | constants.O_APPEND);
  const endsToWrite = beginsToWrite(changeId);
  try {
    // After a kill the last line may be torn.
    writeAll(fd, '\n');
    writeLine(fd, first);
    await datasync(fd);
    await removeIfPossible(stopFileOf(folder, changeId));
    return createWriter(fd, folder, first, changeId, endsToWrite);
  } catch (error) {
    endsToWrite();
    closeSync(fd);
    throw error;
  }
}

/** Adds outcomes that a later look found, for the epoch that was read; an owner of a later one passes them over. Rejects with Node's error. */
export async function appendFound(folder: string, changeId: string, epoch: number, found: ReadonlyMap<string, ItemOutcome>): Promise<void> {
  const at = new Date().toISOString();
  const lines = [...found].map(([id, outcome]): Line => ({ type: 'outcome', epoch, at, id, ...outcome, found: true }));
  const file = join(folder, `${changeId}.jsonl`);
  const { atime, mtime } = await stat(file);
  // After a kill the last line may be torn.
  await appendToFile(file, `\n${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}`);
  // It is no heartbeat of the owner.
  if (!existsSync(claimFile(folder, changeId, epoch + 1))) await utimes(file, atime, mtime);
}

const datasync = promisify(fdatasync);

/** Synchronously, so that lines never mix, and since a thread of the pool would take several times as long. */
function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  // A disk that is nearly full takes a part, and refuses the rest.
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}

const textOf = (line: Line): string => `${JSON.stringify(line)}\n`;

const writeLine = (fd: number, line: Line): void => writeAll(fd, textOf(line));

/** Touches the file as a heartbeat, and polls for a request to stop, until `end`. */
function createWriter(opened: number, folder: string, first: FirstLine, changeId: string, endsToWrite: () => void): ChangeWriter {
  const { epoch = 0 } = 'epoch' in first ? first : {};
  const file = join(folder, `${changeId}.jsonl`);
  const stopFile = stopFileOf(folder, changeId);
  const nextClaim = claimFile(folder, changeId, epoch + 1);
  let fd = opened;
  let onStop: (by: Stopped | undefined) => void = () => {};
  const beat = () => void Promise.all([markIfLong(), utimes(file, new Date(), new Date())]).catch(() => undefined);
  const heartbeat = setInterval(beat, HEARTBEAT_MS).unref();
  const lookForStopRequest = () => {
    if (existsSync(stopFile)) onStop(stopRequestIn(stopFile));
  };
  const stopPoll = setInterval(lookForStopRequest, STOP_POLL_MS).unref();

  const isOwner = () => !existsSync(nextClaim);
  /** Never before the writer began: the clock may be set back. */
  const now = (): string => new Date(Math.max(Date.now(), Date.parse(first.at))).toISOString();

  /** Before it does anything so long after its beginning, so that no search passes it over: it may have slept with the machine. */
  let isMarked = false;
  async function markIfLong(): Promise<void> {
    if (isMarked || !isLate({ changeId, at: now() })) return;
    await writeDurably(join(folder, `${changeId}.${LONG}`), '');
    isMarked = true;
  }

  /**
   * Writes the line first and checks the ownership then: a process that takes the change over claims its epoch first and
   * reads the lines then, so that either our line is seen or its claim is.
   */
  async function writeAsOwner(line: Line, durable: boolean): Promise<void> {
    if (!isOwner()) throw takenOver(changeId);
    if (!existsSync(file)) throw journalFailed(changeId, new Error('the file is gone'));
    await write(line, durable);
    if (!isOwner()) throw takenOver(changeId);
  }

  /** Writes an outcome; a new owner's file tells it better. */
  async function writeOutcome(line: Line): Promise<void> {
    await writeAsOwner(line, false).catch((error: unknown) => {
      if (isOwner()) throw error;
    });
  }

  async function write(line: Line, durable: boolean): Promise<void> {
    try {
      if (!isMarked) await markIfLong();
      writeLine(fd, line);
      if (durable) await datasync(fd);
    } catch (error) {
      throw journalFailed(changeId, namingFile(error, file));
    }
  }

  return {
    sending: (id) => writeAsOwner({ type: 'sending', epoch, at: now(), id }, true),
    record: (id, outcome) => write({ type: 'outcome', epoch, at: now(), id, ...outcome }, false),
    sendingRange: (from, to, durable) => writeAsOwner({ type: 'range-sending', epoch, from, to }, durable),
    recordRange: (from, to, outcome, reason, isAsBefore) =>
      writeOutcome({ type: 'range', epoch, at: now(), from, to, outcome, reason, kept: isAsBefore }),
    async end(status, facts) {
      clearInterval(heartbeat);
      clearInterval(stopPoll);
      try {
        if (!isOwner()) return;
        await write({ type: 'end', epoch, at: now(), status, ...facts }, true);
        await removeIfPossible(stopFile);
      } finally {
        endsToWrite();
        closeSync(fd);
        // The number may become another file's.
        fd = -1;
      }
    },
    onStopRequest: (stop) => {
      onStop = stop;
    },
    lookForStopRequest,
    withRecordLock: (id, stop, act) => withRecordLock(folder, id, stop, act),
    isOwner,
  };
}

const STOP_POLL_MS = 500;

/** The error of a file that can't be written, or was removed. */
export function journalFailed(changeId: string, cause: unknown): VideoHostingError {
  const words = sentence`The journal of ${word(changeId)} can’t be written (${reasonOf(cause)}); nothing is sent without it.`;
  return new VideoHostingError('journal_failed', words, { cause });
}

/** The same before anything of it was sent: to begin it or to carry it on. */
export function notBegun(changeId: string, cause: unknown): VideoHostingError {
  const words = sentence`The journal of ${word(changeId)} can’t be written (${reasonOf(cause)}), so nothing was sent, and nothing was changed.`;
  return new VideoHostingError('journal_failed', words, {
    cause,
    facts: { outcome: 'nothing-sent' },
    hint: sentence`Let this server write to its data folder (VIDEO_HOSTING_DATA_DIR), with space left on the disk, then ask again.`,
  });
}

const reasonOf = (cause: unknown): Sentence =>
  codeOf(cause) === undefined && cause instanceof Error ? word(cause.message) : diskReason(cause);

function takenOver(changeId: string): VideoHostingError {
  return new VideoHostingError(
    'not_approved',
    sentence`Another process carries ${word(changeId)} on now; this one sends nothing more of it.`,
    {
      hint: sentence`Wait for it with get_change.`,
    },
  );
}
