import { expect, test } from 'vitest';
import { sinceNote } from '../../../src/analytics/explain/words.ts';

test('a day without plays has no completion rate', () => {
  const row = { dimension: 'os', value: 'iOS', before: 0.5, now: 0.1, change: -0.4, expected: -0.1, unexplained: -0.3 } as const;
  const day = (date: number, amount: number, base: number) => ({ day: `2026-09-${date}`, amount, base });
  const days = { before: [day(13, 5, 10)], from: [day(14, 1, 10), day(15, 0, 0)] };
  expect(sinceNote('completion_rate', row, { since: '2026-09-14', days })).toEqual([
    'os "iOS" departs from the time before from 2026-09-14 on (days before: 50 %; from then: 10 %, –); each day was compared with the time before as a whole.',
  ]);
});
