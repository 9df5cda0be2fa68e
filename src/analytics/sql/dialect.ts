import { QUARTER } from '../columns.ts';

/** A value of a statement: handed over beside the text, never in it. Answers what stands for it in the text. */
export type Bind = (value: Value) => string;
export type Value = string | number | boolean;

/**
 * What engines say differently. Everything else of a question is said in what they have in common: no time zones, no
 * date functions on local time save the month, no approximations.
 */
export interface Dialect {
  /** What the views of the question are in. */
  readonly views: string;
  /** The quarters of an hour since 1970 at each time, where counting by them first is quicker. */
  readonly quarters?: string;
  /** What holds for every question, whatever it asks: conditions on the views, none where they are the account's alone. */
  readonly always: readonly string[];
  /** A value as a parameter, which has this number, from 1. */
  param(number: number, value: Value): string;
  /** Milliseconds since 1970 as a moment that a time can be compared with. */
  moment(ms: number, bind: Bind): string;
  integer(value: number, bind: Bind): string;
  /** A column of times as milliseconds since 1970. */
  epochMs(column: string): string;
  /** Whole division of numbers from 0. */
  divide(expression: string, by: number): string;
  /** Months since 1970 of milliseconds since then. */
  months(epochMs: string): string;
  /** In how many rows a condition is true. */
  countIf(column: string): string;
  /** A sum without loss up to 2^53. */
  sum(expression: string): string;
  /** How many different values there are, exactly; a missing one is none. */
  countDistinct(expression: string): string;
}

export const duckDb: Dialect = {
  views: 'views',
  quarters: QUARTER.name,
  always: [],
  param: (number) => `$${number}`,
  moment: (ms, bind) => `CAST(${bind(new Date(ms).toISOString().replace('T', ' ').replace('Z', ''))} AS TIMESTAMP)`,
  integer: (value, bind) => `CAST(${bind(value)} AS BIGINT)`,
  epochMs: (column) => `epoch_ms(${column})`,
  divide: (expression, by) => `(${expression} // ${by})`,
  months: (epochMs) =>
    `((extract(year FROM make_timestamp_ms(${epochMs})) - 1970) * 12 + extract(month FROM make_timestamp_ms(${epochMs})) - 1)`,
  // Takes half as long as counting a CASE.
  countIf: (column) => `count_if(${column})`,
  sum: (expression) => `CAST(coalesce(sum(${expression}), 0) AS DOUBLE)`,
  countDistinct: (expression) => `count(DISTINCT ${expression})`,
};
