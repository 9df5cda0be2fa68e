import { firstEndingAfter, overlaps } from '../../spans.ts';
import { type Beginning, type Forgotten, remainingSegments, type Segment, type StorageSnapshot, wasForgotten } from '../segments.ts';

/** `id` is unique; `atMs` is when the entry was written, by the writer's clock, in milliseconds since 1970. */
interface EntryBase {
  readonly id: string;
  readonly atMs: number;
}

export type LogEntry =
  /** A span whose views are stored, all of them, verified, in one part. */
  | (EntryBase & { readonly kind: 'segment'; readonly since: Beginning; readonly segment: Segment })
  /** Views were removed on purpose: these segments, and whatever is read of the span by readings that began before. */
  | (EntryBase & { readonly kind: 'forgotten'; readonly span: Forgotten; readonly segments: readonly string[] })
  /** From here on viewers are hashed with another key; segments of the epoch before are void. */
  | (EntryBase & { readonly kind: 'epoch'; readonly key?: string })
  /** Segments that were replaced, whose rows may be removed. */
  | (EntryBase & { readonly kind: 'retired'; readonly segments: readonly string[] });

type EntryOf<Kind extends LogEntry['kind']> = Extract<LogEntry, { kind: Kind }>;

export interface ReplayedLog {
  readonly snapshot: StorageSnapshot;
  /** Segments that no longer count: replaced, superseded, forgotten or of another epoch. */
  readonly dead: readonly Segment[];
  readonly retired: readonly EntryOf<'retired'>[];
  readonly key: string | undefined;
}

/** The epoch before the first entry of that kind. */
const FIRST_EPOCH = 'first';

/**
 * Replays the entries of a log. The result is the same in whatever order they were written, so two processes that write at
 * once need no lock. Of segments that overlap, the later reading counts; no view is in two segments.
 */
export function replayLog(entries: readonly LogEntry[]): ReplayedLog {
  const ofKind = <Kind extends LogEntry['kind']>(kind: Kind): EntryOf<Kind>[] =>
    entries.filter((entry): entry is EntryOf<Kind> => entry.kind === kind);
  const epoch = ofKind('epoch')
    .sort((a, b) => a.atMs - b.atMs || compare(a.id, b.id))
    .at(-1);
  const retired = ofKind('retired');
  const removed = new Set([...ofKind('forgotten'), ...retired].flatMap(({ segments }) => segments));
  const base = { epoch: epoch?.id ?? FIRST_EPOCH, forgotten: ofKind('forgotten').map(({ span }) => span) };
  const segments: Segment[] = [];
  const dead: Segment[] = [];
  const byReading = ofKind('segment').sort((a, b) => a.segment.fetchedMs - b.segment.fetchedMs || compare(a.id, b.id));
  for (const { segment, since } of byReading) {
    const isVoid = removed.has(segment.id) || wasForgotten(base, segment, since);
    dead.push(...((isVoid ? undefined : addSegment(segments, segment)) ?? [segment]));
  }
  // The rest of an empty segment that was cut keeps its id, perhaps with a suffix.
  const alive = new Set(segments.map(({ id }) => id.slice(0, UUID_LENGTH)));
  return { snapshot: { ...base, segments }, dead: dead.filter(({ id }) => !alive.has(id)), retired, key: epoch?.key };
}

const UUID_LENGTH = 36;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Inserts a segment into an ordered list without overlaps. Returns the segments it replaces, or undefined if it is superseded. */
function addSegment(segments: Segment[], added: Segment): readonly Segment[] | undefined {
  const from = firstEndingAfter(segments, added.fromMs);
  let to = from;
  for (let next = segments[to]; next !== undefined && overlaps(next, added); next = segments[to]) to += 1;
  const overlapped = segments.slice(from, to);
  const remaining = remainingSegments(overlapped, added);
  if (remaining === undefined) return undefined;
  segments.splice(from, overlapped.length, ...[...remaining, added].sort((a, b) => a.fromMs - b.fromMs));
  return overlapped;
}
