/** The changes that wait on disk for a person: whole or not at all, each once, and decided once. */

import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import type { Asked } from '../../../src/changes/plan/asked-and-decided.ts';
import type { ChangePlan, ShownPlan } from '../../../src/changes/plan/plan.ts';
import { createDiskBackEnd } from '../../../src/changes/proposals/disk.ts';
import { MAX_KEPT, MAX_KEPT_ENDED } from '../../../src/changes/proposals/proposal-limits.ts';
import { createProposalStore, type NewProposal } from '../../../src/changes/proposals/store.ts';
import type { Notification } from '../../../src/changes/standing/notify.ts';
import { fieldsIn, type Values } from '../../../src/platform/is-object.ts';
import { SURE_MS } from '../../../src/platform/seen-since.ts';
import { digestOf } from '../../../src/platform/stable-json.ts';
import { sentence } from '../../../src/text/sentence.ts';
import { atEnd, freshHome } from '../../harness/cleanup.ts';
import { ASKED } from '../support/intents.ts';

const DAY_MS = 86_400_000;
const askedFor = (name: string): Asked => ({ ...ASKED, by: { name } });
const { signal } = new AbortController();
afterEach(() => void vi.useRealTimers());

/** A store of one account; `again` opens the same folder as another process would. */
function store({ home = freshHome(), accountId = 'account-a', clock = { now: Date.now() }, told = [] as Notification[] } = {}) {
  const folder = join(home, 'kept');
  const journal = createJournal(join(home, 'changes'));
  const backEnd = createDiskBackEnd({ folder, accountId, journal });
  const kept = createProposalStore({ backEnds: { disk: backEnd }, journal, now: () => clock.now, notify: (one) => void told.push(one) });
  atEnd(() => kept.close());
  const keep = async (more: Partial<NewProposal> = {}) => {
    const args = more.args ?? { changes: [{ channel: 'Spring', name: 'Summer' }] };
    const plan = more.plan ?? rename();
    const proposed: NewProposal = {
      ...{ changeId: await journal.newChangeId(), tool: 'update_channels', route: 'wait', asked: askedFor('nightly') },
      ...{ args, requestDigest: digestOf(accountId, 'update_channels', args), plan },
      action: digestOf(plan),
      ...more,
    };
    const { proposal: change, isNew } = await kept.add(proposed, signal);
    return { change, isNew };
  };
  const argumentsOf = async (changeId: string) => (await backEnd.callOf(changeId)).args;
  return { folder, kept, keep, argumentsOf, clock, told, again: () => store({ home, accountId, clock, told }) };
}

/** The plan to rename one channel, with a field of its item that the journal does not keep. */
const rename = (version = 3, id = 'channel-1'): ShownPlan => ({
  kind: 'update_channels',
  facts: {},
  basis: { seen: version },
  preview: {
    summary: sentence`Rename "Spring" to "Summer"`,
    notices: [{ kind: 'no_undo' }],
    undo: { possible: 'no', how: sentence`It can’t be undone.` },
    onFailure: sentence``,
    standing: sentence`No rule covers it.`,
  },
  items: [
    {
      ...{ id, label: sentence`"Spring"`, seen: { version, updated: null }, before: { name: 'Spring' }, after: { name: 'Summer' } },
      ...{ replaces: false },
    },
  ],
});

const move = (ids: readonly string[]): ShownPlan => ({
  ...{ kind: 'move_videos', facts: { move: { digest: digestOf(ids), targetProjects: [], fromProjects: [] } }, ids, total: ids.length },
  preview: { summary: sentence`Move`, notices: [], undo: { possible: 'yes', how: sentence`Back.` }, onFailure: sentence`` },
});

test('what is kept is read by another process as it was asked for, and its file is its owner’s alone', async () => {
  const { keep, again, folder } = store();
  const plan = rename();
  const { change, isNew } = await keep({ plan });
  expect(isNew).toBe(true);
  const { kept: other, argumentsOf } = again();
  const found = await other.get(change.changeId);
  expect(found).toEqual(change);
  expect(found).toMatchObject({
    asked: askedFor('nightly'),
    status: 'waiting',
    why: 'No rule covers it.',
    tool: 'update_channels',
    overtakes: [],
  });
  expect(found?.plan).toMatchObject({ facts: plan.facts, basis: { seen: 3 }, items: 'items' in plan ? plan.items : [] });
  expect(found?.plan.preview.notices).toEqual([{ kind: 'no_undo' }]);
  expect(await argumentsOf(change.changeId)).toEqual({ changes: [{ channel: 'Spring', name: 'Summer' }] });
  if (process.platform !== 'win32')
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
});

test('a long list of ids is kept beside the file, and one that was changed is not believed', async () => {
  const { keep, again, folder } = store();
  const videoIds = Array.from({ length: 5_000 }, (_, index) => `video-${index}`);
  const { change } = await keep({ tool: 'move_videos', args: { videoIds, targetProject: 'Archive' }, plan: move(videoIds) });
  expect(statSync(join(folder, `${change.changeId}.json`)).size).toBeLessThan(4_000);
  expect(await again().argumentsOf(change.changeId)).toEqual({ videoIds, targetProject: 'Archive' });
  appendFileSync(join(folder, `${change.changeId}.lists`), ' ');
  await expect(again().argumentsOf(change.changeId)).rejects.toMatchObject({ code: 'not_found' });
});

test('what would do the same is one change, however it was asked for; of another agent or plan it is another', async () => {
  const { keep, again } = store();
  const { change } = await keep();
  for (const more of [{}, { args: { changes: [{ channel: 'channel-1', name: 'Summer' }] } }])
    expect(await again().keep(more)).toMatchObject({ isNew: false, change: { changeId: change.changeId } });
  expect((await again().kept.list()).proposals).toHaveLength(1);
  for (const more of [{ asked: askedFor('weekly') }, { plan: rename(4) }]) expect(await keep(more)).toMatchObject({ isNew: true });
  expect((await again().kept.list()).proposals).toHaveLength(3);
});

test('a newer plan for the same records names the older ones that wait', async () => {
  const { keep } = store();
  const older = (await keep()).change.changeId;
  expect((await keep({ plan: rename(4) })).change.overtakes).toEqual([older]);
  expect((await keep({ plan: rename(1, 'channel-2') })).change.overtakes).toEqual([]);
  const moved = (await keep({ args: { a: 1 }, plan: move(['v1', 'v2']) })).change.changeId;
  expect((await keep({ args: { a: 2 }, plan: move(['v2', 'v3']) })).change.overtakes).toEqual([moved]);
});

test('an older one that was decided, or has expired, is named no more', async () => {
  const { keep, kept, clock } = store();
  const first = (await keep()).change.changeId;
  clock.now += DAY_MS;
  const second = (await keep({ plan: rename(4) })).change.changeId;
  clock.now += DAY_MS;
  const { changeId } = (await keep({ plan: rename(5) })).change;
  const shown = async () => {
    const { overtakes = [] } = (await kept.get(changeId)) ?? {};
    expect((await kept.list()).proposals[0]?.overtakes).toEqual(overtakes);
    return [...overtakes].toSorted();
  };
  expect(await shown()).toEqual([first, second]);
  await kept.decide(second, { status: 'declined', how: 'terminal' });
  expect(await shown()).toEqual([first]);
  clock.now += 5 * DAY_MS;
  expect(await shown()).toEqual([]);
});

test('fifty of one agent wait at most, and another agent has its own fifty', async () => {
  const { keep, kept } = store();
  for (let index = 0; index < MAX_KEPT; index += 1) await keep({ args: { index }, plan: rename(1, `channel-${index}`) });
  const more = { plan: rename(1, 'more') };
  await expect(keep(more)).rejects.toMatchObject({ code: 'not_approved', message: expect.stringContaining('50') });
  expect((await kept.list()).proposals).toHaveLength(MAX_KEPT);
  expect((await keep({ asked: askedFor('weekly') })).isNew).toBe(true);
  // One that is decided makes room.
  await kept.decide((await kept.list()).proposals.at(-1)?.changeId ?? '', { status: 'declined', how: 'terminal' });
  expect((await keep(more)).isNew).toBe(true);
});

test('of what ended the last of each agent are kept, and what it withdraws makes nothing be forgotten that a person declined', async () => {
  const { keep, kept } = store();
  const withdrawn = async (index: number, agent = 'nightly') => {
    const { change } = await keep({ asked: askedFor(agent), args: { index }, plan: rename(1, `channel-${index}`) });
    await kept.decide(change.changeId, { status: 'withdrawn' });
    return change.changeId;
  };
  const declined = (await keep()).change.changeId;
  await kept.decide(declined, { status: 'declined', how: 'terminal' });
  const others = await withdrawn(0, 'weekly');
  const first = await withdrawn(0);
  for (let index = 1; index <= MAX_KEPT_ENDED; index += 1) await withdrawn(index);
  const last = (await keep({ plan: rename(1, 'last') })).change.changeId;
  const ids = (await kept.list()).proposals.map(({ changeId }) => changeId);
  expect(ids).toHaveLength(MAX_KEPT_ENDED + 3);
  expect(ids).toEqual(expect.arrayContaining([declined, others, last]));
  expect(ids).not.toContain(first);
});

test('after seven days it is expired, which is no decision, and the same request waits anew', async () => {
  const { keep, kept, clock } = store();
  const { change } = await keep();
  clock.now += 7 * DAY_MS - 1;
  expect((await kept.get(change.changeId))?.status).toBe('waiting');
  clock.now += 1;
  expect((await kept.get(change.changeId))?.status).toBe('expired');
  await expect(kept.decide(change.changeId, { status: 'started', how: 'terminal' }, undefined, async () => 'begun')).rejects.toMatchObject({
    code: 'not_approved',
  });
  await expect(kept.decide(change.changeId, { status: 'declined', how: 'terminal' })).rejects.toMatchObject({
    message: expect.stringContaining('expired'),
  });
  const later = await keep();
  expect(later).toMatchObject({ isNew: true, change: { status: 'waiting' } });
  clock.now += 60 * DAY_MS;
  vi.useFakeTimers({ toFake: ['performance'] });
  // One look is not enough to remove anything: the clock may have jumped ahead.
  for (let look = 0; look < 4; look += 1) {
    await keep();
    vi.advanceTimersByTime(SURE_MS);
  }
  expect((await kept.list()).proposals.map(({ changeId }) => changeId)).not.toContain(change.changeId);
});

const BEGUN = 'chg-012345678-abcd';

/** As a plan that is begun. */
const planOf = (shown: ShownPlan): ChangePlan => {
  if (!('items' in shown)) throw new Error('not of records');
  return { ...shown, apply: async () => undefined };
};

test('what would do no more than what was begun counts no more, and tells by what; what would do more waits on', async () => {
  const { keep, kept } = store();
  const [same, other] = [(await keep()).change, (await keep({ args: {}, plan: rename(3, 'channel-2') })).change];
  await kept.end({ requestDigest: 'another-request', actionOf: () => 'another-action', begun: BEGUN, plan: planOf(rename(7)) });
  expect(await kept.get(same.changeId)).toMatchObject({ status: 'withdrawn', by: BEGUN });
  expect((await kept.get(other.changeId))?.status).toBe('waiting');
});

test('what else waits for a request that was begun, or would do the same, counts no more', async () => {
  const { keep, kept } = store();
  const [older, newer] = [(await keep()).change, (await keep({ plan: rename(4) })).change];
  const [ofAnother, other] = [
    (await keep({ asked: askedFor('weekly'), args: {}, plan: rename(4) })).change,
    (await keep({ args: {}, plan: rename(5) })).change,
  ];
  await kept.decide(newer.changeId, { status: 'started', how: 'terminal' }, undefined, async () => undefined);
  await kept.end({
    ...{ requestDigest: newer.requestDigest, actionOf: () => newer.action ?? '', begun: newer.changeId },
    plan: planOf(rename(4, 'channel-2')),
  });
  for (const { changeId } of [older, ofAnother])
    expect(await kept.get(changeId)).toMatchObject({ status: 'withdrawn', by: newer.changeId });
  expect((await kept.get(newer.changeId))?.status).toBe('started');
  expect((await kept.get(other.changeId))?.status).toBe('waiting');
});

test.each([
  ['a byte of it changed', (text: string) => text.replace('Summer', 'Winter')],
  ['half of it', (text: string) => text.slice(0, text.length / 2)],
  ['nothing in it', () => ''],
])('a file with %s is explained, and nothing of it believed', async (_what, damage) => {
  const { keep, kept, folder } = store();
  const { change } = await keep();
  const path = join(folder, `${change.changeId}.json`);
  writeFileSync(path, damage(readFileSync(path, 'utf8')));
  await expect(kept.get(change.changeId)).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('relied on') });
  expect(await kept.list()).toMatchObject({ proposals: [], damaged: [{ changeId: change.changeId }] });
  await expect(kept.decide(change.changeId, { status: 'started', how: 'terminal' }, undefined, async () => 'begun')).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await keep()).toMatchObject({ isNew: true });
});

const [NEWER, OTHER] = [
  /written by a newer version of this program.*nothing is done by it/,
  /another version.*Nothing is carried out by it/,
];

test.each<[string, RegExp, (body: Values) => Values]>([
  ['a later format', NEWER, (body) => ({ ...body, format: 3, plan: { steps: [] } })],
  ['another name for a field', OTHER, ({ tool, ...body }) => ({ ...body, command: tool })],
  ['a kind of change that is none here', NEWER, ({ plan, ...body }) => ({ ...body, plan: { ...fieldsIn(plan), kind: 'delete_videos' } })],
  ['another way in which it waits', NEWER, (body) => ({ ...body, route: 'mail' })],
  ['notices in another shape', OTHER, ({ plan, ...body }) => ({ ...body, plan: { ...fieldsIn(plan), notices: 'none' } })],
])(
  'a file of another version, with %s, is explained, nothing of it is carried out, and it can be removed',
  async (_what, says, written) => {
    const { keep, kept, argumentsOf, again, folder } = store();
    const { changeId } = (await keep()).change;
    const path = join(folder, `${changeId}.json`);
    const { digest: _, ...body } = fieldsIn(JSON.parse(readFileSync(path, 'utf8')));
    const now = written(body);
    writeFileSync(path, JSON.stringify({ ...now, digest: digestOf('account-a', now) }));
    const { proposals, damaged } = await again().kept.list();
    expect([proposals, damaged]).toEqual([[], [{ changeId, problem: expect.stringMatching(says), isNewer: says === NEWER }]]);
    let begun = 0;
    const begin = async () => {
      begun += 1;
    };
    const uses = [
      () => kept.get(changeId),
      () => kept.decide(changeId, { status: 'started', how: 'terminal' }, undefined, begin),
      () => argumentsOf(changeId),
      () => kept.decide(changeId, { status: 'declined', how: 'terminal' }),
    ];
    for (const use of uses)
      await expect(use()).rejects.toMatchObject({ code: 'not_found', hint: expect.stringContaining('remove the file') });
    expect(begun).toBe(0);
    // What it asked for waits anew, and counts for itself.
    expect(await keep()).toMatchObject({ isNew: true, change: { overtakes: [] } });
    rmSync(path);
    expect((await kept.list()).damaged).toEqual([]);
    await keep({ plan: rename(9) });
    expect(readdirSync(folder).filter((name) => name.startsWith(changeId))).toEqual([]);
  },
);

test('a decision of a newer version counts: nothing more is decided, begun or removed', async () => {
  const { keep, kept, folder, clock, again } = store();
  const { changeId } = (await keep()).change;
  const decision = join(folder, `${changeId}.decision`);
  writeFileSync(decision, JSON.stringify({ status: 'postponed', at: new Date().toISOString(), note: '' }));
  const told = { code: 'not_found', facts: { isNewer: true }, message: expect.stringContaining('written by a newer version') };
  let begun = 0;
  const begin = async () => {
    begun += 1;
  };
  await expect(kept.get(changeId)).rejects.toMatchObject(told);
  await expect(kept.decide(changeId, { status: 'started', how: 'terminal' }, undefined, begin)).rejects.toMatchObject(told);
  clock.now += 400 * DAY_MS;
  await keep({ plan: rename(9) });
  expect(await again().kept.list()).toMatchObject({ damaged: [{ changeId, isNewer: true }] });
  expect([begun, existsSync(decision)]).toEqual([0, true]);
});

test('lists of one that were changed keep no other change from waiting', async () => {
  const { keep, kept, folder } = store();
  const { change } = await keep();
  appendFileSync(join(folder, `${change.changeId}.lists`), ' ');
  expect(await keep({ plan: rename(4) })).toMatchObject({ isNew: true, change: { overtakes: [] } });
  expect((await kept.list()).proposals).toHaveLength(2);
});

test('a file of another account, or under another name, is not believed', async () => {
  const [one, other] = [store(), store({ accountId: 'account-b' })];
  const { change } = await one.keep();
  mkdirSync(other.folder, { recursive: true });
  for (const ending of ['json', 'lists'])
    copyFileSync(join(one.folder, `${change.changeId}.${ending}`), join(other.folder, `${change.changeId}.${ending}`));
  expect(await other.kept.list()).toMatchObject({ proposals: [], damaged: [{ changeId: change.changeId }] });
  const renamed = change.changeId.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  copyFileSync(join(one.folder, `${change.changeId}.json`), join(one.folder, `${renamed}.json`));
  await expect(one.kept.get(renamed)).rejects.toMatchObject({ code: 'not_found' });
});

test('what a process that was killed left is no change, and is removed with the next', async () => {
  const { keep, kept, folder } = store();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'chg-000000000-0001.half.new'), '{');
  writeFileSync(join(folder, 'chg-000000000-0000.lists'), '{}');
  expect(await kept.list()).toEqual({ proposals: [], damaged: [] });
  await keep();
  expect(existsSync(join(folder, 'chg-000000000-0001.half.new'))).toBe(false);
  expect(
    readdirSync(folder)
      .map((name) => name.split('.')[1])
      .toSorted(),
  ).toEqual(['json', 'lists']);
  rmSync(folder, { recursive: true });
  expect(await kept.list()).toEqual({ proposals: [], damaged: [] });
});

test('what begins to wait is told once, and once that it expires within a day, by whichever process finds it', async () => {
  const { kept, keep, told, clock, again } = store();
  const { change } = await keep();
  await keep();
  const expiresAt = new Date(change.expiresAt).toISOString();
  expect(told).toEqual([{ kind: 'waits', changeId: change.changeId, askedBy: 'nightly', expiresAt }]);
  clock.now = change.expiresAt - DAY_MS - 1;
  await kept.list();
  expect(told).toHaveLength(1);
  clock.now += 1;
  await Promise.all([kept.list(), again().kept.list(), again().kept.list()]);
  await kept.list();
  expect(told.slice(1)).toEqual([{ kind: 'expires', changeId: change.changeId, askedBy: 'nightly', expiresAt }]);
});

test('what was decided, or has expired, is not told to expire', async () => {
  const { kept, keep, told, clock } = store();
  const { change } = await keep();
  await kept.decide(change.changeId, { status: 'declined', how: 'terminal' });
  const { change: other } = await keep({ plan: rename(4) });
  clock.now = change.expiresAt - 1;
  await kept.list();
  clock.now = other.expiresAt + 1;
  await kept.list();
  expect(told.filter(({ kind }) => kind === 'expires').map(({ changeId }) => changeId)).toEqual([other.changeId]);
});

test('a file that somebody else put there stays', async () => {
  const { folder, keep } = store();
  await keep();
  writeFileSync(join(folder, 'notes.json'), '{}');
  await keep({ plan: rename(4) });
  expect(existsSync(join(folder, 'notes.json'))).toBe(true);
});
