import { describe, expect, test } from 'vitest';
import { createServiceClock } from '../../src/service/service-clock.ts';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const at = (ms: number) => new Date(ms).toISOString();

/** A clock that knows one answer: the service's Date was `aheadMs` ahead, and the answer took 200 ms. */
function clockAhead(aheadMs: number) {
  const clock = createServiceClock();
  clock.note(new Date(NOON + aheadMs).toUTCString(), NOON - 100, NOON + 100);
  return clock;
}

describe.each([0, 3_600_000, -90_000_000])('with a service whose clock is %d ms ahead', (aheadMs) => {
  const clock = clockAhead(aheadMs);

  test('a time within the span is told from one before or after it', () => {
    const isIn = (ms: number) => clock.isBetween(at(NOON + aheadMs + ms), NOON, NOON + 500);
    expect([0, 250, 500].map(isIn)).toEqual([true, true, true]);
    // A header has whole seconds, so that the nearest ones can't be told.
    expect([-3_000, 4_000, 60_000, -60_000].map(isIn)).toEqual([false, false, false, false]);
  });

  test('a time with another offset from UTC is the same time', () => {
    const local = at(NOON + aheadMs + 5 * 3_600_000).replace('Z', '+05:00');
    expect(clock.isBetween(local, NOON, NOON + 500)).toBe(true);
  });
});

test.each([undefined, '', 'yesterday', '2026-11-01T12:00:00', '2026-11-01'])('the time %j tells nothing', (time) => {
  expect(clockAhead(0).isBetween(time, NOON, NOON + 500)).toBe(false);
});

test('without an answer that has a date, nothing is told', () => {
  const clock = createServiceClock();
  clock.note(undefined, NOON, NOON);
  clock.note('no date', NOON, NOON);
  expect(clock.isBetween(at(NOON), NOON - 60_000, NOON + 60_000)).toBe(false);
});

test('the newest answer counts: a clock may be set', () => {
  const clock = clockAhead(0);
  clock.note(new Date(NOON + 3_600_000).toUTCString(), NOON, NOON);
  expect(clock.isBetween(at(NOON), NOON, NOON + 500)).toBe(false);
  clock.note(undefined, NOON, NOON);
  expect(clock.isBetween(at(NOON + 3_600_000), NOON, NOON + 500)).toBe(true);
});
