import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { assertRegular, codeOf, fsyncFolder, makeFolder, OPENS_AT_ONCE } from '../../platform/files.ts';
import { limitedSignal } from '../../platform/limited-signal.ts';
import { type ChainFiles, changeBytes } from './audit-files.ts';
import type { AuditReader } from './audit-reader.ts';
import { type AuditRecord, auditLine, type FileRecord, type NewAuditRecord, unbegunKey } from './audit-record.ts';
import type { TroubleTeller } from './audit-trouble.ts';
import { withRecordLock } from './record-lock.ts';

/** What is to be noted of a change’s file as it is then. */
export type ChainEvent = Pick<NewAuditRecord, 'change' | 'event' | 'writer' | 'unbegun'>;

const LOCK = 'chain';
/** A lock that is held for longer was left in a folder that was moved away and put back; what is to be noted is noted by the next process. */
const LOCK_WAIT_MS = 5_000;

/** Appends records, one process at a time. */
export interface AuditWriter {
  /** Appends what `eventsOf` makes of what is known, while nobody else appends. */
  append(eventsOf: () => readonly ChainEvent[] | Promise<readonly ChainEvent[]>, isDurable: boolean): Promise<void>;
  /** Resolves once all that is being appended is. Never rejects. */
  appended(): Promise<unknown>;
  /** Looks whether the account’s folder is there: one that was, and is removed later, stays away. */
  lookForFolder(): void;
}

export function createAuditWriter(files: ChainFiles, reader: AuditReader, { tellFailing, tellWorking }: TroubleTeller): AuditWriter {
  const { folder, file } = files;
  /** One after another, since each begins where the one before ended. */
  let last: Promise<unknown> = Promise.resolve();
  /** The account’s folder was there. One that is removed later stays away: made anew, it would be told as the whole history. */
  let isKept = existsSync(dirname(folder));

  async function makeOwnFolder(): Promise<void> {
    if (!isKept) await makeFolder(folder);
    isKept = true;
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }

  async function write(handle: FileHandle, events: readonly ChainEvent[], isWhole: boolean): Promise<void> {
    const states = new Map<string, FileState | undefined>();
    const at = new Date().toISOString();
    let [text, now] = ['', reader.head()];
    const records: AuditRecord[] = [];
    for (const event of events) {
      const isOfFile = event.unbegun === undefined;
      // By another process, or before this one was started.
      if (event.unbegun !== undefined && reader.hasUnbegun(unbegunKey(event.change, event.unbegun))) continue;
      if (isOfFile && !states.has(event.change)) states.set(event.change, stateOf(files.fileOf(event.change)));
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
    if (isWhole) reader.appended(text, records);
    else await reader.read(handle);
  }

  return {
    append(eventsOf, isDurable) {
      const appended = last.then(async () => {
        await makeOwnFolder();
        const { signal, release } = limitedSignal(LOCK_WAIT_MS);
        await withRecordLock(folder, LOCK, signal, async () => {
          const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | OPENS_AT_ONCE, 0o600);
          try {
            await assertRegular(handle, file);
            const isWhole = await reader.read(handle);
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
    },
    appended: () => last,
    lookForFolder() {
      isKept ||= existsSync(dirname(folder));
    },
  };
}

type FileState = Pick<FileRecord, 'bytes' | 'sha256'>;

/** A file as it is now; undefined where there is none. At once, since files of changes are small. */
function stateOf(file: string): FileState | undefined {
  const bytes = changeBytes(file);
  return bytes && { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
