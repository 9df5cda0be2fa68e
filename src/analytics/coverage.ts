import { VideoHostingError } from '../errors.ts';
import type { Coverage, Span } from './contract.ts';
import { isReadable, isSettled } from './ingest/refresh-policy.ts';
import { common, isWithin, overlaps, spanText, union, without } from './spans.ts';
import type { Manifest, Segment, Tally } from './storage/folder/manifest.ts';

export interface CoverageFacts {
  /** Counts the views that windows hold of a span which only partly covers them. */
  readonly count: (windows: readonly Segment[], span: Span) => Promise<number>;
  /** Windows that are held but should have been read again. */
  readonly stale?: readonly Span[];
  /** Why something is missing. */
  readonly why?: string | undefined;
}

const MAX_NAMED = 10;

/** What is held of a span, told from the manifest. */
export async function coverageOf(
  manifest: Manifest | undefined,
  asked: Span,
  { count, stale = [], why }: CoverageFacts,
): Promise<Coverage> {
  const windows = (manifest?.windows ?? []).filter((window) => isReadable(window) && overlaps(window, asked));
  const held = union(windows.flatMap((window) => common(window, asked) ?? []));
  const absent = without([asked], held);
  const outdated = (manifest?.windows ?? [])
    .filter((window) => !isReadable(window))
    .flatMap((window) => absent.flatMap((gap) => common(window, gap) ?? []));
  const doubtful = windows.filter(({ problem }) => problem !== undefined);
  const cut = windows.filter((window) => window.rows > 0 && !isWithin(window, asked));
  const whole = windows.filter((window) => isWithin(window, asked)).reduce((sum, { rows }) => sum + rows, 0);
  const late = stale.flatMap((span) => common(span, asked) ?? []).filter((span) => absent.every((gap) => !overlaps(gap, span)));
  const missing = [
    absent.length === 0 ? undefined : `not read: ${named(absent)}${why === undefined ? '' : ` (${why})`}`,
    outdated.length === 0
      ? undefined
      : `another version of this program had kept, in a form that this one doesn’t read: ${named(union(outdated))}`,
    late.length === 0 ? undefined : `not read again since it may have changed: ${named(late)}${why === undefined ? '' : ` (${why})`}`,
    doubtful.length === 0 ? undefined : `perhaps not whole: ${named(union(doubtful))} (${doubtful[0]?.problem})`,
  ].filter((part) => part !== undefined);
  // What has settled is as good as read today.
  const unsettled = windows.filter((window) => !isSettled(window));
  const ages = (unsettled.length > 0 ? unsettled : windows).map(({ fetchedMs }) => fetchedMs);
  return {
    asked,
    held,
    reach: reachOf(manifest?.windows ?? []),
    complete: missing.length === 0,
    asOf: ages.length === 0 ? null : new Date(Math.min(...ages)).toISOString(),
    records: whole + (cut.length === 0 ? 0 : await count(cut, asked)),
    setAside: tallied(windows),
    ...(missing.length === 0 ? {} : { missing: missing.join('; ') }),
  };
}

/** From the first record that windows hold to the last. */
function reachOf(windows: readonly Segment[]): Span | null {
  const filled = windows.filter((window) => isReadable(window) && window.rows > 0);
  const first = filled.map(({ fromMs, minMs }) => minMs ?? fromMs).reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY);
  const last = filled.map(({ toMs, maxMs }) => maxMs ?? toMs - 1).reduce((most, ms) => Math.max(most, ms), Number.NEGATIVE_INFINITY);
  return filled.length === 0 ? null : { fromMs: first, toMs: last + 1 };
}

/** Throws `views_gone` where something that was found to be held no longer is: it was removed in between, or withdrawn. */
export function checkHeld(windows: readonly Segment[], held: readonly Span[]): void {
  const gone = without(held, windows.filter(isReadable));
  if (gone.length === 0) return;
  throw new VideoHostingError(
    'views_gone',
    `Views that were held could not be used: ${named(gone)}. They were removed meanwhile, or their file was lost or damaged.`,
  );
}

function named(spans: readonly Span[]): string {
  const words = spans.slice(0, MAX_NAMED).map(spanText).join(', ');
  return spans.length > MAX_NAMED ? `${words} and ${spans.length - MAX_NAMED} more spans` : words;
}

/** Counted by window: of one that a span cuts, all of them. */
function tallied(windows: readonly Segment[]): { count: number; reasons: Tally[] } {
  const counts = new Map<string, number>();
  for (const { setAside } of windows) for (const { reason, count } of setAside) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const reasons = [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
  return { count: reasons.reduce((sum, { count }) => sum + count, 0), reasons };
}
