import { HOUR_MS } from '../../platform/time-units.ts';
import { QUARTER_MS } from '../columns.ts';
import type { Question, Span } from '../contract.ts';
import type { Bind, Dialect } from './dialect.ts';

/** How a question counts time: the time of a view as an integer since 1970. */
export interface Clock {
  readonly utc: string;
  local(utc: string): string;
  readonly perHour: number;
  milliseconds(local: string): string;
  /** There are so few times that grouping by them first is faster. */
  readonly isCoarse: boolean;
}

export function clockOf({ offsets }: Question, dialect: Dialect, bind: Bind): Clock {
  const { quarters, integer, moment, epochMs } = dialect;
  const [, ...changes] = offsets;
  const isAligned =
    changes.every(({ fromMs }) => isQuarter(fromMs)) && offsets.every(({ offsetSeconds }) => isQuarter(offsetSeconds * 1_000));
  if (quarters === undefined || !isAligned) {
    const local = (utc: string) =>
      `${utc} + ${byOffset(
        offsets,
        (ms) => `ts < ${moment(ms, bind)}`,
        (ms) => integer(ms, bind),
      )}`;
    return { utc: epochMs('ts'), local, perHour: HOUR_MS, milliseconds: (time) => time, isCoarse: false };
  }
  const count = (ms: number): string => String(ms / QUARTER_MS);
  return {
    utc: quarters,
    local: (utc) => `${utc} + ${byOffset(offsets, (ms) => `${utc} < ${count(ms)}`, count)}`,
    perHour: HOUR_MS / QUARTER_MS,
    milliseconds: (local) => `(${local} * ${integer(QUARTER_MS, bind)})`,
    isCoarse: true,
  };
}

const isQuarter = (ms: number): boolean => ms % QUARTER_MS === 0;

/** Seconds that the zone's clocks are ahead of UTC at each time. */
export const offsetSql = (offsets: Question['offsets'], isBefore: (ms: number) => string): string =>
  byOffset(offsets, isBefore, (ms) => String(ms / 1_000));

function byOffset(offsets: Question['offsets'], isBefore: (ms: number) => string, value: (ms: number) => string): string {
  const valueAt = (index: number): string => value((offsets.at(index)?.offsetSeconds ?? 0) * 1_000);
  const last = valueAt(-1);
  if (offsets.length < 2) return last;
  const cases = offsets.slice(1).map(({ fromMs }, index) => `WHEN ${isBefore(fromMs)} THEN ${valueAt(index)}`);
  return `CASE ${cases.join(' ')} ELSE ${last} END`;
}

/** Conditions that a view is within a span; those that all views in `known` meet are left out. */
export function spanConditions(span: Span, known: Span | undefined, dialect: Dialect, bind: Bind): string[] {
  const { quarters } = dialect;
  const compared = (sign: string, ms: number): string =>
    quarters !== undefined && isQuarter(ms) ? `${quarters} ${sign} ${ms / QUARTER_MS}` : `ts ${sign} ${dialect.moment(ms, bind)}`;
  return [
    ...(known !== undefined && span.fromMs <= known.fromMs ? [] : [compared('>=', span.fromMs)]),
    ...(known !== undefined && known.toMs <= span.toMs ? [] : [compared('<', span.toMs)]),
  ];
}
