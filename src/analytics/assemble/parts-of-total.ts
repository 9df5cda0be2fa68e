import type { ResultColumn } from '../contract.ts';
import { addsUp } from '../metrics.ts';
import type { Answer } from './answer.ts';

/** How many rows, how much of a total they have, and how much of that is of views that name none. */
interface Part {
  readonly rows: number;
  readonly sum: number;
  readonly none: number;
}

/**
 * How much of a total the rows that are shown have, and those that are not, by the first metric that adds up. Undefined where no
 * rows are cut, or some number is not known.
 */
export function partsOfTotal({ columns, rows, totals }: Pick<Answer, 'columns' | 'rows' | 'totals'>, shown: number) {
  const column = columns.findIndex(({ name }) => addsUp(name));
  const metric = nameAt(columns, column);
  const total = totals[metric];
  const values = rows.map((row) => ({ value: row[column], isNone: row[0] === null }));
  const known = values.flatMap(({ value, isNone }) => (typeof value === 'number' ? [{ value, isNone }] : []));
  if (shown >= rows.length || column < 1 || typeof total !== 'number' || total === 0 || known.length < rows.length) return undefined;
  const sum = (of: typeof known): number => of.reduce((all, { value }) => all + value, 0);
  const partOf = (of: typeof known): Part => ({ rows: of.length, sum: sum(of), none: sum(of.filter(({ isNone }) => isNone)) });
  return { metric, total, shown: partOf(known.slice(0, shown)), others: partOf(known.slice(shown)) };
}

const nameAt = (columns: readonly ResultColumn[], index: number): string => columns[index]?.name ?? '';
