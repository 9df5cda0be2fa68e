import type { Column, Dimension, Filter, Question, Scalar } from '../contract.ts';
import { type Bind, type Dialect, duckDb, offsetExpression } from './dialect.ts';

export interface CompiledQuestion {
  /** A row a group: the dimensions, then the sums that `columns` names. In no order. */
  readonly sql: string;
  readonly params: readonly Scalar[];
  readonly columns: readonly Column[];
  /** The same sums over all groups at once, in one row. */
  readonly totalSql: string;
  readonly totalParams: readonly Scalar[];
}

/** A time dimension is a whole number in the zone asked for: `calendar.ts` tells what it counts. */
const TIME_DIMENSIONS = {
  hour: (local: string, { divide }: Dialect) => divide(local, 3_600_000),
  day: (local: string, { divide }: Dialect) => divide(local, 86_400_000),
  week: (local: string, { divide }: Dialect) => divide(`(${divide(local, 86_400_000)} + 3)`, 7),
  month: (local: string, { months }: Dialect) => months(local),
  weekday: (local: string, { divide }: Dialect) => `((${divide(local, 86_400_000)} + 3) % 7)`,
  hour_of_day: (local: string, { divide }: Dialect) => `(${divide(local, 3_600_000)} % 24)`,
} as const;

export type TimeDimension = keyof typeof TIME_DIMENSIONS;
export type TextDimension = Exclude<Dimension, TimeDimension>;

export const isTimeDimension = (dimension: Dimension): dimension is TimeDimension => Object.hasOwn(TIME_DIMENSIONS, dimension);

/** The column behind each dimension that is a text. */
const TEXT_COLUMNS: Readonly<Record<TextDimension, string>> = {
  video: 'video_key',
  channel: 'channel_key',
  project: 'project_key',
  country: 'country',
  continent: 'continent',
  region: 'region',
  city: 'city',
  browser: 'browser',
  os: 'os',
  device_type: 'device_type',
  device_brand: 'device_brand',
  embed_domain: 'embed_domain',
  embed_url: 'embed_url',
};

/** The query for a question over the table `views` alone, its values as parameters. */
export function compileQuestion(question: Question, dialect: Dialect = duckDb): CompiledQuestion {
  const whole = statement({ ...question, groupBy: [] }, dialect);
  const groups = statement(question, dialect);
  const columns = [...question.groupBy.map(columnOf), ...sumsOf(question, dialect).map(({ name }) => ({ name, type: 'integer' as const }))];
  return { sql: groups.sql, params: groups.params, columns, totalSql: whole.sql, totalParams: whole.params };
}

const columnOf = (dimension: Dimension): Column => ({ name: dimension, type: isTimeDimension(dimension) ? 'integer' : 'text' });

function statement(question: Question, dialect: Dialect): { sql: string; params: readonly Scalar[] } {
  const params: Scalar[] = [];
  const bind: Bind = (value) => dialect.param(params.push(value), value);
  const needsTime = question.groupBy.some(isTimeDimension);
  const local = needsTime ? `${dialect.epochMs('ts')} + ${offsetExpression(question.offsets, dialect, bind)} AS local_ms, ` : '';
  const texts = question.groupBy.flatMap((dimension) => (isTimeDimension(dimension) ? [] : [TEXT_COLUMNS[dimension]]));
  const raw = [...new Set(['started', 'ended', 'watch_time', 'viewer', 'video_key', ...texts])].join(', ');
  const views = `SELECT ${local}${raw} FROM ${dialect.views} WHERE ${conditions(question, dialect, bind).join(' AND ')}`;
  const sums = sumsOf(question, dialect).map(({ name, sql }) => `${sql} AS ${name}`);
  if (question.groupBy.length === 0) return { sql: `SELECT ${sums.join(', ')} FROM (${views}) AS v`, params };
  // Dimensions are worked out below the grouping, so that it can name them: not every engine groups by an expression alike.
  const dimensions = question.groupBy.map((dimension, at) => `${expressionOf(dimension, dialect)} AS d${at}`);
  const names = question.groupBy.map((_, at) => `d${at}`).join(', ');
  const grouped = `SELECT ${dimensions.join(', ')}, started, ended, watch_time, viewer, video_key FROM (${views}) AS v`;
  return { sql: `SELECT ${names}, ${sums.join(', ')} FROM (${grouped}) AS g GROUP BY ${names}`, params };
}

function expressionOf(dimension: Dimension, dialect: Dialect): string {
  // A text that is empty is a value that is missing.
  return isTimeDimension(dimension) ? TIME_DIMENSIONS[dimension]('local_ms', dialect) : `nullif(${TEXT_COLUMNS[dimension]}, '')`;
}

/** The sums that a question needs, in the order of its columns. */
function sumsOf({ metrics }: Question, dialect: Dialect): { readonly name: string; readonly sql: string }[] {
  const count = (column: string): string => `count(CASE WHEN ${column} THEN 1 END)`;
  return [
    { name: 'views', sql: 'count(*)' },
    { name: 'plays', sql: count('started') },
    { name: 'completions', sql: count('ended') },
    { name: 'watch_time', sql: dialect.sum('watch_time') },
    ...(metrics.includes('unique_viewers') ? [{ name: 'unique_viewers', sql: dialect.countDistinct('viewer') }] : []),
    ...(metrics.includes('unique_videos') ? [{ name: 'unique_videos', sql: dialect.countDistinct('video_key') }] : []),
  ];
}

function conditions({ span, filters, started, ended }: Question, dialect: Dialect, bind: Bind): string[] {
  return [
    ...dialect.always,
    `ts >= ${dialect.moment(span.fromMs, bind)}`,
    `ts < ${dialect.moment(span.toMs, bind)}`,
    ...filters.map((filter) => condition(filter, bind)),
    ...(started === undefined ? [] : [`started = ${bind(started)}`]),
    ...(ended === undefined ? [] : [`ended = ${bind(ended)}`]),
  ];
}

function condition({ column, values }: Filter, bind: Bind): string {
  const texts = values.filter((value) => value !== null);
  const parts = [
    ...(texts.length === 0 ? [] : [`${column} IN (${texts.map((value) => bind(value)).join(', ')})`]),
    ...(values.includes(null) ? [`nullif(${column}, '') IS NULL`] : []),
  ];
  // A filter without values lets nothing through.
  return parts.length === 0 ? '1 = 0' : `(${parts.join(' OR ')})`;
}
