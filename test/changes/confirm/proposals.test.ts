/** Plans that wait for an answer, as many as an assistant asks for: they may take only so much memory. */
import { afterEach, expect, test, vi } from 'vitest';
import { createProposals } from '../../../src/changes/confirm/proposals.ts';
import type { BulkPlan, ItemPlan } from '../../../src/changes/plan.ts';

const planOf = (ids: number): BulkPlan => ({
  kind: 'move_videos',
  preview: { summary: '', warnings: [], lines: [], onFailure: '', undo: { possible: 'no', how: '' } },
  // Only how many there are counts.
  ids: Array<string>(ids),
  apply: async () => {},
});

afterEach(() => void vi.useRealTimers());

test('a token expires after ten minutes, also if the clock is set back', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const proposals = createProposals();
  const [early, late] = [proposals.add('early', planOf(1), 'request'), proposals.add('late', planOf(1), 'request')];
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(9 * 60_000);
  expect(proposals.redeem(early, 'request').ok).toBe(true);
  vi.advanceTimersByTime(2 * 60_000);
  expect(proposals.redeem(late, 'request')).toEqual({ ok: false, why: 'expired' });
});

test('the oldest of many large plans are dropped with their tokens', () => {
  const proposals = createProposals();
  const secrets = Array.from({ length: 20 }, (_, at) => proposals.add(`change ${at}`, planOf(1_000_000), 'request'));
  const outcomes = secrets.map((secret) => proposals.redeem(secret, 'request').ok);
  expect(outcomes).toEqual([...Array<boolean>(16).fill(false), ...Array<boolean>(4).fill(true)]);
});

test('a single plan of any size waits until the next one', () => {
  const proposals = createProposals();
  const large = proposals.add('large', planOf(9_000_000), 'request');
  expect(proposals.planOf('large')?.kind).toBe('move_videos');
  const small = proposals.add('small', planOf(1), 'request');
  expect(proposals.redeem(large, 'request')).toEqual({ ok: false, why: 'unknown' });
  expect(proposals.redeem(small, 'request').ok).toBe(true);
});

test('the lists of a plan of records count as well', () => {
  const keys = Array<string>(1_500_000);
  const plan = (): ItemPlan => ({
    kind: 'update_channels',
    preview: planOf(0).preview,
    items: [{ id: 'c', label: 'C', seen: null, before: { videoKeys: keys }, after: { name: 'C', videoKeys: keys } }],
    apply: async () => {},
  });
  const proposals = createProposals();
  const secrets = [proposals.add('first', plan(), 'request'), proposals.add('second', plan(), 'request')];
  expect(secrets.map((secret) => proposals.redeem(secret, 'request').ok)).toEqual([false, true]);
});

test('a late token is refused as expired for ten minutes more; then its plan is removed', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const proposals = createProposals();
  const [early, late] = [proposals.add('early', planOf(1), 'request'), proposals.add('late', planOf(1), 'request')];
  vi.advanceTimersByTime(19 * 60_000);
  proposals.add('another', planOf(1), 'request');
  expect(proposals.redeem(early, 'request')).toEqual({ ok: false, why: 'expired' });
  vi.advanceTimersByTime(2 * 60_000);
  proposals.add('yet another', planOf(1), 'request');
  expect(proposals.planOf('late')).toBeUndefined();
  expect(proposals.redeem(late, 'request')).toEqual({ ok: false, why: 'unknown' });
});

test('a token can’t be guessed from others', () => {
  const proposals = createProposals();
  const given = Array.from({ length: 100 }, () => BigInt(proposals.add('one', planOf(1), 'request').slice(1))).toSorted((a, b) =>
    a < b ? -1 : 1,
  );
  const gaps = given.slice(1).map((token, at) => token - (given[at] ?? 0n));
  expect(gaps.filter((gap) => gap < 1_000_000n)).toEqual([]);
});

test('two hundred small plans wait', () => {
  const proposals = createProposals();
  const secrets = Array.from({ length: 210 }, (_, at) => proposals.add(`change ${at}`, planOf(1), 'request'));
  expect(secrets.map((secret) => proposals.redeem(secret, 'request').ok).filter((isGood) => isGood)).toHaveLength(200);
});
