/** Reads of a chunk from a log that is a list of pages. */
import { describe, expect, test } from 'vitest';
import { createBuckets } from '../../../src/analytics/ingest/buckets.ts';
import type { CheckedView } from '../../../src/analytics/ingest/check-record.ts';
import type { LogPage } from '../../../src/analytics/ingest/page-reader.ts';
import { readChunk } from '../../../src/analytics/ingest/read-chunk.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-09-08T00:00:00Z');
const ASKED = { fromMs: START_MS, toMs: START_MS + 4 * DAY_MS };
const SPAN = { fromMs: ASKED.fromMs - 14 * 3_600_000, toMs: ASKED.toMs + 14 * 3_600_000 };

const at = (id: string, day: number): CheckedView => ({ id, timeMs: START_MS + day * DAY_MS, line: `${id}\n` });

async function read(views: readonly CheckedView[], pageSize = 2) {
  const pages = Math.max(1, Math.ceil(views.length / pageSize));
  // After the span, which gets no new views.
  const log = { total: views.length, pages, size: pageSize, requestedMs: SPAN.toMs };
  const pageOf = (number: number): LogPage => ({ ...log, views: views.slice((number - 1) * pageSize, number * pageSize) });
  let requests = 1;
  const page = async (_: unknown, number: number) => {
    requests += 1;
    return pageOf(number);
  };
  const reader = { greatestTotal: 0, serviceTime: () => START_MS, page };
  const buckets = createBuckets([ASKED], () => DAY_MS);
  const reading = { reader, buckets, check: () => at('x', 0), signal: new AbortController().signal, onPage: () => {} };
  const result = await readChunk(SPAN, pageOf(1), reading);
  return { result, requests, buckets };
}

test('two records with one id on different days are two views, and nothing is missing', async () => {
  const { result, requests, buckets } = await read([at('same', 0.5), at('same', 2.5), at('z', 3)]);
  expect(result).toMatchObject({ kind: 'read', malformed: [], outside: 0, doubt: undefined });
  expect(requests).toBe(2);
  expect(buckets.all().map(({ rows }) => rows)).toEqual([1, 0, 1, 1]);
});

test('the same record on two pages is one view, and another one may be missing', async () => {
  const { result } = await read([at('a', 1), at('b', 2), at('b', 2), at('c', 3)]);
  expect(result).toMatchObject({ doubt: { kind: 'short', counted: 4, returned: 3 } });
});

/** A service with 40 views, eight on a page, which it doesn't return all. */
async function limited({ total = 40, lastPage = 5, greatestTotal = 0 }, beyond: 'empty' | 'repeated' | 'refused' = 'empty') {
  const views = Array.from({ length: 40 }, (_, index) => at(`v${index}`, index / 20));
  const log = { total, pages: Math.ceil(total / 8), size: 8, requestedMs: SPAN.toMs };
  const pageOf = (number: number): LogPage | undefined => {
    if (number <= lastPage) return { ...log, views: views.slice((number - 1) * 8, number * 8) };
    return beyond === 'empty' ? { ...log, views: [] } : beyond === 'repeated' ? pageOf(lastPage) : undefined;
  };
  const reader = {
    greatestTotal: Math.max(total, greatestTotal),
    serviceTime: () => START_MS,
    page: async (_: unknown, n: number) => pageOf(n),
  };
  const buckets = createBuckets([ASKED], () => DAY_MS);
  const reading = { reader, buckets, check: () => at('x', 0), signal: new AbortController().signal, onPage: () => {} };
  return readChunk(SPAN, { ...log, views: views.slice(0, 8) }, reading);
}

describe('a service that doesn’t return all of a long span', () => {
  test.each(['empty', 'repeated', 'refused'] as const)(
    'is asked for the halves if its total may be a limit, and later pages are %s',
    async (beyond) => {
      expect(await limited({ total: 24, lastPage: 3 }, beyond)).toEqual({ kind: 'split', pieces: 2 });
      // It stated a greater one, so this one is none.
      expect(await limited({ total: 24, lastPage: 3, greatestTotal: 100 }, beyond)).toMatchObject({ kind: 'read', doubt: undefined });
    },
  );

  test.each(['empty', 'repeated', 'refused'] as const)(
    'is asked for parts if it counts more, and pages beyond a depth are %s',
    async (beyond) => {
      expect(await limited({ total: 40, lastPage: 3 }, beyond)).toEqual({ kind: 'split', pieces: 3 });
    },
  );
});

test('a log that loses its oldest views while new ones arrive is read again, though its total stays', async () => {
  let log = Array.from({ length: 12 }, (_, index) => at(`v${index}`, index / 10));
  let next = 12;
  const seen = new Set<string>();
  const pageOf = (number: number): LogPage => {
    const views = log.slice((number - 1) * 4, number * 4);
    for (const { id } of views) seen.add(id);
    // One view more after each page of the first pass.
    if (next < 15) log = [...log.slice(1), at(`v${next}`, next++ / 10)];
    return { total: 12, pages: 3, size: 4, requestedMs: START_MS, views };
  };
  const reader = { greatestTotal: 100, serviceTime: () => START_MS, page: async (_: unknown, number: number) => pageOf(number) };
  const buckets = createBuckets([ASKED], () => DAY_MS);
  const reading = { reader, buckets, check: () => at('x', 0), signal: new AbortController().signal, onPage: () => {} };
  expect(await readChunk(SPAN, pageOf(1), reading)).toMatchObject({ kind: 'read', doubt: undefined });
  expect([...seen].sort()).toEqual(Array.from({ length: 15 }, (_, index) => `v${index}`).sort());
});

test('records that are dated outside the time that was asked for are counted, and stored nowhere', async () => {
  // The zone of the service is not known, so what is a day beside the span belongs to it.
  const beside = [at('beside', -1.1), at('after', 5.1)];
  const late = [at('late', -5), at('later', -6), at('early', 40)];
  const { result, buckets } = await read([at('a', 1), ...late, at('b', 2), ...beside], 3);
  expect(result).toMatchObject({ kind: 'read', outside: 3 });
  if (result.kind !== 'read') throw new Error('It was split.');
  buckets.addOutside(SPAN, result.outside);
  const [first, ...others] = buckets.all();
  const reason = 'date is outside the time that the service was asked for';
  expect(first?.malformed).toEqual(late.map(() => ({ reason, timeMs: ASKED.fromMs })));
  expect(others.flatMap(({ malformed }) => malformed)).toEqual([]);
  expect(buckets.all().map(({ rows }) => rows)).toEqual([0, 1, 1, 0]);
});
