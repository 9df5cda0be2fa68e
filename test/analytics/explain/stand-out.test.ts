/** What stands out of a change, as numbers of an answer. */
import { expect, test } from 'vitest';
import { comparable, explanationOf } from '../../../src/analytics/explain/stand-out.ts';

test('all numbers of a rate that stands out are rounded alike', () => {
  const base = { before: 100, now: 100 };
  // 0.5499999999999999 as it is computed.
  const [whole, part] = comparable([
    { dimension: 'country', value: 'all', before: 0.1, now: 0.3, base },
    { dimension: 'country', value: 'DE', before: 0.15, now: 0.7, base },
  ]);
  const explained = whole && part && explanationOf('play_rate', whole, part);
  expect(explained).toMatchObject({ change: 0.55, expected: 0.3 });
});
