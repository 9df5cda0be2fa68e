import type { VideoSet } from '../../contract.ts';
import { titlesOf } from '../parts/titles.ts';

/** A place in the list that is edited; an object of its own, since a list may hold a key twice. */
export interface EditorRow {
  readonly key: string;
  readonly title: string | undefined;
  /** Whether neither the video catalogue nor the channel's views have it. */
  readonly isUnknown: boolean;
}

export type EditorRows = readonly EditorRow[];

export function editorRows({ keys, titles: record, unknown }: VideoSet): EditorRows {
  const titles = titlesOf(record);
  const isUnknown = new Set(unknown);
  return keys.map((key) => ({ key, title: titles.get(key), isUnknown: isUnknown.has(key) }));
}

/** Moves rows, together and in their order, before the row that is at `index` now. */
export function moveBefore(rows: EditorRows, moving: ReadonlySet<EditorRow>, index: number): EditorRows {
  const above = rows.slice(0, index).filter((row) => !moving.has(row));
  return moveToPosition(rows, moving, above.length + 1);
}

/** Moves rows so that the first of them stands at a position, which counts from 1. */
export function moveToPosition(rows: EditorRows, moving: ReadonlySet<EditorRow>, position: number): EditorRows {
  const block = rows.filter((row) => moving.has(row));
  const others = rows.filter((row) => !moving.has(row));
  const index = Math.max(0, Math.min(others.length, position - 1));
  return [...others.slice(0, index), ...block, ...others.slice(index)];
}

/** Moves rows one place up or down, those that stand apart each by itself. */
export function moveByOne(rows: EditorRows, moving: ReadonlySet<EditorRow>, direction: -1 | 1): EditorRows {
  const moved = [...rows];
  const order = direction < 0 ? moved.keys() : [...moved.keys()].reverse();
  for (const index of order) {
    const [row, other] = [moved[index], moved[index + direction]];
    if (row === undefined || other === undefined || !moving.has(row) || moving.has(other)) continue;
    [moved[index], moved[index + direction]] = [other, row];
  }
  return moved;
}
