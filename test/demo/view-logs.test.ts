import { expect, test } from 'vitest';
import type { DemoService } from '../harness/demo.ts';
import { ask, startSmall } from './harness.ts';

const ALL = { from: '2025-01-01', size: 1000 };

async function page(demo: DemoService, body: object) {
  const { status, json } = await ask(demo, 'POST /v1/logs/data', { body, key: null });
  expect(status).toBe(200);
  return json;
}

async function readAll(demo: DemoService, body: object = ALL): Promise<Record<string, unknown>[]> {
  const first = await page(demo, { ...body, page: 1 });
  const views = [...first.views];
  for (let at = 2; at <= first.pager.pages; at += 1) views.push(...(await page(demo, { ...body, page: at })).views);
  return views;
}

function ids(views: readonly Record<string, unknown>[]): unknown[] {
  return views.map((view) => view.id).sort();
}

test('the log can be sent oldest first, and requested with a query string', async () => {
  const demo = await startSmall();
  demo.behaviour.viewsNewestFirst = false;
  const { json } = await ask(demo, 'GET /v1/logs/data?from=2025-01-01T00:00:00&page=2&size=10');
  expect(json.pager).toEqual({ page: 2, size: 10, hits: 10, total: 2000, pages: 200 });
  expect(json.views[0]).toEqual(demo.world.views.at(10));
});

test('the log can be filtered by video, channel and project key, and an empty filter is ignored', async () => {
  const demo = await startSmall();
  const everything = await readAll(demo);
  for (const name of ['videoKey', 'channelKey', 'projectKey']) {
    const wanted = everything.find((view) => view[name] !== undefined)?.[name];
    const expected = everything.filter((view) => view[name] === wanted);
    expect(ids(await readAll(demo, { ...ALL, [name]: wanted }))).toEqual(ids(expected));
  }
  expect((await page(demo, { ...ALL, videoKey: '', channelKey: '', projectKey: '' })).pager.total).toBe(2000);
  expect((await page(demo, { ...ALL, videoKey: 'nope' })).pager).toMatchObject({ total: 0, pages: 0 });
});

test('a request without from, with an invalid time or with an invalid page is a 400', async () => {
  const demo = await startSmall();
  const times = [{}, { from: 'yesterday' }, { from: '2026-13-01' }, { from: '2026-01-01', to: 'x' }];
  for (const body of [...times, { ...ALL, page: 0 }, { ...ALL, size: 'x' }, []])
    expect((await ask(demo, 'POST /v1/logs/data', { body })).status).toBe(400);
});

test('switches decide whether the end is included and in which time zone bounds are read', async () => {
  const demo = await startSmall({ views: 0 });
  const { behaviour, world } = demo;
  world.addView({ date: '2026-03-10T00:00:00.000+00:00' });
  const total = async (from: string, to: string) => (await page(demo, { from, to })).pager.total;
  expect(await total('2026-03-10T00:00:00', '2026-03-11')).toBe(1);
  expect(await total('2026-03-09', '2026-03-10')).toBe(0);
  behaviour.toInclusive = true;
  expect(await total('2026-03-09', '2026-03-10')).toBe(1);
  behaviour.toInclusive = false;
  behaviour.statsTimezoneOffsetMinutes = -300;
  expect(await total('2026-03-10T00:00:00', '2026-03-11T00:00:00')).toBe(0);
  expect(await total('2026-03-09T00:00:00', '2026-03-10T00:00:00')).toBe(1);
  expect(await total('2026-03-10T00:00:00Z', '2026-03-10T00:00:01+00:00')).toBe(1);
});

test('the page size has a default and a maximum', async () => {
  const demo = await startSmall();
  expect((await page(demo, { from: '2025-01-01' })).views).toHaveLength(50);
  expect((await page(demo, { from: '2025-01-01', size: 5000 })).pager.size).toBe(1000);
  demo.behaviour.statsOversizedPage = 'reject';
  expect((await ask(demo, 'POST /v1/logs/data', { body: { from: '2025-01-01', size: 5000 } })).status).toBe(400);
});

test('new views between pages push known ones onto the next page', async () => {
  const demo = await startSmall({ views: 100 });
  demo.behaviour.newViewsBetweenPages = 3;
  const first = await page(demo, { from: '2025-01-01', size: 40, page: 1 });
  const second = await page(demo, { from: '2025-01-01', size: 40, page: 2 });
  expect(second.views.slice(0, 3)).toEqual(first.views.slice(37));
  expect(demo.world.views.count).toBe(106);
});

test('pages can repeat the end of the page before', async () => {
  const demo = await startSmall({ views: 100 });
  demo.behaviour.repeatedViewsPerPage = 10;
  const views = await readAll(demo, { from: '2025-01-01', size: 40 });
  expect(views.length).toBeGreaterThan(100);
  expect(new Set(ids(views)).size).toBe(100);
});

test('the total can vary, hits can mean the total, and a result window can cap both', async () => {
  const demo = await startSmall({ views: 500 });
  const total = async (at: number) => (await page(demo, { from: '2025-01-01', page: at })).pager.total;
  demo.behaviour.movingTotal = true;
  expect(new Set([await total(1), await total(2), await total(3), await total(4)]).size).toBeGreaterThan(1);
  Object.assign(demo.behaviour, { movingTotal: false, hitsMeans: 'total', statsResultWindow: 120 });
  expect((await page(demo, { from: '2025-01-01', page: 3 })).pager).toEqual({ page: 3, size: 50, hits: 120, total: 120, pages: 3 });
  expect((await page(demo, { from: '2025-01-01', page: 3 })).views).toHaveLength(20);
  expect((await ask(demo, 'POST /v1/logs/data', { body: { from: '2025-01-01', page: 4 } })).status).toBe(400);
});

test('dates can be written in several offsets and mean the same instants', async () => {
  const demo = await startSmall({ views: 300 });
  const plain = await readAll(demo);
  Object.assign(demo.behaviour, { viewDateOffsets: [0, 120, -330], viewDateFractionDigits: 7 });
  const mixed = await readAll(demo);
  expect(new Set(mixed.map((view) => String(view.date).slice(-6)))).toEqual(new Set(['+00:00', '+02:00', '-05:30']));
  expect(mixed.map((view) => Date.parse(String(view.date)))).toEqual(plain.map((view) => Date.parse(String(view.date))));
});

test('most records lack some optional keys, unless sparseViews is off', async () => {
  const demo = await startSmall();
  const lacking = (views: readonly Record<string, unknown>[]) =>
    views.filter((view) => ['clientUserId', 'userKey', 'channelKey', 'embed', 'region'].some((name) => view[name] === undefined)).length;
  expect(lacking(await readAll(demo)) / 2000).toBeGreaterThan(0.7);
  demo.behaviour.sparseViews = false;
  expect((await readAll(demo)).every((view) => view.clientUserId !== undefined && view.userKey !== undefined)).toBe(true);
});
