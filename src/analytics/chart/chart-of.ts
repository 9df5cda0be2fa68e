import { VideoHostingError } from '../../errors.ts';
import type { QuestionAnswer } from '../answer-question.ts';
import type { Answer } from '../assemble/answer.ts';
import type { Scalar } from '../contract.ts';
import type { QuestionInput } from '../question-context.ts';
import type { Report, Reports } from '../reports.ts';
import { spanText } from '../resolve/dates.ts';
import type { ChartKind } from './contract.ts';
import { pickChart } from './pick-chart.ts';
import { renderChart } from './render-chart.ts';

export interface Chart {
  readonly png?: Buffer;
  readonly report?: Report;
  readonly notes: readonly string[];
}

type ChartQuestion = QuestionInput & { readonly chart?: 'none' | 'auto' | ChartKind | undefined };

/** Draws and saves the requested chart. A question never fails because of its chart. */
export async function chartOf(
  args: ChartQuestion,
  { answer, span, comparison, views }: QuestionAnswer,
  reports: Pick<Reports, 'saveImage'>,
): Promise<Chart> {
  const { chart: wanted = 'none', groupBy = [], metrics = [] } = args;
  if (wanted === 'none') return { notes: [] };
  const dimensions = [...new Set(groupBy)];
  const kind = wanted === 'auto' ? pickChart(answer.columns, answer.rows, dimensions) : wanted;
  const [metric = 'views'] = metrics;
  if (kind === undefined || dimensions.length === 0 || answer.rows.length === 0)
    return { notes: [whyNone(dimensions.length, answer.rows.length)] };
  const isPartial = views.coverage.some(({ complete }) => !complete);
  try {
    const png = await renderChart({
      kind,
      title: titleOf(metric, dimensions),
      subtitle: [
        spanText(span),
        ...(comparison === undefined ? [] : [`compared with ${spanText(comparison.span)}`]),
        ...filterWords(args),
        ...(isPartial ? ['partial: not all views are read yet'] : []),
      ],
      columns: answer.columns,
      rows: labelledRows(answer, dimensions),
      dimensions,
      metric,
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

/** The rows with names instead of keys; the key follows a name that several keys have. */
function labelledRows({ columns, rows }: Answer, dimensions: readonly string[]): readonly (readonly Scalar[])[] {
  const labels = new Map<number, ReadonlyMap<Scalar, Scalar>>();
  for (const dimension of dimensions) {
    const key = columns.findIndex(({ name }) => name === dimension);
    const name = columns.findIndex((column) => column.name === `${dimension}_name` || column.name === `${dimension}_title`);
    if (name >= 0) labels.set(key, labelsOf(new Map(rows.map((row) => [row[key] ?? null, row[name] ?? null]))));
  }
  return rows.map((row) => row.map((value, index) => labels.get(index)?.get(value) ?? value));
}

function labelsOf(names: ReadonlyMap<Scalar, Scalar>): ReadonlyMap<Scalar, Scalar> {
  const counts = new Map<Scalar, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const labelOf = (key: Scalar, name: Scalar): Scalar => (name && (counts.get(name) ?? 0) > 1 ? `${name} (${key})` : name || key);
  return new Map(Array.from(names, ([key, name]) => [key, labelOf(key, name)]));
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

function filterWords(args: QuestionInput): string[] {
  return FILTERS.flatMap((name) => {
    const value = args[name];
    if (value === undefined) return [];
    const values = Array.isArray(value) ? value : [String(value)];
    const list = values.slice(0, MAX_VALUES).join(', ');
    return [`${name}: ${list}${values.length > MAX_VALUES ? ` and ${values.length - MAX_VALUES} more` : ''}`];
  });
}
