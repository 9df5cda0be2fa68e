import { describe, expect, test } from 'vitest';
import { type ErrorCode, type ErrorFacts, VideoHostingError } from '../../src/errors.ts';
import { path } from '../../src/service/path.ts';
import type { AnyRequest, RetryRule } from '../../src/service/request.ts';
import { DEFAULT_RETRY, parseRetryAfter, retryDelay } from '../../src/service/retry.ts';
import { approval } from './harness.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');

describe('Retry-After', () => {
  test.each([
    ['7', 7_000],
    [' 0 ', 0],
    ['Sun, 01 Nov 2026 00:00:30 GMT', 30_000],
    ['Sunday, 01-Nov-26 00:00:30 GMT', 30_000],
    ['Sun Nov  1 00:00:30 2026 GMT', 30_000],
    ['Sat, 31 Oct 2026 00:00:00 GMT', 0],
    ['99999999999999999999', Number.MAX_SAFE_INTEGER],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e9', undefined],
    ['soon', undefined],
    ['', undefined],
    ['2026-11-01T00:00:30Z', undefined],
  ])('%j is parsed as %s', (value, expected) => {
    expect(parseRetryAfter(value, NOW)).toBe(expected);
  });
});

describe('a retry', () => {
  const requestWith = (retry: RetryRule): AnyRequest => ({ method: 'POST', path: path`/v1/x`, body: {}, retry, approval: approval() });
  const delay = (rule: RetryRule, code: ErrorCode, facts: ErrorFacts = {}, attempt = 1, random = 0.5) =>
    retryDelay(requestWith(rule), new VideoHostingError(code, 'x', { facts }), attempt, DEFAULT_RETRY, () => random);

  test('waits twice as long each time, with full jitter, up to a limit of attempts', () => {
    expect([1, 2, 3].map((attempt) => delay('idempotent', 'service_failed', {}, attempt))).toEqual([125, 250, 500]);
    expect(delay('idempotent', 'service_failed', {}, 1, 0)).toBe(0);
    expect(delay('idempotent', 'service_failed', {}, 4)).toBeUndefined();
  });

  test.each<[ErrorCode, boolean]>([
    ['unreachable', true],
    ['timed_out', true],
    ['connection_lost', true],
    ['rate_limited', true],
    ['service_failed', true],
    ['unexpected_body', true],
    ['service_validation', false],
    ['unauthorized', false],
    ['forbidden', false],
    ['service_not_found', false],
    ['unexpected_status', false],
    ['response_too_large', false],
    ['redirect_refused', false],
    ['cancelled', false],
    ['not_approved', false],
  ])('is made for an idempotent request after %s: %s', (code, again) => {
    expect(delay('idempotent', code) !== undefined).toBe(again);
  });

  test('is not made after a response that does not match its schema', () => {
    expect(delay('idempotent', 'unexpected_body', { fields: [{ field: 'id', problem: 'x' }] })).toBeUndefined();
  });

  test('keeps its backoff with a Retry-After, and is not made if that is too long', () => {
    for (const retryAfterMs of [0, 7_000]) expect(delay('idempotent', 'rate_limited', { retryAfterMs })).toBe(125);
    expect(delay('idempotent', 'rate_limited', { retryAfterMs: 86_400_000 })).toBeUndefined();
  });

  test('of a patient request waits for up to ten minutes, of any other for up to one', () => {
    const delayAfter = (patient: boolean, minutes: number) => {
      const error = new VideoHostingError('rate_limited', 'x', { facts: { retryAfterMs: minutes * 60_000 } });
      return retryDelay({ ...requestWith('idempotent'), patient }, error, 1, DEFAULT_RETRY, () => 0.5);
    };
    expect([delayAfter(false, 1), delayAfter(false, 2), delayAfter(true, 10), delayAfter(true, 11)]).toEqual([
      125,
      undefined,
      125,
      undefined,
    ]);
  });

  test('of a request that must not be sent twice is made only if nothing was sent', () => {
    expect(delay('never', 'unreachable', { outcome: 'nothing-sent' })).toBe(125);
    expect(delay('never', 'connection_lost', { outcome: 'not-known' })).toBeUndefined();
    expect(delay('never', 'rate_limited', { outcome: 'not-known', retryAfterMs: 0 })).toBeUndefined();
    expect(delay('never', 'service_failed', { outcome: 'not-done' })).toBeUndefined();
  });
});
