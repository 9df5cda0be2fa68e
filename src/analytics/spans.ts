import { HOUR_MS } from '../platform/time-units.ts';
import type { Span } from './contract.ts';

/** On it clocks go forward. */
export const SHORTEST_DAY_MS = 23 * HOUR_MS;
/** Years whose views are stored and that questions may name: microseconds are exact in them. */
export const FIRST_YEAR = 1970;
export const LAST_YEAR = 2199;
export const BEGINNING_MS = -8.64e15;

export const overlaps = (a: Span, b: Span): boolean => a.fromMs < b.toMs && b.fromMs < a.toMs;

export const isWithin = (inner: Span, outer: Span): boolean => outer.fromMs <= inner.fromMs && inner.toMs <= outer.toMs;

export function common(a: Span, b: Span): Span | undefined {
  return overlaps(a, b) ? { fromMs: Math.max(a.fromMs, b.fromMs), toMs: Math.min(a.toMs, b.toMs) } : undefined;
}

/** The spans in order, with adjacent and overlapping ones joined. */
export function union(spans: Iterable<Span>): Span[] {
  const sorted = [...spans].filter(({ fromMs, toMs }) => fromMs < toMs).sort((a, b) => a.fromMs - b.fromMs);
  const joined: Span[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && span.fromMs <= last.toMs)
      joined[joined.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) };
    else joined.push({ fromMs: span.fromMs, toMs: span.toMs });
  }
  return joined;
}

/** The parts of `spans` that none of `taken` covers, in order. */
export function without(spans: Iterable<Span>, taken: Iterable<Span>): Span[] {
  const gone = union(taken);
  return union(spans).flatMap((span) => {
    const left: Span[] = [];
    let start = span.fromMs;
    for (const { fromMs, toMs } of gone) {
      if (toMs <= start || fromMs >= span.toMs) continue;
      if (fromMs > start) left.push({ fromMs: start, toMs: fromMs });
      start = toMs;
    }
    if (start < span.toMs) left.push({ fromMs: start, toMs: span.toMs });
    return left;
  });
}

/** The index of the first span that ends after a moment, in ordered spans without overlaps. There may be tens of thousands. */
export function firstEndingAfter(spans: readonly Span[], ms: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.toMs ?? 0) > ms) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function aligned({ fromMs, toMs }: Span, unitMs: number): Span {
  return { fromMs: Math.floor(fromMs / unitMs) * unitMs, toMs: Math.ceil(toMs / unitMs) * unitMs };
}
