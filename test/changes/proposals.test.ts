/** Plans that wait for an answer, as many as an assistant asks for: they may take only so much memory. */
import { afterEach, expect, test, vi } from 'vitest';
import type { BulkPlan } from '../../src/changes/plan.ts';
import { createProposals } from '../../src/changes/proposals.ts';

const planOf = (ids: number): BulkPlan => ({
  kind: 'move_videos',
  preview: { summary: '', warnings: [], lines: [], onFailure: '', undo: { possible: 'no', how: '' } },
  // Only how many there are counts.
  ids: Array<string>(ids),
  apply: async () => {},
});

afterEach(() => void vi.useRealTimers());

test('a clock that is set back gives no token more than its ten minutes', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const proposals = createProposals();
  const [early, late] = [proposals.add('early', planOf(1), 'request'), proposals.add('late', planOf(1), 'request')];
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(9 * 60_000);
  expect(proposals.redeem(early, 'request').ok).toBe(true);
  vi.advanceTimersByTime(2 * 60_000);
  expect(proposals.redeem(late, 'request')).toEqual({ ok: false, why: 'expired' });
});

test('of many large plans the oldest make way, and a token of theirs is good for nothing', () => {
  const proposals = createProposals();
  const secrets = Array.from({ length: 20 }, (_, at) => proposals.add(`change ${at}`, planOf(1_000_000), 'request'));
  const outcomes = secrets.map((secret) => proposals.redeem(secret, 'request').ok);
  expect(outcomes).toEqual([...Array<boolean>(16).fill(false), ...Array<boolean>(4).fill(true)]);
});

test('one plan waits however large it is, until the next', () => {
  const proposals = createProposals();
  const large = proposals.add('large', planOf(9_000_000), 'request');
  expect(proposals.planOf('large')?.kind).toBe('move_videos');
  const small = proposals.add('small', planOf(1), 'request');
  expect(proposals.redeem(large, 'request')).toEqual({ ok: false, why: 'unknown' });
  expect(proposals.redeem(small, 'request').ok).toBe(true);
});

test('of small plans two hundred wait', () => {
  const proposals = createProposals();
  const secrets = Array.from({ length: 210 }, (_, at) => proposals.add(`change ${at}`, planOf(1), 'request'));
  expect(secrets.map((secret) => proposals.redeem(secret, 'request').ok).filter((isGood) => isGood)).toHaveLength(200);
});
