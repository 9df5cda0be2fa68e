import { expect, test } from 'vitest';
import { sinceNote } from '../../src/analytics/change-words.ts';

test('a day without plays has no completion rate', () => {
  const row = { dimension: 'os', value: 'iOS', before: 0.5, now: 0.1, change: -0.4, expected: -0.1, unexplained: -0.3 } as const;
  const days = {
    before: [{ day: '2026-09-13', amount: 5, base: 10 }],
    from: [
      { day: '2026-09-14', amount: 1, base: 10 },
      { day: '2026-09-15', amount: 0, base: 0 },
    ],
  };
  expect(sinceNote('completion_rate', row, { since: '2026-09-14', days })).toEqual([
    'os "iOS" departs from the time before from 2026-09-14 on (days before: 50 %; from then: 10 %, –); each day was compared with the time before as a whole.',
  ]);
});
