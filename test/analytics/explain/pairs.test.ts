import { expect, test } from 'vitest';
import type { Scalar } from '../../../src/analytics/contract.ts';
import { pairsFrom } from '../../../src/analytics/explain/pairs.ts';

test('a pair of which one time is not known is none', () => {
  const rows = [
    { device_type: 'mobile', views: 5, views_before: 7 },
    // Not known of this system, but of the device with another one.
    { device_type: 'mobile', views: 2, views_before: null },
    { device_type: 'tablet', views: 9, views_before: null },
  ].map((row: Readonly<Record<string, Scalar>>) => (column: string) => row[column] ?? null);
  const pairs = pairsFrom('views', { dimension: 'country', value: 'DE' }, ['device_type'], rows);
  expect(pairs).toEqual([
    { dimension: 'country', value: 'DE', dimension2: 'device_type', value2: 'mobile', now: 7, before: 7, base: { now: 7, before: 7 } },
  ]);
});
