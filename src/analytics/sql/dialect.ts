import { QUARTER } from '../columns.ts';

/** Binds a value of a statement and returns its placeholder or literal. */
export type Bind = (value: SqlValue) => string;
export type SqlValue = string | number | boolean;

/**
 * Where engines differ. The rest of a question uses only what they have in common: no time zones, no date functions on local
 * time except months, no approximations.
 */
export interface Dialect {
  readonly views: string;
  /** The column of quarters of an hour since 1970, if grouping by it first is faster. */
  readonly quarters?: string;
  /** Conditions of every question; none if all views are the account's. */
  readonly always: readonly string[];
  /** The placeholder or literal of a value; values are numbered from 1. */
  param(number: number, value: SqlValue): string;
  moment(ms: number, bind: Bind): string;
  integer(value: number, bind: Bind): string;
  epochMs(column: string): string;
  divide(expression: string, by: number): string;
  months(epochMs: string): string;
  countIf(column: string): string;
  /** A sum that is exact up to 2^53. */
  sum(expression: string): string;
  /** The exact number of distinct values, without missing ones. */
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
