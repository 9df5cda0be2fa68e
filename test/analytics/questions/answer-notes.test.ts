import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/analytics/assemble/answer.ts';
import { sortColumn } from '../../../src/analytics/assemble/order.ts';
import type { Question } from '../../../src/analytics/contract.ts';
import { answerNotes, tieNote } from '../../../src/analytics/questions/answer-notes.ts';
import { comparisonPeriod } from '../../../src/analytics/resolve/comparison-period.ts';
import { resolveSpan } from '../../../src/analytics/resolve/dates.ts';

const integer = (name: string) => ({ name, type: 'integer' as const });
const columns: Answer['columns'] = [{ name: 'video', type: 'text' }, integer('views'), integer('views_change')];

function noteOf(changes: readonly (number | null)[], shown: number, orderBy?: string): string[] {
  const rows = changes.map((change, index) => [`video-${index}`, index, change]);
  const orderedBy = sortColumn({ groupBy: ['video'], metrics: ['views'], columns, orderBy });
  return tieNote({ columns, rows, totals: {}, orderedBy, leftOut: undefined, missing: [], days: undefined, hasUnevenRows: false }, shown);
}

test('rows that changed as much in the other direction are a tie only where rows are sorted by how much they changed', () => {
  expect(noteOf([5, -5, 2], 1)).toEqual(['A tie at the cut: row 2, left out, has as large a views_change, up or down, as row 1 (5).']);
  expect(noteOf([5, -5], 1, '-views_change')).toEqual([]);
  expect(noteOf([-5, 5], 1, 'views_change')).toEqual([]);
});

test('rows with the same value are a tie in every order', () => {
  const note = 'A tie at the cut: rows 2 to 3, left out, have the same views_change as row 1 (-5).';
  expect(noteOf([-5, -5, -5, 1], 1)).toEqual([note]);
  expect(noteOf([-5, -5, -5, 1], 1, 'views_change')).toEqual([note]);
  expect(noteOf([5, 4], 1)).toEqual([]);
  expect(noteOf([5, null, null], 2)).toEqual([]);
  expect(noteOf([5, 5], 2)).toEqual([]);
});

describe('a week, month or day that is counted in part is named', () => {
  const notesOf = (from: string, to: string | undefined, groupBy: Question['groupBy'], now: string, isCompared = false) => {
    const present = Date.parse(now);
    const span = resolveSpan({ from, to, timezone: 'America/Santiago' }, present);
    const comparison = isCompared ? comparisonPeriod(span, 'previous_period', present) : undefined;
    const answer: Answer = {
      columns,
      rows: [],
      totals: {},
      orderedBy: undefined,
      leftOut: undefined,
      missing: [],
      days: undefined,
      hasUnevenRows: false,
    };
    const notes = answerNotes(answer, { metrics: ['views'], groupBy, weekdays: undefined, span, comparison, orderBy: undefined, present });
    return notes.filter((note) => note.includes('in part'));
  };
  const NOW = '2026-11-23T12:00:00Z';

  test('where the time begins or ends within it, or now', () => {
    const note = (names: string) => [`Counted in part, as the time begins or ends within: ${names}.`];
    expect(notesOf('2026-10-01', '2026-10-31', ['week'], NOW)).toEqual(note('2026-W40, 2026-W44'));
    expect(notesOf('2026-11', undefined, ['week', 'country'], NOW)).toEqual(note('2026-W44, 2026-W48'));
    expect(notesOf('2026-11-01', '2026-11-30', ['month'], NOW)).toEqual(note('2026-11'));
    expect(notesOf('7d', undefined, ['day'], NOW)).toEqual(note('2026-11-23'));
    expect(notesOf('24h', undefined, ['day'], NOW)).toEqual(note('2026-11-22, 2026-11-23'));
    const both = note('2026-W40, 2026-W44, and in the time before 2026-W36, 2026-W40');
    expect(notesOf('2026-10', undefined, ['week'], NOW, true)).toEqual(both);
  });

  test('and none where the time has all of them whole, also on days that begin at one o’clock', () => {
    expect(notesOf('2026-09-06', '2026-09-06', ['day'], NOW)).toEqual([]);
    expect(notesOf('2026-10', undefined, ['month', 'country'], NOW, true)).toEqual([]);
    expect(notesOf('2026-W40', undefined, ['week', 'day'], NOW)).toEqual([]);
    expect(notesOf('2026-10-07', '2026-10-09', ['country'], NOW)).toEqual([]);
    expect(notesOf('2026-12-03', '2026-12-09', ['week'], NOW)).toEqual([]);
  });
});
