/** The compact state of the ids of a bulk change: it gives the same answers as a list with an entry for each id. */

import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createBulkState, type IdStatus, isNotSent, isPossiblyApplied } from '../../../src/changes/journal/bulk-state.ts';
import { createBulkProgress } from '../../../src/changes/kinds/videos/bulk-progress.ts';
import { MOVE } from '../../../src/changes/plan/traits/videos.ts';
import { mintApproval } from '../../../src/service/approval.ts';
import { sentence } from '../../../src/text/sentence.ts';

const STATUSES: readonly IdStatus[] = ['none', 'sending', 'done', 'failed', 'unknown', 'not_done'];

interface Known {
  readonly outcome: IdStatus;
  readonly reason?: string | undefined;
}

const step = fc.record({
  from: fc.nat(60),
  length: fc.nat(20),
  outcome: fc.constantFrom('sending', 'done', 'failed', 'unknown', 'not_done'),
  reason: fc.option(fc.constantFrom(sentence`One.`, sentence`Two.`, sentence`Three.`), { nil: undefined }),
});

test('counts, outcomes, reasons and ranges are those of a list with an entry for each id', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.array(step, { maxLength: 30 }), (total, steps) => {
      const state = createBulkState(total, MOVE);
      const model: Known[] = Array.from({ length: total }, () => ({ outcome: 'none' }));
      for (const { from, length, outcome, reason } of steps) {
        const start = Math.min(from, total - 1);
        const end = Math.min(start + length, total);
        if (outcome === 'sending') state.markSending(start, end);
        else state.mark(start, end, outcome, reason);
        // Sending an id keeps the reason why it was not done before.
        for (let at = start; at < end; at += 1) model[at] = { outcome, reason: outcome === 'sending' ? model[at]?.reason : reason };
      }
      for (const [at, { outcome, reason }] of model.entries()) expect([state.statusAt(at), state.reasonAt(at)]).toEqual([outcome, reason]);
      for (const outcome of STATUSES) expect(state.count(outcome)).toBe(model.filter((known) => known.outcome === outcome).length);
      for (const wanted of [isNotSent, isPossiblyApplied, () => true, () => false, (outcome: IdStatus) => outcome === 'done']) {
        const ranges = state.ranges(wanted);
        const inside = ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at));
        expect(inside).toEqual([...model.keys()].filter((at) => wanted(model[at]?.outcome ?? 'none')));
        // Adjacent ids form one range.
        expect(ranges.every(({ from }, at) => at === 0 || from > (ranges[at - 1]?.to ?? 0))).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test('only none and not_done count as not sent, and only sending and unknown as possibly applied', () => {
  expect(STATUSES.filter(isNotSent)).toEqual(['none', 'not_done']);
  expect(STATUSES.filter(isPossiblyApplied)).toEqual(['sending', 'unknown']);
});

test('a repeated reason does not use up the room for other reasons', () => {
  const state = createBulkState(80_001, MOVE);
  for (let at = 0; at < 80_000; at += 1) state.mark(at, at + 1, 'failed', sentence`Reason ${at % 2}.`);
  state.mark(80_000, 80_001, 'failed', sentence`Another.`);
  expect([0, 1, 79_998, 79_999, 80_000].map((at) => state.reasonAt(at))).toEqual([
    'Reason 0.',
    'Reason 1.',
    'Reason 0.',
    'Reason 1.',
    'Another.',
  ]);
});

test('progress is reported at intervals and never decreases, and its rate counts this run only', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const state = createBulkState(1_000, MOVE);
    state.mark(0, 400, 'done');
    state.mark(400, 500, 'unknown');
    const told: unknown[][] = [];
    const progress = createBulkProgress({ progress: (...step) => told.push(step), state, approval: mintApproval() });
    vi.advanceTimersByTime(1_000);
    progress.step();
    state.mark(500, 600, 'done');
    progress.step();
    vi.advanceTimersByTime(1_000);
    progress.step();
    // The retried ids were counted as settled before.
    state.markSending(400, 600);
    vi.advanceTimersByTime(1_000);
    progress.step();
    state.mark(400, 700, 'failed');
    vi.advanceTimersByTime(1_000);
    progress.step();
    expect(told).toEqual([
      [500, 1_000, '500 of 1000, 0 a second'],
      [600, 1_000, '600 of 1000, 50 a second, 8 s left'],
      [600, 1_000, '600 of 1000, 33 a second, 12 s left'],
      [700, 1_000, '700 of 1000, 50 a second, 6 s left'],
    ]);
    progress.close();
  } finally {
    vi.useRealTimers();
  }
});
