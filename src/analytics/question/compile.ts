import type { Column, Dimension, Filter, Question, Scalar } from '../contract.ts';
import { type Bind, type Dialect, duckDb, offsetExpression } from './dialect.ts';
import { isDistinct, type Sums, sumsFor } from './metrics.ts';

export interface Statement {
  readonly sql: string;
  readonly params: readonly Scalar[];
}

export interface CompiledQuestion {
  /** A row a group: the dimensions, then the sums that `columns` names. In no order. */
  readonly groups: Statement;
  readonly columns: readonly Column[];
  /** One row: what of the sums over all groups at once doesn't follow from those of the groups, in their order. */
  readonly total?: Statement;
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

/** The queries for a question over the table `views` alone, their values as parameters. */
export function compileQuestion(question: Question, dialect: Dialect = duckDb): CompiledQuestion {
  const sums = sumsFor(question.metrics);
  const distinct = sums.filter(isDistinct);
  const columns = [...question.groupBy.map(columnOf), ...sums.map((name) => ({ name, type: 'integer' as const }))];
  const groups = statement(question, sums, dialect);
  if (question.groupBy.length === 0 || distinct.length === 0) return { groups, columns };
  return { groups, columns, total: statement({ ...question, groupBy: [] }, distinct, dialect) };
}

const columnOf = (dimension: Dimension): Column => ({ name: dimension, type: isTimeDimension(dimension) ? 'integer' : 'text' });

function statement(question: Question, names: readonly (keyof Sums)[], dialect: Dialect): Statement {
  const params: Scalar[] = [];
  const bind: Bind = (value) => dialect.param(params.push(value), value);
  const needsTime = question.groupBy.some(isTimeDimension);
  const local = needsTime ? [`${dialect.epochMs('ts')} + ${offsetExpression(question.offsets, dialect, bind)} AS local_ms`] : [];
  const texts = question.groupBy.flatMap((dimension) => (isTimeDimension(dimension) ? [] : [TEXT_COLUMNS[dimension]]));
  const summed = names.flatMap((name) => SUMMED[name] ?? []);
  const read = [...local, ...new Set([...texts, ...summed])];
  const views = `SELECT ${read.length === 0 ? '1' : read.join(', ')} FROM ${dialect.views} WHERE ${conditions(question, dialect, bind).join(' AND ')}`;
  const sums = names.map((name) => `${sumOf(name, dialect)} AS ${name}`);
  if (question.groupBy.length === 0) return { sql: `SELECT ${sums.join(', ')} FROM (${views}) AS v`, params };
  // Dimensions are worked out below the grouping, so that it can name them: not every engine groups by an expression alike.
  const dimensions = question.groupBy.map((dimension, at) => `${expressionOf(dimension, dialect)} AS d${at}`);
  const keys = question.groupBy.map((_, at) => `d${at}`).join(', ');
  const grouped = `SELECT ${[...dimensions, ...new Set(summed)].join(', ')} FROM (${views}) AS v`;
  return { sql: `SELECT ${keys}, ${sums.join(', ')} FROM (${grouped}) AS g GROUP BY ${keys}`, params };
}

function expressionOf(dimension: Dimension, dialect: Dialect): string {
  // A text that is empty is a value that is missing.
  return isTimeDimension(dimension) ? TIME_DIMENSIONS[dimension]('local_ms', dialect) : `nullif(${TEXT_COLUMNS[dimension]}, '')`;
}

/** The column behind each sum. */
const SUMMED: Partial<Record<keyof Sums, string>> = {
  plays: 'started',
  completions: 'ended',
  watch_time: 'watch_time',
  unique_viewers: 'viewer',
  unique_videos: 'video_key',
};

function sumOf(name: keyof Sums, dialect: Dialect): string {
  const column = SUMMED[name];
  if (column === undefined) return 'count(*)';
  if (isDistinct(name)) return dialect.countDistinct(column);
  return name === 'watch_time' ? dialect.sum(column) : dialect.countIf(column);
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
