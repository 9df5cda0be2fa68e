import { removeIfPossible } from '../../platform/files.ts';
import type { ReadSpan } from '../storage/contract.ts';
import { type Bucket, type Buckets, isRead } from './buckets.ts';
import { groupsOf, readSpanOf, writeSpool } from './group.ts';
import { createSlots } from './slots.ts';

/** One part is sorted while the other is flushed to disk. */
const CONCURRENT_COMMITS = 2;
/** Reading pauses while more groups wait than this. */
const MAX_WAITING = 8;
/** Maximum time between commits, so that a killed process loses little. */
const COMMIT_INTERVAL_MS = 5_000;

export interface CommitQueueOptions {
  readonly buckets: Buckets;
  readonly folder: string;
  readonly clock: () => number;
  readonly write: (span: ReadSpan, spool: string | undefined) => Promise<void>;
  /** Called after a failed commit; `commit` throws its error. */
  readonly onFailure: () => void;
}

/** Commits the buckets of a range in groups while more of the range is read. */
export function createCommitQueue({ buckets, folder, clock, write, onFailure }: CommitQueueOptions) {
  const slots = createSlots(CONCURRENT_COMMITS);
  const commits: Promise<void>[] = [];
  let committedMs = clock();

  async function commitGroup(group: readonly Bucket[]): Promise<void> {
    const span = readSpanOf(group);
    const spool = await writeSpool(group, folder);
    await slots.run(span.fromMs, () => write(span, spool));
    if (spool !== undefined) await removeIfPossible(spool);
  }

  return {
    /** Begins to commit the complete buckets. Waits if too many groups are waiting, and with `isLast` for all of them. */
    async commit(isLast: boolean): Promise<void> {
      for (const group of groupsOf(buckets.all(), isRead, isLast || clock() - committedMs > COMMIT_INTERVAL_MS)) {
        buckets.takeOut(group);
        committedMs = clock();
        const committed = commitGroup(group);
        committed.catch(onFailure);
        commits.push(committed);
      }
      if (slots.waiting > MAX_WAITING) await commits[commits.length - MAX_WAITING];
      if (isLast) await Promise.all(commits);
    },
  };
}
