/** What is asked of a person, wherever it is kept: once each, decided once, on what was shown, and told to everybody who listens. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import type { ChangePlan, ShownPlan } from '../../../src/changes/plan/plan.ts';
import { createDecidedRequests } from '../../../src/changes/proposals/decided-requests.ts';
import { createDiskBackEnd } from '../../../src/changes/proposals/disk.ts';
import { createMemoryBackEnd } from '../../../src/changes/proposals/memory.ts';
import { waitsOf } from '../../../src/changes/proposals/routes/index.ts';
import { createProposalStore, type NewProposal } from '../../../src/changes/proposals/store.ts';
import { SURE_MS } from '../../../src/platform/seen-since.ts';
import { digestOf } from '../../../src/platform/stable-json.ts';
import { DAY_MS } from '../../../src/platform/time-units.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { atEnd, freshHome } from '../../harness/cleanup.ts';
import { ASKED } from '../support/intents.ts';

const { signal } = new AbortController();
afterEach(() => void vi.useRealTimers());
const BEGUN = 'chg-012345678-abcd';

/** The plan to rename a channel. */
const rename = (name = 'Summer', id = 'channel-1'): ShownPlan & ChangePlan => ({
  ...{ kind: 'update_channels', facts: {}, apply: async () => undefined },
  preview: {
    ...{ summary: sentence`Rename "Spring"`, notices: [], onFailure: sentence`` },
    undo: { possible: 'no', how: sentence`It can’t be undone.` },
  },
  items: [
    { id, label: sentence`"Spring"`, seen: { version: 3, updated: null }, before: { name: 'Spring' }, after: { name }, replaces: false },
  ],
});

const BACK_ENDS = {
  memory: (_home: string) => createMemoryBackEnd(),
  disk: (home: string) =>
    createDiskBackEnd({
      ...{ folder: join(home, 'kept'), accountId: 'account-a', everyMs: 20 },
      journal: createJournal(join(home, 'changes')),
    }),
};
const NAMES = Object.keys(BACK_ENDS) as (keyof typeof BACK_ENDS)[]; // its keys

/** A store that keeps what is asked on the page in one back end; `other` is of another process where that shares it. */
function open(name: keyof typeof BACK_ENDS) {
  const home = freshHome();
  const journal = createJournal(join(home, 'changes'));
  const clock = { now: Date.now() };
  const backEnd = BACK_ENDS[name](home);
  const storeOn = (one: typeof backEnd) => {
    const store = createProposalStore({ backEnds: { [name]: one }, journal, now: () => clock.now });
    atEnd(() => store.close());
    return store;
  };
  const store = storeOn(backEnd);
  const other = storeOn(name === 'memory' ? backEnd : BACK_ENDS[name](home));
  const add = async (more: Partial<NewProposal> = {}) => {
    const { plan = rename() } = more;
    const args = { changes: [plan] };
    const asked = { ...ASKED, by: { name: 'nightly' } };
    const { proposal } = await store.add(
      {
        ...{ changeId: await journal.newChangeId(), route: 'page', tool: 'update_channels', asked, args, plan },
        ...{ requestDigest: digestOf(args), action: digestOf(plan), ...more },
      },
      signal,
    );
    return proposal;
  };
  return { home, journal, clock, store, other, add };
}

describe.each(NAMES)('in %s', (name) => {
  test('what is asked has an id of its own, waits as it was planned, and is listed with the newest first', async () => {
    const { store, add } = open(name);
    const [first, second] = [await add(), await add({ plan: rename('Winter') })];
    expect(first.changeId).not.toBe(second.changeId);
    expect(await store.get(first.changeId)).toEqual(first);
    expect(first).toMatchObject({ status: 'waiting', store: name, isAskedHere: true, isOwn: false, note: '', overtakes: [] });
    expect(first.plan).toMatchObject({ kind: 'update_channels', items: [{ id: 'channel-1', after: { name: 'Summer' } }] });
    expect((await store.list()).proposals.map(({ changeId }) => changeId)).toEqual([second.changeId, first.changeId]);
    expect(await store.get('chg-000000000-0000')).toBeUndefined();
  });

  test('a newer one names the older ones that wait for the same records', async () => {
    const { store, add } = open(name);
    const older = await add();
    const newer = await add({ plan: rename('Winter') });
    expect(newer.overtakes).toEqual([older.changeId]);
    expect((await add({ plan: rename('Winter', 'channel-2') })).overtakes).toEqual([]);
    await store.decide(older.changeId, { status: 'declined', how: 'page' });
    expect((await store.get(newer.changeId))?.overtakes).toEqual([]);
  });

  test('the same request joins what waits; the same asked for in another way takes its place', async () => {
    const { store, add } = open(name);
    const first = await add();
    expect((await add()).changeId).toBe(first.changeId);
    const second = await add({ requestDigest: 'the same in other words' });
    expect(second.changeId).not.toBe(first.changeId);
    expect(await store.get(first.changeId)).toMatchObject({ status: 'withdrawn', isAnswered: false });
    expect((await store.list()).proposals.filter(({ status }) => status === 'waiting')).toHaveLength(1);
  });

  test('a decision counts for what was shown, and nothing is begun by another', async () => {
    const { store, other, add } = open(name);
    const { changeId, digest } = await add();
    const begin = vi.fn(async () => 'begun');
    const decision = { status: 'started', how: 'page' } as const;
    await expect(store.decide(changeId, decision, 'another digest', begin)).rejects.toMatchObject({ code: 'not_approved' });
    await expect(store.decide(changeId, { status: 'declined', how: 'page' }, 'another digest')).rejects.toMatchObject({
      code: 'not_approved',
    });
    expect(begin).not.toHaveBeenCalled();
    expect((await other.get(changeId))?.status).toBe('waiting');
    expect(await store.decide(changeId, decision, digest, begin)).toBe('begun');
    expect(begin).toHaveBeenCalledTimes(1);
  });

  test('who declined it, how, when and with which words is kept, as of who approved', async () => {
    const { store, other, add, clock } = open(name);
    const [no, yes] = [await add(), await add({ plan: rename('Winter') })];
    await store.decide(no.changeId, { status: 'declined', how: 'terminal', note: 'not now' });
    await store.decide(yes.changeId, { status: 'started', how: 'page', note: 'fine' }, yes.digest, async () => undefined);
    const at = new Date(clock.now).toISOString();
    const declined = { status: 'declined', note: 'not now', decidedAt: at, decided: { how: 'terminal', at, note: 'not now' } };
    expect(await other.get(no.changeId)).toMatchObject(declined);
    expect(await other.get(yes.changeId)).toMatchObject({ status: 'started', decided: { how: 'page', at, note: 'fine' } });
    for (const changeId of [no.changeId, yes.changeId])
      await expect(store.decide(changeId, { status: 'declined', how: 'page' })).rejects.toMatchObject({ code: 'not_approved' });
  });

  test('what can’t be begun waits on', async () => {
    const { store, add } = open(name);
    const { changeId, digest } = await add();
    const decision = { status: 'started', how: 'page' } as const;
    await expect(store.decide(changeId, decision, digest, () => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
    expect((await store.get(changeId))?.status).toBe('waiting');
    await store.decide(changeId, decision, digest, async () => undefined);
    expect((await store.get(changeId))?.status).toBe('started');
  });

  test('of many who decide at once the first counts', async () => {
    const { store, other, add } = open(name);
    const { changeId, digest } = await add();
    const begin = vi.fn(async () => undefined);
    const results = await Promise.allSettled(
      [store, other, store, other].flatMap((decider) => [
        decider.decide(changeId, { status: 'started', how: 'page' }, digest, begin),
        decider.decide(changeId, { status: 'declined', how: 'terminal', note: 'no' }, digest),
      ]),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const found = await other.get(changeId);
    expect([begin.mock.calls.length, found?.status]).toEqual(found?.status === 'started' ? [1, 'started'] : [0, 'declined']);
  });

  test('at the end of its time it is expired, which is no decision, and nobody can decide any more', async () => {
    const { store, other, add, clock } = open(name);
    const { changeId, digest, at, expiresAt } = await add();
    expect(expiresAt - at).toBe(waitsOf('page').lifetimeMs);
    clock.now = expiresAt - 1;
    expect((await other.get(changeId))?.status).toBe('waiting');
    clock.now = expiresAt;
    expect(await other.get(changeId)).toMatchObject({ status: 'expired' });
    expect((await other.get(changeId))?.decided).toBeUndefined();
    const begin = vi.fn(async () => undefined);
    await expect(store.decide(changeId, { status: 'started', how: 'page' }, digest, begin)).rejects.toMatchObject({ code: 'not_approved' });
    await expect(store.withdraw(changeId)).rejects.toMatchObject({ code: 'not_approved' });
    expect(begin).not.toHaveBeenCalled();
  });

  test('who asked gives it up; once that was done, or somebody decided, nothing is withdrawn', async () => {
    const { store, other, add } = open(name);
    const { changeId } = await add();
    await store.withdraw(changeId);
    expect(await other.get(changeId)).toMatchObject({ status: 'withdrawn', isAnswered: false });
    await expect(other.withdraw(changeId)).rejects.toMatchObject({ code: 'not_approved' });
    await expect(store.withdraw(BEGUN)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('what was begun ends what else waits for the request, and leaves the rest', async () => {
    const { store, add } = open(name);
    const [same, rest] = [await add({ requestDigest: 'request' }), await add({ plan: rename('Winter', 'channel-2') })];
    await store.end({ requestDigest: 'request', begun: BEGUN, plan: rename('Other', 'channel-3'), actionOf: () => 'another action' });
    expect(await store.get(same.changeId)).toMatchObject({ status: 'withdrawn', isAnswered: true, by: BEGUN });
    expect((await store.get(rest.changeId))?.status).toBe('waiting');
  });

  test('what would carry on a change ends once that is carried on, or undone', async () => {
    const { store, add } = open(name);
    const { changeId } = await add({ plan: { ...rename(), resumes: BEGUN } });
    await store.end({
      requestDigest: 'x',
      resumed: [BEGUN],
      begun: BEGUN,
      plan: rename('Other', 'channel-3'),
      actionOf: () => 'another action',
    });
    expect(await store.get(changeId)).toMatchObject({ status: 'withdrawn', by: BEGUN });
  });

  test('so many wait as may, of one agent and of the person themselves', async () => {
    const { store, add } = open(name);
    const { max } = waitsOf('page');
    for (let index = 0; index < max; index += 1) await add({ plan: rename('Summer', `channel-${index}`) });
    const more = { plan: rename('Summer', 'more') };
    await expect(add(more)).rejects.toMatchObject({ code: 'not_approved', message: expect.stringContaining('as many as it takes') });
    const own = await add({ ...more, isOwn: true, asked: { ...ASKED, onPage: true } });
    expect(own).toMatchObject({ status: 'waiting', isOwn: true });
    // One that is decided makes room.
    await store.decide((await store.list()).proposals.at(-1)?.changeId ?? '', { status: 'declined', how: 'page' });
    expect(await add(more)).toMatchObject({ status: 'waiting' });
  });

  test('each who listens is told once that something begins to wait, is decided or ends; who listens no more is not', async () => {
    const { store, other, add } = open(name);
    const told: Record<'one' | 'another' | 'elsewhere', string[]> = { one: [], another: [], elsewhere: [] };
    const ends = [
      store.watch((changeId) => told.one.push(changeId)),
      store.watch((changeId) => told.another.push(changeId)),
      other.watch((changeId) => told.elsewhere.push(changeId)),
    ];
    // Two processes that share a memory are none, and only where they share it tell they each other.
    const isTold = async (expected: readonly string[]) => {
      expect([told.one, told.another]).toEqual([expected, expected]);
      if (name === 'disk') await vi.waitFor(() => expect(told.elsewhere).toEqual(expected), { timeout: 60_000 });
    };
    const first = await add();
    await isTold([first.changeId]);
    await store.decide(first.changeId, { status: 'declined', how: 'page' });
    await isTold([first.changeId, first.changeId]);
    const second = await add({ plan: rename('Winter') });
    await isTold([first.changeId, first.changeId, second.changeId]);
    await store.end({ ...second, begun: BEGUN, plan: rename('Winter'), actionOf: () => 'action' });
    await isTold([first.changeId, first.changeId, second.changeId, second.changeId]);
    for (const end of ends) end();
    await add({ plan: rename('Autumn') });
    expect([told.one.length, told.another.length]).toEqual([4, 4]);
  });
});

test('a decision on disk that is of another one than was shown is not believed, and nothing is begun by it', async () => {
  const { home, store, other, add } = open('disk');
  const [mine, theirs] = [await add(), await add({ plan: rename('Winter') })];
  await store.decide(theirs.changeId, { status: 'declined', how: 'page' });
  const fileOf = (changeId: string) => join(home, 'kept', `${changeId}.decision`);
  const text = readFileSync(fileOf(theirs.changeId), 'utf8');
  expect(text).toContain(theirs.digest);
  writeFileSync(fileOf(mine.changeId), text);
  await expect(other.get(mine.changeId)).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('is about another one'),
  });
  const begin = vi.fn(async () => undefined);
  await expect(other.decide(mine.changeId, { status: 'started', how: 'page' }, mine.digest, begin)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(begin).not.toHaveBeenCalled();
  const { proposals, damaged } = await other.list();
  expect([proposals.map(({ changeId }) => changeId), damaged.map(({ changeId }) => changeId)]).toEqual([
    [theirs.changeId],
    [mine.changeId],
  ]);
});

describe('where the clock is set back', () => {
  test.each(NAMES)('what has expired in %s does not wait again for the process that saw it', async (name) => {
    const { store, clock, add } = open(name);
    const { changeId, expiresAt } = await add(name === 'memory' ? {} : { route: 'wait' });
    clock.now = expiresAt;
    expect((await store.get(changeId))?.status).toBe('expired');
    clock.now -= 3_600_000;
    expect((await store.get(changeId))?.status).toBe('expired');
    await expect(store.decide(changeId, { status: 'started', how: 'page' })).rejects.toMatchObject({ code: 'not_approved' });
  });

  test('it does for no other process either, once it was listed as that for a while', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const home = freshHome();
    const journal = createJournal(join(home, 'changes'));
    const decided = createDecidedRequests({ folder: join(home, 'decided') });
    const storeAt = (now: number) => {
      const store = createProposalStore({ backEnds: { disk: BACK_ENDS.disk(home) }, journal, decided, now: () => now });
      atEnd(() => store.close());
      return store;
    };
    const asked = { ...ASKED, by: { name: 'nightly' } };
    const plan = rename();
    const added = { changeId: await journal.newChangeId(), route: 'wait', tool: 'update_channels', asked, args: {}, plan } as const;
    const { proposal } = await storeAt(Date.now()).add({ ...added, requestDigest: 'a', action: 'b' }, signal);
    const { changeId, expiresAt } = proposal;
    const ahead = storeAt(expiresAt + 3_600_000);
    expect((await ahead.list()).proposals).toMatchObject([{ status: 'expired' }]);
    vi.advanceTimersByTime(SURE_MS);
    await ahead.list();
    const later = storeAt(expiresAt - 3_600_000);
    const still = await later.get(changeId);
    expect([still?.status, still?.decided]).toEqual(['expired', undefined]);
    await expect(later.decide(changeId, { status: 'started', how: 'page' })).rejects.toMatchObject({ code: 'not_approved' });
  });
});

describe('where the clock jumps ahead for a moment', () => {
  test.each(NAMES)('what waits in %s waits again, is whole, and can be decided on', async (name) => {
    const { store, other, clock, add } = open(name);
    const first = await add({ route: name === 'memory' ? 'page' : 'wait' });
    const startMs = clock.now;
    clock.now += 90 * DAY_MS;
    for (const one of [store, other]) expect((await one.list()).proposals).toMatchObject([{ status: 'expired' }]);
    await expect(store.decide(first.changeId, { status: 'started', how: 'page' })).rejects.toMatchObject({ code: 'not_approved' });
    // What is added makes room.
    await add({ plan: rename('Winter', 'channel-2') });
    clock.now = startMs + 5_000;
    for (const one of [store, other]) expect((await one.get(first.changeId))?.status).toBe('waiting');
    expect(await store.callOf(first)).toMatchObject({ args: { changes: [{ kind: 'update_channels' }] } });
    expect(await store.decide(first.changeId, { status: 'started', how: 'page' }, first.digest, async () => 'begun')).toBe('begun');
  });

  test('what a person declined can be seen, and keeps what would do the same from being covered', async () => {
    const { home, store, clock, add } = open('disk');
    const declined = await add({ route: 'wait' });
    await store.decide(declined.changeId, { status: 'declined', how: 'page' });
    const decided = createDecidedRequests({ folder: join(home, 'decided'), now: () => clock.now });
    await decided.declined({ requestDigest: 'request', action: 'action' });
    clock.now += 90 * DAY_MS;
    expect(await decided.declinedAt(() => 'action')).toBeDefined();
    await add({ route: 'wait', plan: rename('Winter', 'channel-2') });
    await decided.begins('another', BEGUN);
    clock.now -= 90 * DAY_MS;
    expect(await decided.declinedAt(() => 'action')).toBeDefined();
    expect(decided.last('request')?.how).toBe('declined');
    expect((await store.get(declined.changeId))?.status).toBe('declined');
  });
});

test('as many wait of one agent or person as may, in whichever way each was asked for, and a few more that a person asks for on the page', async () => {
  const { store, add } = open('disk');
  const { max } = waitsOf('wait');
  const one = (index: number, more: Partial<NewProposal>) => add({ plan: rename(`Name ${index}`, `channel-${index}`), ...more });
  for (let index = 0; index < max; index += 1) await one(index, { route: index % 2 === 0 ? 'wait' : 'page' });
  for (const route of ['wait', 'page', 'link'] as const) await expect(one(max, { route })).rejects.toMatchObject({ code: 'not_approved' });
  const asked = { ...ASKED, by: { name: 'another' } };
  await one(max, { route: 'page', asked });
  for (let index = 0; index < 10; index += 1) await one(max + 1 + index, { isOwn: true });
  await expect(one(max + 20, { isOwn: true })).rejects.toMatchObject({ code: 'not_approved' });
  await expect(one(max + 20, { route: 'link' })).rejects.toMatchObject({ code: 'not_approved' });
  expect((await store.list()).proposals).toHaveLength(max + 11);
  // What can’t take the place of what waits for the same leaves it there.
  const again = { route: 'page', requestDigest: 'in another form' } as const;
  await expect(one(1, again)).rejects.toMatchObject({ code: 'not_approved' });
  expect((await store.list()).proposals.filter(({ status }) => status === 'waiting')).toHaveLength(max + 11);
});
