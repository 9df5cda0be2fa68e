import { expect, test } from 'vitest';
import type { CheckedView } from '../../../src/analytics/ingest/check-record.ts';
import { scan } from '../../../src/analytics/ingest/scan.ts';
import type { ReadSpan } from '../../../src/analytics/storage/segments.ts';

const DAY_MS = 86_400_000;
const FROM_MS = Date.parse('2026-09-12T00:00:00Z');

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
