import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeIfPossible } from '../../platform/files.ts';
import { DAY_MS, isWithin } from '../spans.ts';
import type { ReadSpan } from '../storage/contract.ts';
import { isSettled, type ReasonCount, sumByReason } from '../storage/segments.ts';
import { type Bucket, type Buckets, isRead } from './buckets.ts';
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

const ROWS_PER_PART = 60_000;
const MAX_REASONS = 20;

/**
 * Groups complete buckets into segments, because a few files are faster to query than many. Days that have not settled will be
 * replaced, so each is a segment of its own. With `isLast`, no group waits for further buckets.
 */
export function groupsOf(buckets: readonly Bucket[], isReady: (bucket: Bucket) => boolean, isLast: boolean): Bucket[][] {
  const groups: Bucket[][] = [];
  let open: Bucket[] = [];
  let rows = 0;
  const close = (): void => {
    if (open.length > 0) groups.push(open);
    open = [];
    rows = 0;
  };
  for (const bucket of buckets) {
    const last = open.at(-1);
    if (last !== undefined && !canJoin(last, bucket)) close();
    if (!isReady(bucket)) {
      if (last !== undefined && !isLast && canJoin(last, bucket)) return groups;
      close();
      continue;
    }
    if (open.length > 0 && rows + bucket.rows > ROWS_PER_PART) close();
    open.push(bucket);
    rows += bucket.rows;
  }
  close();
  return groups;
}

function canJoin(one: Bucket, next: Bucket): boolean {
  if (one.toMs !== next.fromMs || one.problem !== next.problem) return false;
  const day = Math.floor(one.fromMs / DAY_MS) * DAY_MS;
  const areOfOneDay = isWithin(next, { fromMs: day, toMs: day + DAY_MS });
  const areEmpty = one.rows === 0 && next.rows === 0;
  return areOfOneDay || areEmpty || (isSettled(one) && isSettled(next) && monthOf(one.fromMs) === monthOf(next.fromMs));
}

/** Forgetting removes whole files, so a file has views of one month at most. */
const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

async function writeSpool(group: readonly Bucket[], folder: string): Promise<string | undefined> {
  const chunks = group.flatMap((bucket) => bucket.chunks.splice(0));
  if (chunks.length === 0) return undefined;
  const file = join(folder, `${randomUUID()}.lines`);
  await writeFile(file, Buffer.concat(chunks), { mode: 0o600 });
  return file;
}

function readSpanOf(group: readonly Bucket[]): ReadSpan {
  const problem = group[0]?.problem;
  return {
    fromMs: Math.min(...group.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...group.map(({ toMs }) => toMs)),
    fetchedMs: Math.min(...group.map(({ fetchedMs }) => fetchedMs)),
    setAside: countsOf(group),
    ...(problem === undefined ? {} : { problem }),
  };
}

function countsOf(group: readonly Bucket[]): ReasonCount[] {
  const counts = sumByReason(group.flatMap(({ malformed }) => [...malformed].map(([reason, count]) => ({ reason, count }))));
  const rest = counts.slice(MAX_REASONS).reduce((sum, { count }) => sum + count, 0);
  return rest === 0 ? counts : [...counts.slice(0, MAX_REASONS), { reason: 'other reasons', count: rest }];
}
