import type { Column, Dimension, Metric, Scalar } from '../contract.ts';
import { isTimeDimension } from '../sql/compile.ts';

interface Row {
  readonly key: readonly Scalar[];
  readonly cells: readonly Scalar[];
}

interface Order {
  readonly groupBy: readonly Dimension[];
  readonly metrics: readonly Metric[];
  readonly columns: readonly Column[];
  /** A column, with `-` before it for descending. */
  readonly orderBy?: string | undefined;
}

/** Sorts by `orderBy`, else by time and then by the first metric, descending. Ties are sorted by the dimensions. */
export function inOrder<T extends Row>(rows: readonly T[], { groupBy, metrics, columns, orderBy }: Order): T[] {
  const name = orderBy?.replace(/^[-+]/, '');
  const sign = orderBy?.startsWith('-') === true ? -1 : 1;
  const dimension = groupBy.map(String).indexOf(name ?? '');
  const column = columns.findIndex((one) => one.name === (name ?? metrics[0]));
  const times = groupBy.flatMap((one, index) => (isTimeDimension(one) ? [index] : []));
  const compareRows = (a: T, b: T): number => {
    // Dimensions are compared as numbers, not as labels: Monday comes before Friday.
    if (dimension >= 0) return compareAt(a.key, b.key, dimension, sign);
    if (name !== undefined) return compareAt(a.cells, b.cells, column, sign);
    return compareKeys(a.key, b.key, times) || compareAt(a.cells, b.cells, column, -1);
  };
  const all = groupBy.map((_, index) => index);
  return rows.toSorted((a, b) => compareRows(a, b) || compareKeys(a.key, b.key, all));
}

const compareKeys = (a: readonly Scalar[], b: readonly Scalar[], indexes: readonly number[]): number =>
  indexes.reduce((order, index) => order || compareAt(a, b, index, 1), 0);

/** Missing values come last, ascending or descending. */
function compareAt(a: readonly Scalar[], b: readonly Scalar[], index: number, sign: 1 | -1): number {
  const [left, right] = [a[index] ?? null, b[index] ?? null];
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -sign : sign;
}
