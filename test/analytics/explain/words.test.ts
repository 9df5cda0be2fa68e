import { expect, test } from 'vitest';
import { sinceNote } from '../../../src/analytics/explain/words.ts';

test('a day without plays has no completion rate', () => {
  const row = { dimension: 'os', value: 'iOS', before: 0.5, now: 0.1, change: -0.4, expected: -0.1, unexplained: -0.3 } as const;
  const day = (date: number, amount: number, base: number) => ({ day: `2026-09-${date}`, amount, base });
  const days = { before: [day(13, 5, 10)], from: [day(14, 1, 10), day(15, 0, 0)] };
  expect(sinceNote('completion_rate', row, { since: '2026-09-14', days })).toEqual([
    'os "iOS" fell for good from 2026-09-14 on (days before: 50 %; from then: 10 %, –); each day was compared with the time before as a whole.',
  ]);
});

test('what is one day’s is told as that day’s, and what stands out by not changing as expected is told as changed', () => {
  const row = { dimension: 'os', value: 'iOS', before: 50, now: 20, change: -30, expected: 5, unexplained: -35 } as const;
  expect(sinceNote('views', row, { since: '2026-09-14', until: '2026-09-14' })).toEqual([
    'os "iOS" fell on 2026-09-14 alone; each day was compared with the same weekdays of the time before.',
  ]);
  const stayed = { ...row, now: 52, change: 2, expected: 40, unexplained: -38 };
  expect(sinceNote('views', stayed, { since: '2026-09-14' })).toEqual([
    'os "iOS" changed for good from 2026-09-14 on; each day was compared with the same weekdays of the time before.',
  ]);
});
