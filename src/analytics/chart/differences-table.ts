import type { DrawableTable } from './contract.ts';
import { columnTitle } from './dimensions.ts';
import { metricLook, valueLabel } from './metric.ts';
import type { Grouped } from './sql-grouping.ts';

/** A single row that was compared, as a row for each metric: by how much of its earlier value it changed. Undefined for any other. */
export function differencesTable({ columns, rows }: Pick<DrawableTable, 'columns' | 'rows'>, metrics: readonly string[]) {
  const [row, other] = rows;
  if (row === undefined || other !== undefined) return undefined;
  const find = (name: string) => columns.findIndex((column) => column.name === name);
  const differences = metrics.flatMap((metric) => {
    const column = columns[find(metric)];
    const ratio = row[find(`${metric}_ratio`)];
    if (column === undefined || ratio === undefined) return [];
    const look = metricLook(column);
    const [before, now] = [`${metric}_before`, metric].map((name) => {
      const value = row[find(name)];
      return typeof value === 'number' ? valueLabel(value, look) : '–';
    });
    // To six decimals, as the ratio is.
    return [[`${columnTitle(metric)}, ${before} → ${now}`, typeof ratio === 'number' ? Number((ratio - 1).toFixed(6)) : null]];
  });
  if (differences.length === 0) return undefined;
  return {
    title: 'Change since the time before',
    columns: [
      { name: 'metric', type: 'text' },
      { name: 'change_rate', type: 'number' },
    ],
    rows: differences,
    dimensions: ['metric'],
    metrics: ['change_rate'],
    areRowsDistinct: true,
  } as const satisfies Grouped & { readonly title: string };
}
