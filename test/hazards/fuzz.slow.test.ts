/** A short, seeded part of the fuzzing; `scripts/fuzz.mjs` does the long one. */
import { expect, test } from 'vitest';
import { fuzzAnswers } from './fuzz-answers.ts';
import { fuzzBodies } from './fuzz-bodies.ts';
import { fuzzCalls } from './fuzz-calls.ts';

test('malformed calls end in an answer or a clear error, and nothing else happens', async () => {
  const figures = await fuzzCalls({ seed: 20_261_101, count: 1_500 });
  expect(figures.problems).toEqual([]);
  expect(figures.calls).toBe(1_500);
  expect(figures.errors).toBeGreaterThan(1_000);
  expect(figures.answers).toBeGreaterThan(20);
});

test('malformed answers end in what was asked for or a clear error, and nothing else happens', async () => {
  const figures = await fuzzBodies({ seed: 20_261_101, count: 3_000 });
  expect(figures.problems).toEqual([]);
  expect(figures.calls).toBe(3_000);
  expect(figures.errors).toBeGreaterThan(1_500);
  expect(figures.answers).toBeGreaterThan(150);
});

test('malformed records seen through the tools end in an inert answer or a clear error', async () => {
  const figures = await fuzzAnswers({ seed: 20_261_101, count: 600 });
  expect(figures.problems).toEqual([]);
  expect(figures.calls).toBe(600);
  expect(figures.errors).toBeGreaterThan(50);
  expect(figures.answers).toBeGreaterThan(100);
});
