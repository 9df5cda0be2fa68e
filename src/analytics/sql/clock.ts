import { QUARTER_MS } from '../columns.ts';
import type { Question, Span } from '../contract.ts';
import { HOUR_MS } from '../resolve/calendar.ts';
import type { Bind, Dialect } from './dialect.ts';

/** How a question counts time: each time of a view as a whole number since 1970. */
export interface Clock {
  /** UTC, of a view. */
  readonly utc: string;
  /** By the clocks of the zone asked for, of what `utc` is. */
  local(utc: string): string;
  readonly perHour: number;
  /** The same as milliseconds. */
  milliseconds(local: string): string;
  /** So few numbers that views are best put together by them before anything else is worked out. */
  readonly isCoarse: boolean;
}

/** The local time of a question's views in a dialect's SQL. */
export function clockOf({ offsets }: Question, dialect: Dialect, bind: Bind): Clock {
  const [, ...changes] = offsets;
  const inQuarters =
    changes.every(({ fromMs }) => isQuarter(fromMs)) && offsets.every(({ offsetSeconds }) => isQuarter(offsetSeconds * 1_000));
  const { quarters } = dialect;
  if (quarters !== undefined && inQuarters)
    return {
      utc: quarters,
      local: (utc) =>
        `${utc} + ${byOffset(
          offsets,
          (ms) => `${utc} < ${ms / QUARTER_MS}`,
          (ms) => String(ms / QUARTER_MS),
        )}`,
      perHour: HOUR_MS / QUARTER_MS,
      milliseconds: (local) => `(${local} * ${dialect.integer(QUARTER_MS, bind)})`,
      isCoarse: true,
    };
  return {
    utc: dialect.epochMs('ts'),
    local: (utc) =>
      `${utc} + ${byOffset(
        offsets,
        (ms) => `ts < ${dialect.moment(ms, bind)}`,
        (ms) => dialect.integer(ms, bind),
      )}`,
    perHour: HOUR_MS,
    milliseconds: (local) => local,
    isCoarse: false,
  };
}

const isQuarter = (ms: number): boolean => ms % QUARTER_MS === 0;

/** Seconds that the zone's clocks are ahead of UTC at each time. */
export const offsetSql = (offsets: Question['offsets'], isBefore: (ms: number) => string): string =>
  byOffset(offsets, isBefore, (ms) => String(ms / 1_000));

/** The offset that holds at each time. */
function byOffset(offsets: Question['offsets'], isBefore: (ms: number) => string, value: (ms: number) => string): string {
  const valueAt = (at: number): string => value((offsets.at(at)?.offsetSeconds ?? 0) * 1_000);
  const last = valueAt(-1);
  if (offsets.length < 2) return last;
  const cases = offsets.slice(1).map(({ fromMs }, at) => `WHEN ${isBefore(fromMs)} THEN ${valueAt(at)}`);
  return `CASE ${cases.join(' ')} ELSE ${last} END`;
}

/** That a view is within a span, as far as that isn't known of all views: they are within `known`. */
export function spanConditions(span: Span, known: Span | undefined, dialect: Dialect, bind: Bind): string[] {
  const { quarters } = dialect;
  const compared = (sign: string, ms: number): string =>
    quarters !== undefined && isQuarter(ms) ? `${quarters} ${sign} ${ms / QUARTER_MS}` : `ts ${sign} ${dialect.moment(ms, bind)}`;
  return [
    ...(known !== undefined && span.fromMs <= known.fromMs ? [] : [compared('>=', span.fromMs)]),
    ...(known !== undefined && known.toMs <= span.toMs ? [] : [compared('<', span.toMs)]),
  ];
}
