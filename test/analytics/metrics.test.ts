import { expect, test } from 'vitest';
import { isPercent } from '../../src/analytics/metrics.ts';

test.each([
  ['play_rate', true],
  ['play_rate_before', true],
  ['views_share', true],
  ['views_share_before', true],
  ['skip_rate', true],
  ['views', false],
  ['views_before', false],
  ['avg_watch_time', false],
  ['views_ratio', false],
  ['play_rate_change', false],
])('whether %s is drawn and shown in percent', (name, is) => {
  expect(isPercent(name)).toBe(is);
});
