import type { ChartInput } from '../../../src/analytics/chart/contract.ts';
import type { ResultColumn, Scalar } from '../../../src/analytics/contract.ts';

/** Columns of these names: the metrics among them are numbers. */
export const columnsOf = (...names: readonly string[]): ResultColumn[] =>
  names.map((name) => ({ name, type: /rate|avg/.test(name) ? 'number' : /views|time|viewers/.test(name) ? 'integer' : 'text' }));

export const dayAt = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);

/** A chart of rows whose last columns are the metric and, if named, its value in the comparison period. */
export function chartOf(
  kind: ChartInput['kind'],
  names: readonly string[],
  rows: readonly (readonly Scalar[])[],
  more: Partial<ChartInput> = {},
): ChartInput {
  const metric = names.find((name) => /views|rate|watch_time|viewers/.test(name)) ?? 'views';
  return {
    kind,
    title: 'Views by somebody',
    subtitle: ['1 – 31 January 2026', 'Europe/Berlin'],
    columns: columnsOf(...names),
    rows,
    dimensions: names.slice(0, names.indexOf(metric)),
    metrics: [metric],
    ...more,
  };
}

/** The texts of an SVG, as a reader sees them. */
export const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<(?:text|tspan)\b[^>]*>([^<]+)</g)].map(([, text = '']) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
  );
