import type { Answer } from '../../analytics/assemble/answer.ts';
import { pickChart } from '../../analytics/chart/pick-chart.ts';
import { renderChart } from '../../analytics/chart/render-chart.ts';
import type { Scalar } from '../../analytics/contract.ts';
import type { Report } from '../../analytics/reports.ts';
import { spanText } from '../../analytics/resolve/dates.ts';
import { VideoHostingError } from '../../errors.ts';
import type { ToolContext } from '../define-tool.ts';
import type { Answered } from './answer-question.ts';
import type { QueryArgs } from './question-input.ts';

export interface Chart {
  readonly png?: Buffer;
  readonly report?: Report;
  /** Why there is none, where one was asked for. */
  readonly notes: readonly string[];
}

/** The chart that was asked for. Without one the numbers are there all the same. */
export async function chartOf(
  args: QueryArgs,
  answer: Answer,
  about: Pick<Answered, 'span' | 'earlier' | 'readings'>,
  { reports }: Pick<ToolContext, 'reports'>,
): Promise<Chart> {
  const { chart: wanted = 'none', groupBy = [], metrics = [] } = args;
  if (wanted === 'none') return { notes: [] };
  const dimensions = [...new Set(groupBy)];
  const kind = wanted === 'auto' ? pickChart(answer.columns, answer.rows, dimensions) : wanted;
  const [metric = 'views'] = metrics;
  if (kind === undefined || dimensions.length === 0 || answer.rows.length === 0)
    return { notes: [whyNone(dimensions.length, answer.rows.length)] };
  const isPartial = about.readings.coverage.some(({ complete }) => !complete);
  try {
    const png = await renderChart({
      kind,
      title: titleOf(metric, dimensions),
      subtitle: [
        spanText(about.span),
        ...(about.earlier === undefined ? [] : [`compared with ${spanText(about.earlier.span)}`]),
        ...filterWords(args),
        ...(isPartial ? ['partial: not all views are read yet'] : []),
      ],
      columns: answer.columns,
      rows: named(answer, dimensions),
      dimensions,
      metric,
      ...(metric.endsWith('watch_time') ? { unit: 'unit not documented' } : {}),
    });
    return { png, report: await reports.saveImage(png), notes: [] };
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    return { notes: [`No chart: ${error.message}`] };
  }
}

const words = (name: string): string => name.replaceAll('_', ' ');

function titleOf(metric: string, dimensions: readonly string[]): string {
  const text = `${words(metric)} by ${dimensions.map(words).join(' and ')}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The rows with names in the place of keys; where two have one name, each with its key. */
function named({ columns, rows }: Answer, dimensions: readonly string[]): readonly (readonly Scalar[])[] {
  const places = dimensions.flatMap((dimension) => {
    const name = columns.findIndex(({ name }) => name === `${dimension}_name` || name === `${dimension}_title`);
    const key = columns.findIndex((column) => column.name === dimension);
    return name < 0 ? [] : [{ key, name, keys: keysByName(rows, key, name) }];
  });
  return rows.map((row) => {
    const labels = new Map(
      places.map(({ key, name, keys }) => [key, labelOf(row[key] ?? null, row[name] ?? null, keys.get(row[name] ?? null)?.size ?? 0)]),
    );
    return row.map((value, at) => (labels.has(at) ? (labels.get(at) ?? null) : value));
  });
}

function keysByName(rows: Answer['rows'], key: number, name: number): ReadonlyMap<Scalar, ReadonlySet<Scalar>> {
  const keys = new Map<Scalar, Set<Scalar>>();
  for (const row of rows) {
    const known = keys.get(row[name] ?? null) ?? new Set();
    keys.set(row[name] ?? null, known.add(row[key] ?? null));
  }
  return keys;
}

function labelOf(key: Scalar, name: Scalar, bearers: number): Scalar {
  if (name === null || name === '') return key;
  return bearers > 1 ? `${String(name)} (${String(key)})` : name;
}

function whyNone(dimensions: number, rows: number): string {
  if (rows === 0) return 'No chart: there is nothing to draw.';
  return dimensions === 0 ? 'No chart: a single number needs none; add groupBy.' : 'No chart: a picture has room for two dimensions.';
}

const FILTERS = [
  'videoKeys',
  'channel',
  'project',
  'countries',
  'browsers',
  'operatingSystems',
  'deviceTypes',
  'embedDomains',
  'started',
  'ended',
] as const;
const MAX_VALUES = 4;

function filterWords(args: QueryArgs): string[] {
  return FILTERS.flatMap((name) => {
    const value = args[name];
    if (value === undefined) return [];
    const values = Array.isArray(value) ? value : [String(value)];
    const list = values.slice(0, MAX_VALUES).join(', ');
    return [`${name}: ${list}${values.length > MAX_VALUES ? ` and ${values.length - MAX_VALUES} more` : ''}`];
  });
}
