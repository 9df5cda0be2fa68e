import { isoWeekOf, type TimeUnit } from './dimensions.ts';
import { widthOf } from './font.ts';

/** A mark on an axis, with what is written under it: the second line only where it changes. */
export interface Tick {
  /** Which of the points. */
  readonly index: number;
  readonly lines: readonly string[];
}

interface Level {
  readonly on: (moment: number, index: number) => boolean;
  readonly label: (moment: number) => string;
  readonly context: (moment: number) => string;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const hourOf = (moment: number): number => new Date(moment).getUTCHours();
const monthOf = (moment: number): number => new Date(moment).getUTCMonth();
const yearOf = (moment: number): number => new Date(moment).getUTCFullYear();
const isMonday = (moment: number): boolean => new Date(moment).getUTCDay() === 1;
/** A week belongs to the month that its first seven days begin in: so each month has one. */
const isFirstWeek = (moment: number): boolean => new Date(moment).getUTCDate() <= 7;
const isFirstDay = (moment: number): boolean => new Date(moment).getUTCDate() === 1;

const year = (moment: number): string => String(yearOf(moment));
const month = (moment: number): string => MONTHS[monthOf(moment)] ?? '';
const day = (moment: number): string => `${new Date(moment).getUTCDate()} ${month(moment)}`;
const fullDay = (moment: number): string => `${day(moment)} ${year(moment)}`;
const time = (moment: number): string => new Date(moment).toISOString().slice(11, 16);
const week = (moment: number): string => `W${String(isoWeekOf(moment).number).padStart(2, '0')}`;
const weekYear = (moment: number): string => String(isoWeekOf(moment).year);
const none = (): string => '';

const everyMonths = (count: number, starts: (moment: number) => boolean): Level => ({
  on: (moment) => starts(moment) && monthOf(moment) % count === 0,
  label: month,
  context: year,
});
const everyYears = (count: number, starts: (moment: number) => boolean): Level => ({
  on: (moment) => starts(moment) && monthOf(moment) === 0 && yearOf(moment) % count === 0,
  label: year,
  context: none,
});
const years = (starts: (moment: number) => boolean): Level[] => [1, 2, 5, 10, 25, 100].map((count) => everyYears(count, starts));
const months = (starts: (moment: number) => boolean): Level[] => [1, 2, 3, 6].map((count) => everyMonths(count, starts));

const DAYS: readonly Level[] = [
  { on: () => true, label: day, context: year },
  { on: (_, index) => index % 2 === 0, label: day, context: year },
  { on: isMonday, label: day, context: year },
  { on: (moment) => isMonday(moment) && Math.floor(moment / 604_800_000) % 2 === 0, label: day, context: year },
  ...months(isFirstDay),
  ...years(isFirstDay),
];

/** From the finest to the coarsest. */
const LEVELS: Readonly<Record<TimeUnit, readonly Level[]>> = {
  hour: [
    ...[1, 2, 3, 6, 12].map((count) => ({ on: (moment: number) => hourOf(moment) % count === 0, label: time, context: fullDay })),
    ...DAYS.map((level) => ({
      ...level,
      on: (moment: number, index: number) => hourOf(moment) === 0 && level.on(moment, Math.floor(index / 24)),
    })),
  ],
  day: DAYS,
  week: [
    ...[1, 2, 4].map((count) => ({ on: (_: number, index: number) => index % count === 0, label: week, context: weekYear })),
    ...months(isFirstWeek),
    ...years(isFirstWeek),
  ],
  month: [...months(() => true), ...years(() => true)],
};

const GAP = 14;

/** The finest marks for which there is room; `at` says where each moment is drawn. */
export function timeTicks(unit: TimeUnit, moments: readonly number[], at: (index: number) => number, size: number): readonly Tick[] {
  for (const level of LEVELS[unit]) {
    const ticks = ticksOf(level, moments);
    if (ticks.length >= Math.min(2, moments.length) && fits(ticks, at, size)) return ticks;
  }
  return thinned(moments.length, (index) => [fullDay(moments[index] ?? 0)], at, size);
}

function ticksOf({ on, label, context }: Level, moments: readonly number[]): Tick[] {
  const ticks: Tick[] = [];
  let last = '';
  for (const [index, moment] of moments.entries()) {
    if (!on(moment, index)) continue;
    const now = context(moment);
    ticks.push({ index, lines: now === '' || now === last ? [label(moment)] : [label(moment), now] });
    last = now;
  }
  return ticks;
}

/** Every mark, or every n-th where there isn't room for all. */
export function thinned(count: number, lines: (index: number) => readonly string[], at: (index: number) => number, size: number): Tick[] {
  for (let step = 1; ; step += 1) {
    const ticks = Array.from({ length: Math.ceil(count / step) }, (_, number) => ({ index: number * step, lines: lines(number * step) }));
    if (ticks.length <= 1 || fits(ticks, at, size)) return ticks;
  }
}

function fits(ticks: readonly Tick[], at: (index: number) => number, size: number): boolean {
  return ticks.every((tick, number) => {
    const before = ticks[number - 1];
    return before === undefined || at(tick.index) - at(before.index) >= (widthOfTick(before, size) + widthOfTick(tick, size)) / 2 + GAP;
  });
}

const widthOfTick = ({ lines }: Tick, size: number): number => Math.max(...lines.map((line) => widthOf(line, size)));
