import { dayOfIsoWeek, WEEKDAYS } from '../resolve/calendar.ts';
import { DAY_MS } from '../spans.ts';

export type TimeUnit = 'hour' | 'day' | 'week' | 'month';

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

export const cycleOf = (dimension: string): readonly string[] | undefined => CYCLES[dimension];

/** Whether the values have an order of their own; then they are never sorted by size. */
export const isOrdered = (dimension: string): boolean => isTimeUnit(dimension) || cycleOf(dimension) !== undefined;

/** `Device type` for `device_type`. */
export function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return TITLES[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

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
