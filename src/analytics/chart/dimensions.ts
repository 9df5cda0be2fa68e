import { DAY_MS, HOUR_MS } from '../../platform/time-units.ts';
import { cycleOf, DIMENSION_NAMES, isCyclic, rowOf, type TimeUnit } from '../dimensions.ts';
import { dayOfIsoWeek } from '../resolve/calendar.ts';

/** The least time from one to the next. */
export const STEP_MS: Readonly<Record<TimeUnit, number>> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 28 * DAY_MS };

/** Values that repeat, in their order. Maps, because SQL may name a column `constructor`. */
export const CYCLES: ReadonlyMap<string, readonly string[]> = new Map(
  DIMENSION_NAMES.filter(isCyclic).map((name) => [name, cycleOf(name).values]),
);

/** Those of them that come again every day. */
export const DAILY: ReadonlySet<string> = new Set(DIMENSION_NAMES.filter(isCyclic).filter((name) => cycleOf(name).every === 'day'));

const TITLES: ReadonlyMap<string, string> = new Map([
  ...DIMENSION_NAMES.flatMap((name): [string, string][] => {
    const { title } = rowOf(name);
    return title === undefined ? [] : [[name, title]];
  }),
  ['change_rate', 'Change in % of the value before'],
]);

export const isTimeUnit = (dimension: string): dimension is TimeUnit => Object.hasOwn(STEP_MS, dimension);

/** Whether the values have an order of their own; then they are never sorted by size. */
export const isOrdered = (dimension: string): boolean => isTimeUnit(dimension) || CYCLES.has(dimension);

export const wordsOf = (name: string): string => name.replaceAll('_', ' ').trim();

/** The same where a text begins with it: `Device type` for `device_type`. */
export function headOf(name: string): string {
  const words = wordsOf(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const columnTitle = (name: string): string => TITLES.get(name) ?? headOf(name);

/** The moment of a time label as if its zone were UTC: a chart shows only distances. */
export function momentOf(unit: TimeUnit, label: string): number | undefined {
  const week = /^(\d{4})-W(\d{2})$/.exec(label);
  if (unit === 'week' && week !== null) {
    const monday = dayOfIsoWeek(Number(week[1]), Number(week[2]));
    return monday === undefined ? undefined : monday * DAY_MS;
  }
  const date = /^(\d{4}-\d{2})(-\d{2})?(T\d{2}:\d{2})?(?:(:\d{2})(?:[.Z+-].*)?)?$/.exec(label);
  if (date === null) return undefined;
  const moment = Date.parse(`${date[1]}${date[2] ?? '-01'}${date[3] ?? 'T00:00'}${date[4] ?? ''}Z`);
  return Number.isNaN(moment) ? undefined : moment;
}
