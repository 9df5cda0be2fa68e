import { DAY_MS, HOUR_MS } from '../../platform/time-units.ts';
import { nearest } from '../../text/nearest.ts';
import { inQuotes, type Sentence, sentence, word } from '../../text/sentence.ts';
import { FIRST_YEAR, LAST_YEAR } from '../spans.ts';
import { dayOf, dayOfIsoWeek, dayOfMonth, dayOfWeek, daysInMonth, dayText, monthOfDay, weekOfDay } from './calendar.ts';

/** Whole calendar periods, in months or days; `week` is an ISO week. */
export interface CalendarUnit {
  readonly unit: 'day' | 'week' | 'month';
  readonly count: number;
}

export type Term =
  /** A moment: local time of the requested zone, or UTC if the text has an offset. */
  | { readonly kind: 'moment'; readonly ms: number; readonly isLocal: boolean }
  /** Whole days, `endDay` exclusive. A single date is `plain`: it doesn't state the end of the span. */
  | { readonly kind: 'days'; readonly fromDay: number; readonly endDay: number; readonly plain: boolean; readonly named?: CalendarUnit }
  | { readonly kind: 'hours'; readonly hours: number }
  | { readonly kind: 'now' };

export interface TermProblem {
  readonly problem: Sentence;
}

export const isProblem = (term: Term | TermProblem): term is TermProblem => 'problem' in term;

const FORMS =
  'a date (2026-03-01), a date and time (2026-03-01T05:00, with or without +02:00), a month (2026-03), a week (2026-W09), a quarter (2026-Q3), a year (2026), today, yesterday, this week, last month, last 30 days, 7d or 24h';

const WORDS = [
  'now',
  'today',
  'yesterday',
  ...['this', 'last'].flatMap((which) => ['week', 'month', 'quarter', 'year'].map((unit) => `${which} ${unit}`)),
  ...['24 hours', '7 days', '30 days', '4 weeks', '3 months', '12 months'].map((length) => `last ${length}`),
];

/** `localNow` is the local time of the requested zone. */
export function readTerm(text: string, localNow: number): Term | TermProblem {
  const words = text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ');
  return readIso(words) ?? readPeriod(inDigits(words)) ?? readWords(words, dayOf(localNow)) ?? explainUnknown(words);
}

const days = (fromDay: number, endDay: number, named: CalendarUnit): Term => ({ kind: 'days', fromDay, endDay, plain: false, named });
const months = (first: number, count: number): Term => days(dayOfMonth(first), dayOfMonth(first + count), { unit: 'month', count });

function yearProblem(year: number): TermProblem | undefined {
  return year >= FIRST_YEAR && year <= LAST_YEAR ? undefined : { problem: sentence`expected a year from ${FIRST_YEAR} to ${LAST_YEAR}.` };
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[t ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?)? ?(z|utc|[+-]\d{2}(?::?\d{2})?)?$/;

function readIso(text: string): Term | TermProblem | undefined {
  const parts = ISO.exec(text);
  if (parts === null) return undefined;
  const [, year = '', month = '', day = '', hour, minute = '0', second = '0', fraction = '', offset] = parts;
  const date = readDay(Number(year), Number(month), Number(day));
  if (typeof date !== 'number') return date;
  if (hour === undefined) {
    if (offset !== undefined) return { problem: sentence`a date alone has no offset: write ${dayText(date)}, or add a time.` };
    return { kind: 'days', fromDay: date, endDay: date + 1, plain: true };
  }
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 24 || m > 59 || s > 59 || (h === 24 && m + s > 0)) return { problem: sentence`expected a time from 00:00:00 to 23:59:59.` };
  const ms = date * DAY_MS + h * HOUR_MS + m * 60_000 + s * 1_000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  if (offset === undefined) return { kind: 'moment', ms, isLocal: true };
  const shift = readOffset(offset);
  return shift === undefined
    ? { problem: sentence`expected an offset from -14:00 to +14:00.` }
    : { kind: 'moment', ms: ms - shift, isLocal: false };
}

function readOffset(text: string): number | undefined {
  const parts = /^([+-])(\d{2}):?(\d{2})?$/.exec(text);
  if (parts === null) return 0;
  const minutes = Number(parts[2]) * 60 + Number(parts[3] ?? 0);
  return minutes > 14 * 60 || Number(parts[3] ?? 0) > 59 ? undefined : (parts[1] === '-' ? -1 : 1) * minutes * 60_000;
}

function readDay(year: number, month: number, day: number): number | TermProblem {
  const problem = yearProblem(year);
  if (problem !== undefined) return problem;
  if (month < 1 || month > 12) return { problem: sentence`there is no month ${month}; expected year-month-day, such as ${year}-03-01.` };
  const first = (year - 1970) * 12 + month - 1;
  const last = daysInMonth(first);
  if (day < 1 || day > last)
    return {
      problem: sentence`that month has ${last} days; the nearest is ${dayText(dayOfMonth(first) + Math.min(Math.max(day, 1), last) - 1)}.`,
    };
  return dayOfMonth(first) + day - 1;
}

function readPeriod(text: string): Term | TermProblem | undefined {
  const parts = /^(\d{4})(?:-?(?:(\d{2})|w(\d{1,2})|q([1-4])))?$/.exec(text);
  if (parts === null) return undefined;
  const year = Number(parts[1]);
  const problem = yearProblem(year);
  if (problem !== undefined) return problem;
  const first = (year - 1970) * 12;
  if (parts[4] !== undefined) return months(first + (Number(parts[4]) - 1) * 3, 3);
  if (parts[3] !== undefined) {
    const monday = dayOfIsoWeek(year, Number(parts[3]));
    const last = dayOfIsoWeek(year, 53) === undefined ? 52 : 53;
    return monday === undefined
      ? { problem: sentence`${year} has the weeks 01 to ${last}.` }
      : days(monday, monday + 7, { unit: 'week', count: 1 });
  }
  if (parts[2] === undefined) return months(first, 12);
  const month = Number(parts[2]);
  return month >= 1 && month <= 12
    ? months(first + month - 1, 1)
    : { problem: sentence`there is no month ${month}; expected ${year}-01 to ${year}-12.` };
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** `october 2026` as `2026-10` and `q3 2026` as `2026-q3`; other texts unchanged. */
function inDigits(text: string): string {
  const [, name = '', year = ''] = /^([a-z]{3,}|q[1-4])\.? (\d{4})$/.exec(text) ?? [];
  if (name.startsWith('q')) return `${year}-${name}`;
  const month = name === '' ? 0 : MONTHS.findIndex((full) => full.startsWith(name)) + 1;
  return month === 0 ? text : `${year}-${String(month).padStart(2, '0')}`;
}

type Reader = readonly [RegExp, (today: number, count: number, unit: string) => Term | TermProblem];

const READERS: readonly Reader[] = [
  [/^now$/, () => ({ kind: 'now' })],
  [/^(?:today|this day)$/, (today) => days(today, today + 1, { unit: 'day', count: 1 })],
  [/^(?:yesterday|last day)$/, (today) => days(today - 1, today, { unit: 'day', count: 1 })],
  [
    /^(?<unit>)(?<count>\d{1,4}) ?d(?:ays?)? ago$/,
    (today, count) => ({ kind: 'days', fromDay: today - count, endDay: today - count + 1, plain: true }),
  ],
  [/^(?:ytd|year to date)$/, (today) => calendar(today, 'year', 0)],
  [/^(?:this|current) (?<unit>week|month|quarter|year)$/, (today, _count, unit) => calendar(today, unit, 0)],
  [/^(?:last|previous) (?<unit>week|month|quarter|year)$/, (today, _count, unit) => calendar(today, unit, -1)],
  [
    /^(?:(?:the )?(?:last|past|previous) |now-|-)?(?<count>\d{1,4}) ?(?<unit>h|hours?|hrs?|d|days?|w|weeks?|mo|months?|y|years?)$/,
    (today, count, unit) => lastPeriod(today, count, unit),
  ],
  [
    /^(?:(?:last|past) )?(?<count>\d{1,4}) ?(?<unit>m)$/,
    (_today, count) => ({ problem: sentence`m is ambiguous: write "last ${count} months" or "${count}h".` }),
  ],
];

function readWords(text: string, today: number): Term | TermProblem | undefined {
  for (const [pattern, read] of READERS) {
    const groups = pattern.exec(text);
    if (groups !== null) return read(today, Number(groups.groups?.count ?? 1), groups.groups?.unit ?? '');
  }
  return undefined;
}

function calendar(today: number, unit: string, steps: number): Term {
  if (unit === 'week') {
    const monday = dayOfWeek(weekOfDay(today) + steps);
    return days(monday, monday + 7, { unit: 'week', count: 1 });
  }
  const length = unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12;
  return months((Math.floor(monthOfDay(today) / length) + steps) * length, length);
}

/** The last days including today; months count from the day after the same date. */
function lastPeriod(today: number, count: number, unit: string): Term | TermProblem {
  if (count === 0) return { problem: sentence`expected a length of at least one.` };
  if (unit.startsWith('h')) return { kind: 'hours', hours: count };
  if (unit.startsWith('d') || unit.startsWith('w')) {
    const length = unit.startsWith('w') ? count * 7 : count;
    return days(today + 1 - length, today + 1, { unit: 'day', count: length });
  }
  const back = unit.startsWith('y') ? count * 12 : count;
  const month = monthOfDay(today) - back;
  const offset = Math.min(today - dayOfMonth(monthOfDay(today)), daysInMonth(month) - 1);
  const fromDay = dayOfMonth(month) + offset + 1;
  return days(fromDay, today + 1, { unit: 'day', count: today + 1 - fromDay });
}

function explainWordedDay(text: string): TermProblem | undefined {
  const parts = /^(?:(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]+)\.?|([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?),? (\d{4})$/.exec(text);
  const month = inDigits(`${parts?.[2] ?? parts?.[3]} ${parts?.[5]}`);
  if (parts === null || !/^\d{4}-\d{2}$/.test(month)) return undefined;
  const day = readDay(Number(parts[5]), Number(month.slice(5)), Number(parts[1] ?? parts[4]));
  return typeof day === 'number' ? { problem: sentence`write ${dayText(day)}.` } : day;
}

function explainUnknown(text: string): TermProblem {
  const loose = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(text);
  if (loose !== null) {
    const day = readDay(Number(loose[1]), Number(loose[2]), Number(loose[3]));
    if (typeof day === 'number') return { problem: sentence`write ${dayText(day)}.` };
  }
  const worded = explainWordedDay(text);
  if (worded !== undefined) return worded;
  if (/^\d{10}(?:\d{3})?$/.test(text)) return { problem: sentence`write ${word(new Date(Number(text.padEnd(13, '0'))).toISOString())}.` };
  if (/^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}/.test(text))
    return { problem: sentence`day and month may be swapped: write year-month-day, such as 2026-03-01.` };
  const near = nearest(text, WORDS, 1);
  const meant = near.length === 0 ? sentence`` : sentence` Did you mean ${inQuotes(near[0] ?? '')}?`;
  return { problem: sentence`${inQuotes(text, 60)} is not a known time; expected ${FORMS}.${meant}` };
}
