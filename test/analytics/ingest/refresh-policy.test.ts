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
