/** A row of a week or a month says how many of its days are counted, where that are not all. */
import { describe, expect, test } from 'vitest';
import { createCountedDays } from '../../../src/analytics/assemble/counted-days.ts';
import type { Question, Span } from '../../../src/analytics/contract.ts';
import type { Dimension } from '../../../src/analytics/dimensions.ts';
import { dayOf, monthOfDay, weekOfDay } from '../../../src/analytics/resolve/calendar.ts';
import { zoneOffsets } from '../../../src/analytics/resolve/zones.ts';

const span = (from: string, to: string): Span => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });
const ALWAYS = span('2000-01-01', '2100-01-01');

interface Case {
  readonly asked: Span;
  readonly groupBy?: readonly Dimension[];
  readonly covered?: readonly Span[];
  readonly records?: Span | null;
  readonly now?: string;
  readonly zone?: string;
  readonly weekdays?: readonly number[];
}

/** What the rows of a month or week that begins on each of these days say. */
function marksOf(
  { asked, groupBy = ['month'], covered = [ALWAYS], records = ALWAYS, now = '2026-11-23T12:00Z', zone = 'UTC', weekdays }: Case,
  ...days: readonly string[]
) {
  const question: Question = { span: asked, metrics: ['views'], groupBy, filters: [], offsets: zoneOffsets(zone, asked), weekdays };
  const told = createCountedDays(question, { covered, dataSpan: records }, Date.parse(now));
  const number = (day: string) => (groupBy.includes('week') ? weekOfDay(dayOf(Date.parse(day))) : monthOfDay(dayOf(Date.parse(day))));
  return told && days.map((day) => told(groupBy.map((one) => (one === 'week' || one === 'month' ? number(day) : 'other'))));
}

describe('months and weeks that are counted in part', () => {
  test('are those at the ends of what was asked for, also beside another dimension', () => {
    const asked = span('2026-03-13', '2026-05-04T12:00Z');
    expect(marksOf({ asked }, '2026-03-01', '2026-04-01', '2026-05-01')).toEqual(['19 of 31 days', 'all', '3.5 of 31 days']);
    expect(marksOf({ asked, groupBy: ['country', 'month'] }, '2026-03-01', '2026-04-01')).toEqual(['19 of 31 days', 'all']);
    expect(marksOf({ asked: span('2026-10-01', '2026-11-01'), groupBy: ['week'] }, '2026-09-28', '2026-10-05')).toEqual([
      '4 of 7 days',
      'all',
    ]);
  });

  test('are those that are not over, not read as a whole, or that records begin in', () => {
    const asked = span('2026-01-01', '2026-12-01');
    const covered = [span('2026-01-01', '2026-02-11'), span('2026-02-21', '2026-12-01')];
    const told = { asked, covered, records: span('2026-01-20T18:00Z', '2026-11-23') };
    const marks = marksOf(told, '2026-01-01', '2026-02-01', '2026-03-01', '2026-11-01');
    expect(marks).toEqual(['12 of 31 days', '18 of 28 days', 'all', '22.5 of 30 days']);
    expect(marksOf({ asked, covered: [] }, '2026-01-01')).toEqual(['none']);
    expect(marksOf({ asked }, '2025-12-01')).toEqual(['none']);
  });

  test('go by the days that were asked for, in their zone', () => {
    const mondays = { asked: span('2026-03-08', '2026-05-01'), weekdays: [0] };
    expect(marksOf(mondays, '2026-03-01', '2026-04-01')).toEqual(['4 of 5 days', 'all']);
    const berlin = { asked: span('2026-02-28T23:00Z', '2026-04-09T22:00Z'), zone: 'Europe/Berlin' };
    expect(marksOf(berlin, '2026-03-01', '2026-04-01')).toEqual(['all', '9 of 30 days']);
  });
});

test('nothing is marked where all are whole, or where rows are days', () => {
  const asked = span('2026-03-01', '2026-05-01');
  expect(marksOf({ asked })).toBeUndefined();
  expect(marksOf({ asked: span('2026-03-13', '2026-05-01'), groupBy: ['month', 'day'] })).toBeUndefined();
  expect(marksOf({ asked: span('2026-03-13', '2026-05-01'), groupBy: ['weekday'] })).toBeUndefined();
  expect(marksOf({ asked, records: null })).toBeUndefined();
});
