/** A short, seeded run of the fuzzing; `scripts/fuzz.mjs` does a long one. */
import { expect, test } from 'vitest';
import { fuzzAnswers } from './fuzz-answers.ts';
import { fuzzBodies } from './fuzz-bodies.ts';
import { fuzzCalls } from './fuzz-calls.ts';

test('malformed calls get an answer or a clear error', async () => {
  const figures = await fuzzCalls({ seed: 20_261_101, count: 1_500 });
  expect(figures.problems).toEqual([]);
  expect(figures.calls).toBe(1_500);
  expect(figures.errors).toBeGreaterThan(1_000);
  expect(figures.answers).toBeGreaterThan(20);
});

test('malformed responses give a result or a clear error', async () => {
  const figures = await fuzzBodies({ seed: 20_261_101, count: 3_000 });
  expect(figures.problems).toEqual([]);
  expect(figures.calls).toBe(3_000);
  expect(figures.errors).toBeGreaterThan(1_500);
  expect(figures.answers).toBeGreaterThan(150);
});

test('with malformed records, tools give a sanitized answer or a clear error', async () => {
  const figures = await fuzzAnswers({ seed: 20_261_101, count: 600 });
  expect(figures.problems).toEqual([]);
  expect(figures.calls).toBe(600);
  expect(figures.errors).toBeGreaterThan(50);
  expect(figures.answers).toBeGreaterThan(100);
});
