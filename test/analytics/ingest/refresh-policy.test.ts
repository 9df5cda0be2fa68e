import { expect, test } from 'vitest';
import { staleSpans } from '../../../src/analytics/ingest/refresh-policy.ts';
import { SCHEMA, type Segment } from '../../../src/analytics/storage/segments.ts';

const DAY_MS = 86_400_000;
const TODAY_MS = Date.parse('2026-10-20T00:00:00Z');
const NOW_MS = TODAY_MS + 18 * 3_600_000;
const TODAY = { fromMs: TODAY_MS, toMs: TODAY_MS + DAY_MS };

function readAt(fetchedMs: number, more: Partial<Segment> = {}): Segment[] {
  return [{ ...TODAY, id: 'a', fetchedMs, schema: SCHEMA, rows: 5, part: 'a.parquet', rejected: [], ...more }];
}

const stale = (segments: readonly Segment[], nowMs = NOW_MS) => staleSpans(segments, TODAY, { askedMs: NOW_MS, nowMs });

test.each([50 * 60_000, 3 * DAY_MS, 400 * DAY_MS])('what was read while the clock was %d ms ahead is read again', (aheadMs) => {
  expect(stale(readAt(NOW_MS + aheadMs))).toEqual([TODAY]);
  expect(stale(readAt(NOW_MS + aheadMs, { rows: 0 }))).toEqual([TODAY]);
});

test('clocks may differ by seconds, and what is read for a question is fresh for it, however long that takes', () => {
  expect(stale(readAt(NOW_MS + 20_000))).toEqual([]);
  expect(stale(readAt(NOW_MS + 3_600_000), NOW_MS + 3_600_000)).toEqual([]);
});

const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number): number => NOW_MS - minutes * MINUTE_MS;

/** Today as it was read `readAgo` minutes ago, and its last part, from `cutAgo` on, `tailAgo` minutes ago. */
function inTwoParts(readAgo: number, { cutAgo = 35, tailAgo = 2, newestAgo = 2 } = {}): Segment[] {
  const cutMs = minutesAgo(cutAgo);
  return [
    ...readAt(minutesAgo(readAgo), { toMs: cutMs, maxMs: cutMs - 1 }),
    ...readAt(minutesAgo(tailAgo), { id: 'b', fromMs: cutMs, maxMs: minutesAgo(newestAgo) }),
  ];
}

const TAIL = [{ fromMs: minutesAgo(35), toMs: TODAY.toMs }];

test('the last part of today is read after a minute, and all of it after half an hour', () => {
  expect(stale(inTwoParts(20, { tailAgo: 0.9 }))).toEqual([]);
  expect(stale(inTwoParts(20))).toEqual(TAIL);
  expect(stale(inTwoParts(31))).toEqual([TODAY]);
  expect(stale(inTwoParts(31, { tailAgo: 0.9 }))).toEqual([{ ...TODAY, toMs: minutesAgo(35) }]);
});

test('the last part begins ten minutes before what the log had when it was read, and earlier where the log lags', () => {
  expect(stale(inTwoParts(20, { cutAgo: 30 }))).toEqual([{ fromMs: minutesAgo(30), toMs: TODAY.toMs }]);
  expect(stale(inTwoParts(20, { cutAgo: 29 }))).toEqual([TODAY]);
  expect(stale(inTwoParts(20, { newestAgo: 25 }))).toEqual(TAIL);
  expect(stale(inTwoParts(20, { newestAgo: 26 }))).toEqual([TODAY]);
});

test('how far the log lags, no view tells that is dated in the future', () => {
  const later = { id: 'c', fromMs: NOW_MS + 30 * MINUTE_MS, toMs: NOW_MS + 45 * MINUTE_MS, maxMs: NOW_MS + 40 * MINUTE_MS };
  const before = (segments: readonly Segment[]) => segments.map((one) => (one.id === 'b' ? { ...one, toMs: later.fromMs } : one));
  const withFuture = (lag: number) => [
    ...before(inTwoParts(20, { cutAgo: 30, newestAgo: lag })),
    ...readAt(minutesAgo(2), later),
    ...readAt(minutesAgo(2), { id: 'd', rows: 0, fromMs: later.toMs }),
  ];
  expect(stale(withFuture(2))).toEqual([{ fromMs: minutesAgo(30), toMs: TODAY.toMs }]);
  // New views may be dated 35 minutes ago.
  expect(stale(withFuture(25))).toEqual([TODAY]);
});

test('a day that was not over when it was read is read again after a minute, one that was over after a quarter of an hour', () => {
  const justAfter = TODAY.toMs + MINUTE_MS;
  const staleAt = (askedMs: number, fetchedMs: number) => staleSpans(readAt(fetchedMs), TODAY, { askedMs, nowMs: askedMs });
  expect(staleAt(justAfter, justAfter - 2 * MINUTE_MS - 1)).toEqual([TODAY]);
  expect(staleAt(justAfter + 14 * MINUTE_MS, justAfter)).toEqual([]);
  expect(staleAt(justAfter + 16 * MINUTE_MS, justAfter)).toEqual([TODAY]);
});
