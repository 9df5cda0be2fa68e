/** Whoever decides on a change may be killed at any moment, or be one of two: what a person approved is begun once, or waits on. */
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { whatWaits } from '../../../src/app/what-waits.ts';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import type { ShownPlan } from '../../../src/changes/plan/plan.ts';
import type { BackEnd } from '../../../src/changes/proposals/back-end.ts';
import { createDecidedRequests } from '../../../src/changes/proposals/decided-requests.ts';
import { createDiskBackEnd, PROPOSALS_LOCK } from '../../../src/changes/proposals/disk.ts';
import { createProposalStore, type StoreOptions } from '../../../src/changes/proposals/store.ts';
import { thisProcess } from '../../../src/platform/process-liveness.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { atEnd, freshHome } from '../../harness/cleanup.ts';
import { changesFolder, idsIn } from '../kinds/videos/harness.ts';
import { changeIdIn } from '../support/confirm.ts';
import { ASKED, moveIntent } from '../support/intents.ts';
import { approvedAndKilled, personOf, waitingAgent } from './harness.ts';

const { signal } = new AbortController();
const GONE = { ...thisProcess(), pid: 2 ** 30, startTicks: '1' };

/** A proposal on disk, and stores of several processes with its folder, each with a back end that a test wraps. */
async function onDisk() {
  const home = freshHome();
  const journal = createJournal(join(home, 'changes'));
  const decided = createDecidedRequests({ folder: join(home, 'decided') });
  const open = (wrap: (backEnd: BackEnd) => BackEnd = (backEnd) => backEnd, options: Partial<StoreOptions> = {}) => {
    const others = createJournal(join(home, 'changes'));
    const disk = createDiskBackEnd({ folder: join(home, 'kept'), accountId: 'account-a', journal: others, everyMs: 20 });
    const store = createProposalStore({ backEnds: { disk: wrap(disk) }, journal, decided, ...options });
    atEnd(() => store.close());
    return store;
  };
  const changeId = await journal.newChangeId();
  const plan: ShownPlan = {
    ...{ kind: 'update_channels', facts: {}, items: [] },
    preview: { summary: sentence`Rename`, notices: [], onFailure: sentence``, undo: { possible: 'no', how: sentence`No.` } },
  };
  const asked = {
    changeId,
    route: 'wait',
    tool: 'update_channels',
    asked: ASKED,
    args: {},
    plan,
    requestDigest: 'r',
    action: 'a',
  } as const;
  await open().add(asked, signal);
  const decision = join(home, 'kept', `${changeId}.decision`);
  const writeLeft = () =>
    writeFileSync(decision, JSON.stringify({ status: 'started', at: new Date().toISOString(), note: '', process: GONE }));
  return { home, journal, decided, open, changeId, decision, writeLeft };
}

/** What one waits for and another opens. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Approves what waits, and waits for its end. */
async function approve({ decisions, jobs, journal }: Awaited<ReturnType<typeof personOf>>, changeId: string) {
  const change = await decisions.get(changeId);
  if (change === undefined) throw new Error(`${changeId} does not wait`);
  expect(await decisions.approve(await decisions.preview(change, signal), 'terminal', signal)).toBe('started');
  await jobs.get(changeId)?.wait({ until: Date.now() + 600_000, signal, progress: () => undefined });
  return journal.read(changeId);
}

describe('what a person approved, where the process was killed while it wrote the intent', () => {
  test.each(['', '{"type":"intent","format":1'])('waits on, and can be approved again: %j', async (torn) => {
    const { move, client, dataDir, demo, archive, ids, person: env } = await waitingAgent();
    const changeId = changeIdIn(await move(3));
    approvedAndKilled(dataDir, changeId);
    const folder = changesFolder({ dataDir });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${changeId}.jsonl`), torn);
    const person = await personOf(env);
    expect(person.journal.has(changeId)).toBe(false);
    expect(await whatWaits(person)).toMatchObject({ waiting: [{ changeId }], neverBegun: [], damaged: [] });
    expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'waiting' });
    expect((await client.callTool('list_changes')).data).toMatchObject({ changes: [{ changeId, status: 'waiting' }] });
    expect((await move(3)).data).toMatchObject({ changeId, status: 'waiting' });
    expect(await approve(person, changeId)).toMatchObject({ status: 'applied', damagedLines: 0 });
    expect(idsIn(demo, archive).toSorted()).toEqual(ids.slice(0, 3).toSorted());
    expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'applied' });
    expect(readFileSync(join(folder, `${changeId}.torn`), 'utf8')).toBe(torn);
  });

  test('what it had not given its name yet is removed by the next process that begins a change', async () => {
    const { move, dataDir, person: env } = await waitingAgent();
    const changeId = changeIdIn(await move(3));
    approvedAndKilled(dataDir, changeId);
    const folder = changesFolder({ dataDir });
    mkdirSync(folder, { recursive: true });
    const left = join(folder, `${changeId}.00000000-0000-4000-8000-000000000000.intent`);
    writeFileSync(left, '{"type":"intent","format":1');
    utimesSync(left, 0, 0);
    expect(await approve(await personOf(env), changeId)).toMatchObject({ status: 'applied' });
    expect(readdirSync(folder).filter((name) => /\.(?:intent|torn|offer)$/.test(name))).toEqual([]);
  });

  test('what is damaged after it was begun is there, and is not begun again', async () => {
    const { move, client, dataDir, person: env } = await waitingAgent();
    const changeId = changeIdIn(await move(3));
    approvedAndKilled(dataDir, changeId);
    const folder = changesFolder({ dataDir });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${changeId}.jsonl`), '{"type":"int\n{"type":"sending"}\n');
    const person = await personOf(env);
    expect(person.journal.has(changeId)).toBe(true);
    expect((await whatWaits(person)).waiting).toEqual([]);
    expect((await client.callTool('get_change', { changeId })).text).toContain('its journal can’t be read');
  });
});

describe('what was approved by a process that was killed before it began', () => {
  test('is decided on by one of two: a no that was accepted stays, and nothing begins', async () => {
    const { open, changeId, writeLeft } = await onDisk();
    writeLeft();
    const [isTried, isDropped, isRead, isDeclined] = [gate(), gate(), gate(), gate()];
    // Both find what was left. The first removes what was left, the second looks at what is there, the first declines, and the second goes on.
    let settles = 0;
    const one = open((backEnd) => ({
      ...backEnd,
      async exclusively(limit, act) {
        await isTried.opened;
        return backEnd.exclusively(limit, act).finally(isDropped.open);
      },
      async settle(id, ending) {
        settles += 1;
        if (settles === 2) await isRead.opened;
        return backEnd.settle(id, ending);
      },
    }));
    let isExclusive = false;
    const two = open((backEnd) => ({
      ...backEnd,
      settle: (id, ending) => backEnd.settle(id, ending).finally(isTried.open),
      async exclusively(limit, act) {
        await isDropped.opened;
        isExclusive = true;
        return backEnd.exclusively(limit, act);
      },
      async read(id) {
        const there = await backEnd.read(id);
        if (!isExclusive) return there;
        isRead.open();
        await isDeclined.opened;
        return there;
      },
    }));
    const begun: string[] = [];
    const declining = one.decide(changeId, { status: 'declined', how: 'terminal', note: 'no' }).finally(isDeclined.open);
    const approving = two.decide(changeId, { status: 'started', how: 'page' }, undefined, async () => void begun.push(changeId));
    await expect(declining).resolves.toBeUndefined();
    await expect(approving).rejects.toMatchObject({ code: 'not_approved' });
    expect({ status: (await open().get(changeId))?.status, begun }).toEqual({ status: 'declined', begun: [] });
  });

  test('a process that keeps the lock is named, and nothing is decided', async () => {
    const { home, open, changeId, writeLeft } = await onDisk();
    writeLeft();
    const [isHeld, isOver] = [gate(), gate()];
    const holding = createJournal(join(home, 'changes')).withLock(PROPOSALS_LOCK, signal, () => {
      isHeld.open();
      return isOver.opened;
    });
    await isHeld.opened;
    const deciding = open(undefined, { lockMs: 50 }).decide(changeId, { status: 'declined', how: 'terminal' });
    await expect(deciding).rejects.toThrow(`another process (${process.pid} on `);
    isOver.open();
    await holding;
    expect((await open().get(changeId))?.status).toBe('waiting');
  });
});

describe('a process that decides', () => {
  test('removes no decision but its own where it can’t begin', async () => {
    const { open, changeId, decision } = await onDisk();
    const theirs = { status: 'declined', at: new Date().toISOString(), note: 'no' };
    const begin = async () => {
      writeFileSync(decision, JSON.stringify(theirs));
      throw new Error('disk');
    };
    await expect(open().decide(changeId, { status: 'started', how: 'page' }, undefined, begin)).rejects.toThrow('disk');
    expect((await open().get(changeId))?.status).toBe('declined');
  });

  test('lets nothing wait again that the journal has', async () => {
    const { open, journal, changeId } = await onDisk();
    const begin = async () => {
      await (await journal.begin(moveIntent(changeId), ['1'])).end('applied', {});
      throw new Error('after it was begun');
    };
    await expect(open().decide(changeId, { status: 'started', how: 'page' }, undefined, begin)).rejects.toThrow('after it was begun');
    expect((await open().get(changeId))?.status).toBe('started');
  });

  test('has noted a no before it is told, so that nothing allowed in advance does the same', async () => {
    const { open, decided, changeId } = await onDisk();
    const store = open((backEnd) => ({ ...backEnd, settle: () => Promise.reject(new Error('killed')) }));
    const declining = store.decline(changeId, { how: 'terminal' }, { requestDigest: 'r', action: 'a' });
    await expect(declining).rejects.toThrow('killed');
    expect(await decided.declinedAt(() => 'a')).toBeDefined();
  });

  test('hears of a decision of another one after it could not begin the same', async () => {
    const { open, changeId } = await onDisk();
    const one = open();
    const heard: string[] = [];
    one.watch((id) => void heard.push(id));
    const begin = () => Promise.reject(new Error('disk'));
    await expect(one.decide(changeId, { status: 'started', how: 'page' }, undefined, begin)).rejects.toThrow('disk');
    heard.length = 0;
    await open().decide(changeId, { status: 'declined', how: 'terminal' });
    await expect.poll(() => heard).toEqual([changeId]);
    expect((await one.get(changeId))?.status).toBe('declined');
  });
});

test('what is to be begun by a process that was halted is about to begin, and did not fail', async () => {
  const { move, client, dataDir, person: env } = await waitingAgent();
  const changeId = changeIdIn(await move(3));
  // This process is the one that decided, a while ago.
  approvedAndKilled(dataDir, changeId, {}, Date.now() - 3_600_000);
  const { waiting, neverBegun } = await whatWaits(await personOf(env));
  expect([waiting, neverBegun]).toEqual([[], []]);
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'running' });
});
