/** For any behaviour that the API document leaves open, each well-formed view of a span is stored exactly once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Behaviour } from '../../../src/demo/behaviour.ts';
import type { Fault } from '../../harness/faults.ts';
import { DAY_MS, days, inOrder, type Lab, sharedEngine, startLab, viewEntry, viewsOf } from './support.ts';

const RUNS = Number(process.env.SYNC_RUNS ?? 25);

const behaviours = fc.record({
  toInclusive: fc.boolean(),
  statsTimezoneOffsetMinutes: fc.constantFrom(0, 120, -480, 840, -720, 330),
  statsDefaultSize: fc.constantFrom(10, 50, 333),
  statsMaxSize: fc.constantFrom(7, 37, 100, 333, 500, 1_000, 5_000),
  statsOversizedPage: fc.constantFrom('clamp' as const, 'reject' as const),
  viewsNewestFirst: fc.boolean(),
  repeatedViewsPerPage: fc.constantFrom(0, 0, 1, 5),
  malformedViewEvery: fc.constantFrom(0, 0, 3, 50),
  movingTotal: fc.boolean(),
  hitsMeans: fc.constantFrom('page' as const, 'total' as const),
  statsResultWindow: fc.constantFrom(0, 0, 0, 120, 250),
  viewDateOffsets: fc.constantFrom([0], [0, 330, -570, 840], [-720, 60]),
  viewDateFractionDigits: fc.constantFrom(1, 3, 7, 9),
  sparseViews: fc.boolean(),
  extraFields: fc.boolean(),
}) satisfies fc.Arbitrary<Partial<Behaviour>>;

const FAULTS: readonly Fault[] = [
  { kind: 'status', code: 500 },
  { kind: 'status', code: 503 },
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'truncate' },
  { kind: 'garbage', shape: 'html' },
];

const FIRST_MS = Date.parse('2026-09-20T00:00:00Z');
const spans = fc
  .record({ from: fc.integer({ min: -2, max: 45 * 24 }), hours: fc.integer({ min: 1, max: 20 * 24 }) })
  .map(({ from, hours }) => ({ fromMs: FIRST_MS + from * 3_600_000, toMs: FIRST_MS + (from + hours) * 3_600_000 }));

const engine = sharedEngine();

async function startSmallLab(behaviour: Partial<Behaviour>): Promise<Lab> {
  const lab = await startLab({ views: 6_000, engine });
  Object.assign(lab.demo.behaviour, behaviour);
  lab.demo.behaviour.distorts = new Set(['views', 'pager']);
  return lab;
}

test('each view is stored once, for all kinds of page sizes, totals, bounds, time zones and orders', async () => {
  await fc.assert(
    fc.asyncProperty(
      behaviours,
      fc.array(spans, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(0, 0, 0.05),
      async (behaviour, asked, rate) => {
        const lab = await startSmallLab(behaviour);
        if (rate > 0) lab.demo.faults.random({ match: { api: 'stats' }, rate, seed: 3, faults: FAULTS });
        for (const span of asked) {
          const { missing, complete, records, rejected } = await lab.ensure(span);
          expect({ behaviour, missing, complete }).toEqual({ behaviour, missing: undefined, complete: true });
          expect(await lab.storedIds(span)).toEqual(viewsOf(lab.demo, span));
          expect(records).toBe(viewsOf(lab.demo, span).length);
          if (behaviour.malformedViewEvery === 3 && records > 200) expect(rejected.count).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: RUNS },
  );
}, 1_200_000);

test('each view that existed before a read is stored once while the log grows', async () => {
  await fc.assert(
    fc.asyncProperty(behaviours, spans, fc.constantFrom(1, 3, 20), async (behaviour, span, growth) => {
      // The log must not grow faster than it can be read.
      const statsMaxSize = Math.max(100, behaviour.statsMaxSize);
      const newViewsBetweenPages = Math.min(growth, Math.ceil(statsMaxSize / 50));
      const lab = await startSmallLab({ ...behaviour, statsMaxSize, statsOversizedPage: 'clamp', newViewsBetweenPages });
      const before = viewsOf(lab.demo, span);
      await lab.ensure(span);
      const held = await lab.storedIds(span);
      expect(new Set(held).size).toBe(held.length);
      expect(before.filter((id) => !held.includes(id))).toEqual([]);
      const after = new Set(viewsOf(lab.demo, span));
      expect(held.filter((id) => !after.has(id))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 1_200_000);

test('views that move between pages are neither lost nor stored twice', async () => {
  const lab = await startSmallLab({ statsMaxSize: 50, viewsNewestFirst: true });
  const span = days('2026-10-01', '2026-10-11');
  let added = 0;
  lab.demo.behaviour.onRequest = (request) => {
    // Late views, at the recent end and in the middle, added after reading has begun.
    if (request.number > 2 && request.number % 3 === 0 && added < 60)
      for (const day of [3, 9])
        lab.demo.world.addView({ id: `late-${added++}`, date: new Date(span.fromMs + day * DAY_MS).toISOString().replace('Z', '+00:00') });
  };
  const before = viewsOf(lab.demo, span);
  await lab.ensure(span);
  const held = await lab.storedIds(span);
  expect(inOrder([...new Set(held)])).toEqual(held);
  expect(before.filter((id) => !held.includes(id))).toEqual([]);
});

const MINUTE_MS = 60_000;
const TODAY = days('2026-10-20', '2026-10-21');
/** Views of which some enter the log at once and others later; `late` is beside the lag of the whole log. */
const busyDays = fc.record({
  lag: fc.constantFrom(0, 0, 20, 45),
  late: fc.array(fc.constantFrom(0, 0, 0, 3, 10, 25, 90), { minLength: 7, maxLength: 7 }),
  steps: fc.array(fc.constantFrom(1.5, 2, 2, 2, 7, 16, 40), { minLength: 6, maxLength: 12 }),
  grows: fc.boolean(),
});

test('on a busy day that is read in parts each view is stored once, and those that are not late beyond the margin at once', async () => {
  await fc.assert(
    fc.asyncProperty(behaviours, busyDays, async (behaviour, { lag, late, steps, grows }) => {
      const lab = await startLab({ engine, views: 0 });
      Object.assign(lab.demo.behaviour, { ...behaviour, statsMaxSize: Math.max(100, behaviour.statsMaxSize), statsResultWindow: 0 });
      lab.demo.behaviour.distorts = new Set(['views', 'pager']);
      const enter = viewEntry(lab.demo);
      const noon = TODAY.fromMs + DAY_MS / 2;
      const coming = Array.from({ length: 26 * 60 }, (_, index) => ({
        date: noon - 22 * 60 * MINUTE_MS + index * MINUTE_MS,
        beyondMs: (late[index % late.length] ?? 0) * MINUTE_MS,
      }));
      const log: { id: string; atMs: number; isPrompt: boolean; isOfToday: boolean }[] = [];
      const advance = (nowMs: number) => {
        for (const [index, { date, beyondMs }] of [...coming.entries()].reverse()) {
          const atMs = date + lag * MINUTE_MS + beyondMs;
          if (atMs > nowMs) continue;
          coming.splice(index, 1);
          log.push({ id: enter(date), atMs, isPrompt: beyondMs <= 10 * MINUTE_MS, isOfToday: date >= TODAY.fromMs });
        }
        lab.clock.ms = nowMs;
      };
      if (grows) lab.demo.behaviour.onRequest = ({ number }) => void (number % 5 === 0 && enter(lab.clock.ms - 1_000));
      const ask = async () => {
        const { complete, asOf } = await lab.ensure(TODAY);
        const held = await lab.storedIds(TODAY);
        expect(new Set(held).size).toBe(held.length);
        const inLog = new Set(viewsOf(lab.demo, TODAY));
        expect(held.filter((id) => !inLog.has(id))).toEqual([]);
        if (!complete) return expect(grows).toBe(true);
        const due = log.filter(({ atMs, isPrompt, isOfToday }) => isOfToday && (isPrompt || atMs <= Date.parse(asOf ?? '')));
        const known = new Set(held);
        return expect(due.filter(({ id }) => !known.has(id))).toEqual([]);
      };
      let nowMs = noon;
      for (const minutes of [0, ...steps]) {
        nowMs += minutes * MINUTE_MS;
        advance(nowMs);
        await ask();
      }
      delete lab.demo.behaviour.onRequest;
      advance(TODAY.toMs + 5 * MINUTE_MS);
      await ask();
      expect(await lab.storedIds(TODAY)).toEqual(viewsOf(lab.demo, TODAY));
    }),
    { numRuns: RUNS },
  );
}, 1_200_000);
