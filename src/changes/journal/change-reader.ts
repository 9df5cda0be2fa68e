import { closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { refusal, VideoHostingError, writtenByNewer } from '../../errors.ts';
import { codeOf, isShortage, readRegular } from '../../platform/files.ts';
import { entriesOfText, longPiece } from '../../platform/long-work.ts';
import { sentence, word } from '../../text/sentence.ts';
import type { ChangeKind } from '../plan/traits/index.ts';
import { type IndexEntry, indexEntryOf } from './change-index.ts';
import { type ChangeRecord, isWrittenByNewer, replayLines } from './change-record.ts';
import { CHANGE_ID } from './file-names.ts';
import { parseLine } from './format.ts';

const MAX_CONCURRENT_READS = 8;

/** A modification time by which whoever wrote the file counts as gone. */
export const LONG_AGO = 0;

/** Reads the files of a journal’s changes, and keeps an index of what it read. */
export function createChangeReader(folder: string) {
  const fileOf = (changeId: string) => join(folder, `${changeId}.jsonl`);
  const index = new Map<string, IndexEntry>();
  /** Changes whose first line was seen: they lose it only by damage. */
  const whole = new Set<string>();
  /** Those that a newer version wrote, as far as they were read. */
  const newer = new Set<string>();

  async function read(changeId: string): Promise<ChangeRecord | undefined> {
    if (!CHANGE_ID.test(changeId)) return undefined;
    const info = await stat(fileOf(changeId)).catch(() => undefined);
    if (info === undefined) return undefined;
    // A file that can't be read counts as damaged.
    const text = info.isFile() ? await readFile(fileOf(changeId), 'utf8').catch(unlessShort('\n')) : '\n';
    await longPiece(entriesOfText(text.length));
    const record = replayLines(text, info.mtimeMs);
    if (record === undefined && isWrittenByNewer(text)) {
      newer.add(changeId);
      index.delete(changeId);
      throw newerChange(changeId);
    }
    newer.delete(changeId);
    if (record === undefined && isTorn(text)) return undefined;
    // A file that was copied under another name is no change.
    if (record?.intent.changeId !== changeId) {
      index.delete(changeId);
      throw damagedIntent(changeId);
    }
    index.set(changeId, indexEntryOf(record));
    return record;
  }

  function has(changeId: string): boolean {
    if (!CHANGE_ID.test(changeId) || !existsSync(fileOf(changeId))) return false;
    if (index.has(changeId) || whole.has(changeId)) return true;
    try {
      // To open a pipe would wait for whoever writes into it.
      if (!statSync(fileOf(changeId)).isFile()) return true;
      if (!isIntentWhole(fileOf(changeId))) return false;
      whole.add(changeId);
    } catch (error) {
      // A file that can’t be read counts as damaged.
      return unlessShort(codeOf(error) !== 'ENOENT')(error);
    }
    return true;
  }

  /** Whether a change lost its intent after that was written, or can’t be read here since a newer version wrote it. */
  async function isDamaged(changeId: string): Promise<boolean> {
    const text = await readRegular(fileOf(changeId)).then(String, unlessShort(undefined));
    return text === undefined || (!isTorn(text) && replayLines(text, LONG_AGO) === undefined);
  }

  /** Synchronously, which takes a fifth of the time where there are many. */
  const lastTouchedMs = (changeId: string): number => statSync(fileOf(changeId), { throwIfNoEntry: false })?.mtimeMs ?? LONG_AGO;

  // Most accounts have no changes yet, and every list of channels asks.
  const namesOfFiles = async () => (existsSync(folder) ? await readdir(folder).catch(unlessShort([])) : []);

  /** Those of the changes that may match, each read when the caller comes to it. */
  async function* each(
    all: readonly string[] | Promise<readonly string[]>,
    mayMatch: (changeId: string, known: IndexEntry | undefined) => boolean,
    kinds?: readonly ChangeKind[],
    isRead: (changeId: string) => Promise<boolean> = async () => true,
  ): AsyncGenerator<ChangeRecord> {
    const ids = (await all).filter((id) => mayMatch(id, index.get(id)));
    const readOne = async (id: string) => ((await isRead(id)) ? read(id).catch(undefinedIfDamaged) : undefined);
    // Most callers want but a few, so that it begins with one.
    for (let next = 0, count = 1; next < ids.length; next += count, count = Math.min(count * 2, MAX_CONCURRENT_READS)) {
      const records = await Promise.all(ids.slice(next, next + count).map(readOne));
      for (const record of records) if (record !== undefined && kinds?.includes(record.intent.kind) !== false) yield record;
    }
  }

  return {
    /** What is known of a change that was read before. */
    entryOf: (changeId: string): IndexEntry | undefined => index.get(changeId),
    newer: (): readonly string[] => [...newer].filter((changeId) => existsSync(fileOf(changeId))),
    ...{ read, has, isDamaged, lastTouchedMs, namesOfFiles, each },
  };
}

/**
 * Whether the file of a change has its first line, or anything after that. One without has sent nothing, and is no change. Throws Node’s error
 * where it can’t be read.
 */
export function isIntentWhole(file: string): boolean {
  const fd = openSync(file, constants.O_RDONLY);
  try {
    const chunks: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const read = readSync(fd, chunk);
      if (read === 0) return parseLine(Buffer.concat(chunks).toString())?.type === 'intent';
      chunks.push(chunk.subarray(0, read));
      if (chunk.includes('\n')) return true;
    }
  } finally {
    closeSync(fd);
  }
}

const CHUNK_BYTES = 65_536;

/** A file that ends in the middle of its intent has sent nothing, and is no change. */
const isTorn = (text: string): boolean => !text.includes('\n');

/** For `catch`: what stands for what can’t be read; a machine that is short of something makes no change be there or not. */
export const unlessShort =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (!isShortage(error)) return instead;
    const code = word(codeOf(error) ?? '');
    throw new VideoHostingError(
      'journal_failed',
      sentence`The journal can’t be read at this moment (${code}), and nothing is told without it.`,
      {
        hint: 'Ask again in a moment.',
        cause: error,
      },
    );
  };

function undefinedIfDamaged(error: unknown): undefined {
  if (error instanceof VideoHostingError && error.code === 'not_found') return undefined;
  throw error;
}

/** Its file is as it was written. */
export const newerChange = (changeId: string): VideoHostingError =>
  writtenByNewer(
    sentence`${word(changeId)} is there, but its journal can’t be read here: it`,
    sentence`Look at it with that version. It may have been sent: nothing is known of it here.`,
  );

function damagedIntent(changeId: string): VideoHostingError {
  const message = sentence`${word(changeId)} is there, but its journal can’t be read: the first line, its intent, is damaged.`;
  return refusal('not_found', message, 'It may have been sent before its file was damaged: look at the account itself.');
}
