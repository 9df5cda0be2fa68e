import { expect, test } from 'vitest';
import type { Span } from '../../../src/analytics/contract.ts';
import type { CheckedView } from '../../../src/analytics/ingest/check-record.ts';
import { scan } from '../../../src/analytics/ingest/scan.ts';
import { union } from '../../../src/analytics/spans.ts';
import type { ReadSpan } from '../../../src/analytics/storage/segments.ts';
import { VideoHostingError } from '../../../src/errors.ts';
import { sentence } from '../../../src/text/sentence.ts';

const DAY_MS = 86_400_000;
const FROM_MS = Date.parse('2026-09-12T00:00:00Z');

test.each([7, 31])('a service that refuses spans of more than %i days is asked for parts until it answers, down to days', async (most) => {
  const [fromMs, toMs] = [Date.parse('2025-01-01T00:00:00Z'), Date.parse('2026-01-01T00:00:00Z')];
  const written: ReadSpan[] = [];
  let requests = 0;
  const page = async (span: Span) => {
    requests += 1;
    if (span.toMs - span.fromMs > most * DAY_MS) throw new VideoHostingError('service_validation', sentence`At most some days.`);
    return { views: [], total: 0, pages: 0, size: 10, requestedMs: toMs };
  };
  const reading = scan([{ fromMs, toMs }], {
    reader: { greatestTotal: 0, serviceTime: () => toMs + 90 * DAY_MS, page },
    check: () => ({ reason: sentence`none`, timeMs: undefined }),
    signal: new AbortController().signal,
    folder: 'nothing is written',
    stored: [],
    write: async (span) => void written.push(span),
    progress: () => {},
  });
  await reading;
  expect(union(written)).toEqual([{ fromMs, toMs }]);
  expect(requests).toBeLessThan((4 * 366) / most + 20);
});

test('a record that the service dates outside the time that it was asked for is set aside, with the reason', async () => {
  const late: CheckedView = { id: 'late', timeMs: FROM_MS - 5 * DAY_MS, line: '' };
  const written: ReadSpan[] = [];
  const page = async () => ({ views: [late], total: 1, pages: 1, size: 2, requestedMs: FROM_MS });
  await scan([{ fromMs: FROM_MS, toMs: FROM_MS + DAY_MS }], {
    reader: { greatestTotal: 0, serviceTime: () => FROM_MS, page },
    check: () => late,
    signal: new AbortController().signal,
    folder: 'nothing is written',
    stored: [],
    write: async (span, spool) => {
      expect(spool).toBeUndefined();
      written.push(span);
    },
    progress: () => {},
  });
  const reason = 'date is outside the time that the service was asked for';
  expect(written).toMatchObject([{ fromMs: FROM_MS, rejected: [{ reason, count: 1, fromMs: FROM_MS, toMs: FROM_MS + 1 }] }]);
});
