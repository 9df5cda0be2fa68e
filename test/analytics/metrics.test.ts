import { expect, test } from 'vitest';
import { isPercent } from '../../src/analytics/metrics.ts';

test.each(['play_rate', 'play_rate_before', 'views_share', 'views_share_before', 'skip_rate'])('%s is told in percent', (name) => {
  expect(isPercent(name)).toBe(true);
});

test.each(['views', 'views_before', 'avg_watch_time', 'views_ratio', 'play_rate_change'])('%s is not told in percent', (name) => {
  expect(isPercent(name)).toBe(false);
});
