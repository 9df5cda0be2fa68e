/** What this process asks: for how long, how much of it, what ends it, and what comes of an answer, on each route. */
import { afterEach, expect, test, vi } from 'vitest';
import { type ChangePlan, type ShownPlan, shownPlan } from '../../../src/changes/plan/plan.ts';
import type { BeginApproved } from '../../../src/changes/proposals/proposal.ts';
import { waitsOf } from '../../../src/changes/proposals/routes/index.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { ASKED, NO_MOVE } from '../support/intents.ts';
import { inMemory } from '../support/proposals.ts';

const { signal } = new AbortController();
const preview = { summary: sentence``, notices: [], lines: [], onFailure: sentence``, undo: { possible: 'no', how: sentence`` } } as const;

// Only the number of ids matters.
const planOf = (ids: number): ShownPlan =>
  shownPlan({ kind: 'move_videos', facts: NO_MOVE, preview, ids: Array<string>(ids), apply: async () => {} });

function planOfKeys(count: number): ShownPlan {
  const videoKeys = Array<string>(count);
  const item = { id: 'c', label: sentence`C`, seen: null, before: { videoKeys }, after: { name: 'C', videoKeys } };
  return shownPlan({ kind: 'update_channels', facts: {}, preview, items: [item], apply: async () => {} });
}

const begin = vi.fn<BeginApproved>((_approved, _signal, decide) => decide(async () => 'started' as const));

type Asking = ReturnType<typeof inMemory>;

const question = (changeId: string, requestDigest: string, plan = planOf(1)) => ({
  ...{ changeId, asked: ASKED, tool: 'move_videos', args: {}, requestDigest, action: undefined, plan },
});

async function propose({ askedHere }: Asking, name: string, { isOwn = false, act = begin }: { isOwn?: boolean; act?: typeof begin } = {}) {
  return (await askedHere.propose({ ...question(name, name), route: 'page', isOwn }, act, signal)).change;
}

const issue = ({ askedHere }: Asking, changeId: string, plan = planOf(1), requestDigest = 'request', route: 'form' | 'token' = 'token') =>
  askedHere.issue({ ...question(changeId, requestDigest, plan), route }, signal);

const isGood = async ({ askedHere }: Asking, token: string) => (await askedHere.redeem('token', token, 'request')).ok;
const approve = ({ askedHere }: Asking, changeId: string) => askedHere.approve(changeId, () => true, { how: 'page' });

afterEach(() => {
  vi.useRealTimers();
  begin.mockClear();
});

test.each(['form', 'token', 'page'] as const)(
  'a plan expires at the end of the time of its route, even if the clock is set back (%s)',
  async (route) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const asking = inMemory();
    const add = async (changeId: string) => {
      if (route !== 'page') return issue(asking, changeId, planOf(1), changeId, route);
      await propose(asking, changeId);
      return changeId;
    };
    const stillWaits = async (changeId: string, secret: string) =>
      route === 'page'
        ? (await asking.proposals.get(changeId))?.status === 'waiting'
        : (await asking.askedHere.redeem(route, secret, changeId)).ok;
    const [early, late] = [await add('early'), await add('late')];
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(waitsOf(route).lifetimeMs - 1);
    expect(await stillWaits('early', early)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(await stillWaits('late', late)).toBe(false);
  },
);

test('an expired plan on the page can no longer be approved, and an expired token is told apart from an unknown one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const asking = inMemory();
  await propose(asking, 'a');
  const token = await issue(asking, 'b');
  vi.setSystemTime(Date.now() + waitsOf('page').lifetimeMs);
  expect(await approve(asking, 'a')).toBe('changed');
  expect(begin).not.toHaveBeenCalled();
  expect((await asking.proposals.get('a'))?.status).toBe('expired');
  expect((await asking.proposals.get('b'))?.status).toBe('expired');
  expect(await asking.askedHere.redeem('token', token, 'request')).toEqual({ ok: false, why: 'expired' });
  expect(await asking.askedHere.redeem('token', token, 'request')).toEqual({ ok: false, why: 'unknown' });
});

/** Which of some tokens count. */
async function good(asking: Asking, tokens: readonly string[]): Promise<boolean[]> {
  const found: boolean[] = [];
  for (const token of tokens) found.push(await isGood(asking, token));
  return found;
}

async function issueMany(asking: Asking, count: number, plan = planOf(1)): Promise<string[]> {
  const tokens: string[] = [];
  for (let at = 0; at < count; at += 1) tokens.push(await issue(asking, `change ${at}`, plan));
  return tokens;
}

test('the oldest of many large plans are dropped with their tokens', async () => {
  const asking = inMemory();
  const tokens = await issueMany(asking, 60, planOf(1_000_000));
  expect(await good(asking, tokens)).toEqual([...Array<boolean>(10).fill(false), ...Array<boolean>(50).fill(true)]);
});

test('at most two hundred small plans are kept', async () => {
  const asking = inMemory();
  const tokens = await issueMany(asking, 210);
  expect((await good(asking, tokens)).filter((isKept) => isKept)).toHaveLength(200);
});

test('a waiting plan of a million ids keeps the first 20,000 and the total number', () => {
  expect(planOf(1_000_000)).toMatchObject({ ids: { length: 20_000 }, total: 1_000_000 });
});

test('a plan of any size is kept until the next plan is added, and the lists of its records count', async () => {
  const asking = inMemory();
  const large = await issue(asking, 'large', planOfKeys(600_000));
  expect((await asking.proposals.get('large'))?.plan.kind).toBe('update_channels');
  const small = await issue(asking, 'small');
  expect(await asking.askedHere.redeem('token', large, 'request')).toEqual({ ok: false, why: 'unknown' });
  expect(await isGood(asking, small)).toBe(true);
});

test('tokens are too far apart to guess one from others', async () => {
  const asking = inMemory();
  const given = (await issueMany(asking, 100)).map((token) => BigInt(token.slice(1))).toSorted((a, b) => (a < b ? -1 : 1));
  const gaps = given.slice(1).map((token, at) => token - (given[at] ?? 0n));
  expect(gaps.filter((gap) => gap < 1_000_000n)).toEqual([]);
});

test('what waits for a request ends on all routes, whether it begins in another way or is declined on the page', async () => {
  const asking = inMemory();
  const { proposals, askedHere } = asking;
  const ask = async (name: string) => {
    const [form, token] = [
      await issue(asking, `${name} form`, planOf(1), name, 'form'),
      await issue(asking, `${name} token`, planOf(1), name),
    ];
    await propose(asking, name);
    return { form, token };
  };
  const [begun, declined, other] = [await ask('begun'), await ask('declined'), await ask('other')];
  expect(await approve(asking, 'begun')).toBe('started');
  const plan: ChangePlan = { kind: 'move_videos', facts: NO_MOVE, preview, ids: [], apply: async () => undefined };
  await proposals.end({ requestDigest: 'begun', begun: 'begun', plan, actionOf: () => '' });
  await proposals.decide('declined', { status: 'declined', how: 'page', note: 'no' });
  await proposals.declineRequest({ requestDigest: 'declined' }, { how: 'page', note: 'no' });
  for (const [name, { form, token }] of Object.entries({ begun, declined })) {
    expect(await askedHere.redeem('form', form, name)).toEqual({ ok: false, why: 'unknown' });
    expect(await askedHere.redeem('token', token, name)).toEqual({ ok: false, why: 'unknown' });
  }
  expect((await askedHere.redeem('form', other.form, 'other')).ok).toBe(true);
  expect((await askedHere.redeem('token', other.token, 'other')).ok).toBe(true);
  expect((await proposals.onPage.list()).proposals.map(({ changeId, status, note }) => [changeId, status, note])).toEqual([
    ['other', 'waiting', ''],
    ['declined', 'declined', 'no'],
    ['begun', 'started', ''],
  ]);
});

test('withdrawing a change while it is being approved aborts the approval', async () => {
  const asking = inMemory();
  const seen: AbortSignal[] = [];
  const act = vi.fn<BeginApproved>(
    (_approved, aborted) =>
      new Promise((_resolve, reject) => {
        seen.push(aborted);
        aborted.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  );
  await propose(asking, 'a', { act });
  const approved = approve(asking, 'a');
  await vi.waitFor(() => expect(act).toHaveBeenCalled());
  await asking.proposals.withdraw('a');
  expect(await approved).toBe('changed');
  expect(seen[0]?.aborted).toBe(true);
  expect((await asking.proposals.get('a'))?.status).toBe('withdrawn');
});

test('a change that was withdrawn in the moment in which it was to begin is not begun', async () => {
  const asking = inMemory();
  const start = vi.fn(async () => 'started' as const);
  const act = vi.fn<BeginApproved>(async (_approved, _signal, decide) => {
    await asking.proposals.withdraw('a');
    return decide(start);
  });
  await propose(asking, 'a', { act });
  expect(await approve(asking, 'a')).toBe('changed');
  expect(start).not.toHaveBeenCalled();
  expect((await asking.proposals.get('a'))?.status).toBe('withdrawn');
});

test('a decision wakes the call that waits, and each call is told', async () => {
  const asking = inMemory();
  const { changeId } = await propose(asking, 'a');
  const calls = Promise.all([1, 2].map(() => asking.askedHere.wait(changeId, Date.now() + 600_000, signal)));
  await asking.proposals.decide(changeId, { status: 'declined', how: 'page' });
  await calls;
});

test('after the server has closed, a waiting change can’t be approved', async () => {
  const asking = inMemory();
  await propose(asking, 'a');
  asking.proposals.close();
  expect(await approve(asking, 'a')).toBe('changed');
  expect(begin).not.toHaveBeenCalled();
});
