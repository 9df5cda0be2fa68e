import { type Filter, FLAGS, type Question, type ResultColumn, type Scalar, type Span } from '../contract.ts';
import { DIMENSIONS, type Dimension, isFlag, isTimeDimension, rowOf, type TimeDimension } from '../dimensions.ts';
import { isDistinct } from '../metrics.ts';
import { type Clock, clockOf, spanConditions } from './clock.ts';
import { type Bind, type Dialect, duckDb } from './dialect.ts';
import { ofEachViewer, type Sum, sumsFor } from './sums.ts';

export interface CompiledQuery {
  readonly span: Span;
  readonly sql: string;
  readonly params: readonly Scalar[];
}

export interface CompiledQuestion {
  /** One for each slice. A row is a group: the dimensions, then the sums that `columns` names. In no order. */
  readonly groups: readonly CompiledQuery[];
  readonly columns: readonly ResultColumn[];
  /** One row with the distinct counts over all groups, which don't follow from those of the groups. */
  readonly total?: CompiledQuery;
}

type TimeSql = (local: string, clock: Clock, dialect: Dialect) => string;

/** A time dimension is an integer in the requested zone, numbered as in `calendar.ts`. */
const TIME_SQL: Readonly<Record<TimeDimension, TimeSql>> = {
  hour: (local, { perHour }, { divide }) => divide(local, perHour),
  day: dayNumber,
  week: (local, clock, dialect) => dialect.divide(`(${dayNumber(local, clock, dialect)} + 3)`, 7),
  month: (local, clock, { months }) => months(clock.milliseconds(local)),
  weekday: (local, clock, dialect) => `((${dayNumber(local, clock, dialect)} + 3) % 7)`,
  hour_of_day: (local, { perHour }, { divide }) => `(${divide(local, perHour)} % 24)`,
};

function dayNumber(local: string, { perHour }: Clock, { divide }: Dialect): string {
  return divide(local, perHour * 24);
}

export interface Views {
  /** Parts of the question's span that are queried separately. No group is in two of them. */
  readonly slices?: readonly Span[] | undefined;
  /** All stored views are within it. */
  readonly within?: Span | undefined;
  readonly dialect?: Dialect | undefined;
}

export function compileQuestion(question: Question, { slices = [question.span], within, dialect = duckDb }: Views = {}): CompiledQuestion {
  const sums = sumsFor(question.metrics);
  const distinct = sums.filter(({ name }) => isDistinct(name));
  const columns = [...question.groupBy.map(columnOf), ...sums.map(({ name }) => ({ name, type: 'integer' as const }))];
  const groups = slices.map((slice) => compiledQuery({ ...question, span: slice }, sums, dialect, within));
  if (question.groupBy.length === 0 || distinct.length === 0) return { groups, columns };
  return { groups, columns, total: compiledQuery({ ...question, groupBy: [] }, distinct, dialect, within) };
}

const TYPES = { time: 'integer', text: 'text', flag: 'boolean' } as const;

function columnOf(dimension: Dimension): ResultColumn {
  return { name: dimension, type: TYPES[rowOf(dimension).kind] };
}

function compiledQuery(question: Question, wanted: readonly Sum[], dialect: Dialect, within: Span | undefined): CompiledQuery {
  const { groupBy, span } = question;
  const params: Scalar[] = [];
  const bind: Bind = (value) => dialect.param(params.push(value), value);
  const clock = clockOf(question, dialect, bind);
  const conditions = conditionsOf(question, clock, dialect, bind, within);
  const views = `${dialect.views}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`;
  // Not the names of columns: in ClickHouse a name in the same SELECT means the sum then, not the column.
  const aliases = wanted.map(({ name }) => `sum_${name}`);
  const sums = wanted.map(({ name, sql }) => `${sql(dialect)} AS sum_${name}`).join(', ');
  const isByViewer = wanted.some(({ ofEach }) => ofEach !== undefined);
  if (groupBy.length === 0) return { span, sql: `SELECT ${sums} FROM ${views}`, params };
  const keys = groupBy.map((_, index) => `d${index}`).join(', ');
  const expressions = groupBy.map((dimension, index) => `${expressionOf(dimension, clock, dialect)} AS d${index}`).join(', ');
  // Subqueries name the expressions, because engines differ in grouping by an expression.
  if (clock.isCoarse && groupBy.every(isTimeDimension) && !isByViewer && !wanted.some(({ name }) => isDistinct(name))) {
    const counted = `SELECT ${clock.utc} AS utc, ${sums} FROM ${views} GROUP BY ${clock.utc}`;
    const local = `SELECT ${clock.local('utc')} AS local_time, ${aliases.join(', ')} FROM (${counted}) AS c`;
    const labelled = `SELECT ${expressions}, ${aliases.join(', ')} FROM (${local}) AS l`;
    const merged = aliases.map((alias) => dialect.sum(alias)).join(', ');
    return { span, sql: `SELECT ${keys}, ${merged} FROM (${labelled}) AS g GROUP BY ${keys}`, params };
  }
  const local = groupBy.some(isTimeDimension) ? [`${clock.local(clock.utc)} AS local_time`] : [];
  const own = groupBy.flatMap((dimension) => (isTimeDimension(dimension) ? [] : [DIMENSIONS[dimension].column]));
  const summed = new Set(wanted.flatMap(({ columns }) => columns));
  const read = `SELECT ${[...local, ...new Set([...own, ...summed])].join(', ')} FROM ${views}`;
  const labelled = `SELECT ${[expressions, ...summed].join(', ')} FROM (${read}) AS v`;
  if (isByViewer) return { span, sql: viewersSql(keys, labelled, wanted, dialect), params };
  return { span, sql: `SELECT ${keys}, ${sums} FROM (${labelled}) AS g GROUP BY ${keys}`, params };
}

/** The views of each viewer are counted first, and so are those without a viewer, together. */
function viewersSql(keys: string, labelled: string, wanted: readonly Sum[], dialect: Dialect): string {
  const each = ['count(*) AS n', ...ofEachViewer(wanted, dialect)].join(', ');
  const viewers = `SELECT ${keys}, viewer, ${each} FROM (${labelled}) AS g GROUP BY ${keys}, viewer`;
  const sums = wanted.map((sum) => `${sum.ofEach ? sum.sql(dialect) : dialect.sum('n')} AS sum_${sum.name}`).join(', ');
  return `SELECT ${keys}, ${sums} FROM (${viewers}) AS p GROUP BY ${keys}`;
}

function expressionOf(dimension: Dimension, clock: Clock, dialect: Dialect): string {
  if (isTimeDimension(dimension)) return TIME_SQL[dimension]('local_time', clock, dialect);
  const { column } = DIMENSIONS[dimension];
  // An empty text is a missing value; a boolean is never empty.
  return isFlag(dimension) ? column : `nullif(${column}, '')`;
}

function conditionsOf(
  { span, filters, weekdays, ...flags }: Question,
  clock: Clock,
  dialect: Dialect,
  bind: Bind,
  within: Span | undefined,
): string[] {
  return [
    ...dialect.always,
    ...spanConditions(span, within, dialect, bind),
    ...filters.map((filter) => condition(filter, bind)),
    ...FLAGS.flatMap((name) => (flags[name] === undefined ? [] : [`${name} = ${bind(flags[name])}`])),
    ...(weekdays === undefined ? [] : [`${TIME_SQL.weekday(`(${clock.local(clock.utc)})`, clock, dialect)} IN (${weekdays.join(', ')})`]),
  ];
}

function condition({ column, values, leavesOut = false }: Filter, bind: Bind): string {
  // A view without a value is none of those that are left out, unless such are.
  if (leavesOut) return `coalesce(${column}, '') NOT IN (${values.map((value) => bind(value ?? '')).join(', ')})`;
  const texts = values.filter((value) => value !== null);
  const parts = [
    ...(texts.length === 0 ? [] : [`${column} IN (${texts.map((value) => bind(value)).join(', ')})`]),
    ...(values.includes(null) ? [`nullif(${column}, '') IS NULL`] : []),
  ];
  return parts.length === 0 ? '1 = 0' : `(${parts.join(' OR ')})`;
}
