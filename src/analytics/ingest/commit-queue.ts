import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { definedFields } from '../../platform/defined-fields.ts';
import { removeIfPossible, writeWholeFile } from '../../platform/files.ts';
import { createSlots } from '../../platform/slots.ts';
import { DAY_MS } from '../../platform/time-units.ts';
import { sentence } from '../../text/sentence.ts';
import { type ReadSpan, type RejectedRecords, sumByReason } from '../storage/segments.ts';
import { type Bucket, type Buckets, groupsOf, isRead } from './buckets.ts';

/** One part is sorted while the other is flushed to disk. */
const CONCURRENT_COMMITS = 2;
const MAX_WAITING = 8;
/** Maximum time between commits, so that a killed process loses little. */
const COMMIT_INTERVAL_MS = 5_000;

export interface CommitQueueOptions {
  readonly buckets: Buckets;
  readonly folder: string;
  readonly clock: () => number;
  /** Buckets that end later become segments of their own. */
  readonly recentMs: number;
  /** `ReadSpan.zoneOffsetMs`, as far as it was seen by now. */
  readonly zoneOffsetMs: () => number | undefined;
  readonly write: (span: ReadSpan, spool: string | undefined) => Promise<void>;
  readonly onFailure: () => void;
}

export function createCommitQueue({ buckets, folder, clock, recentMs, zoneOffsetMs, write, onFailure }: CommitQueueOptions) {
  const slots = createSlots(CONCURRENT_COMMITS);
  const commits: Promise<void>[] = [];
  let committedMs = clock();

  async function commitGroup(group: readonly Bucket[]): Promise<void> {
    const span = { ...readSpanOf(group), ...definedFields({ zoneOffsetMs: zoneOffsetMs() }) };
    const spool = await writeSpool(group, folder);
    await slots.run(span.fromMs, () => write(span, spool));
    if (spool !== undefined) await removeIfPossible(spool);
  }

  return {
    /** Begins to commit the complete buckets. Waits if too many groups are waiting, and with `isLast` for all of them. */
    async commit(isLast: boolean): Promise<void> {
      const isDue = clock() - committedMs > COMMIT_INTERVAL_MS;
      for (const group of groupsOf(buckets.all(), isRead, { isLast: isLast || isDue, recentMs })) {
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

const MAX_REASONS = 20;

async function writeSpool(group: readonly Bucket[], folder: string): Promise<string | undefined> {
  const chunks = group.flatMap((bucket) => bucket.chunks.splice(0));
  if (chunks.length === 0) return undefined;
  const file = join(folder, `${randomUUID()}.lines`);
  await writeWholeFile(file, Buffer.concat(chunks), { mode: 0o600 });
  return file;
}

function readSpanOf(group: readonly Bucket[]): ReadSpan {
  const doubt = group[0]?.doubt;
  return {
    fromMs: Math.min(...group.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...group.map(({ toMs }) => toMs)),
    fetchedMs: Math.min(...group.map(({ fetchedMs }) => fetchedMs)),
    rejected: countsOf(group),
    ...definedFields({ doubt }),
  };
}

/** By reason and day, so that a question for some days of the group gets those of its days. */
function countsOf(group: readonly Bucket[]): RejectedRecords[] {
  const all = group.flatMap(({ malformed }) => malformed);
  const named = new Set(
    sumByReason(all.map(({ reason }) => ({ reason, count: 1 })))
      .slice(0, MAX_REASONS)
      .map(({ reason }) => reason),
  );
  const sums = new Map<string, Required<RejectedRecords>>();
  for (const { reason: own, timeMs } of all) {
    const reason = named.has(own) ? own : sentence`other reasons`;
    const key = `${reason} ${Math.floor(timeMs / DAY_MS)}`;
    const { count, fromMs, toMs } = sums.get(key) ?? { count: 0, fromMs: timeMs, toMs: timeMs };
    sums.set(key, { reason, count: count + 1, fromMs: Math.min(fromMs, timeMs), toMs: Math.max(toMs, timeMs + 1) });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}
