import { expect, test } from 'vitest';
import { VideoHostingError } from '../../src/errors.ts';
import { path } from '../../src/service/path.ts';
import { DEFAULT_RETRY, parseRetryAfter, retryDelay } from '../../src/service/retry.ts';
import { approval } from './harness.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');

test.each<readonly [string, number | undefined]>([
  ['7', 7_000],
  [' 0 ', 0],
  ['Sun, 01 Nov 2026 00:00:30 GMT', 30_000],
  ['Sunday, 01-Nov-26 00:00:30 GMT', 30_000],
  ['Sun Nov  1 00:00:30 2026 GMT', 30_000],
  ['Sat, 31 Oct 2026 00:00:00 GMT', 0],
  ['99999999999999999999', 3_650 * 86_400_000],
  ...['-5', '1.5', '1e9', 'soon', '', '2026-11-01T00:00:30Z'].map((value) => [value, undefined] as const),
])('Retry-After: %j is parsed as %s', (value, expected) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});

test.each([
  [false, 1, 125],
  [false, 2, undefined],
  [true, 10, 125],
  [true, 11, undefined],
])('a request that is patient (%s) and is to wait for %i minutes is sent again after a backoff of %s ms', (patient, minutes, backoff) => {
  const error = new VideoHostingError('rate_limited', 'x', { facts: { retryAfterMs: minutes * 60_000 } });
  const request = { method: 'POST', path: path`/v1/x`, body: {}, retry: 'idempotent', approval: approval(), patient } as const;
  expect(retryDelay(request, error, 1, DEFAULT_RETRY, () => 0.5)).toBe(backoff);
});
