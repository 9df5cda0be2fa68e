import type { ResultColumn, Scalar } from '../contract.ts';
import { WEEKDAYS } from '../resolve/calendar.ts';
import type { DrawableTable } from './contract.ts';
import { isTimeUnit } from './dimensions.ts';

export interface Grouped extends Pick<DrawableTable, 'columns' | 'rows'> {
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
  /** If not, several rows are in one place of a chart; nobody knows whether their values may be added up. */
  readonly areRowsDistinct: boolean;
}

export const isNumeric = ({ type }: ResultColumn): boolean => type === 'integer' || type === 'number';

/**
 * Which columns of an SQL query's rows are drawn along, and which are drawn: texts, times, booleans and numbers that are named
 * after a part of a date group, other numbers are values. Where several rows have the same groups, the integers that tell them
 * apart group too. Columns of times get the name of their unit, by which a chart knows them; every column gets a name of its own.
 */
export function groupingOfSql({ columns, rows }: Pick<DrawableTable, 'columns' | 'rows'>): Grouped {
  const values = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  const read = columns.map((column, index) => readColumn(column, values[index] ?? []));
  const named: ResultColumn[] = [];
  for (const { column } of read) {
    const isTaken = named.some(({ name }) => name === column.name);
    named.push(isTaken ? { ...column, name: `${column.name}_${named.length + 1}` } : column);
  }
  const labelled = rows.map((row) => row.map((value, index) => read[index]?.label(value) ?? value));
  const groups = groupsOf(columns, labelled);
  const namesOf = (indexes: readonly number[]) => indexes.flatMap((index) => named[index]?.name ?? []);
  return {
    columns: named,
    rows: labelled,
    dimensions: namesOf(groups),
    metrics: namesOf(numbersIn(columns).filter((index) => !groups.includes(index))),
    areRowsDistinct: areDistinct(labelled, groups),
  };
}

const numbersIn = (columns: readonly ResultColumn[]): number[] => columns.flatMap((column, index) => (isNumeric(column) ? [index] : []));

/** A part of a date, as SQL names it: `month`, `month(ts)`, `iso_week`, `month_number`, `day_of_the_week`, `the_hour`. */
const DATE_PART =
  /^(?:the_|iso_?)?"?(?:decade|year|quarter|month|week|day|dow|doy|hour|minute)"?(?:_?(?:number|num|no|index)|_?of_?\w+|\(.*\))?$/i;

function groupsOf(columns: readonly ResultColumn[], rows: DrawableTable['rows']): number[] {
  const numbers = numbersIn(columns);
  const others = columns.flatMap((_, index) => (numbers.includes(index) ? [] : [index]));
  const parts = numbers.filter((index) => columns[index]?.type === 'integer' && DATE_PART.test(columns[index].name));
  const sure = [...others, ...(parts.length < numbers.length ? parts : [])];
  const distinguishing = sure.length > 0 && areDistinct(rows, sure) ? [] : moreGroups(columns, rows, sure);
  return [...sure, ...distinguishing].sort((a, b) => a - b);
}

/** The integers that tell rows of the same groups apart: one alone, that with the fewest values, or else the first ones together. */
function moreGroups(columns: readonly ResultColumn[], rows: DrawableTable['rows'], sure: readonly number[]): number[] {
  const values = numbersIn(columns).filter((index) => !sure.includes(index));
  const integers = values.filter((index) => columns[index]?.type === 'integer');
  const countOf = (index: number): number => new Set(rows.map((row) => row[index])).size;
  const alone = integers.filter((index) => areDistinct(rows, [...sure, index])).toSorted((a, b) => countOf(a) - countOf(b));
  const together = integers.map((_, count) => integers.slice(0, count + 1)).find((some) => areDistinct(rows, [...sure, ...some]));
  const found = alone[0] === undefined ? (together ?? []) : [alone[0]];
  return found.length < values.length ? found : [];
}

const areDistinct = (rows: DrawableTable['rows'], indexes: readonly number[]): boolean =>
  new Set(rows.map((row) => JSON.stringify(indexes.map((index) => row[index] ?? null)))).size === rows.length;

interface ReadColumn {
  readonly column: ResultColumn;
  readonly label: (value: Scalar) => Scalar;
}

const DAY_NAMES: ReadonlySet<string> = new Set(WEEKDAYS);
/** Not every column with an hour in its name: `hours_watched` is a value. */
const HOUR = /^(?:the_)?"?hour"?(?:_of_?(?:the_?)?day|\(.*\))?$/i;
const asItIs = (value: Scalar): Scalar => value;
const TIME = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?Z?)?$/;

function readColumn(column: ResultColumn, all: readonly Scalar[]): ReadColumn {
  const values = all.filter((value) => value !== null);
  const renamed = (name: string, label = asItIs): ReadColumn => ({ column: { ...column, name }, label });
  if (isNumeric(column)) {
    const isHour = HOUR.test(column.name) && values.every((value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 24);
    return isHour ? renamed('hour_of_day') : renamed(untimed(column.name));
  }
  if (values.length === 0) return renamed(column.name);
  if (values.every((value) => DAY_NAMES.has(String(value)))) return renamed('weekday');
  if (values.every((value) => /^\d{4}-\d{2}$/.test(String(value)))) return renamed('month');
  if (values.every((value) => /^\d{4}-W\d{2}$/.test(String(value)))) return renamed('week');
  const times = values.map((value) => TIME.exec(String(value)));
  if (times.includes(null)) return renamed(untimed(column.name));
  if (times.some((parts) => (parts?.[2] ?? '00:00') !== '00:00'))
    return renamed('hour', (value) => cut(value, times.some((parts) => parts?.[3] !== undefined && parts[3] !== '00') ? 19 : 16));
  const isMonths = new Set(values).size > 1 && times.every((parts) => parts?.[1]?.endsWith('-01'));
  return isMonths ? renamed('month', (value) => cut(value, 7)) : renamed('day', (value) => cut(value, 10));
}

/** Whatever else is called a day or a month is no time to a chart. */
const untimed = (name: string): string => (isTimeUnit(name) ? `${name} ` : name);

const cut = (value: Scalar, length: number): Scalar => (typeof value === 'string' ? value.slice(0, length) : value);
