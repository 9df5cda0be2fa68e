/**
 * What the entries of an account's record come to: which windows of views count. `log.ts` reads and writes the entries;
 * the folder's counterpart is its manifest (`store/manifest.ts`), which this makes one of.
 */

import { overlaps } from '../../spans.ts';
import { type Forgotten, type Manifest, type Segment, trimmed, wasForgotten } from '../folder/manifest.ts';

/** One entry of the record. `id` is unique; `atMs` is when it was written, by the writer's clock, in milliseconds since 1970. */
export type Entry =
  /** A span whose views are there, all of them, verified, in one part. */
  | { readonly kind: 'window'; readonly id: string; readonly atMs: number; readonly epoch: string; readonly window: Segment }
  /** Views were removed on purpose: these windows, and whatever is read of the span by readings that began before. */
  | {
      readonly kind: 'forgotten';
      readonly id: string;
      readonly atMs: number;
      readonly span: Forgotten;
      readonly windows: readonly string[];
    }
  /** From here on another key makes hashes of viewers; what was kept with the one before is void. */
  | { readonly kind: 'epoch'; readonly id: string; readonly atMs: number; readonly key?: string }
  /** Windows that were replaced, whose rows may be removed. */
  | { readonly kind: 'retired'; readonly id: string; readonly atMs: number; readonly windows: readonly string[] };

/** What all entries say together. */
export interface ReplayedLog {
  readonly manifest: Manifest;
  /** Windows that are not part of it: replaced, beaten, forgotten or of another epoch. */
  readonly dead: readonly Segment[];
  /** What was declared void. */
  readonly retired: readonly Extract<Entry, { kind: 'retired' }>[];
  /** The key of the epoch, sealed; absent where it follows from the credential. */
  readonly key: string | undefined;
}

/** Before anything was said of epochs. */
const FIRST_EPOCH = 'first';

/**
 * What is held, from all that was recorded: the same for everybody who has read the same entries, in whatever order they
 * were written. So two that write at once need no lock: of what overlaps, the later reading stands, and no view is in two
 * windows.
 */
export function replayLog(entries: readonly Entry[]): ReplayedLog {
  const epochs = entries.filter((entry) => entry.kind === 'epoch').sort((a, b) => a.atMs - b.atMs || compare(a.id, b.id));
  const epoch = epochs.at(-1);
  const forgotten = entries.flatMap((entry) => (entry.kind === 'forgotten' ? [entry.span] : []));
  const gone = new Set(entries.flatMap((entry) => (entry.kind === 'forgotten' || entry.kind === 'retired' ? entry.windows : [])));
  const base: Manifest = { format: 1, version: entries.length, epoch: epoch?.id ?? FIRST_EPOCH, windows: [], retired: [], forgotten };
  const held: Segment[] = [];
  const dead: Segment[] = [];
  const recorded = entries.filter((entry) => entry.kind === 'window').sort(byReading);
  for (const { window, epoch: own } of recorded) {
    const isVoid = gone.has(window.id) || wasForgotten(base, window, own);
    const met = isVoid ? undefined : placeAmong(held, window);
    if (met === undefined) dead.push(window);
    else dead.push(...met);
  }
  // What is left of an empty window goes on under its id.
  const alive = new Set(held.map(({ id }) => id.slice(0, ID_LENGTH)));
  return {
    manifest: { ...base, windows: held },
    dead: dead.filter(({ id }) => !alive.has(id)),
    retired: entries.filter((entry) => entry.kind === 'retired'),
    key: epoch?.key,
  };
}

/** Of a UUID. */
const ID_LENGTH = 36;

type Recorded = Extract<Entry, { kind: 'window' }>;
const byReading = (a: Recorded, b: Recorded): number => a.window.fetchedMs - b.window.fetchedMs || compare(a.id, b.id);
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Puts a window among others, in order and without overlaps; answers those it replaces, or undefined where it is beaten. */
function placeAmong(held: Segment[], fresh: Segment): readonly Segment[] | undefined {
  const from = firstEndingAfter(held, fresh.fromMs);
  const met: Segment[] = [];
  for (let at = from; at < held.length; at += 1) {
    const window = held[at];
    if (window === undefined || !overlaps(window, fresh)) break;
    met.push(window);
  }
  const left = trimmed(met, fresh);
  if (left === undefined) return undefined;
  const before = left.filter(({ fromMs }) => fromMs < fresh.fromMs);
  const after = left.filter(({ fromMs }) => fromMs >= fresh.fromMs);
  held.splice(from, met.length, ...before, fresh, ...after);
  return met;
}

/** Where in a list without overlaps, in order, those begin that end after a moment. */
function firstEndingAfter(windows: readonly Segment[], ms: number): number {
  let low = 0;
  let high = windows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((windows[middle]?.toMs ?? 0) > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}
