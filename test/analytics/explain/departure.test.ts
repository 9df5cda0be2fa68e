/** The day from which a value departs, found in days that vary by chance and by weekday. */
import { expect, test } from 'vitest';
import { type DayCount, departureOf } from '../../../src/analytics/explain/departure.ts';

const DAY_MS = 86_400_000;
const DAYS = 28;
const WEEKDAYS = [1, 1.1, 1.2, 1.1, 0.9, 0.4, 0.3];

/** Numbers between 0 and 1 that look like chance, the same for a seed. */
function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const dayText = (index: number): string => new Date(Date.parse('2026-03-02') + index * DAY_MS).toISOString().slice(0, 10);

/** Four weeks of days around `each`, which vary as counts do, and by `noise` of themselves. */
function days(random: () => number, first: number, each: number, noise = 0, factor: (index: number) => number = () => 1): DayCount[] {
  const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: DAYS }, (_, index) => {
    const expected = each * (WEEKDAYS[index % 7] ?? 1) * factor(index);
    const amount = Math.max(0, Math.round(expected + Math.sqrt(expected) * normal() + noise * expected * normal()));
    return { day: dayText(first + index), amount, base: amount };
  });
}

function found(seed: number, factor: (index: number) => number, noise = 0) {
  const random = randomFrom(seed);
  const own = { before: days(random, 0, 60, noise), now: days(random, DAYS, 60, noise, factor), growth: 1, repeats: 1 };
  const rest = { before: days(random, 0, 600, noise), now: days(random, DAYS, 600, noise), growth: 1, repeats: 1 };
  return departureOf('count', own, rest, -1);
}

const SEEDS = Array.from({ length: 40 }, (_, index) => index * 7_919 + 3);

test('a step is found on its day, or the days that are said to fit as well contain it', () => {
  const answers = SEEDS.map((seed) => found(seed, (index) => (index >= 9 ? 0.4 : 1)));
  const day = dayText(DAYS + 9);
  expect(
    answers.filter((answer) => answer?.since === day || (answer?.between && answer.between[0] <= day && day <= answer.between[1])).length,
  ).toBeGreaterThanOrEqual(38);
  expect(answers.filter((answer) => answer?.until !== undefined).length).toBeLessThanOrEqual(2);
});

test('where it came back, the last day is told', () => {
  const answer = found(5, (index) => (index >= 9 && index < 16 ? 0.1 : 1));
  expect(answer).toMatchObject({ since: dayText(DAYS + 9) });
  expect([dayText(DAYS + 13), dayText(DAYS + 14), dayText(DAYS + 15)]).toContain(answer?.until);
});

test('a new video that is watched less on a last Saturday has not come back', () => {
  const counts = [17, 23, 30, 33, 16, 9, 26, 29, 32, 24, 25, 18, 17, 13, 23, 26, 22, 21, 7];
  const series = (first: number, amounts: readonly number[]) =>
    amounts.map((amount, index) => ({ day: dayText(first + index), amount, base: amount }));
  const none = (first: number, count: number) =>
    series(
      first,
      Array.from({ length: count }, () => 0),
    );
  const own = { before: none(0, 28), now: [...none(28, 9), ...series(37, counts)], growth: 1, repeats: 1 };
  expect(departureOf('count', own, undefined, 1)).toMatchObject({ since: dayText(37) });
  expect(departureOf('count', own, undefined, 1)).not.toHaveProperty('until');
});

test('days that vary by chance alone have no departure, also where all days of the account vary much', () => {
  for (const noise of [0, 0.3]) expect(SEEDS.filter((seed) => found(seed, () => 1, noise) !== undefined).length).toBeLessThanOrEqual(1);
});

test('few days say nothing', () => {
  const two = [1, 2].map((index) => ({ day: dayText(index), amount: 100, base: 100 }));
  const none = two.map((day) => ({ ...day, amount: 0, base: 0 }));
  expect(departureOf('count', { before: two, now: none, growth: 1, repeats: 1 }, undefined, -1)).toBeUndefined();
});
