/**
 * Writes the lines of one change into its file, and sees to it that one process at a time does: who carries a change on
 * claims a turn first. `journal.ts` opens these, `jobs.ts` holds one per change, `journal-lines.ts` has the form of a line.
 */
import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { VideoHostingError } from '../../errors.ts';
import { fsyncFolder, linkExclusive, removeIfPossible, writeDurably } from '../../platform/files.ts';
import { HEARTBEAT_MS, isAlive, type ProcessInfo, ProcessSchema, thisProcess } from '../../platform/process-liveness.ts';
import { withRecordLock } from '../../platform/record-lock.ts';
import type { Outcome } from '../bulk/bulk-state.ts';
import { eachChunk } from '../bulk/id-lines.ts';
import type { ItemOutcome } from '../plan.ts';
import type { Line } from './format.ts';
import { type JournalFile, openJournalFile } from './journal-file.ts';
import { noteWriting } from './ownership.ts';

/** Writes what becomes of one change. What must be on disk before something is sent is there when its promise resolves. */
export interface ChangeWriter {
  /** That the request for an item is about to be sent; durable before it resolves. Rejects like `sendingRange`. */
  sending(id: string): Promise<void>;
  /** What became of an item. */
  record(id: string, outcome: ItemOutcome): Promise<void>;
  /** The same for ids of a bulk change; on disk before it resolves only where `durable`. Rejects with `journal_failed`, or `not_approved` once another process has taken over. */
  sendingRange(from: number, to: number, durable: boolean): Promise<void>;
  /** What became of ids: in the file when it resolves, on disk with the end. Says nothing once another process has taken over. */
  recordRange(from: number, to: number, outcome: Outcome, reason?: string): Promise<void>;
  /** That parts of what was sent are to be sent again; written like `recordRange`. */
  retryingRange(from: number, to: number, reason: string): Promise<void>;
  /** Durable before it resolves; the writer is closed by it. */
  end(status: 'applied' | 'partly_applied' | 'stopped' | 'failed', facts: { message?: string; requests?: number }): Promise<void>;
  /** Called when another process asks for the change to stop. */
  onStopRequest(stop: () => void): void;
  /** Does something with a record of the account while no process with this journal does; see `alone`. */
  withRecordLock<T>(id: string, stop: AbortSignal, act: () => Promise<T>): Promise<T>;
  /** False once another process has taken the change over: then nothing more of it is sent or written here. */
  isOwner(): boolean;
}

/**
 * Makes a new change's file, with its first line durably in it; before it the file of its ids, if it has any, as durably.
 * Rejects with Node's error where the disk refuses.
 */
export async function createChangeWriter(folder: string, changeId: string, first: Line, ids?: readonly string[]): Promise<ChangeWriter> {
  if (ids !== undefined) await writeDurably(join(folder, `${changeId}.ids`), eachChunk(ids));
  const file = openJournalFile(join(folder, `${changeId}.jsonl`), 'ax');
  try {
    file.write(Buffer.from(lineOf(first)));
    // Together, since a disk takes hardly longer for both than for one; both have ended before the file is closed.
    const onDisk = await Promise.allSettled([file.sync(), fsyncFolder(folder)]);
    const failed = onDisk.find((sync) => sync.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return createWriter(file, folder, changeId, 0);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Goes on with an earlier change's file, in a turn that was claimed. Rejects like the other. */
export async function resumeChangeWriter(folder: string, changeId: string, first: Line, turn: number): Promise<ChangeWriter> {
  const file = openJournalFile(join(folder, `${changeId}.jsonl`), constants.O_WRONLY | constants.O_APPEND);
  // After a kill the last line may be torn: what follows begins on a line of its own.
  file.write(Buffer.from(`\n${lineOf(first)}`));
  await file.sync();
  await removeIfPossible(join(folder, `${changeId}.stop`));
  return createWriter(file, folder, changeId, turn);
}

/**
 * Takes the next turn at a change after `turn`, and returns its number. Of all processes that want it one gets it: its
 * file can be made only once. A process whose turn is not the last any more sends nothing, whatever it believes.
 */
export async function claimTurn(folder: string, changeId: string, turn: number): Promise<number | undefined> {
  const offer = join(folder, `${changeId}.${randomUUID()}.offer`);
  for (let next = turn + 1; ; next += 1) {
    const file = turnFile(folder, changeId, next);
    if (await linkExclusive(offer, JSON.stringify(thisProcess()), file)) return next;
    if (await isTaken(file)) return undefined;
  }
}

/** Whether the process that took a turn is still there; one that died before it wrote a line left its file behind. */
async function isTaken(file: string): Promise<boolean> {
  const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
  return isAlive(ownerIn(text), mtimeMs);
}

/** Undefined while it is still being written, as where there are no hard links. */
function ownerIn(text: string): ProcessInfo | undefined {
  try {
    return ProcessSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const turnFile = (folder: string, changeId: string, turn: number) => join(folder, `${changeId}.turn${turn}`);

/** Keeps the file alive by touching it, and looks for a wish to stop, until `end`. */
function createWriter(journal: JournalFile, folder: string, changeId: string, turn: number): ChangeWriter {
  const file = join(folder, `${changeId}.jsonl`);
  const stopFile = join(folder, `${changeId}.stop`);
  const successor = turnFile(folder, changeId, turn + 1);
  let onStop = () => {};
  const beat = (): void => {
    utimes(file, new Date(), new Date()).catch(() => undefined);
  };
  const ended = noteWriting(changeId);
  const heartbeat = setInterval(beat, HEARTBEAT_MS).unref();
  const stopWatch = setInterval(() => existsSync(stopFile) && onStop(), STOP_POLL_MS).unref();

  const isOurs = () => !existsSync(successor);

  /**
   * First the line, then the look whether the change is still ours: one who takes it over claims its turn first and
   * reads the lines then, so that either our line is seen or their claim is.
   */
  async function writeBeforeSending(lines: readonly Line[], durable: boolean): Promise<void> {
    if (!isOurs()) throw takenOver(changeId);
    if (!existsSync(file)) throw journalFailed(changeId, new Error('the file is gone'));
    await write(lines, durable);
    if (!isOurs()) throw takenOver(changeId);
  }

  let gathered: Line[] = [];
  let written: Promise<void> | undefined;

  /** The same, not durably, for all lines of one moment at once: what became of a batch is mostly written with the line before the next. */
  function writeTogether(line: Line): Promise<void> {
    gathered.push(line);
    // When all that follows from an answer, as far as it waits for nothing else, was done.
    written ??= new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      const lines = gathered;
      gathered = [];
      written = undefined;
      return writeBeforeSending(lines, false);
    });
    return written;
  }

  /** A line about what has come back: who has taken the change over tells it better. */
  async function writeAnswered(line: Line): Promise<void> {
    await writeTogether(line).catch((error: unknown) => {
      if (isOurs()) throw error;
    });
  }

  async function write(lines: readonly Line[], durable: boolean): Promise<void> {
    try {
      journal.write(Buffer.from(lines.map(lineOf).join('')));
      if (durable) await journal.sync();
    } catch (error) {
      throw journalFailed(changeId, error);
    }
  }

  async function close(line: Line): Promise<void> {
    clearInterval(heartbeat);
    clearInterval(stopWatch);
    try {
      if (!isOurs()) return;
      await write([line], true);
      await removeIfPossible(stopFile);
    } finally {
      ended();
      journal.close();
    }
  }

  return {
    sending: (id) => writeBeforeSending([{ type: 'sending', at: now(), id }], true),
    record: (id, outcome) => write([{ type: 'outcome', at: now(), id, ...outcome }], false),
    sendingRange(from, to, durable) {
      const line: Line = { type: 'range-sending', turn, from, to };
      return durable ? writeBeforeSending([line], true) : writeTogether(line);
    },
    recordRange: (from, to, outcome, reason) =>
      writeAnswered({ type: 'range', turn, at: now(), from, to, outcome, ...(reason === undefined ? {} : { reason }) }),
    retryingRange: (from, to, reason) =>
      writeAnswered({ type: 'range', turn, at: now(), from, to, outcome: 'unknown', reason, retrying: true }),
    end: (status, facts) => close({ type: 'end', turn, at: now(), status, ...facts }),
    onStopRequest: (stop) => {
      onStop = stop;
    },
    withRecordLock: (id, stop, act) => withRecordLock(folder, id, stop, act),
    isOwner: isOurs,
  };
}

/** How often it looks whether another process wants the change to stop. */
const STOP_POLL_MS = 500;

/** Of a file that can't be written, or was taken away. */
export function journalFailed(changeId: string, cause: unknown): VideoHostingError {
  const { code, message } = cause as NodeJS.ErrnoException; // Node's own errors have a code
  return new VideoHostingError(
    'journal_failed',
    `The journal of ${changeId} can’t be written (${code ?? message}); nothing is sent without it.`,
    {
      cause,
    },
  );
}

const now = () => new Date().toISOString();

function takenOver(changeId: string): VideoHostingError {
  return new VideoHostingError('not_approved', `Another process carries ${changeId} on now; this one sends nothing more of it.`);
}

const lineOf = (line: Line): string => `${JSON.stringify(line)}\n`;
