/** What is made of the counts that a service states with a page. */
import { expect, test } from 'vitest';
import { createPageReader } from '../../../src/analytics/ingest/page-reader.ts';

type ViewLogs = Parameters<typeof createPageReader>[0];

async function totalOf(pager: Readonly<Record<string, number>>): Promise<number | undefined> {
  const viewLogs: Pick<ViewLogs, 'page' | 'clockAheadMs'> = {
    page: async () => ({ pager: { page: 1, ...pager }, views: [] }) as unknown as Awaited<ReturnType<ViewLogs['page']>>,
    clockAheadMs: () => undefined,
  };
  const reader = createPageReader(viewLogs as ViewLogs, () => 0);
  const check = () => ({ id: 'x', timeMs: 0, line: '' });
  const page = await reader.page({ fromMs: 0, toMs: 1_000 }, 1, { check, signal: new AbortController().signal });
  expect(reader.greatestTotal).toBe(page?.total ?? 0);
  return page?.total;
}

test('the total is that of the matches, also where a service counts them as hits, and all of the account as total', async () => {
  // Hits are what is on the page.
  expect(await totalOf({ size: 100, hits: 100, total: 250, pages: 3 })).toBe(250);
  expect(await totalOf({ size: 100, hits: 50, total: 250, pages: 3 })).toBe(250);
  // Hits are the matches, as their pages say.
  expect(await totalOf({ size: 100, hits: 250, total: 90_000, pages: 3 })).toBe(250);
  expect(await totalOf({ size: 100, hits: 0, total: 90_000, pages: 0 })).toBe(0);
  // Hits and pages contradict each other.
  expect(await totalOf({ size: 100, hits: 100, total: 90_000, pages: 3 })).toBe(90_000);
  expect(await totalOf({ size: 100, total: 90_000, pages: 3 })).toBe(90_000);
});
