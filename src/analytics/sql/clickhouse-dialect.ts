/**
 * ClickHouse's SQL, where it differs from the folder's: what `question/` leaves open in a question, and how values and names
 * stand in statements. Every other file of this folder that writes SQL takes them from here.
 */
import { QUARTER_MS } from '../columns.ts';
import type { Dialect, Value } from './dialect.ts';

export interface ClickHouseDialect {
  /** The table that the views are in. */
  readonly views: string;
  /** Whose views, and which of them: part of every question. */
  readonly always: readonly string[];
  /** What stands for a value in a statement of this server; values are numbered from 1. */
  readonly render: Dialect['param'];
}

/** For ClickHouse as old as 18.16 and as new as there is: integers alone, no dates, nothing that rounds. */
export function clickHouse({ views, always, render }: ClickHouseDialect): Dialect {
  return {
    views,
    quarters: `intDiv(ts, ${QUARTER_MS})`,
    always,
    param: render,
    moment: (ms, bind) => bind(Math.trunc(ms)),
    integer: (value, bind) => bind(value),
    epochMs: (column) => column,
    divide: (expression, by) => `intDiv(${expression}, ${by})`,
    months,
    countIf: (column) => `countIf(${column} = 1)`,
    sum: (expression) => `coalesce(sum(toFloat64(${expression})), 0)`,
    // By its exact name: what `count(DISTINCT …)` means is a setting.
    countDistinct: (expression) => `coalesce(uniqExact(${expression}), 0)`,
  };
}

/** Days before 1970 of a calendar whose years begin in March, and whose first is a year 0: so a leap day is a year's last. */
const MARCH_DAYS = 719_468;

/**
 * The civil calendar in integers, since dates of ClickHouse end in 2106 and older ones depend on the server's zone: eras of
 * 400 years, in them years, in those months of 153 days in five.
 */
function months(epochMs: string): string {
  const day = `(intDiv(${epochMs}, 86400000) + ${MARCH_DAYS})`;
  const era = `intDiv(${day}, 146097)`;
  const dayOfEra = `(${day} - ${era} * 146097)`;
  const yearOfEra = `intDiv(${dayOfEra} - intDiv(${dayOfEra}, 1460) + intDiv(${dayOfEra}, 36524) - intDiv(${dayOfEra}, 146096), 365)`;
  const dayOfYear = `(${dayOfEra} - (365 * ${yearOfEra} + intDiv(${yearOfEra}, 4) - intDiv(${yearOfEra}, 100)))`;
  const monthFromMarch = `intDiv(5 * ${dayOfYear} + 2, 153)`;
  return `((${yearOfEra} + ${era} * 400 - 1970) * 12 + ${monthFromMarch} + 2)`;
}

/** A value as a parameter, whose name and type stand in the statement. */
export const parameter = (number: number, value: Value): string => `{${parameterName(number)}:${typeOf(value)}}`;

export const parameterName = (number: number): string => `p${number}`;

function typeOf(value: Value): string {
  if (typeof value === 'string') return 'String';
  return typeof value === 'boolean' ? 'UInt8' : 'Int64';
}

/**
 * A value as text of the statement, where the server knows no parameters or takes none. The one door that text goes through.
 * Throws a `TypeError` for a number that is no safe integer.
 */
export function literal(value: Value): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError('Only whole numbers can stand in a statement.');
    return `toInt64(${value})`;
  }
  return `'${value.replace(/[\\'\0\n\r\t\b\f]/g, (letter) => ESCAPES[letter] ?? '')}'`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  "'": String.raw`\'`,
  '\0': String.raw`\0`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
};

/** A table in a database. */
export const tableIn = (database: string, table: string): string => `${identifier(database)}.${identifier(table)}`;

/** A name of our own or of the settings, quoted. Throws a `TypeError` for what can't be one. */
export function identifier(name: string): string {
  if (!/^[\w-]{1,128}$/.test(name)) throw new TypeError('That is no name of a table, database or cluster.');
  return `\`${name}\``;
}
