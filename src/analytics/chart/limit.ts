import type { Axis, Category } from './axes.ts';
import { isOrdered } from './dimensions.ts';
import { type Cell, type Frame, mergeCells } from './frame.ts';

export interface Limited {
  readonly frame: Frame;
  readonly note?: string;
}

/**
 * Limits the series or the positions of a chart. The others are summed up as Others if the metric is additive; else only the
 * largest are shown, and a note says so.
 */
export function limit(frame: Frame, which: 'series' | 'x', most: number, what: string): Limited {
  const axis = which === 'x' ? frame.axis : frame.series;
  const count = axis.categories.length;
  const weights = weightsOf(frame.cells, which, count);
  const { additive } = frame.look;
  const all = axis.categories.map((_, index) => index);
  const bySize = all.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
  // The caller's order is kept if each position is a row, and if there are no totals to order by.
  const keepsOrder = !additive || isOrdered(axis.dimension ?? '') || (which === 'x' && frame.series.categories.length <= 1);
  const chosen = count <= most ? bySize : bySize.slice(0, additive && which === 'x' ? most - 1 : most);
  const kept = keepsOrder ? chosen.toSorted((a, b) => a - b) : chosen;
  if (count <= most && keepsOrder) return { frame };
  const place = new Map(kept.map((old, now) => [old, now]));
  const left = count - kept.length;
  const others: Category[] = additive && left > 0 ? [{ key: 'others', label: `Others (${left})`, isOthers: true }] : [];
  const categories = [...kept.flatMap((index) => axis.categories[index] ?? []), ...others];
  const cells = frame.cells.flatMap((cell) => {
    const now = place.get(cell[which]);
    return now === undefined && !additive ? [] : [{ ...cell, [which]: now ?? kept.length }];
  });
  const shorter: Axis = { dimension: axis.dimension, categories };
  return {
    frame: { ...frame, [which === 'x' ? 'axis' : 'series']: shorter, cells: mergeCells(cells) },
    ...(additive || left === 0
      ? {}
      : { note: `The ${kept.length} largest of ${count} ${what} are shown; the values of the others can’t be added up.` }),
  };
}

function weightsOf(cells: readonly Cell[], which: 'series' | 'x', count: number): number[] {
  const weights = Array.from({ length: count }, () => 0);
  for (const cell of cells) weights[cell[which]] = (weights[cell[which]] ?? 0) + Math.abs(cell.value ?? 0);
  return weights;
}

/** Limits the positions of a time axis to the latest. */
export function latest(frame: Frame, most: number): Limited {
  const { categories, time } = frame.axis;
  const left = categories.length - most;
  if (left <= 0) return { frame };
  const axis: Axis = {
    dimension: frame.axis.dimension,
    categories: categories.slice(left),
    ...(time === undefined ? {} : { time: { ...time, moments: time.moments.slice(left) } }),
  };
  const cells = frame.cells.flatMap((cell) => (cell.x < left ? [] : [{ ...cell, x: cell.x - left }]));
  return { frame: { ...frame, axis, cells }, note: `The latest ${most} of ${categories.length} columns are shown.` };
}
