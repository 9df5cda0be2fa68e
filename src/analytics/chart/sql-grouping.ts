import type { Column, Scalar } from '../contract.ts';
import { WEEKDAYS } from '../resolve/calendar.ts';
import type { ReportTable } from './contract.ts';
import { isTimeUnit } from './dimensions.ts';

interface Grouped extends Pick<ReportTable, 'columns' | 'rows'> {
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
}

const isNumeric = ({ type }: Column): boolean => type === 'integer' || type === 'number';

/**
 * Which columns of an SQL query's rows are drawn along, and which are drawn: texts, times and booleans group, and numbers
 * are values; the first column groups if nothing else does. Columns of times get the name of their unit, by which a chart
 * knows them; every column gets a name of its own.
 */
export function groupingOfSql({ columns, rows }: Pick<ReportTable, 'columns' | 'rows'>): Grouped {
  const values = columns.map((_, index) => rows.map((row) => row[index] ?? null));
  const read = columns.map((column, index) => readColumn(column, values[index] ?? []));
  const isGroup = read.map(({ column }, index) => !isNumeric(columns[index] ?? column) || column.name === 'hour_of_day');
  if (columns.length > 1 && !isGroup.includes(true)) isGroup[0] = true;
  const named: Column[] = [];
  for (const { column } of read) {
    const isTaken = named.some(({ name }) => name === column.name);
    named.push(isTaken ? { ...column, name: `${column.name}_${named.length + 1}` } : column);
  }
  const names = (wanted: (index: number) => boolean) => named.filter((_, index) => wanted(index)).map(({ name }) => name);
  return {
    columns: named,
    rows: rows.map((row) => row.map((value, index) => read[index]?.label(value) ?? value)),
    dimensions: names((index) => isGroup[index] === true),
    metrics: names((index) => isGroup[index] === false && isNumeric(columns[index] ?? { name: '', type: 'text' })),
  };
}

interface ReadColumn {
  readonly column: Column;
  readonly label: (value: Scalar) => Scalar;
}

const DAY_NAMES: ReadonlySet<string> = new Set(WEEKDAYS);
const asItIs = (value: Scalar): Scalar => value;
const TIME = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?Z?)?$/;

function readColumn(column: Column, all: readonly Scalar[]): ReadColumn {
  const values = all.filter((value) => value !== null);
  const renamed = (name: string, label = asItIs): ReadColumn => ({ column: { ...column, name }, label });
  if (isNumeric(column)) {
    const isHour =
      /hour/i.test(column.name) && values.every((value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 24);
    return isHour ? renamed('hour_of_day') : renamed(column.name);
  }
  if (values.length === 0) return renamed(column.name);
  if (values.every((value) => DAY_NAMES.has(String(value)))) return renamed('weekday');
  if (values.every((value) => /^\d{4}-\d{2}$/.test(String(value)))) return renamed('month');
  if (values.every((value) => /^\d{4}-W\d{2}$/.test(String(value)))) return renamed('week');
  const times = values.map((value) => TIME.exec(String(value)));
  // Whatever else is called a day is no time to a chart.
  if (times.includes(null)) return renamed(isTimeUnit(column.name) ? `${column.name} ` : column.name);
  if (times.some((parts) => (parts?.[2] ?? '00:00') !== '00:00')) return renamed('hour', (value) => cut(value, 16));
  const isMonths = new Set(values).size > 1 && times.every((parts) => parts?.[1]?.endsWith('-01'));
  return isMonths ? renamed('month', (value) => cut(value, 7)) : renamed('day', (value) => cut(value, 10));
}

const cut = (value: Scalar, length: number): Scalar => (typeof value === 'string' ? value.slice(0, length) : value);
