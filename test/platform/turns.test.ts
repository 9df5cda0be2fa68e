/** Whoever takes much leaves room to others who take little. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTurns } from '../../src/platform/turns.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const [ANN, BOB] = [{ who: 'ann' }, { who: 'bob' }];

function serve(turns: ReturnType<typeof createTurns>, who: string | undefined, ms: number): number {
  turns.begin(who);
  vi.advanceTimersByTime(ms);
  return turns.end(who, ms);
}

test('whoever took much more than somebody who was served lately has nothing begun for twice as long', () => {
  const turns = createTurns(4);
  expect(serve(turns, 'bob', 100)).toBe(0);
  expect(serve(turns, 'ann', 10)).toBe(0);
  expect(serve(turns, 'bob', 100)).toBe(200);
  expect(turns.next([BOB])).toBeUndefined();
  expect(turns.next([BOB, ANN])).toBe(ANN);
  turns.rested('bob');
  expect(serve(turns, 'bob', 3_000)).toBe(1_000);
  turns.rested('bob');
  expect(turns.next([BOB])).toBe(BOB);
});

test('of people who take alike, nobody rests', () => {
  const turns = createTurns(4);
  serve(turns, 'ann', 10);
  serve(turns, 'bob', 14);
  expect(serve(turns, 'ann', 11)).toBe(0);
  expect(serve(turns, 'bob', 9)).toBe(0);
});

test('nobody rests where nobody else was served lately, and what is nobody’s never does', () => {
  const turns = createTurns(4);
  serve(turns, 'ann', 10);
  vi.advanceTimersByTime(6_000);
  expect(serve(turns, 'bob', 100)).toBe(0);
  expect(turns.next([BOB])).toBe(BOB);
  serve(turns, 'ann', 1);
  expect(serve(turns, undefined, 1_000)).toBe(0);
  expect(turns.next([{ who: undefined }])).toEqual({ who: undefined });
});

test('what somebody took long ago counts for less', () => {
  const turns = createTurns(4);
  serve(turns, 'bob', 100);
  vi.advanceTimersByTime(60_000);
  serve(turns, 'ann', 20);
  expect(serve(turns, 'bob', 10)).toBe(0);
});
