import { DAY_MS, dayOf, dayOfIsoWeek, HOUR_MS, isoWeek, WEEKDAYS, weekOfDay } from '../resolve/calendar.ts';

/** Steps of a time series; the labels are those of the answer's rows. */
export type TimeUnit = 'hour' | 'day' | 'week' | 'month';

const UNIT_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };

const CYCLES: Readonly<Record<string, readonly string[]>> = {
  weekday: WEEKDAYS,
  hour_of_day: Array.from({ length: 24 }, (_, hour) => String(hour)),
};

const TITLES: Readonly<Record<string, string>> = {
  os: 'Operating system',
  week: 'Week (ISO)',
  embed_url: 'Page',
  embed_domain: 'Domain',
};

export const isTimeUnit = (dimension: string): dimension is TimeUnit => ['hour', 'day', 'week', 'month'].includes(dimension);

/** All values of a dimension that comes round again, in their order. */
export const cycleOf = (dimension: string): readonly string[] | undefined => CYCLES[dimension];

/** Whether its values have an order of their own, so that they go along an axis and never into a legend by size. */
export const isOrdered = (dimension: string): boolean => isTimeUnit(dimension) || cycleOf(dimension) !== undefined;

/** `device_type` as a person writes it. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return TITLES[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** The moment that a label of a time series stands for, as if its zone were UTC: the distances are what is drawn. */
export function momentOf(unit: TimeUnit, label: string): number | undefined {
  const week = /^(\d{4})-W(\d{2})$/.exec(label);
  if (unit === 'week' && week !== null) {
    const monday = dayOfIsoWeek(Number(week[1]), Number(week[2]));
    return monday === undefined ? undefined : monday * DAY_MS;
  }
  const date = /^(\d{4}-\d{2})(-\d{2})?(T\d{2}:\d{2})?(?::\d{2}.*)?$/.exec(label);
  if (date === null) return undefined;
  const moment = Date.parse(`${date[1]}${date[2] ?? '-01'}${date[3] ?? 'T00:00'}Z`);
  return Number.isNaN(moment) ? undefined : moment;
}

/** The moment one step later. */
export function nextOf(unit: TimeUnit, moment: number): number {
  if (unit !== 'month') return moment + UNIT_MS[unit];
  const date = new Date(moment);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The ISO week that a moment is in; its year and number may differ from the calendar's at the turn of a year. */
export const isoWeekOf = (moment: number): ReturnType<typeof isoWeek> => isoWeek(weekOfDay(dayOf(moment)));
