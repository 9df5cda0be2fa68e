import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Groups, Question, Span } from '../../../src/analytics/contract.ts';
import type { Dimension } from '../../../src/analytics/dimensions.ts';
import { zoneOffsets } from '../../../src/analytics/resolve/zones.ts';
import { answerWithSql } from '../../../src/analytics/sql/ask.ts';
import type { CompiledQuery } from '../../../src/analytics/sql/compile.ts';
import { partitionsOf } from '../../../src/analytics/sql/partitions.ts';
import { toLocal } from '../../../src/platform/time-zones.ts';
import { DAY_MS, days, NOW_MS, sharedEngine, startLab } from '../ingest/support.ts';

const MANY = 5_000_000;
const QUARTER_MS = 900_000;
const ZONES = 'UTC Europe/Berlin America/St_Johns America/Santiago Australia/Lord_Howe Pacific/Kiritimati Africa/Monrovia'.split(' ');
const engine = sharedEngine();

const questionOf = (span: Span, zone: string, groupBy: readonly Dimension[]): Question => ({
  span,
  metrics: ['views', 'unique_viewers', 'unique_videos'],
  groupBy,
  filters: [],
  offsets: zoneOffsets(zone, span),
});

test('slices are adjacent, and no day, week or month is in two of them', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.constantFrom<Dimension>('hour', 'day', 'week', 'month'),
      // Years in which some of the zones changed their clocks at midnight or at 00:01.
      fc.integer({ min: Date.parse('1971-06-01') / QUARTER_MS, max: Date.parse('2026-01-01') / QUARTER_MS }),
      fc.integer({ min: 1, max: 400 * 96 }),
      fc.integer({ min: 1, max: MANY }),
      (zone, unit, from, length, rows) => {
        expectApart(zone, unit, { fromMs: from * QUARTER_MS, toMs: (from + length) * QUARTER_MS }, rows);
      },
    ),
    { numRuns: 100 },
  );
});

test.each([
  // At 00:01, clocks are set back to 23:01.
  ['America/St_Johns', '2010-11-01', '2010-11-14'],
  // At midnight, clocks are set back to 23:00.
  ['America/Santiago', '2025-03-30', '2025-04-12'],
  // At midnight, clocks are set forward to 01:00.
  ['America/Santiago', '2025-09-01', '2025-09-14'],
  // The zone skips 2011-12-30.
  ['Pacific/Apia', '2011-12-22', '2012-01-05'],
])('slices around the clock change in %s after %s are adjacent and share no day', (zone, from, to) => {
  expect(expectApart(zone, 'day', days(from, to), MANY)).toBeGreaterThan(8);
});

/** Asserts that the slices are adjacent and share no day, week or month, and returns their number. */
function expectApart(zone: string, unit: Dimension, span: Span, rows: number): number {
  const slices = partitionsOf(questionOf(span, zone, [unit]), { ...span, rows });
  expect(slices.map(({ fromMs }) => fromMs)).toEqual([span.fromMs, ...slices.slice(0, -1).map(({ toMs }) => toMs)]);
  expect(slices.at(-1)?.toMs).toBe(span.toMs);
  expect(slices.length).toBeLessThanOrEqual(100);
  for (const { toMs } of slices.slice(0, -1)) {
    const around = Array.from({ length: 4 * 96 }, (_, quarter) => toMs + (quarter - 192) * QUARTER_MS);
    const before = [...around.filter((ms) => ms < toMs), toMs - 1].map((ms) => labelOf(unit, toLocal(zone, ms)));
    const after = around.filter((ms) => ms >= toMs).map((ms) => labelOf(unit, toLocal(zone, ms)));
    expect(Math.max(...before)).toBeLessThan(Math.min(...after));
  }
  return slices.length;
}

/** The calendar day, week or month of a local time, as a number. */
function labelOf(unit: Dimension, localMs: number): number {
  const date = new Date(localMs);
  if (unit === 'month') return date.getUTCFullYear() * 12 + date.getUTCMonth();
  return unit === 'week' ? Math.floor((localMs / DAY_MS + 3) / 7) : Math.floor(localMs / DAY_MS);
}

test('only queries with distinct counts over many views are split into slices', () => {
  const span = days('2026-01-01', '2026-04-01');
  const question = questionOf(span, 'UTC', ['day']);
  const countOf = (change: Partial<Question>, rows = MANY) => partitionsOf({ ...question, ...change }, { ...span, rows }).length;
  expect(countOf({})).toBeGreaterThan(20);
  expect(countOf({}, 100_000)).toBe(1);
  expect(countOf({}, 0)).toBe(1);
  expect(countOf({ metrics: ['views', 'play_rate'] })).toBe(1);
  expect(countOf({ groupBy: ['video', 'weekday', 'hour_of_day'] })).toBe(1);
  expect(countOf({ filters: [{ column: 'video_key', values: ['a'] }] })).toBe(1);
});

test('an answer from slices equals the answer without slices', async () => {
  const lab = await startLab({ engine });
  lab.clock.ms = NOW_MS;
  const all = days('2026-02-27', '2026-10-31');
  await lab.ensure(all);
  const parts = lab.storage.partFilesOf((await lab.storage.open()).segments);
  // In the last weeks each day is a slice, and clocks change.
  const spans = [all, days('2026-10-12', '2026-10-31')];
  for (const [span, zone] of spans.flatMap((span) => ['Europe/Berlin', 'America/Santiago'].map((zone) => [span, zone] as const)))
    for (const groupBy of [['day'], ['hour', 'device_type'], ['week'], ['month', 'country']] satisfies Dimension[][]) {
      const question = questionOf(span, zone, groupBy);
      const run = ({ sql, params }: CompiledQuery) =>
        engine.query({ parts, sql, params, maxRows: 200_000, timeoutMs: 500_000, signal: AbortSignal.timeout(500_000) });
      const slices = partitionsOf(question, { ...span, rows: MANY });
      if (span === all) expect(slices.length).toBeGreaterThan(5);
      else if (groupBy[0] === 'day') expect(slices.length).toBeGreaterThan(1);
      expect(inOrder(await answerWithSql(question, run, { slices }))).toEqual(inOrder(await answerWithSql(question, run)));
    }
});

const inOrder = ({ rows, total, columns }: Groups) => ({ columns, total, rows: rows.map((row) => JSON.stringify(row)).sort() });
