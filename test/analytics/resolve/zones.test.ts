import { describe, expect, test } from 'vitest';
import { zonedText, zoneOffsets, zoneProblem } from '../../../src/analytics/resolve/zones.ts';
import { fromLocal, toLocal } from '../../../src/platform/time-zones.ts';

const span = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });
const isoOf = (ms: number) => new Date(ms).toISOString().replace('.000', '');

test.each<[string, string, string, number, [string, number][]]>([
  ['UTC', '2026-01-01', '2027-01-01', 0, []],
  [
    'Europe/Berlin',
    '2026-01-01',
    '2027-01-01',
    3_600,
    [
      ['2026-03-29T01:00:00Z', 7_200],
      ['2026-10-25T01:00:00Z', 3_600],
    ],
  ],
  ['America/New_York', '2026-07-01', '2026-12-01', -14_400, [['2026-11-01T06:00:00Z', -18_000]]],
  ['Australia/Lord_Howe', '2026-01-01', '2026-06-01', 39_600, [['2026-04-04T15:00:00Z', 37_800]]],
  ['Asia/Kolkata', '2026-01-01', '2027-01-01', 19_800, []],
  ['Asia/Kathmandu', '1985-12-31', '1986-01-02', 19_800, [['1985-12-31T18:30:00Z', 20_700]]],
  ['Pacific/Apia', '2011-12-01', '2012-01-31', -36_000, [['2011-12-30T10:00:00Z', 50_400]]],
  ['Africa/Monrovia', '1971-12-01', '1972-02-01', -2_670, [['1972-01-07T00:44:30Z', 0]]],
])('the offsets of a zone over a span: %s from %s to %s', (zone, from, to, first, changes) => {
  const [before, ...rest] = zoneOffsets(zone, span(from, to));
  expect(before?.offsetSeconds).toBe(first);
  expect(rest.map(({ fromMs, offsetSeconds }) => [isoOf(fromMs), offsetSeconds])).toEqual(changes);
});

describe('the moment of a local time', () => {
  test.each([
    ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T03:30:00+02:00', 'skipped by the clocks: moved forward by the gap'],
    ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T02:30:00+02:00', 'occurs twice: the first one'],
    ['America/Sao_Paulo', '2018-11-04T00:00:00', '2018-11-04T01:00:00-02:00', 'a day that starts at 01:00'],
    ['America/Havana', '2026-11-01T00:30:00', '2026-11-01T00:30:00-04:00', 'a midnight hour that occurs twice'],
    ['Pacific/Apia', '2011-12-30T00:00:00', '2011-12-31T00:00:00+14:00', 'a day that the zone skipped'],
    ['Africa/Monrovia', '1971-06-01T00:00:00', '1971-06-01T00:00:00-00:44:30', 'an offset with seconds'],
  ])('%s %s is %s (%s)', (zone, local, zoned) => {
    expect(zonedText(zone, fromLocal(zone, Date.parse(`${local}Z`)))).toBe(zoned);
  });

  test('converting a local time to UTC and back returns the same local time', () => {
    for (const zone of ['America/St_Johns', 'Asia/Tehran', 'Pacific/Chatham', 'Africa/Casablanca', 'Europe/Dublin'])
      for (let ms = Date.parse('2020-01-01T00:10:00Z'); ms < Date.parse('2027-01-01'); ms += 37 * 3_600_000)
        expect(toLocal(zone, fromLocal(zone, toLocal(zone, ms)))).toBe(toLocal(zone, ms));
  });
});

test('an offset is not accepted as a zone, and the message names the matching zone', () => {
  expect(zoneProblem('UTC+2')).toMatch(/Asia\/Kolkata\. For a zone without clock changes, UTC\+2 is Etc\/GMT-2\.$/);
  expect(zoneProblem('GMT-05:00')).toContain('GMT-05:00 is Etc/GMT+5.');
  for (const offset of ['UTC+5:30', 'UTC+14']) expect(zoneProblem(offset)).toMatch(/Asia\/Kolkata\.$/);
  expect(zoneProblem('Etc/GMT-2')).toBeUndefined();
});

test('an abbreviation that means several is refused with what it may mean', () => {
  expect(zoneProblem('BST')).toBe('expected an IANA time zone. BST is an abbreviation that means several: Europe/London, Asia/Dhaka?');
  for (const name of ['ist', 'EST', 'MST', 'ART', 'ECT', 'AST', 'NST', 'SST', 'ACT', 'CST', 'PST']) {
    const candidates = zoneProblem(name)?.split('several: ')[1]?.replace('?', '').split(', ') ?? [];
    expect(candidates.length).toBeGreaterThan(1);
    expect(candidates.map(zoneProblem)).toEqual(candidates.map(() => undefined));
  }
  for (const name of ['UTC', 'GMT', 'CET', 'EET', 'WET', 'EST5EDT', 'JST']) expect(zoneProblem(name)).toBeUndefined();
});

test('a name of Windows is answered with its IANA name', () => {
  expect(zoneProblem('W. Europe Standard Time')).toMatch(/This name of Windows is Europe\/Berlin\.$/);
  expect(zoneProblem('eastern daylight time')).toMatch(/America\/New_York\.$/);
  expect(zoneProblem('Nowhere Standard Time')).not.toContain('Windows');
});

test('zones are suggested by whole words of their names', () => {
  expect(zoneProblem('India')).toMatch(/Asia\/Kolkata\.$/);
  expect(zoneProblem('New York')).toContain('Did you mean America/New_York?');
  expect(zoneProblem('berlin')).toContain('Did you mean Europe/Berlin?');
});

test('the message for an unknown zone suggests similar zones', () => {
  expect(zoneProblem('europe/berlin')).toBeUndefined();
  expect(zoneProblem('Europe/Berlinn')).toContain('Did you mean Europe/Berlin');
  expect(zoneProblem('Berlin')).toContain('Europe/Berlin');
  expect(zoneProblem('+25:00')).toContain('IANA');
});
