import { expect, test } from 'vitest';
import { coverageOf } from '../../../src/analytics/storage/coverage.ts';
import { type Doubt, remainingSegments, SCHEMA, SETTLE_MS, type Segment } from '../../../src/analytics/storage/segments.ts';
import { type Sentence, sentence } from '../../../src/text/sentence.ts';

const ms = (time: string): number => Date.parse(time.length === 10 ? `${time}T00:00:00Z` : time);
const span = (from: string, to: string) => ({ fromMs: ms(from), toMs: ms(to) });
const DURATION = sentence`duration is text, not a whole number`;
const aside = (reason: Sentence, count: number, from: string, to: string) => ({ reason, count, ...span(from, to) });

const segment = (from: string, to: string, more: Partial<Segment> = {}): Segment => ({
  ...span(from, to),
  id: from,
  fetchedMs: ms(to) + SETTLE_MS,
  schema: SCHEMA,
  rows: 0,
  rejected: [],
  ...more,
});

const coverage = (segments: readonly Segment[], from: string, to: string, zone?: string) =>
  coverageOf(segments, { ...span(from, to), ...(zone === undefined ? {} : { zone }) }, {}, async () => 0);

const OCTOBER = segment('2026-10-01', '2026-11-01', {
  rejected: [
    aside(DURATION, 5, '2026-10-03T11:00:00Z', '2026-10-03T12:00:00Z'),
    aside(sentence`id is missing`, 2, '2026-10-20T01:00:00Z', '2026-10-20T02:00:00Z'),
  ],
});

test('malformed records are told of the days that are asked for, and of no others', async () => {
  const asideOf = async (from: string, to: string) => (await coverage([OCTOBER], from, to)).rejected;
  const noId = { reason: 'id is missing', count: 2 };
  const both = { count: 7, reasons: [{ reason: DURATION, count: 5 }, noId] };
  expect(await asideOf('2026-10-01', '2026-11-01')).toEqual(both);
  expect(await asideOf('2026-10-20', '2026-10-21')).toEqual({ count: 2, reasons: [noId] });
  expect(await asideOf('2026-10-20T02:00:00Z', '2026-10-21')).toEqual({ count: 0, reasons: [] });
});

test('the last part is told where it was read later than the rest', async () => {
  const [noon, later] = [ms('2026-10-20T12:00:00Z'), ms('2026-10-20T12:28:00Z')];
  const head = segment('2026-10-20', '2026-10-20T12:15:00Z', { fetchedMs: noon });
  const tailAt = (fetchedMs: number) => segment('2026-10-20T12:15:00Z', '2026-10-21', { fetchedMs });
  const told = async (fetchedMs: number) => (await coverage([head, tailAt(fetchedMs)], '2026-10-20', '2026-10-21')).newest;
  expect(await told(later)).toEqual({ from: '2026-10-20T12:15:00.000Z', asOf: '2026-10-20T12:28:00.000Z' });
  expect(await told(noon + 1_000)).toBeUndefined();
});

test('the last part is told as of its own oldest reading, whatever was read later before it', async () => {
  const [noon, later] = [ms('2026-10-20T12:00:00Z'), ms('2026-10-20T12:28:00Z')];
  const yesterday = segment('2026-10-19', '2026-10-20', { fetchedMs: later + 20_000 });
  const head = segment('2026-10-20', '2026-10-20T12:15:00Z', { fetchedMs: noon });
  const tails = [
    segment('2026-10-20T12:15:00Z', '2026-10-20T12:20:00Z', { fetchedMs: later }),
    segment('2026-10-20T12:20:00Z', '2026-10-21', { fetchedMs: later + 10_000 }),
  ];
  const { asOf, newest } = await coverage([yesterday, head, ...tails], '2026-10-19', '2026-10-21');
  expect(asOf).toBe('2026-10-20T12:00:00.000Z');
  expect(newest).toEqual({ from: '2026-10-20T12:15:00.000Z', asOf: '2026-10-20T12:28:00.000Z' });
  // Only yesterday was read again.
  expect((await coverage([yesterday, head], '2026-10-19', '2026-10-21')).newest).toBeUndefined();
});

test('where an empty segment is cut, each rest keeps the malformed records of its days', async () => {
  const added = segment('2026-10-10', '2026-10-12', { fetchedMs: OCTOBER.fetchedMs + 1 });
  const [before, after] = remainingSegments([OCTOBER], added) ?? [];
  expect([before?.rejected, after?.rejected]).toEqual([[OCTOBER.rejected[0]], [OCTOBER.rejected[1]]]);
  const whole = segment('2026-10-01', '2026-11-01', { fetchedMs: OCTOBER.fetchedMs + 1 });
  expect(remainingSegments([OCTOBER], whole)).toEqual([]);
});

test('a segment that is cut twice leaves rests of different ids', () => {
  const later = { fetchedMs: OCTOBER.fetchedMs + 1 };
  const once = remainingSegments([OCTOBER], segment('2026-10-20', '2026-10-22', later)) ?? [];
  const twice = remainingSegments(once.slice(0, 1), segment('2026-10-10', '2026-10-12', later)) ?? [];
  const rests = [...twice, ...once.slice(1)];
  expect(rests.map(({ fromMs }) => fromMs)).toEqual(['2026-10-01', '2026-10-12', '2026-10-22'].map(ms));
  expect(new Set(rests.map(({ id }) => id)).size).toBe(3);
});

test('each reason why views may be missing is told of its own days, within those that are asked for', async () => {
  const doubtful = (from: string, to: string, doubt: Doubt) => segment(from, to, { doubt });
  const held = [
    doubtful('2026-10-01', '2026-10-08', { kind: 'kept_changing' }),
    doubtful('2026-10-08', '2026-10-10', { kind: 'short', counted: 4, returned: 3 }),
    doubtful('2026-10-10', '2026-11-01', { kind: 'kept_changing' }),
  ];
  expect((await coverage(held, '2026-10-05', '2026-10-12')).missing).toBe(
    'Perhaps incomplete: 2026-10-05 to 2026-10-07, 2026-10-10 to 2026-10-11 (the log kept changing while it was read). Perhaps incomplete: 2026-10-08 to 2026-10-09 (the service counts 4 views there and returned 3).',
  );
});

test('what was not read is told in the zone and the form of the question', async () => {
  const held = [segment('2026-10-01', '2026-10-24'), segment('2026-10-29', '2026-11-01')];
  expect((await coverage(held, '2026-10-01', '2026-11-01')).missing).toBe('Not read: 2026-10-24 to 2026-10-28.');
  expect((await coverage(held, '2026-10-28', '2026-10-29')).missing).toBe('Not read: 2026-10-28.');
  const there = ['2026-09-30T15:00:00Z', '2026-10-31T15:00:00Z', 'Asia/Tokyo'] as const;
  const zoned = [segment('2026-09-30', '2026-10-24'), ...held.slice(1)];
  const { missing } = await coverage(zoned, ...there);
  expect(missing).toBe('Not read: 2026-10-24T09:00:00+09:00 until 2026-10-29T09:00:00+09:00 in Asia/Tokyo.');
});

test('what is dated later than now is set aside of a time that has begun, and tells not how far the log reaches', async () => {
  const day = (from: string, minMs: string, maxMs: string, rows: number) =>
    segment(from, new Date(ms(from) + 86_400_000).toISOString(), { rows, minMs: ms(minMs), maxMs: ms(maxMs) });
  const today = day('2026-10-20', '2026-10-20T01:00:00Z', '2026-10-20T18:00:00Z', 5);
  const tomorrow = day('2026-10-21', '2026-10-21T02:00:00Z', '2026-10-21T03:00:00Z', 2);
  const presentMs = ms('2026-10-20T12:00:00Z');
  const asked = async (all: readonly Segment[], from: string, to: string) => {
    const counted: string[] = [];
    const found = await coverageOf(all, span(from, to), { presentMs }, async (segments, within) => {
      counted.push(`${segments.map(({ id }) => id).join()} from ${new Date(within.fromMs).toISOString()}`);
      return 3;
    });
    return { ...found, counted };
  };
  const both = await asked([today, tomorrow], '2026-10-20', '2026-10-22');
  expect(both.counted).toEqual(['2026-10-20,2026-10-21 from 2026-10-20T12:00:00.000Z']);
  expect(both).toMatchObject({ records: 4, ahead: 3, presentMs, dataSpan: { fromMs: ms('2026-10-20T01:00:00Z'), toMs: presentMs } });
  // Records of the future alone are no log.
  expect(await asked([tomorrow], '2026-10-20', '2026-10-22')).toMatchObject({ ahead: 3, dataSpan: null });
  // Of a time that is over nothing is, and of one that is all to come the clock may be wrong.
  for (const [from, to] of [
    ['2026-10-19', '2026-10-20'],
    ['2026-10-21', '2026-10-22'],
  ] as const)
    expect(await asked([today, tomorrow], from, to)).not.toHaveProperty('ahead');
});
