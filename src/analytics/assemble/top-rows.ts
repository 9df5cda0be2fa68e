import type { Dimension, ResultColumn, Scalar } from '../contract.ts';
import { addsUp } from '../metrics.ts';
import { isTimeDimension } from '../sql/compile.ts';
import type { Answer } from './answer.ts';

/**
 * The same answer, where `limit` cuts the rows by a metric: the row of the views that name none comes last, since it is none of
 * the first five channels.
 */
export function namedFirst<T extends Pick<Answer, 'rows' | 'orderedBy'>>(answer: T, groupBy: readonly Dimension[], limit: number): T {
  const [dimension, other] = groupBy;
  const isCut = limit < answer.rows.length && answer.orderedBy !== undefined;
  if (!isCut || dimension === undefined || other !== undefined || isTimeDimension(dimension)) return answer;
  const isNone = ([value]: readonly Scalar[]): boolean => value === null;
  return { ...answer, rows: [...answer.rows.filter((row) => !isNone(row)), ...answer.rows.filter(isNone)] };
}

/** How much of a total the rows that are shown have, those that are not, and among these the one that names none. */
export interface Parts {
  readonly metric: string;
  readonly total: number;
  readonly shown: number;
  /** Without `none`. */
  readonly others: { readonly rows: number; readonly sum: number };
  readonly none: number | undefined;
}

/** By the first metric that adds up; undefined where no rows are cut, or some number is not known. */
export function partsOfTotal({ columns, rows, totals }: Pick<Answer, 'columns' | 'rows' | 'totals'>, shown: number): Parts | undefined {
  const column = columns.findIndex(({ name }) => addsUp(name));
  const metric = nameAt(columns, column);
  const total = totals[metric];
  const values = rows.map((row) => row[column]).filter((value) => typeof value === 'number');
  if (shown >= rows.length || column < 1 || typeof total !== 'number' || total === 0 || values.length < rows.length) return undefined;
  const none = rows.findIndex(([value], index) => index >= shown && value === null);
  const sum = (of: readonly number[]): number => of.reduce((all, value) => all + value, 0);
  const others = values.filter((_, index) => index >= shown && index !== none);
  return {
    metric,
    total,
    shown: sum(values.slice(0, shown)),
    others: { rows: others.length, sum: sum(others) },
    none: none < 0 ? undefined : values[none],
  };
}

const nameAt = (columns: readonly ResultColumn[], index: number): string => columns[index]?.name ?? '';
