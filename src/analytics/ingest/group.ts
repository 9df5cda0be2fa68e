import { removeIfPossible } from '../../platform/files.ts';
import { DAY_MS, isWithin } from '../spans.ts';
import type { Tally } from '../storage/folder/manifest.ts';
import type { ViewWriter, WriteResult } from '../storage/view-writer.ts';
import type { Bucket } from './buckets.ts';
import { isSettled } from './refresh-policy.ts';

/** Views that make a part worth its file. */
const ROWS_PER_PART = 60_000;
/** Reasons that are told apart in the manifest. */
const MAX_REASONS = 20;

/**
 * Buckets that are read, put together into windows: few files are quicker to ask than many. What has not settled will be
 * replaced, so there each day stays by itself. With `isLast`, nothing is held back for a fuller part.
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
      // What follows is to be joined with what waits.
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
  const sameDay = isWithin(next, { fromMs: day, toMs: day + DAY_MS });
  const bothEmpty = one.rows === 0 && next.rows === 0;
  return sameDay || bothEmpty || (isSettled(one) && isSettled(next) && monthOf(one.fromMs) === monthOf(next.fromMs));
}

/** What is forgotten is forgotten by the file: a month is the most that goes with a day. */
const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

export interface GroupTools {
  readonly keep: ViewWriter;
  readonly epoch: string;
  readonly folder: string;
}

/** Keeps buckets that lie side by side, each read to its end, as one window. */
export async function commitGroup(
  group: readonly Bucket[],
  spool: readonly string[],
  { keep, epoch, folder }: GroupTools,
): Promise<WriteResult> {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last === undefined) return 'beaten';
  const outcome = await keep.keep(
    {
      fromMs: first.fromMs,
      toMs: last.toMs,
      fetchedMs: Math.min(...group.map(({ fetchedMs }) => fetchedMs)),
      setAside: tallied(group),
      ...(first.problem === undefined ? {} : { problem: first.problem }),
      setAsideLines: group.flatMap(({ listed }) => listed),
    },
    spool,
    { epoch, folder },
  );
  for (const file of spool) await removeIfPossible(file);
  return outcome;
}

function tallied(group: readonly Bucket[]): Tally[] {
  const counts = new Map<string, number>();
  for (const { reasons } of group) for (const [reason, count] of reasons) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const sorted = [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
  const rest = sorted.slice(MAX_REASONS).reduce((sum, { count }) => sum + count, 0);
  return rest === 0 ? sorted : [...sorted.slice(0, MAX_REASONS), { reason: 'other reasons', count: rest }];
}
