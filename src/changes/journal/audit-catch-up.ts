import { existsSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { namesInFolder } from '../../platform/files.ts';
import { hasProcessEnded } from '../../platform/process-liveness.ts';
import { sentence } from '../../text/sentence.ts';
import { type ChainFiles, changeBytes } from './audit-files.ts';
import type { AuditReader } from './audit-reader.ts';
import type { TroubleTeller } from './audit-trouble.ts';
import type { AuditWriter, ChainEvent } from './audit-writer.ts';
import { replayLines } from './change-record.ts';
import { idsIn } from './file-names.ts';

/** Files of changes that are read at once, so that nothing else waits for a long journal. */
const BATCH = 100;
/** Between a folder for records and the first of them there is less. */
const FIRST_RECORD_MS = 1_000;

interface CatchUpDeps {
  readonly files: ChainFiles;
  readonly reader: AuditReader;
  readonly writer: AuditWriter;
  readonly trouble: TroubleTeller;
  /** Notes what has happened in this process. */
  readonly flush: () => Promise<void>;
  readonly isEnding: () => boolean;
}

/** Notes what no record tells of, of processes that have ended: changes from before there were records, and what killed processes left. */
export function createCatchUp({ files, reader, writer, trouble, flush, isEnding }: CatchUpDeps) {
  const { folder, file, changes, fileOf } = files;
  let isCaughtUp = false;

  /** What is to be noted of one change that this process need not know. */
  async function missed(change: string): Promise<readonly ChainEvent[]> {
    const told = reader.writersOf(change);
    const gone = [...(told ?? [])].filter(hasProcessEnded);
    if (told !== undefined && gone.length === 0) return [];
    const info = await stat(fileOf(change)).catch(() => undefined);
    const bytes = info && changeBytes(fileOf(change));
    const record = bytes && info && replayLines(bytes.toString(), info.mtimeMs);
    // Whoever carries it out notes it. Without its first line it is none, or damaged, which is told where it is verified.
    if (record === undefined || record.status === 'running') return [];
    return told === undefined ? [{ change, event: 'noted' }] : gone.map((one) => ({ change, event: 'closed', writer: one }));
  }

  /** Whether there are changes, and a folder of records without any; of an account from before there were records, there is none. */
  const isRemoved = async (): Promise<boolean> => isFolder(folder) && !existsSync(file) && idsIn(await namesInFolder(changes)).length > 0;

  async function catchUp(): Promise<void> {
    if (isEnding()) return;
    isCaughtUp = true;
    try {
      await flush();
      const ids = idsIn(await namesInFolder(changes)).toReversed();
      // Nothing is begun in a folder that is given up meanwhile.
      if (ids.length === 0 || isEnding()) return;
      await writer.append(() => [], false);
      const open = ids.filter((id) => reader.writersOf(id)?.size !== 0);
      for (let next = 0; next < open.length && !isEnding(); next += BATCH)
        await writer.append(async () => (await Promise.all(open.slice(next, next + BATCH).map(missed))).flat(), false);
    } catch (error) {
      isCaughtUp = false;
      throw error;
    }
  }

  return {
    catchUp,
    /** A chain that was removed is not made anew: nobody could tell any more that it was. */
    async catchUpAtStart(): Promise<void> {
      if (await isRemoved()) {
        // Another process may be about to write the first.
        await sleep(FIRST_RECORD_MS, undefined, { ref: false });
        if (await isRemoved()) {
          trouble.tellAltered(
            sentence`There are changes of this account, and no record of any: the records were removed, or none could be written so far.`,
          );
          return;
        }
      }
      await catchUp();
    },
    isCaughtUp: () => isCaughtUp,
    /** The chain is another one: nothing of it is known. */
    forget(): void {
      isCaughtUp = false;
    },
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
