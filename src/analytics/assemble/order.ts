import type { Question, ResultColumn, Scalar } from '../contract.ts';
import { isTimeDimension } from '../dimensions.ts';

/** A row of an answer, with its dimensions as the engine numbers them. */
export interface Ordered {
  readonly key: readonly Scalar[];
  readonly cells: readonly Scalar[];
}

export interface Order extends Pick<Question, 'groupBy' | 'metrics'> {
  readonly columns: readonly ResultColumn[];
  /** A column, with `-` before it for descending. */
  readonly orderBy?: string | undefined;
}

/**
 * Sorts by the column asked for; else by time, then by the first metric, descending: in a comparison by how much it changed,
 * up or down. Ties are sorted by the dimensions.
 */
export function inOrder<T extends Ordered>(rows: readonly T[], { groupBy, metrics, columns, orderBy }: Order): T[] {
  const name = orderBy?.replace(/^[-+]/, '');
  const wanted = columns.findIndex((column) => column.name === name);
  const dimensionIndex = groupBy.map(String).indexOf(name ?? '');
  const times = groupBy.flatMap((dimension, at) => (isTimeDimension(dimension) ? [at] : []));
  const firstMetric = columns.findIndex((column) => column.name === metrics[0]);
  const change = columns.findIndex((column) => column.name === `${metrics[0]}_change`);
  const sortKey = ({ key, cells }: Ordered): readonly Scalar[] => {
    // Times are ordered as numbers, not as labels: Monday comes before Friday.
    if (dimensionIndex >= 0) return [key[dimensionIndex] ?? null];
    if (wanted >= 0) return [cells[wanted] ?? null];
    return [...times.map((at) => key[at] ?? null), change < 0 ? (cells[firstMetric] ?? null) : sizeOf(cells[change] ?? null)];
  };
  const descending = (at: number): boolean => (name === undefined ? at === times.length : orderBy?.startsWith('-') === true);
  return rows
    .map((row) => ({ row, keys: sortKey(row) }))
    .sort((a, b) => compareKeys(a.keys, b.keys, descending) || compareKeys(a.row.key, b.row.key))
    .map(({ row }) => row);
}

const sizeOf = (value: Scalar): Scalar => (typeof value === 'number' ? Math.abs(value) : value);

export interface SortColumn {
  readonly name: string;
  /** By how much something changed, up or down. */
  readonly bySize: boolean;
}

/** Undefined where rows are sorted by a dimension. */
export function sortColumn({ groupBy, metrics, columns, orderBy }: Order): SortColumn | undefined {
  const name = orderBy?.replace(/^[-+]/, '');
  const [first] = metrics;
  if (name !== undefined)
    return metrics.some((metric) => name === metric || name.startsWith(`${metric}_`)) ? { name, bySize: false } : undefined;
  if (groupBy.length === 0 || groupBy.some(isTimeDimension) || first === undefined) return undefined;
  const change = columns.find((column) => column.name === `${first}_change`);
  return change === undefined ? { name: first, bySize: false } : { name: change.name, bySize: true };
}

/** The values of a column, in the rows after the first `shown`, that are in the same place of the order as the last one shown. */
export function tiesAfter(rows: readonly (readonly Scalar[])[], shown: number, column: number, { bySize }: SortColumn): Scalar[] {
  const rank = (value: Scalar): Scalar => (bySize ? sizeOf(value) : value);
  const values = rows.map((row) => row[column] ?? null);
  const last = rank(values[shown - 1] ?? null);
  const left = values.slice(shown);
  const end = left.findIndex((value) => rank(value) !== last);
  return last === null ? [] : end < 0 ? left : left.slice(0, end);
}

/** By the first place in which they differ. */
export function compareKeys(left: readonly Scalar[], right: readonly Scalar[], descending: (at: number) => boolean = () => false): number {
  for (const [at, value] of left.entries()) {
    const order = compare(value, right[at] ?? null, descending(at));
    if (order !== 0) return order;
  }
  return 0;
}

/** Missing values come last, ascending or descending. */
function compare(left: Scalar, right: Scalar, descending: boolean): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return (left < right ? -1 : 1) * (descending ? -1 : 1);
}
