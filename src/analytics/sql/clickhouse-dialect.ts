/** ClickHouse's SQL where it differs from DuckDB's, and the literals and identifiers of all statements to ClickHouse. */
import { QUARTER_MS } from '../columns.ts';
import type { Dialect, SqlValue } from './dialect.ts';

/** For every ClickHouse from 18.16 on: only integers, no dates, nothing that rounds. */
export function clickHouse(views: string, always: readonly string[]): Dialect {
  return {
    views,
    quarters: `intDiv(ts, ${QUARTER_MS})`,
    always,
    param: (_number, value) => literal(value),
    moment: (ms, bind) => bind(Math.trunc(ms)),
    integer: (value, bind) => bind(value),
    epochMs: (column) => column,
    divide: (expression, by) => `intDiv(${expression}, ${by})`,
    months,
    countIf: (column) => `countIf(${column} = 1)`,
    sum: (expression) => `coalesce(sum(toFloat64(${expression})), 0)`,
    // Not `count(DISTINCT …)`, whose meaning depends on a setting.
    countDistinct: (expression) => `coalesce(uniqExact(${expression}), 0)`,
  };
}

/** Days from 0000-03-01 to 1970. In years that begin in March, the leap day is the last day. */
const MARCH_DAYS = 719_468;

/**
 * The civil calendar in integers: eras of 400 years, then years, then months (five have 153 days). ClickHouse's dates end in
 * 2106, and in old servers they depend on the server's time zone.
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

/**
 * A value as a literal. Every value in a statement to ClickHouse goes through it: servers before 19.14 have no parameters.
 * Throws a `TypeError` for a number that is no safe integer.
 */
export function literal(value: SqlValue): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError('Only safe integers are allowed in a statement.');
    return `toInt64(${value})`;
  }
  return `'${escaped(value)}'`;
}

/** A text with the escapes of literals and of tab-separated values. */
export const escaped = (text: string): string => text.replace(/[\\'\0\n\r\t\b\f]/g, (letter) => `\\${CONTROLS[letter] ?? letter}`);

const CONTROLS: Readonly<Record<string, string>> = { '\0': '0', '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };

export const tableIn = (database: string, table: string): string => `${identifier(database)}.${identifier(table)}`;

/** A quoted name. Throws a `TypeError` for a text that can't be a name. */
export function identifier(name: string): string {
  if (!/^[\w-]{1,128}$/.test(name)) throw new TypeError('Not a name of a table, database or cluster.');
  return `\`${name}\``;
}
