import type { FileHandle } from 'node:fs/promises';
import { sentence } from '../../text/sentence.ts';
import { type AuditHead, type AuditLink, type AuditRecord, NO_RECORDS, readAuditLine, unbegunKey } from './audit-record.ts';
import type { TroubleTeller } from './audit-trouble.ts';

const NOBODY: ReadonlySet<string> = new Set();
/** Of what was read last, so much is compared with what is there: more than the hash at the end of a record. */
const COMPARED_BYTES = 200;
const LINES_AT_ONCE = 2_000;

/** What this process knows of the chain, from what it read of the file and appended to it. */
export interface AuditReader {
  /** What was appended since it was read last, by whichever process. Resolves to whether the last line is whole. */
  read(handle: FileHandle): Promise<boolean>;
  /** The same, of what this process appended itself, behind all that was read. */
  appended(text: string, records: readonly AuditRecord[]): void;
  /** The last record. */
  head(): AuditHead;
  /** Who may add to a change; undefined where no record tells of it. */
  writersOf(changeId: string): ReadonlySet<string> | undefined;
  /** Whether a record tells of the end of a change that was never begun, by `unbegunKey`. */
  hasUnbegun(key: string): boolean;
}

/** `onForgotten` is called when what was read is not there any more, so that nothing is known of the file. */
export function createAuditReader({ tellAltered }: Pick<TroubleTeller, 'tellAltered'>, onForgotten: () => void): AuditReader {
  /** The changes that it tells of, each with those who may add to it. */
  const known = new Map<string, ReadonlySet<string>>();
  const unbegun = new Set<string>();
  let [head, offset] = [NO_RECORDS, 0];
  /** What stands before `offset`. */
  let end: Buffer = Buffer.alloc(0);
  /** That a record does not follow on the one before it was told of this file. */
  let isBrokenTold = false;

  /** Of a record that a newer version wrote: only that there is one, so that none is made in its place. */
  function noteNewer({ change }: AuditLink): void {
    if (change !== undefined && !known.has(change)) known.set(change, NOBODY);
  }

  function note({ change, event, writer, unbegun: ended }: AuditRecord): void {
    if (ended !== undefined) unbegun.add(unbegunKey(change, ended));
    // It has no file.
    if (event === 'unbegun') return;
    const writers = new Set(known.get(change));
    if (writer !== undefined) event === 'opened' ? writers.add(writer) : writers.delete(writer);
    known.set(change, writers.size === 0 ? NOBODY : writers);
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
    isBrokenTold = false;
    onForgotten();
  }

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
      const { link, record } = readAuditLine(line) ?? {};
      if (link === undefined) continue;
      const { n, prev, hash } = link;
      if (!isBrokenTold && (n !== head.n + 1 || prev !== head.hash)) {
        isBrokenTold = true;
        tellAltered(sentence`The records of changes are not as they were written: record ${n} does not follow on record ${head.n}.`);
      }
      if (n !== head.n + 1) continue;
      head = { n, hash };
      record === undefined ? noteNewer(link) : note(record);
    }
    return size === offset;
  }

  return {
    read,
    appended(text, records) {
      offset += Buffer.byteLength(text);
      end = Buffer.from(text).subarray(-COMPARED_BYTES);
      for (const record of records) {
        head = { n: record.n, hash: record.hash };
        note(record);
      }
    },
    head: () => head,
    writersOf: (changeId) => known.get(changeId),
    hasUnbegun: (key) => unbegun.has(key),
  };
}
