/** Plans that wait for an answer: their number and memory are limited, however many the assistant requests. */
import { afterEach, expect, test, vi } from 'vitest';
import { createProposals } from '../../../src/changes/confirm/proposals.ts';
import { type ShownPlan, shownPlan } from '../../../src/changes/plan.ts';
import { NO_MOVE } from '../support/intents.ts';

const preview = { summary: '', notices: [], lines: [], onFailure: '', undo: { possible: 'no', how: '' } } as const;

// Only the number of ids matters.
const planOf = (ids: number): ShownPlan =>
  shownPlan({ kind: 'move_videos', facts: NO_MOVE, preview, ids: Array<string>(ids), apply: async () => {} });

function planOfKeys(count: number): ShownPlan {
  const videoKeys = Array<string>(count);
  const item = { id: 'c', label: 'C', seen: null, before: { videoKeys }, after: { name: 'C', videoKeys } };
  return shownPlan({ kind: 'update_channels', facts: {}, preview, items: [item], apply: async () => {} });
}

afterEach(() => void vi.useRealTimers());

test('a token expires after ten minutes, even if the clock is set back', () => {
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
  const secrets = Array.from({ length: 60 }, (_, at) => proposals.add(`change ${at}`, planOf(1_000_000), 'request'));
  const outcomes = secrets.map((secret) => proposals.redeem(secret, 'request').ok);
  expect(outcomes).toEqual([...Array<boolean>(10).fill(false), ...Array<boolean>(50).fill(true)]);
});

test('a waiting plan of a million ids keeps the first 20,000 and the total number', () => {
  expect(planOf(1_000_000)).toMatchObject({ ids: { length: 20_000 }, total: 1_000_000 });
});

test('a plan of any size is kept until the next plan is added', () => {
  const proposals = createProposals();
  const large = proposals.add('large', planOfKeys(9_000_000), 'request');
  expect(proposals.planOf('large')?.kind).toBe('update_channels');
  const small = proposals.add('small', planOf(1), 'request');
  expect(proposals.redeem(large, 'request')).toEqual({ ok: false, why: 'unknown' });
  expect(proposals.redeem(small, 'request').ok).toBe(true);
});

test('the lists in a plan of records count towards the limit', () => {
  const proposals = createProposals();
  const secrets = [proposals.add('first', planOfKeys(300_000), 'request'), proposals.add('second', planOfKeys(300_000), 'request')];
  expect(secrets.map((secret) => proposals.redeem(secret, 'request').ok)).toEqual([false, true]);
});

test('an expired token is refused as expired for another ten minutes, and then as unknown', () => {
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

test('tokens are too far apart to guess one from others', () => {
  const proposals = createProposals();
  const given = Array.from({ length: 100 }, () => BigInt(proposals.add('one', planOf(1), 'request').slice(1))).toSorted((a, b) =>
    a < b ? -1 : 1,
  );
  const gaps = given.slice(1).map((token, at) => token - (given[at] ?? 0n));
  expect(gaps.filter((gap) => gap < 1_000_000n)).toEqual([]);
});

test('at most two hundred small plans are kept', () => {
  const proposals = createProposals();
  const secrets = Array.from({ length: 210 }, (_, at) => proposals.add(`change ${at}`, planOf(1), 'request'));
  expect(secrets.map((secret) => proposals.redeem(secret, 'request').ok).filter((isGood) => isGood)).toHaveLength(200);
});
