import { pickChart } from '../../analytics/chart/pick-chart.ts';
import { renderChart } from '../../analytics/chart/render-chart.ts';
import type { Answer } from '../../analytics/question/answer.ts';
import { spanText } from '../../analytics/question/dates.ts';
import type { Report } from '../../analytics/reports.ts';
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
  const dimensions = [...new Set(groupBy)].map((dimension) => shownColumn(dimension, answer));
  const kind = wanted === 'auto' ? pickChart(answer.columns, answer.rows, dimensions) : wanted;
  const [metric = 'views'] = metrics;
  if (kind === undefined || dimensions.length === 0 || answer.rows.length === 0)
    return { notes: [whyNone(dimensions.length, answer.rows.length)] };
  const isPartial = about.readings.coverage.some(({ complete }) => !complete);
  try {
    const png = await renderChart({
      kind,
      title: `${words(metric)} by ${[...new Set(groupBy)].map(words).join(' and ')}`,
      subtitle: [
        spanText(about.span),
        ...(about.earlier === undefined ? [] : [`compared with ${spanText(about.earlier.span)}`]),
        ...filterWords(args),
        ...(isPartial ? ['partial: not all views are read yet'] : []),
      ],
      columns: answer.columns,
      rows: answer.rows,
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

/** Names are drawn where there are any, and no two of them are the same. */
function shownColumn(dimension: string, { columns, rows }: Answer): string {
  const [key, name] = [dimension, columns.find(({ name }) => name === `${dimension}_name` || name === `${dimension}_title`)?.name].map(
    (column) => columns.findIndex((candidate) => candidate.name === column),
  );
  if (key === undefined || name === undefined || name < 0) return dimension;
  const pairs = new Set(rows.map((row) => JSON.stringify([row[key], row[name]])));
  const names = new Set(rows.map((row) => row[name]));
  return names.has(null) || names.size < pairs.size ? dimension : (columns[name]?.name ?? dimension);
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
const MOST_VALUES = 4;

function filterWords(args: QueryArgs): string[] {
  return FILTERS.flatMap((name) => {
    const value = args[name];
    if (value === undefined) return [];
    const values = Array.isArray(value) ? value : [String(value)];
    const list = values.slice(0, MOST_VALUES).join(', ');
    return [`${name}: ${list}${values.length > MOST_VALUES ? ` and ${values.length - MOST_VALUES} more` : ''}`];
  });
}
