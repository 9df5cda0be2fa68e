import { expect, test } from 'vitest';
import { tieNote } from '../../src/analytics/answer-notes.ts';
import type { Answer } from '../../src/analytics/assemble/answer.ts';
import { sortColumn } from '../../src/analytics/assemble/order.ts';

const columns: Answer['columns'] = [
  { name: 'video', type: 'text' },
  { name: 'views', type: 'integer' },
  { name: 'views_change', type: 'integer' },
];

function noteOf(changes: readonly (number | null)[], shown: number, orderBy?: string): string[] {
  const rows = changes.map((change, index) => [`video-${index}`, index, change]);
  const orderedBy = sortColumn({ groupBy: ['video'], metrics: ['views'], columns, orderBy });
  return tieNote({ columns, rows, totals: {}, orderedBy, leftOut: undefined }, shown);
}

test('rows that changed as much in the other direction are a tie only where rows are sorted by how much they changed', () => {
  expect(noteOf([5, -5, 2], 1)).toEqual([
    'A tie at the cut: 1 row left out with as large a views_change, up or down, as the last row here (5).',
  ]);
  expect(noteOf([5, -5], 1, '-views_change')).toEqual([]);
  expect(noteOf([-5, 5], 1, 'views_change')).toEqual([]);
});

test('rows with the same value are a tie in every order', () => {
  const note = 'A tie at the cut: 2 rows left out with the same views_change as the last row here (-5).';
  expect(noteOf([-5, -5, -5, 1], 1)).toEqual([note]);
  expect(noteOf([-5, -5, -5, 1], 1, 'views_change')).toEqual([note]);
  expect(noteOf([5, 4], 1)).toEqual([]);
  expect(noteOf([5, null, null], 2)).toEqual([]);
  expect(noteOf([5, 5], 2)).toEqual([]);
});
