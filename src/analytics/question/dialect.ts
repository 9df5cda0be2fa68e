import type { ZoneOffset } from '../contract.ts';

/** A value of a statement: handed over beside the text, never in it. Answers what stands for it in the text. */
export type Bind = (value: string | number | boolean) => string;

/**
 * What engines say differently. Everything else of a question is said in what they have in common: no time zones, no
 * date functions on local time save the month, no approximations.
 */
export interface Dialect {
  /** A parameter by its number, from 1. */
  param(number: number): string;
  /** A parameter as a moment: ISO text in UTC, to the millisecond. */
  moment(param: string): string;
  integer(param: string): string;
  /** A column of times as milliseconds since 1970. */
  epochMs(column: string): string;
  /** Whole division of numbers from 0. */
  divide(expression: string, by: number): string;
  /** Months since 1970 of milliseconds since then. */
  months(epochMs: string): string;
  /** A sum without loss up to 2^53. */
  sum(expression: string): string;
}

export const duckDb: Dialect = {
  param: (number) => `$${number}`,
  moment: (param) => `CAST(${param} AS TIMESTAMP)`,
  integer: (param) => `CAST(${param} AS BIGINT)`,
  epochMs: (column) => `epoch_ms(${column})`,
  divide: (expression, by) => `(${expression} // ${by})`,
  months: (epochMs) =>
    `((extract(year FROM make_timestamp_ms(${epochMs})) - 1970) * 12 + extract(month FROM make_timestamp_ms(${epochMs})) - 1)`,
  sum: (expression) => `CAST(coalesce(sum(${expression}), 0) AS DOUBLE)`,
};

/** The offset that holds at each time, in milliseconds. */
export function offsetExpression(offsets: readonly ZoneOffset[], dialect: Dialect, bind: Bind): string {
  const value = (offset: ZoneOffset | undefined): string => dialect.integer(bind((offset?.offsetSeconds ?? 0) * 1_000));
  const last = value(offsets.at(-1));
  if (offsets.length < 2) return last;
  const cases = offsets.slice(1).map((next, at) => `WHEN ts < ${momentOf(next.fromMs, dialect, bind)} THEN ${value(offsets[at])}`);
  return `CASE ${cases.join(' ')} ELSE ${last} END`;
}

/** A bound of a span or an offset. */
export function momentOf(ms: number, dialect: Dialect, bind: Bind): string {
  return dialect.moment(bind(new Date(ms).toISOString().replace('T', ' ').replace('Z', '')));
}
