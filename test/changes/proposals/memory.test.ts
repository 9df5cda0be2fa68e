/** Plans that wait for an answer: for how long, how many, and what ends them, on each route. */
import { afterEach, expect, test, vi } from 'vitest';
import { type ShownPlan, shownPlan } from '../../../src/changes/plan/plan.ts';
import { createMemoryStore, type MemoryStore } from '../../../src/changes/proposals/memory.ts';
import { waitsOf } from '../../../src/changes/proposals/routes/index.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { ASKED, NO_MOVE } from '../support/intents.ts';

const preview = { summary: sentence``, notices: [], lines: [], onFailure: sentence``, undo: { possible: 'no', how: sentence`` } } as const;

// Only the number of ids matters.
const planOf = (ids: number): ShownPlan =>
  shownPlan({ kind: 'move_videos', facts: NO_MOVE, preview, ids: Array<string>(ids), apply: async () => {} });

function planOfKeys(count: number): ShownPlan {
  const videoKeys = Array<string>(count);
  const item = { id: 'c', label: sentence`C`, seen: null, before: { videoKeys }, after: { name: 'C', videoKeys } };
  return shownPlan({ kind: 'update_channels', facts: {}, preview, items: [item], apply: async () => {} });
}

const begin = vi.fn(async () => 'started' as const);

function propose(waiting: MemoryStore, name: string, { isOwn = false, act = begin }: { isOwn?: boolean; act?: typeof begin } = {}) {
  return waiting.propose({
    route: 'page',
    changeId: name,
    asked: ASKED,
    tool: 'move_videos',
    requestDigest: name,
    plan: planOf(1),
    begin: act,
    isOwn,
  }).change;
}

const issue = (waiting: MemoryStore, changeId: string, plan = planOf(1)): string =>
  waiting.issue('token', { changeId, asked: ASKED, tool: 'move_videos', requestDigest: 'request', plan });

const isGood = (waiting: MemoryStore, token: string): boolean => waiting.redeem('token', token, 'request').ok;

afterEach(() => {
  vi.useRealTimers();
  begin.mockClear();
});

test.each(['form', 'token', 'page'] as const)(
  'a plan expires at the end of the time of its route, even if the clock is set back (%s)',
  async (route) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const waiting = createMemoryStore();
    const add = (changeId: string) => {
      if (route !== 'page')
        return waiting.issue(route, { changeId, asked: ASKED, tool: 'move_videos', requestDigest: changeId, plan: planOf(1) });
      propose(waiting, changeId);
      return changeId;
    };
    const stillWaits = async (changeId: string, secret: string) =>
      route === 'page' ? (await waiting.get(changeId))?.status === 'waiting' : waiting.redeem(route, secret, changeId).ok;
    const [early, late] = [add('early'), add('late')];
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(waitsOf(route).lifetimeMs - 1);
    expect(await stillWaits('early', early)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(await stillWaits('late', late)).toBe(false);
  },
);

test('an expired plan on the page can no longer be approved, and an expired token is told apart from an unknown one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const waiting = createMemoryStore();
  const { digest } = propose(waiting, 'a');
  const token = issue(waiting, 'b');
  vi.setSystemTime(Date.now() + waitsOf('page').lifetimeMs);
  expect(await waiting.approve('a', digest, '')).toBe('changed');
  expect(begin).not.toHaveBeenCalled();
  expect((await waiting.get('a'))?.status).toBe('expired');
  expect((await waiting.get('b'))?.status).toBe('expired');
  expect(waiting.redeem('token', token, 'request')).toEqual({ ok: false, why: 'expired' });
  expect(waiting.redeem('token', token, 'request')).toEqual({ ok: false, why: 'unknown' });
});

test('the oldest of many large plans are dropped with their tokens', () => {
  const waiting = createMemoryStore();
  const tokens = Array.from({ length: 60 }, (_, at) => issue(waiting, `change ${at}`, planOf(1_000_000)));
  expect(tokens.map((token) => isGood(waiting, token))).toEqual([...Array<boolean>(10).fill(false), ...Array<boolean>(50).fill(true)]);
});

test('at most two hundred small plans are kept', () => {
  const waiting = createMemoryStore();
  const tokens = Array.from({ length: 210 }, (_, at) => issue(waiting, `change ${at}`));
  expect(tokens.map((token) => isGood(waiting, token)).filter((isKept) => isKept)).toHaveLength(200);
});

test('a waiting plan of a million ids keeps the first 20,000 and the total number', () => {
  expect(planOf(1_000_000)).toMatchObject({ ids: { length: 20_000 }, total: 1_000_000 });
});

test('a plan of any size is kept until the next plan is added, and the lists of its records count', async () => {
  const waiting = createMemoryStore();
  const large = issue(waiting, 'large', planOfKeys(600_000));
  expect((await waiting.get('large'))?.plan.kind).toBe('update_channels');
  const small = issue(waiting, 'small');
  expect(waiting.redeem('token', large, 'request')).toEqual({ ok: false, why: 'unknown' });
  expect(isGood(waiting, small)).toBe(true);
});

test('as many of the assistant’s changes as fit on the page leave room for the person’s own, which are limited too', () => {
  const waiting = createMemoryStore();
  for (let at = 0; at < 50; at += 1) propose(waiting, `assistant ${at}`);
  expect(() => propose(waiting, 'one more')).toThrow('as many as it takes');
  for (let at = 0; at < 50; at += 1) expect(propose(waiting, `own ${at}`, { isOwn: true }).status).toBe('waiting');
  expect(() => propose(waiting, 'one more', { isOwn: true })).toThrow('as many as it takes');
});

test('tokens are too far apart to guess one from others', () => {
  const waiting = createMemoryStore();
  const given = Array.from({ length: 100 }, () => BigInt(issue(waiting, 'one').slice(1))).toSorted((a, b) => (a < b ? -1 : 1));
  const gaps = given.slice(1).map((token, at) => token - (given[at] ?? 0n));
  expect(gaps.filter((gap) => gap < 1_000_000n)).toEqual([]);
});

test('what waits for a request ends on all routes, whether it begins in another way or is declined on the page', async () => {
  const waiting = createMemoryStore();
  const ask = (requestDigest: string) => {
    const [form, token] = (['form', 'token'] as const).map((route) =>
      waiting.issue(route, { changeId: route, asked: ASKED, tool: 'move_videos', requestDigest, plan: planOf(1) }),
    );
    propose(waiting, requestDigest);
    return { form: form ?? '', token: token ?? '' };
  };
  const begun = ask('begun');
  const declined = ask('declined');
  const other = ask('other');
  waiting.end({ requestDigest: 'begun' }, ({ route }) => route === 'page');
  await waiting.decline('declined', 'no');
  for (const [name, { form, token }] of Object.entries({ begun, declined })) {
    expect(waiting.redeem('form', form, name)).toEqual({ ok: false, why: 'unknown' });
    expect(waiting.redeem('token', token, name)).toEqual({ ok: false, why: 'unknown' });
  }
  expect(waiting.redeem('form', other.form, 'other').ok).toBe(true);
  expect(waiting.redeem('token', other.token, 'other').ok).toBe(true);
  expect((await waiting.onPage.list()).proposals.map(({ changeId, status, note }) => [changeId, status, note])).toEqual([
    ['other', 'waiting', ''],
    ['declined', 'declined', 'no'],
    ['begun', 'waiting', ''],
  ]);
  waiting.end({ requestDigest: 'begun' });
  expect(await waiting.get('begun')).toMatchObject({ status: 'withdrawn', isAnswered: true });
});

test('of several plans that carry on one change the newest is shown, and all of them are withdrawn', async () => {
  const waiting = createMemoryStore();
  const older = issue(waiting, 'a', planOf(1));
  const newer = waiting.issue('token', {
    changeId: 'a',
    asked: ASKED,
    tool: 'move_videos',
    requestDigest: 'with failed ones',
    plan: planOf(2),
  });
  expect(await waiting.get('a')).toMatchObject({ status: 'waiting', plan: { total: 2 } });
  await waiting.withdraw('a');
  expect(isGood(waiting, older)).toBe(false);
  expect(waiting.redeem('token', newer, 'with failed ones').ok).toBe(false);
  issue(waiting, 'b');
  propose(waiting, 'b', { isOwn: true });
  await waiting.withdraw('b');
  const { proposals } = await waiting.list();
  expect(proposals.find(({ changeId, route }) => changeId === 'b' && route === 'token')?.status).toBe('withdrawn');
  expect(await waiting.get('b')).toMatchObject({ status: 'waiting', route: 'page' });
});

test('withdrawing a change while it is being approved aborts the approval', async () => {
  const waiting = createMemoryStore();
  const seen: AbortSignal[] = [];
  const act = vi.fn((_: unknown, signal: AbortSignal) => {
    seen.push(signal);
    return new Promise<'started'>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  const { change } = waiting.propose({
    route: 'page',
    changeId: 'a',
    asked: ASKED,
    tool: 'move_videos',
    requestDigest: 'a',
    plan: planOf(1),
    begin: act,
  });
  const approved = waiting.approve('a', change.digest, '');
  await waiting.withdraw('a');
  expect(await approved).toBe('changed');
  expect(seen[0]?.aborted).toBe(true);
  expect((await waiting.get('a'))?.status).toBe('withdrawn');
});

test('a change that began in the moment of its withdrawal is told as started', async () => {
  const waiting = createMemoryStore();
  const act = vi.fn(async () => {
    await waiting.withdraw('a');
    return 'started' as const;
  });
  const { digest } = propose(waiting, 'a', { act });
  expect(await waiting.approve('a', digest, '')).toBe('started');
  expect((await waiting.get('a'))?.status).toBe('started');
});

test('after the server has closed, a waiting change can’t be approved', async () => {
  const waiting = createMemoryStore();
  const { digest } = propose(waiting, 'a');
  waiting.close();
  expect(await waiting.approve('a', digest, '')).toBe('changed');
  expect(begin).not.toHaveBeenCalled();
});
