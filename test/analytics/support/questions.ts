/** Random questions about the demo account at `NOW`, as tool arguments and in the oracle’s form. */
import fc from 'fast-check';
import { DIMENSION_NAMES, type Dimension, isTimeDimension, tellsHours } from '../../../src/analytics/dimensions.ts';
import { METRIC_NAMES } from '../../../src/analytics/metrics.ts';
import type { DemoService } from '../../harness/service.ts';
import type { OracleQuestion } from './oracle.ts';

const ZONES = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Chatham'],
  ...['Africa/Casablanca', 'America/Santiago'],
];

/** In the past of every test run, because future times are answered differently. */
export const NOW = '2025-06-01T00:00:00.000Z';

const DAY_MS = 86_400_000;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const NEAR_CLOCK_CHANGES = '2024-04-06 2024-09-07 2024-10-05 2024-10-26 2024-11-02 2025-02-22 2025-03-08 2025-03-29 2025-04-05'.split(' ');
/** First days, half of them near clock changes. */
const firstDays = fc.oneof(
  fc.integer({ min: Date.parse('2024-03-20') / DAY_MS, max: Date.parse('2025-05-30') / DAY_MS }),
  fc.constantFrom(...NEAR_CLOCK_CHANGES).map((day) => Date.parse(day) / DAY_MS),
);

export interface RandomQuestion {
  readonly args: Readonly<Record<string, unknown>>;
  readonly oracle: OracleQuestion;
}

/** Hours over many days, combined with other dimensions, are more rows than are filled with zeros. */
const isSmall = (groupBy: readonly Dimension[], days: number): boolean => {
  const times = groupBy.filter(tellsHours).length;
  const texts = groupBy.filter((name) => !isTimeDimension(name)).length;
  return texts === 0 || times + Number(groupBy.includes('day')) === 0 || days <= 3;
};

export function randomQuestions(demo: DemoService): fc.Arbitrary<RandomQuestion> {
  const { channels, projects, videos } = demo.world;
  const keysOf = (records: ReadonlyMap<string, { readonly key: string }>, count: number) =>
    [...records.values()].slice(0, count).map(({ key }) => key);
  const some = (values: readonly string[], maxLength = 3) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength });
  const filter = (values: readonly string[], maxLength?: number) =>
    fc.tuple(some(values, maxLength), fc.constantFrom('', '', '!')).map(([chosen, mark]) => chosen.map((value) => `${mark}${value}`));
  const filters = fc.record(
    {
      videoKeys: filter(keysOf(videos, 40), 20),
      channels: filter(keysOf(channels, 12)),
      projects: filter(keysOf(projects, 6)),
      countries: filter(['US', 'DE', 'GB', 'JP', 'SG']),
      browsers: filter(['Chrome', 'Edge', 'Mobile Safari']),
      operatingSystems: filter(['Windows', 'iOS', 'Mac OS X']),
      deviceTypes: filter(['desktop', 'mobile', 'tablet']),
      embedDomains: filter(['www.example.com', 'learn.example.org', 'social.example']),
      started: fc.boolean(),
      ended: fc.boolean(),
      muted: fc.boolean(),
      weekdays: some(['monday', 'wednesday', 'saturday', 'sunday']),
    },
    { requiredKeys: [] },
  );
  return fc
    .record({
      first: firstDays,
      days: fc.constantFrom(1, 1, 2, 3, 7, 30, 90, 400),
      timezone: fc.constantFrom(...ZONES),
      metrics: some(METRIC_NAMES, 4),
      groupBy: fc.uniqueArray(fc.constantFrom(...DIMENSION_NAMES), { maxLength: 3 }),
      filters: fc.oneof(fc.constant({}), filters),
      isCompared: fc.boolean(),
    })
    .filter(({ groupBy, days }) => isSmall(groupBy, days))
    .map(({ first, days, timezone, metrics, groupBy, filters: chosen, isCompared }) => {
      const at = (day: number): string => dayText(day * DAY_MS);
      const [from, to] = [at(first), at(first + days - 1)];
      const asked = { from, to, timezone, metrics, groupBy };
      // Other tests compare weeks and months; a whole month differs in length from the month before.
      const compares =
        isCompared &&
        !groupBy.includes('week') &&
        !groupBy.includes('month') &&
        !(from.endsWith('-01') && at(first + days).endsWith('-01'));
      return {
        args: { ...asked, ...chosen, ...(compares && { compareTo: 'previous_period' }) },
        oracle: { ...asked, filters: chosen, before: compares ? { from: at(first - days), to: at(first - 1), days } : undefined },
      };
    });
}
