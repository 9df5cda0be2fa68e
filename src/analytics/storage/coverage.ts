import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { MINUTE_MS } from '../../platform/time-units.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import type { AskedSpan, Coverage, Span } from '../contract.ts';
import { spansText } from '../resolve/dates.ts';
import { common, isWithin, overlaps, union, without } from '../spans.ts';
import type { CoverageOptions } from './contract.ts';
import { type Doubt, isFilled, isReadable, isSettled, rejectedIn, rowCount, type Segment, sumByReason } from './segments.ts';

/** `countIn` counts the views of a span in segments that extend beyond it. */
export async function coverageOf(
  all: readonly Segment[],
  asked: AskedSpan,
  { stale, why, presentMs }: CoverageOptions,
  countIn: (segments: readonly Segment[], span: Span) => Promise<number>,
): Promise<Coverage> {
  const segments = all.filter((segment) => isReadable(segment) && overlaps(segment, asked));
  const covered = union(segments.flatMap((segment) => common(segment, asked) ?? []));
  const cut = segments.filter((segment) => segment.rows > 0 && !isWithin(segment, asked));
  const missing = missingText(all, asked, covered, stale?.(all) ?? [], why);
  const unsettled = segments.filter((segment) => !isSettled(segment));
  // A settled span no longer changes, so its age does not matter.
  const ages = (unsettled.length > 0 ? unsettled : segments).map(({ fetchedMs }) => fetchedMs);
  const reasons = sumByReason(rejectedIn(segments, asked));
  const future = futureOf(asked, presentMs);
  const late = future === undefined ? [] : segments.filter(({ rows, toMs, maxMs = toMs }) => rows > 0 && maxMs >= future.fromMs);
  const ahead = future === undefined || late.length === 0 ? 0 : await countIn(late, future);
  return {
    asked,
    covered,
    dataSpan: dataSpanOf(all, future?.fromMs),
    complete: missing === '',
    asOf: ages.length === 0 ? null : new Date(Math.min(...ages)).toISOString(),
    records: rowCount(segments) - rowCount(cut) + (cut.length === 0 ? 0 : await countIn(cut, asked)) - ahead,
    rejected: { count: reasons.reduce((sum, { count }) => sum + count, 0), reasons },
    ...definedFields({ newest: newestOf(unsettled), presentMs: future?.fromMs }),
    ...(ahead === 0 ? {} : { ahead }),
    ...(missing === '' ? {} : { missing }),
  };
}

/** What is to come of a time that has begun; where a clock is behind all of it, that clock says nothing of it. */
const futureOf = ({ fromMs, toMs }: Span, presentMs = toMs): Span | undefined =>
  fromMs < presentMs && presentMs < toMs ? { fromMs: presentMs, toMs } : undefined;

/** What was read later than the rest, up to the end: as of the oldest reading in it, which all of it is at least as fresh as. */
function newestOf(unsettled: readonly Segment[]): Coverage['newest'] {
  const latestMs = Math.max(...unsettled.map(({ fetchedMs }) => fetchedMs));
  const older = unsettled.findLast(({ fetchedMs }) => latestMs - fetchedMs > MINUTE_MS);
  if (older === undefined) return undefined;
  const asOfMs = Math.min(...unsettled.filter(({ fromMs }) => fromMs >= older.toMs).map(({ fetchedMs }) => fetchedMs));
  if (!Number.isFinite(asOfMs) || older.toMs >= asOfMs) return undefined;
  return { from: new Date(older.toMs).toISOString(), asOf: new Date(asOfMs).toISOString() };
}

function missingText(
  all: readonly Segment[],
  asked: AskedSpan,
  covered: readonly Span[],
  stale: readonly Span[],
  why: Sentence | undefined,
): Sentence {
  const because = why === undefined ? sentence`` : sentence` (${why})`;
  const absent = without([asked], covered);
  const unreadable = all.filter((segment) => !isReadable(segment));
  const otherVersion = absent.flatMap((gap) => unreadable.flatMap((segment) => common(segment, gap) ?? []));
  const outdated = stale.flatMap((span) => common(span, asked) ?? []).filter((span) => !absent.some((gap) => overlaps(gap, span)));
  const readable = all.filter(isReadable);
  const doubtful = new Map<string, { readonly doubt: Doubt; readonly spans: Span[] }>();
  for (const { doubt, ...segment } of readable) {
    if (doubt === undefined) continue;
    const key = JSON.stringify(doubt);
    const { spans } = doubtful.get(key) ?? { spans: [] };
    doubtful.set(key, { doubt, spans: [...spans, ...[common(segment, asked) ?? []].flat()] });
  }
  const texts = [
    [absent, 'Not read', because],
    [union(otherVersion), 'Stored by another version of this program, in a format that this version doesn’t read', sentence``],
    [outdated, 'Not read again since it may have changed', because],
    ...[...doubtful.values()].map(({ doubt, spans }) => [union(spans), 'Perhaps incomplete', sentence` (${doubtText(doubt)})`] as const),
  ] as const;
  return joined(
    texts
      .filter(([spans]) => spans.length > 0)
      .map(([spans, before, after]) => sentence`${before}: ${spansText(spans, asked.zone)}${after}.`),
  );
}

function doubtText(doubt: Doubt): Sentence {
  switch (doubt.kind) {
    case 'beside_failure':
      return sentence`the service failed for the time beside it, and the time zone that it reads spans in is not documented`;
    case 'part_of_second':
      return sentence`the service returns only part of the views of one second`;
    case 'kept_changing':
      return sentence`the log kept changing while it was read`;
    case 'short':
      return sentence`the service counts ${doubt.counted} views there and returned ${doubt.returned}`;
  }
}

/** Records that are dated later than now tell nothing of how far the log reaches. */
function dataSpanOf(segments: readonly Segment[], presentMs = Number.POSITIVE_INFINITY): Span | null {
  const filled = segments.filter((segment) => isFilled(segment) && (segment.minMs ?? segment.fromMs) < presentMs);
  if (filled.length === 0) return null;
  return {
    fromMs: Math.min(...filled.map(({ fromMs, minMs }) => minMs ?? fromMs)),
    toMs: Math.min(presentMs, Math.max(...filled.map(({ toMs, maxMs }) => maxMs ?? toMs - 1)) + 1),
  };
}

/** Throws `views_gone` if spans that were covered before are no longer stored. */
export function assertCovered(segments: readonly Segment[], covered: readonly Span[]): void {
  const gone = without(covered, segments.filter(isReadable));
  if (gone.length === 0) return;
  throw new VideoHostingError(
    'views_gone',
    sentence`Stored views could not be used: ${spansText(gone)}. They were removed meanwhile, or their file was lost or damaged.`,
  );
}
