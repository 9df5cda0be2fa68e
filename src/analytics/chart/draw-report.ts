import { invalidArguments } from '../../errors/field-problems.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { type Sentence, sentence, wordList } from '../../text/sentence.ts';
import type { Scalar } from '../contract.ts';
import { titleOfMetric } from '../metrics.ts';
import type { ChartKind, ChartSize, DrawableTable } from './contract.ts';
import { describeChart, seriesText } from './describe-chart.ts';
import { differencesTable } from './differences-table.ts';
import { headOf, wordsOf } from './dimensions.ts';
import { pickChart } from './pick-chart.ts';
import type { Renderer } from './renderer.ts';
import { type Grouped, groupingOfSql, isNumeric } from './sql-grouping.ts';

export interface WantedChart {
  readonly kind: 'auto' | ChartKind;
  readonly title?: string | undefined;
  /** The columns of numbers to draw, in order; by default all metrics, each beside what it was in the time before. */
  readonly columns?: readonly string[] | undefined;
  readonly size?: ChartSize | undefined;
}

/**
 * Draws the rows of a report, with `title` in the place of our own. Throws `invalid_arguments` where there is nothing to draw, and
 * the errors of the renderer.
 */
export async function drawReport(
  table: DrawableTable,
  { kind: wanted, title: wantedTitle, columns: chosen, size }: WantedChart,
  renderer: Renderer,
  signal?: AbortSignal,
) {
  if (table.rows.length === 0)
    throw nothingToDraw(sentence`has no rows, so there is nothing to draw: ask for another span or other filters.`);
  const { columns, rows, dimensions, metrics, areRowsDistinct, title: ownTitle } = groupedTable(table, chosen);
  if (metrics.length === 0)
    throw nothingToDraw(sentence`has no column of numbers to draw: have the query count or add something up, beside what it groups by.`);
  if (dimensions.length === 0)
    throw nothingToDraw(
      sentence`is a single number, which needs no picture: ask with groupBy (in SQL: GROUP BY) for something that it is split into, or with compareTo.`,
    );
  if (!areRowsDistinct)
    throw nothingToDraw(
      sentence`has several rows for the same ${wordList(dimensions.map(wordsOf), ' and ')}, and whether they may be added up is not known: have the query GROUP BY what it shows, with one number for each group (sum, count, avg).`,
    );
  const { about, partial, grouping, isOrdered } = table.drawing;
  const isOfSql = grouping === undefined;
  const kind = wanted === 'auto' ? pickChart(columns, rows, dimensions, metrics, isOfSql) : wanted;
  if (kind === undefined)
    throw nothingToDraw(
      sentence`has ${dimensions.length} dimensions, and a picture has room for two: ask with fewer, or name a kind (bar, line, stacked_bar, heatmap), which takes the last ones together.`,
    );
  const plainTitle = ownTitle ?? titleOf(metrics, dimensions);
  const title = wantedTitle || plainTitle;
  const labelled = labelledRows({ columns, rows }, dimensions);
  const input = {
    ...{ kind, title, ownTitle: plainTitle, subtitle: about, columns, dimensions, metrics, isOfSql },
    ...labelled,
    ...definedFields({ isOrdered, size }),
  };
  const { png, drawn } = await renderer.render(input, signal);
  const others = drawn.frames.some(({ areColumns }) => areColumns) ? [] : metrics.slice(drawn.frames.length);
  return { png, what: seriesText(drawn), notes: drawn.notes, text: describeChart({ title, about, others, wanted, partial, drawn }) };
}

/** Whether `drawReport` finds something to draw, in a kind of its own choice. */
export function canDrawReport(table: DrawableTable): boolean {
  const { columns, rows, dimensions, metrics, areRowsDistinct } = groupedTable(table);
  return (
    areRowsDistinct &&
    rows.length > 0 &&
    metrics.length > 0 &&
    dimensions.length > 0 &&
    pickChart(columns, rows, dimensions, metrics) !== undefined
  );
}

export function reportTitle({ columns, drawing: { grouping } }: Pick<DrawableTable, 'columns' | 'drawing'>): string {
  const { dimensions, metrics } = grouping ?? { dimensions: [], metrics: columns.map(({ name }) => name) };
  return dimensions.length === 0 ? namesOf(metrics) : titleOf(metrics, dimensions);
}

const MAX_TITLE_NAMES = 5;

function namesOf([first = 'rows', ...others]: readonly string[]): string {
  const titled = (name: string): string => titleOfMetric(name) ?? wordsOf(name);
  const names = [headOf(titled(first)), ...others.map((name) => `${titled(name).charAt(0).toLowerCase()}${titled(name).slice(1)}`)];
  const left = names.length - MAX_TITLE_NAMES;
  const parts = left > 0 ? [...names.slice(0, MAX_TITLE_NAMES), `${left} more`] : names;
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ');
}

const nothingToDraw = (problem: Sentence) => invalidArguments([{ field: sentence`report`, problem }]);

/** `title` where the columns don't tell one. */
function groupedTable(
  { columns, rows: all, drawing: { grouping, first } }: DrawableTable,
  chosen?: readonly string[],
): Grouped & { readonly title?: string } {
  const rows = all.slice(0, first);
  if (grouping === undefined) return withColumns(groupingOfSql({ columns, rows }), chosen);
  const narrowed = withColumns({ columns, rows, ...grouping, areRowsDistinct: true }, chosen);
  // By how much each changed is asked for with a metric, or with what it was before.
  const compared = grouping.metrics.filter((metric) => narrowed.metrics.some((name) => name === metric || name.startsWith(`${metric}_`)));
  return (grouping.dimensions.length === 0 ? differencesTable({ columns, rows }, compared) : undefined) ?? narrowed;
}

/** The same with these columns of numbers alone. Throws `invalid_arguments` where one of them is none. */
function withColumns(table: Grouped, chosen: readonly string[] = []): Grouped {
  if (chosen.length === 0) return table;
  const { columns, rows, dimensions } = table;
  const numbers = columns.flatMap((column) => (isNumeric(column) && !dimensions.includes(column.name) ? [column.name] : []));
  const wrong = chosen.filter((name) => !numbers.includes(name));
  if (wrong.length > 0) {
    const has = numbers.length === 0 ? 'has none' : sentence`has ${wordList(numbers)}`;
    throw invalidArguments([
      {
        field: sentence`columns`,
        problem: sentence`${wordList(wrong.slice(0, MAX_WRONG))}: no column of numbers of this report, which ${has}.`,
      },
    ]);
  }
  const kept = columns.flatMap(({ name }, index) => (numbers.includes(name) && !chosen.includes(name) ? [] : [index]));
  return {
    ...table,
    columns: columns.filter((_, index) => kept.includes(index)),
    rows: rows.map((row) => kept.map((index) => row[index] ?? null)),
    // What it was before is drawn beside each.
    metrics: [...new Set(chosen)].filter((name) => !(name.endsWith(BEFORE) && chosen.includes(name.slice(0, -BEFORE.length)))),
  };
}

const BEFORE = '_before';
const MAX_WRONG = 5;

const titleOf = (metrics: readonly string[], dimensions: readonly string[]): string =>
  `${namesOf(metrics)} by ${dimensions.map(wordsOf).join(' and ')}`;

/** The rows with names instead of keys; a name that several keys have is followed by its key. And the keys by their names. */
function labelledRows({ columns, rows }: Pick<DrawableTable, 'columns' | 'rows'>, dimensions: readonly string[]) {
  const labels = new Map<number, ReadonlyMap<Scalar, Scalar>>();
  for (const dimension of dimensions) {
    const key = columns.findIndex(({ name }) => name === dimension);
    const name = columns.findIndex((column) => column.name === `${dimension}_name` || column.name === `${dimension}_title`);
    if (name >= 0) labels.set(key, labelsOf(new Map(rows.map((row) => [row[key] ?? null, row[name] ?? null]))));
  }
  const keys = [...labels.values()].flatMap((labelOf) => Array.from(labelOf, ([key, label]) => [String(label), String(key)] as const));
  return { rows: rows.map((row) => row.map((value, index) => labels.get(index)?.get(value) ?? value)), keys };
}

function labelsOf(names: ReadonlyMap<Scalar, Scalar>): ReadonlyMap<Scalar, Scalar> {
  const counts = new Map<Scalar, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const labelOf = (key: Scalar, name: Scalar): Scalar => (name && (counts.get(name) ?? 0) > 1 ? `${name} (${key})` : name || key);
  return new Map(Array.from(names, ([key, name]) => [key, labelOf(key, name)]));
}
