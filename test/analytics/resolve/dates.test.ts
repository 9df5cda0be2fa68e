import { describe, expect, test } from 'vitest';
import { type CompareTo, comparisonPeriod } from '../../../src/analytics/resolve/comparison-period.ts';
import { resolveSpan, type SpanQuery, spansText, spanText } from '../../../src/analytics/resolve/dates.ts';
import { zonedText } from '../../../src/analytics/resolve/zones.ts';

/** A Friday. */
const NOW = Date.parse('2026-11-20T13:30:00Z');

const resolved = (query: SpanQuery, now = NOW) => resolveSpan(query, now);
const ends = ({ fromMs, toMs, zone }: { fromMs: number; toMs: number; zone: string }) => [zonedText(zone, fromMs), zonedText(zone, toMs)];
const short = (texts: string[]) => texts.map((text) => text.replace('T00:00:00', '').replace(/(\+00:00|[+-]\d\d:\d\d)$/, ''));

test.each<[string, string | undefined, string, string]>([
  ['2026-03-01', '2026-03-01', '2026-03-01', '2026-03-02'],
  ['2026-03-01', undefined, '2026-03-01', '2026-11-20T13:30:00'],
  ['2026-03-01T05:00', '2026-03-01T06:30:15', '2026-03-01T05:00:00', '2026-03-01T06:30:15'],
  ['2026-03-01T05:00+02:00', '2026-03-01 05:00Z', '2026-03-01T03:00:00', '2026-03-01T05:00:00'],
  ['2026-03-01T24:00', '2026-03-02', '2026-03-02', '2026-03-03'],
  ['2026-10', undefined, '2026-10-01', '2026-11-01'],
  ['2026-09', '2026-10', '2026-09-01', '2026-11-01'],
  ['2026-W09', undefined, '2026-02-23', '2026-03-02'],
  ['2020-W53', undefined, '2020-12-28', '2021-01-04'],
  ['2025', undefined, '2025-01-01', '2026-01-01'],
  ['2026', undefined, '2026-01-01', '2026-11-20T13:30:00'],
  ['2026-Q3', undefined, '2026-07-01', '2026-10-01'],
  ['Q3 2026', undefined, '2026-07-01', '2026-10-01'],
  ['October 2026', undefined, '2026-10-01', '2026-11-01'],
  ['sept 2026', 'oct. 2026', '2026-09-01', '2026-11-01'],
  ['YTD', undefined, '2026-01-01', '2026-11-20T13:30:00'],
  ['today', undefined, '2026-11-20', '2026-11-20T13:30:00'],
  ['yesterday', undefined, '2026-11-19', '2026-11-20'],
  ['yesterday', 'today', '2026-11-19', '2026-11-21'],
  ['this week', undefined, '2026-11-16', '2026-11-20T13:30:00'],
  ['Last Week', undefined, '2026-11-09', '2026-11-16'],
  ['this_month', undefined, '2026-11-01', '2026-11-20T13:30:00'],
  ['last month', undefined, '2026-10-01', '2026-11-01'],
  ['last quarter', undefined, '2026-07-01', '2026-10-01'],
  ['last year', undefined, '2025-01-01', '2026-01-01'],
  ['this year', 'last month', '2026-01-01', '2026-11-01'],
  ['7d', undefined, '2026-11-14', '2026-11-20T13:30:00'],
  ['last 30 days', undefined, '2026-10-22', '2026-11-20T13:30:00'],
  ['4w', 'yesterday', '2026-10-24', '2026-11-20'],
  ['24h', undefined, '2026-11-19T13:30:00', '2026-11-20T13:30:00'],
  ['last 3 months', undefined, '2026-08-21', '2026-11-20T13:30:00'],
  ['10 days ago', '3 days ago', '2026-11-10', '2026-11-18'],
  ['2026-12', undefined, '2026-12-01', '2027-01-01'],
])('spans in UTC, on 2026-11-20 at 13:30: %s to %s', (from, to, start, end) => {
  expect(short(ends(resolved({ from, to })))).toEqual([start, end]);
});

test.each([
  ['Europe/Berlin', '2026-03-29', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
  ['Europe/Berlin', '2026-10-25', '2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00'],
  ['Asia/Kolkata', '2026-03-01', '2026-03-01T00:00:00+05:30', '2026-03-02T00:00:00+05:30'],
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T01:00:00-02:00', '2018-11-05T00:00:00-02:00'],
])('a day in %s is a local day: %s', (timezone, day, from, to) => {
  expect(ends(resolved({ from: day, to: day, timezone }))).toEqual([from, to]);
});

test('today is the current day of the zone', () => {
  expect(spanText(resolved({ from: 'today', to: 'today', timezone: 'Pacific/Kiritimati' }))).toBe('2026-11-21 (Pacific/Kiritimati)');
  expect(spanText(resolved({ from: 'last month' }))).toBe('2026-10-01 to 2026-10-31 (UTC)');
  expect(spanText(resolved({ from: '7d' }))).toBe('2026-11-14 until now, 2026-11-20T13:30:00+00:00 (UTC)');
});

test.each<[SpanQuery, Record<string, RegExp>]>([
  [{ from: '2026-02-30' }, { from: /28 days; the nearest is 2026-02-28/ }],
  [{ from: '2026-13-01' }, { from: /no month 13/ }],
  [{ from: '2026-3-1' }, { from: /write 2026-03-01/ }],
  [{ from: '1 March 2026' }, { from: /^write 2026-03-01\.$/ }],
  [{ from: '2026-03-01', to: 'Sept. 3rd, 2026' }, { to: /^write 2026-09-03\.$/ }],
  [{ from: '30 february 2026' }, { from: /28 days; the nearest is 2026-02-28/ }],
  [{ from: '3 smarch 2026' }, { from: /is not a known time/ }],
  [
    { from: '1767225600', to: '1767225600000' },
    { from: /^write 2026-01-01T00:00:00\.000Z\.$/, to: /^write 2026-01-01T00:00:00\.000Z\.$/ },
  ],
  [{ from: '03/01/2026' }, { from: /year-month-day/ }],
  [{ from: 'last mnth' }, { from: /Did you mean "last month"/ }],
  [{ from: 'october' }, { from: /is not a known time; expected .* a quarter \(2026-Q3\)/ }],
  [{ from: '2026-W54' }, { from: /weeks 01 to 53/ }],
  [{ from: '2025-W53' }, { from: /weeks 01 to 52/ }],
  [{ from: '3m' }, { from: /last 3 months/ }],
  [{ from: '0d' }, { from: /at least one/ }],
  [{ from: '2026-03-02', to: '2026-03-01' }, { to: /after from/ }],
  [{ from: '2026-03-01', to: '7d' }, { to: /only be from/ }],
  [{ from: '2027-01-01' }, { from: /not before now/ }],
  [{ from: '2011-12-30', to: '2011-12-30', timezone: 'Pacific/Apia' }, { to: /no time in this zone/ }],
  [
    { from: 'soon', to: '2026-99', timezone: 'Mars/Base' },
    { from: /expected a date/, to: /no month 99/, timezone: /IANA/ },
  ],
])('an invalid span is refused with an explanation: %o', (query, expected) => {
  const fields = Object.entries(expected).map(([field, problem]) => ({ field, problem: expect.stringMatching(problem) }));
  expect(() => resolveSpan(query, NOW)).toThrow(
    expect.objectContaining({ code: 'invalid_arguments', facts: expect.objectContaining({ fields: expect.arrayContaining(fields) }) }),
  );
});

describe('the comparison period', () => {
  test.each<[SpanQuery, CompareTo, string, string]>([
    [{ from: '2026-10' }, 'previous_period', '2026-09-01', '2026-10-01'],
    [{ from: '2026-10-01', to: '2026-10-31' }, 'previous_period', '2026-09-01', '2026-10-01'],
    [{ from: '2026-07', to: '2026-09' }, 'previous_period', '2026-04-01', '2026-07-01'],
    [{ from: '2025' }, 'previous_period', '2024-01-01', '2025-01-01'],
    [{ from: '2026-10-02', to: '2026-10-31' }, 'previous_period', '2026-09-02', '2026-10-02'],
    [{ from: 'this month' }, 'previous_period', '2026-10-01', '2026-10-20T13:30:00'],
    [{ from: 'this week' }, 'previous_period', '2026-11-09', '2026-11-13T13:30:00'],
    [{ from: '7d' }, 'previous_period', '2026-11-07', '2026-11-13T13:30:00'],
    [{ from: '24h' }, 'previous_period', '2026-11-18T13:30:00', '2026-11-19T13:30:00'],
    [{ from: '2026-W09' }, 'previous_period', '2026-02-16', '2026-02-23'],
    [{ from: '2026-10' }, 'previous_year', '2025-10-01', '2025-11-01'],
    [{ from: '2024-02' }, 'previous_year', '2023-02-01', '2023-03-01'],
    [{ from: '2025-02' }, 'previous_year', '2024-02-01', '2024-03-01'],
    [{ from: '2024-02-29', to: '2024-02-29' }, 'previous_year', '2023-02-28', '2023-03-01'],
    [{ from: '2024-02-01', to: '2024-02-28' }, 'previous_year', '2023-02-01', '2023-03-01'],
    [{ from: '2026-W09' }, 'previous_year', '2025-02-24', '2025-03-03'],
    [{ from: '2020-W53' }, 'previous_year', '2019-12-23', '2019-12-30'],
    // Whole weeks stand against the weeks of the same numbers, also where they are given as days; whole months against months.
    [{ from: '2026-W10', to: '2026-W12' }, 'previous_year', '2025-03-03', '2025-03-24'],
    [{ from: '2026-03-02', to: '2026-03-22' }, 'previous_year', '2025-03-03', '2025-03-24'],
    [{ from: '2020-W50', to: '2021-W05' }, 'previous_year', '2019-12-09', '2020-02-03'],
    [{ from: '2027-02-01', to: '2027-02-28' }, 'previous_year', '2026-02-01', '2026-03-01'],
    [{ from: '2026-03-02', to: '2026-03-21' }, 'previous_year', '2025-03-02', '2025-03-22'],
    [{ from: '7d' }, 'previous_year', '2025-11-14', '2025-11-20T13:30:00'],
    // Not over: as much of the period before as has passed.
    [{ from: '2026-11-01', to: '2026-11-30' }, 'previous_period', '2026-10-01', '2026-10-20T13:30:00'],
    [{ from: '2026-11-16', to: '2026-11-22' }, 'previous_period', '2026-11-09', '2026-11-13T13:30:00'],
    [{ from: '2026-11-20', to: '2026-11-20' }, 'previous_period', '2026-11-19', '2026-11-19T13:30:00'],
    [{ from: '2026-10', to: '2026-12' }, 'previous_period', '2026-07-01', '2026-08-20T13:30:00'],
    [{ from: '2026-01-01', to: '2026-12-31' }, 'previous_year', '2025-01-01', '2025-11-20T13:30:00'],
    [{ from: '2026-11-20T12:00', to: '2026-11-20T15:00' }, 'previous_period', '2026-11-20T09:00:00', '2026-11-20T10:30:00'],
    // Not begun: nothing has passed.
    [{ from: '2026-12-01', to: '2026-12-31' }, 'previous_period', '2026-11-01', '2026-12-01'],
  ])('%o, %s', (query, compareTo, start, end) => {
    expect(short(ends(comparisonPeriod(resolved(query), compareTo, NOW).span))).toEqual([start, end]);
  });

  test('of a whole local day is a whole local day across a clock change', () => {
    const day = resolved({ from: '2026-03-29', to: '2026-03-29', timezone: 'Europe/Berlin' });
    const { span } = comparisonPeriod(day, 'previous_period', NOW);
    expect(ends(span)).toEqual(['2026-03-28T00:00:00+01:00', '2026-03-29T00:00:00+01:00']);
  });

  test('of a month in progress ends at the end of a shorter previous month', () => {
    const now = Date.parse('2026-03-31T12:00:00Z');
    const { span } = comparisonPeriod(resolved({ from: 'this month' }, now), 'previous_period', now);
    expect(short(ends(span))).toEqual(['2026-02-01', '2026-03-01']);
  });
});

test('spans are told as they would be asked for: days with their last one, moments with their offset', () => {
  const span = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });
  const days = span('2026-10-24T00:00:00Z', '2026-10-29T00:00:00Z');
  expect(spansText([days])).toBe('2026-10-24 to 2026-10-28');
  expect(spansText([span('2026-10-24T00:00:00Z', '2026-10-25T00:00:00Z'), days])).toBe('2026-10-24, 2026-10-24 to 2026-10-28');
  expect(spansText([days], 'Asia/Tokyo')).toBe('2026-10-24T09:00:00+09:00 until 2026-10-29T09:00:00+09:00 in Asia/Tokyo');
  expect(spansText([span('2026-10-23T15:00:00Z', '2026-10-28T15:00:00Z')], 'Asia/Tokyo')).toBe('2026-10-24 to 2026-10-28 in Asia/Tokyo');
  expect(spansText([span('2026-10-24T00:00:00Z', '2026-10-24T05:30:00Z')])).toBe('2026-10-24 until 2026-10-24T05:30:00+00:00');
  expect(spansText(Array.from({ length: 12 }, () => days))).toMatch(/ and 2 more spans$/);
  const [from = '', , to] = spansText([days]).split(' ');
  expect(resolved({ from, to })).toMatchObject(days);
});
