/** Standing approvals: what a person allowed in advance goes through, exactly within its bounds, and nothing else. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { revokeApprovals } from '../../../src/app/standing.ts';
import { dayIn } from '../../../src/changes/standing/days.ts';
import { revocations } from '../../../src/changes/standing/revocations.ts';
import type { TestClient, ToolReply, Values } from '../../harness/client.ts';
import { freshHome, start } from '../../harness/start.ts';
import { type Account, changesFolder, idsIn, MOVE, requestsOf } from '../kinds/videos/harness.ts';
import { agree, agreementIn } from '../support/confirm.ts';
import { channelAt, contentOf, videoKeysOf, writesOf } from '../support/world.ts';
import {
  AGENT,
  daysAhead,
  fileOf,
  inTheMiddle,
  MANY,
  moveRule,
  nightly,
  rulesFor,
  standingIn,
  withChannels,
  writeApprovals,
} from './harness.ts';

test('what is covered goes through unasked, with a receipt in the answer, the history and the journal', async () => {
  const { move, demo, archive, client } = await nightly((account) => fileOf([moveRule(account, { perDay: 6, total: 50 })]));
  const done = await move(4);
  expect(idsIn(demo, archive)).toHaveLength(4);
  expect(done.data).toMatchObject({ status: 'applied', moved: 4 });
  expect(done.data?.confirmed).toMatch(
    /^Covered by a standing approval for nightly: test-approval \(move_videos: 4; 4 of today’s 6, 4 of 50 in all\)\. File [0-9a-f]{12}\.$/,
  );
  const listed = await client.callTool('list_changes');
  expect(listed.data).toMatchObject({ changes: [{ confirmedBy: 'standing', done: 4, receipt: done.data?.confirmed }] });
  expect(listed.text).toContain(String(done.data?.confirmed));
  expect((await client.callTool('get_change', { changeId: done.data?.changeId })).data?.confirmed).toBe(done.data?.confirmed);
});

test('of two rules of one kind in an approval, a receipt and a refusal say which', async () => {
  const { move, client, archive, elsewhere } = await nightly((account) =>
    fileOf([moveRule({ ...account, archive: account.elsewhere }), { kind: 'undo_own', perDay: 1 }, moveRule(account, { perDay: 4 })]),
  );
  expect((await move(4)).data?.confirmed).toContain('test-approval (move_videos, rule 3: 4; 4 of today’s 4).');
  expect((await client.callTool('list_changes')).text).toContain('move_videos, rule 3: 4;');
  expect(standingIn(await move(1))).toContain('1 over today’s 4 of test-approval (move_videos, rule 3)');
  const back = await move(1, { targetProject: elsewhere, fromProject: archive });
  expect(back.data?.confirmed).toContain('(move_videos, rule 1: 1; 1 of today’s 100).');
});

test('a preview names the time zone as it is', async () => {
  const { move } = await nightly((account) => fileOf([moveRule(account, { perDay: 2 })], {}, { timeZone: 'Europe/Berlin' }));
  expect(standingIn(await move(4))).toContain(
    '2 over today’s 2 of test-approval (move_videos), which starts again at 00:00 Europe/Berlin; 0 are used.',
  );
});

test('what is over a limit is asked, all of it, and says by how much', async () => {
  const { move, demo, archive, client } = await nightly((account) => fileOf([moveRule(account, { perDay: 6 })]));
  await move(4);
  const asked = await move(10, { videoIds: [...demo.world.videos.keys()].slice(4, 9) });
  expect(idsIn(demo, archive)).toHaveLength(4);
  expect(asked.data).toMatchObject({ status: 'confirmation_required' });
  expect(standingIn(asked)).toContain('3 over today’s 6 of test-approval (move_videos), which starts again at 00:00 UTC; 4 are used.');
  // A person may agree all the same, which uses nothing of the limit.
  await client.callTool('confirm_change', agreementIn(asked));
  expect(idsIn(demo, archive)).toHaveLength(9);
  expect((await move(10, { videoIds: [...demo.world.videos.keys()].slice(9) })).data?.status).toBe('applied');
});

test('a list that is moved again is sent again and counts again, and the answer says what moved it already', async () => {
  const { move, demo, archive } = await nightly((account) => fileOf([moveRule(account, { perDay: 8 })]));
  const first = await move(4);
  const again = await move(4);
  expect(requestsOf(demo, MOVE)).toHaveLength(2);
  expect(again.data).toMatchObject({ status: 'applied', confirmed: expect.stringContaining('8 of today’s 8') });
  const told = `All 4 were moved into "Archive" (${archive}) by ${String(first.data?.changeId)} already; an undo of this leaves them there.`;
  expect(again.data).toMatchObject({ notes: expect.arrayContaining([told]), undo: { possible: 'no' } });
});

test('a move whose origin contradicts where this server moved the videos is not covered', async () => {
  const { move, demo, archive, ids, elsewhere } = await nightly(({ demo, ...account }) => {
    const to = [...demo.world.projects.keys()].map((id) => ({ id }));
    return fileOf([moveRule({ demo, ...account }, { to })]);
  });
  const other = [...demo.world.projects.keys()].find((id) => id !== archive && id !== elsewhere);
  await move(2, { targetProject: other });
  const asked = await move(4);
  expect(idsIn(demo, archive)).toEqual([]);
  expect(standingIn(asked)).toContain('a change with this warning: ');
  expect(asked.text).toContain('2 of these were moved into');
  expect((await move(2, { videoIds: ids.slice(2, 4) })).data?.status).toBe('applied');
});

type Break = (account: Account) => unknown;

const INVALID: readonly (readonly [string, Break, RegExp])[] = [
  [
    'an unknown key',
    (account) => fileOf([moveRule(account, { perHour: 3 })]),
    /Line 19, approvals\[0\]\.allow\[0\]\.perHour: there is no such key\./,
  ],
  [
    'an unknown kind',
    () => fileOf([{ kind: 'delete_channels', perDay: 3 }]),
    /Line \d+, approvals\[0\]\.allow\[0\]\.kind: must be one of move_videos, /,
  ],
  [
    'a newer version',
    (account) => fileOf([moveRule(account)], {}, { version: 2 }),
    /Line 2, version: is of a newer version of this program/,
  ],
  ['a version that never was', (account) => fileOf([moveRule(account)], {}, { version: 0 }), /Line 2, version: must be 1/],
  ['no day', (account) => fileOf([moveRule(account)], { until: '2026-11-31' }), /Line \d+, .*until.*a day of the calendar/],
  ['a day too far ahead', (account) => fileOf([moveRule(account)], { until: daysAhead(94) }), /at most 92 days ahead/],
  ['a limit of nothing', (account) => fileOf([moveRule(account, { perDay: 0 })]), /perDay/],
  ['a limit that is a text', (account) => fileOf([moveRule(account, { perDay: '100' })]), /perDay.*a whole number/],
  ['no limit', (account) => fileOf([moveRule(account, { perDay: undefined })]), /perDay.*is missing/],
  ['an abbreviation of several time zones', (account) => fileOf([moveRule(account)], {}, { timeZone: 'EST' }), /timeZone/],
  ['no time zone', (account) => fileOf([moveRule(account)], {}, { timeZone: 'Berlin/Europe' }), /timeZone/],
  ['no JSON', () => '{\n  "version": 1\n', /Line 3: no JSON\./],
  ['a comma too many', () => '{\n  "version": 1,\n\n}', /Line 4: no JSON\./],
  ['two commas in a row', () => '{\n  "version": 1,\n  ,"timeZone": "UTC"\n}', /Line 3: no JSON\./],
  ['two commas in a list', () => '{ "version": 1, "approvals": [{},\n, {}] }', /Line 2: no JSON\./],
  [
    'a list with a relative path',
    (account) => fileOf([moveRule(account, { onlyIdsIn: 'old.csv' })]),
    /onlyIdsIn: old\.csv is no absolute path\./,
  ],
  [
    'a list that is missing',
    (account) => fileOf([moveRule(account), moveRule(account, { onlyIdsIn: '/no/such.csv' })]),
    /Line 29, approvals\[0\]\.allow\[1\]\.onlyIdsIn: "\/no\/such\.csv" can’t be read \(ENOENT\)\./,
  ],
  [
    'a list that others may write to, of another agent',
    (account) => {
      const list = join(freshHome(), 'ids.txt');
      writeFileSync(list, account.ids.join('\n'));
      chmodSync(list, 0o666);
      const other = fileOf([moveRule(account, { onlyIdsIn: list })], { id: 'other', for: 'weekly' }).approvals;
      return { ...fileOf([]), approvals: [fileOf([moveRule(account)]).approvals, other].flat() };
    },
    /approvals\[1\]\.allow\[0\]\.onlyIdsIn: .* can be written by others/,
  ],
  [
    'a key twice',
    (account) => JSON.stringify(fileOf([moveRule(account)])).replace('"version":1', '"version":1,"version":1'),
    /given twice/,
  ],
  [
    'an id twice',
    (account) => ({ ...fileOf([]), approvals: [0, 1].flatMap(() => fileOf([moveRule(account)]).approvals) }),
    /earlier approval/,
  ],
  [
    'more mistakes than are told',
    (account) => fileOf(Array(13).fill(moveRule(account, { perDay: 0 }))),
    /allow\[9\].*And 3 more problems\./,
  ],
];

test.each(INVALID)('%s makes the whole file invalid: nothing is covered, and it says where', async (_what, file, why) => {
  const { move, demo, client } = await nightly(file);
  const asked = await move(4);
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect(standingIn(asked)).toMatch(why);
  const { data, text } = await client.callTool('check_setup');
  expect(data).toMatchObject({ ok: false, standing: [`nothing for ${AGENT}, since the file can’t be used.`] });
  expect(text).toMatch(new RegExp(`The file of standing approvals can’t be used, so nothing is covered. .*${why.source}`));
});

test.each([
  ['no approvals', { approvals: [] }, 'the file has none'],
  [
    'those of another agent',
    { approvals: fileOf([{ kind: 'undo_own', perDay: 1 }], { for: 'Nightly' }).approvals },
    'test-approval is for Nightly',
  ],
])('a file with %s is valid, covers nothing, and says so', async (_what, more, why) => {
  const { move, demo, client } = await nightly(() => fileOf([], {}, more));
  const asked = await move(1);
  expect(requestsOf(demo, MOVE)).toEqual([]);
  const words = `No standing approval for ${AGENT} counts now: ${why}.`;
  expect(standingIn(asked)).toBe(words);
  expect((await client.callTool('check_setup')).data).toMatchObject({ ok: true, standing: [`nothing. ${words}`] });
});

test.each([
  ['form', 'this client shows no forms'],
  ['page', 'no browser can be opened here'],
])('where nobody can be asked (%s), a refusal says why nothing covers it, and names no weaker setting', async (confirm, because) => {
  const { move, demo, client } = await nightly((account) => fileOf([moveRule(account, { perDay: 3 })]), {
    env: { VIDEO_HOSTING_CONFIRM: confirm },
  });
  const refused = await move(4);
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect(refused.text).toContain('1 over today’s 3 of test-approval (move_videos)');
  expect(refused.text).toContain(`Nobody can be asked here: VIDEO_HOSTING_CONFIRM is ${confirm}, and ${because}.`);
  expect(refused.text).not.toMatch(/set VIDEO_HOSTING|to "token"|restart/i);
  const { data } = await client.callTool('check_setup');
  expect(data?.confirmation).toMatch(/^what is not allowed in advance: refused/);
  expect(String(data?.problems)).not.toContain('by token');
});

test('check_setup warns where an agent can confirm by token what is not covered', async () => {
  const { client } = await nightly((account) => fileOf([moveRule(account)]), { env: { VIDEO_HOSTING_CONFIRM: 'ask' } });
  const { data } = await client.callTool('check_setup');
  expect(data?.ok).toBe(true);
  expect(String(data?.problems)).toMatch(/can send a token back itself.*VIDEO_HOSTING_CONFIRM to "wait", "form" or "page"/);
});

test('a link, a file of others and one in a folder of the server allow nothing', async () => {
  const { move, demo, path, dataDir, stop, env, home } = await nightly((account) => fileOf([moveRule(account)]));
  const real = `${path}.real`;
  renameSync(path, real);
  symlinkSync(real, path);
  expect(standingIn(await move(1))).toContain('is a link');
  rmSync(path);
  renameSync(real, path);
  chmodSync(path, 0o620);
  expect(standingIn(await move(1))).toContain('chmod go-w');
  await stop();
  mkdirSync(dataDir, { recursive: true });
  const inside = writeApprovals({}, dataDir);
  const other = await nightly((account) => fileOf([moveRule(account)]), {
    env: { ...env, VIDEO_HOSTING_STANDING_APPROVALS: inside },
    home,
  });
  expect(standingIn(await other.move(1))).toContain('to which this server writes');
  expect([...requestsOf(demo, MOVE), ...requestsOf(other.demo, MOVE)]).toEqual([]);
});

test('videos are added, brought to the front and named anew within the rules, and counted each by its own', async () => {
  const { demo, one, keys, update } = await withChannels(rulesFor);
  expect((await update({ addVideoKeys: keys.slice(3, 5) })).data?.status).toBe('applied');
  expect((await update({ firstVideoKeys: keys.slice(2, 3), name: 'Renamed' })).data?.status).toBe('applied');
  expect(contentOf(demo, one.id).videoKeys).toEqual([keys[2], keys[0], keys[1], keys[3], keys[4]]);
  expect(one.name).toBe('Renamed');
  expect(standingIn(await update({ addVideoKeys: keys.slice(5) }))).toContain('1 over today’s 2 of test-approval (add_videos)');
  expect(standingIn(await update({ name: 'Again' }))).toContain('1 over today’s 1 of test-approval (change_texts)');
});

/** Makes what a channel holds known, by an agent that sends its token back itself. */
const SELF_CONFIRMED: readonly (readonly [string, (agent: TestClient, held: Held) => Promise<unknown>])[] = [
  ['a statement', (agent, { id, few }) => agree(agent, 'state_contents', { channels: [{ channel: id, videoKeys: few, projectKeys: [] }] })],
  [
    'a statement with a rename',
    (agent, { id, few }) => change(agent, { channel: id, name: 'Other', currentVideoKeys: few, currentProjectKeys: [] }),
  ],
  ['a list that is set', (agent, { id, few }) => change(agent, { channel: id, setVideoKeys: few, setProjectKeys: [] })],
  [
    'the undo of a statement with a rename',
    async (agent, { id, few, person }) => {
      const { data } = await change(agent, { channel: id, name: 'Other', currentVideoKeys: few, currentProjectKeys: [] });
      await person.callTool('undo_change', { changeId: data?.changeId });
    },
  ],
  [
    'a rename that a person confirms, after a statement',
    async (agent, { id, few, person }) => {
      await agree(agent, 'state_contents', { channels: [{ channel: id, videoKeys: few, projectKeys: [] }] });
      await person.callTool('update_channels', { changes: [{ channel: id, name: 'Other' }] });
    },
  ],
];

interface Held {
  readonly id: string;
  /** Fewer than it holds. */
  readonly few: readonly string[];
  readonly person: TestClient;
}

const change = (agent: TestClient, item: Values) => agree(agent, 'update_channels', { changes: [item] });

test.each(SELF_CONFIRMED)('what is known by %s that the agent confirmed itself counts for no covered change', async (_what, begin) => {
  const { demo, client, home } = await nightly(({ demo: { world } }) =>
    fileOf([{ kind: 'change_texts', channels: [...world.channels.keys()].map((id) => ({ id })), fields: ['name'], perDay: 9 }]),
  );
  const { client: person } = await start({ demo, home, forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'form' } });
  const { id } = channelAt(demo, 0);
  const few = videoKeysOf(demo, 2);
  Object.assign(channelAt(demo, 0), { videoKeys: videoKeysOf(demo, 4), projectKeys: [] });
  await begin(client, { id, few, person });
  demo.requests.length = 0;
  const asked = await client.callTool('update_channels', { changes: [{ channel: id, name: 'Renamed' }] });
  expect(writesOf(demo)).toEqual([]);
  expect(asked.data?.status).toBe('confirmation_required');
  expect(standingIn(asked)).toMatch(/no person confirmed in a form, on the page or at a terminal/);
  // The same list by a person makes it count.
  const known = (await client.callTool('get_channel', { channel: id })).data?.contents as Values;
  const stated = await person.callTool('state_contents', { channels: [{ channel: id, videoKeys: known.videoKeys, projectKeys: [] }] });
  expect(stated.data?.status).toBe('applied');
  expect(person.forms.at(-1)?.message).toContain(`holds now (${few.length} videos)`);
  expect((await client.callTool('update_channels', { changes: [{ channel: id, name: 'Renamed' }] })).data?.status).toBe('applied');
});

test('a channel of which only the videos are known is not covered: its projects could be lost', async () => {
  const { demo, client, home } = await nightly(({ demo: { world } }) =>
    fileOf([{ kind: 'change_texts', channels: [...world.channels.keys()].map((id) => ({ id })), fields: ['name'], perDay: 9 }]),
  );
  const { client: person } = await start({ demo, home, forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'form' } });
  const { id, videoKeys } = channelAt(demo, 0);
  await person.callTool('state_contents', { channels: [{ channel: id, videoKeys }] });
  const asked = await client.callTool('update_channels', { changes: [{ channel: id, name: 'Renamed' }] });
  expect(writesOf(demo)).toEqual([]);
  expect(standingIn(asked)).toMatch(/this warning/);
});

test('what a person stated stays covered until the agent’s own token changes it', async () => {
  const { one, update, client, demo } = await withChannels(rulesFor);
  expect((await update({ name: 'Covered' })).data?.status).toBe('applied');
  await change(client, { channel: one.id, description: 'By token' });
  demo.requests.length = 0;
  expect(standingIn(await update({ addVideoKeys: videoKeysOf(demo, 1, 5) }))).toMatch(/no person confirmed/);
  expect(writesOf(demo)).toEqual([]);
});

test('all of a plan is covered, or nothing of it is done', async () => {
  const { demo, one, other, keys, client } = await withChannels(rulesFor);
  const changes = [one, other].map(({ id }) => ({ channel: id, addVideoKeys: keys.slice(3, 4) }));
  const asked = await client.callTool('update_channels', { changes });
  expect(writesOf(demo)).toEqual([]);
  expect(standingIn(asked)).toMatch(/No standing approval covers videos added to/);
});

test('an agent undoes what it did itself, and nothing that a person did', async () => {
  const { demo, one, keys, update, client } = await withChannels((ids) => [...rulesFor(ids), { kind: 'undo_own', perDay: 1 }]);
  const own = await update({ addVideoKeys: keys.slice(3, 4) });
  const undone = await client.callTool('undo_change', { changeId: own.data?.changeId });
  expect(contentOf(demo, one.id).videoKeys).toEqual(keys.slice(0, 3));
  expect(undone.data?.status).toBe('applied');
  const byPerson = await client.callTool('confirm_change', agreementIn(await update({ description: 'By a person' })));
  const asked = await client.callTool('undo_change', { changeId: byPerson.data?.changeId });
  expect(standingIn(asked)).toContain('the undo of what a person or another agent did');
});

test('an agent undoes its covered addition to a channel that a person stated, and none that starts from its own word', async () => {
  const channelOf = ({ demo }: Account) => channelAt(demo, 0);
  const { demo, client, home } = await nightly((account) =>
    fileOf([
      { kind: 'add_videos', channels: [{ id: channelOf(account).id }], perDay: 5 },
      { kind: 'undo_own', perDay: 5 },
    ]),
  );
  const { id } = channelAt(demo, 0);
  const held = videoKeysOf(demo, 4);
  Object.assign(channelAt(demo, 0), { videoKeys: held, projectKeys: [] });
  const stated = { channels: [{ channel: id, videoKeys: held, projectKeys: [] }] };
  const { client: person } = await start({ demo, home, forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'form' } });
  await person.callTool('state_contents', stated);
  const fresh = videoKeysOf(demo, 30).filter((key) => !held.includes(key));
  const add = (key = '') => ({ changes: [{ channel: id, addVideoKeys: [key] }] });
  const added = await client.callTool('update_channels', add(fresh[0]));
  const undone = await client.callTool('undo_change', { changeId: added.data?.changeId });
  expect(contentOf(demo, id).videoKeys).toEqual(held);
  expect([added, undone].map(({ data }) => data?.status)).toEqual(['applied', 'applied']);

  demo.world.editChannel(id, { description: 'By somebody else' });
  await agree(client, 'state_contents', { channels: [{ ...stated.channels[0], videoKeys: held.slice(0, 2) }] });
  const byToken = await agree(client, 'update_channels', add(fresh[1]));
  demo.requests.length = 0;
  const asked = await client.callTool('undo_change', { changeId: byToken.data?.changeId });
  expect(writesOf(demo)).toEqual([]);
  expect(standingIn(asked)).toContain('the undo of what a person or another agent did');
});

test('an agent doesn’t undo what a person carried on of its change', async () => {
  const { move, demo, client, ids, archive } = await nightly((account) =>
    fileOf([moveRule(account, { to: [account.archive, account.elsewhere].map((id) => ({ id })) }), { kind: 'undo_own', perDay: 3 }]),
  );
  for (const id of ids.slice(0, 3)) demo.world.poisonedVideoIds.add(id);
  const { data } = await move(4);
  demo.world.poisonedVideoIds.clear();
  await agree(client, 'resume_change', { changeId: data?.changeId, retryFailed: true });
  const asked = await client.callTool('undo_change', { changeId: data?.changeId });
  expect(idsIn(demo, archive)).toHaveLength(4);
  expect(standingIn(asked)).toContain('the undo of what a person or another agent did');
});

test('an agent doesn’t undo again what a person did again', async () => {
  const { demo, one, keys, update, client, home } = await withChannels((ids) => [...rulesFor(ids), { kind: 'undo_own', perDay: 5 }]);
  const person = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' }, home });
  const own = await update({ addVideoKeys: keys.slice(3, 4) });
  const undone = await client.callTool('undo_change', { changeId: own.data?.changeId });
  await agree(person.client, 'undo_change', { changeId: undone.data?.changeId });
  const asked = await client.callTool('undo_change', { changeId: own.data?.changeId });
  expect(contentOf(demo, one.id).videoKeys).toEqual(keys.slice(0, 4));
  expect(standingIn(asked)).toContain('the undo of what a person or another agent did');
});

test('an agent doesn’t move back what a person moved there too', async () => {
  const { move, demo, client, ids, archive, elsewhere, home } = await nightly((account) =>
    fileOf([moveRule(account, { to: [account.archive, account.elsewhere].map((id) => ({ id })) }), { kind: 'undo_own', perDay: 5 }]),
  );
  const person = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' }, home });
  const [first, second] = [await move(2), await move(0, { videoIds: ids.slice(2, 4) })];
  await agree(person.client, 'move_videos', { videoIds: ids.slice(1, 2), targetProject: archive, fromProject: elsewhere });
  const asked = await client.callTool('undo_change', { changeId: first.data?.changeId });
  expect(idsIn(demo, archive)).toHaveLength(4);
  expect(standingIn(asked)).toContain('the undo of what a person or another agent did');
  expect((await client.callTool('undo_change', { changeId: second.data?.changeId })).data?.status).toBe('applied');
  expect(idsIn(demo, archive)).toEqual(ids.slice(0, 2));
});

test('an undo of a move is covered only where a rule lets the videos go to', async () => {
  const { move, demo, client, archive } = await nightly((account) => fileOf([moveRule(account), { kind: 'undo_own', perDay: 5 }]));
  // Where they were before is the agent's word alone.
  const { data } = await move(2);
  const asked = await client.callTool('undo_change', { changeId: data?.changeId });
  expect(idsIn(demo, archive)).toHaveLength(2);
  expect(standingIn(asked)).toContain('No standing approval covers a move into');
});

test('an undo of a move counts as one, also where some videos failed', async () => {
  const { move, demo, client, ids, archive } = await nightly((account) =>
    fileOf([moveRule(account, { to: [account.archive, account.elsewhere].map((id) => ({ id })) }), { kind: 'undo_own', perDay: 1 }]),
  );
  const [first, second] = [await move(3), await move(0, { videoIds: ids.slice(3, 6) })];
  demo.world.poisonedVideoIds.add(String(ids[0]));
  expect((await client.callTool('undo_change', { changeId: first.data?.changeId })).data?.status).toBe('partly_applied');
  const asked = await client.callTool('undo_change', { changeId: second.data?.changeId });
  expect(idsIn(demo, archive)).toHaveLength(4);
  expect(standingIn(asked)).toContain('1 over today’s 1 of test-approval (undo_own)');
});

test('two texts of a channel under two rules count for each, and under one rule once', async () => {
  const texts = (ids: readonly string[], field: string, perDay: number): Values => ({
    ...{ kind: 'change_texts', channels: [{ id: ids[0] }], fields: [field] },
    perDay,
  });
  const { one, update, demo } = await withChannels((ids) => [
    texts(ids, 'name', 5),
    texts(ids, 'description', 1),
    { ...texts(ids, 'name', 1), channels: [{ id: ids[1] }], fields: ['name', 'description'] },
  ]);
  expect((await update({ name: 'First', description: 'First' })).data?.status).toBe('applied');
  const asked = await update({ name: 'Second', description: 'Second' });
  expect(one.description).toBe('First');
  expect(standingIn(asked)).toContain('1 over today’s 1 of test-approval (change_texts, rule 2), which starts again');
  const both = await update({ channel: channelAt(demo, 1).id, name: 'Both', description: 'Both' });
  expect(both.data?.status).toBe('applied');
});

test('a new channel, a new project and personal data are never covered', async () => {
  const { client, demo } = await nightly((account) => fileOf([moveRule(account)]), { env: { VIDEO_HOSTING_FILES_DIR: freshHome() } });
  const asked = [
    await client.callTool('create_channels', { channels: [{ name: 'New', videoKeys: [] }] }),
    await client.callTool('create_project', { name: 'New', region: 'eu' }),
    await client.callTool('get_collected_emails', { exportAs: 'csv' }),
  ];
  expect(writesOf(demo)).toEqual([]);
  for (const reply of asked)
    expect(standingIn(reply)).toMatch(/^No standing approval covers (a new channel|a new project|personal data)\.$/);
});

test('why a move is not covered names its project and the id', async () => {
  const { move, elsewhere, archive } = await nightly((account) => fileOf([moveRule(account)]));
  const asked = await move(2, { targetProject: elsewhere, fromProject: archive });
  expect(standingIn(asked)).toBe(`No standing approval covers a move into "Marketing" (${elsewhere}).`);
});

test('a move without fromProject is never covered: it can’t be undone', async () => {
  const { move, demo } = await nightly((account) => fileOf([moveRule(account)]));
  expect(standingIn(await move(2, { fromProject: undefined }))).toContain('it was not said where all of them are now');
  expect(requestsOf(demo, MOVE)).toEqual([]);
});

test('without a name for the agent nothing is covered, whatever the client calls itself', async () => {
  const { move, demo } = await nightly((account) => fileOf([moveRule(account)], { for: 'test-client' }), {
    env: { VIDEO_HOSTING_AGENT: undefined },
  });
  expect(standingIn(await move(2))).toContain('VIDEO_HOSTING_AGENT');
  expect(requestsOf(demo, MOVE)).toEqual([]);
});

test('without a name for the agent a preview says for whom a change would be covered, by which approval, or why not', async () => {
  const { move, demo, path, archive } = await nightly(
    (account) => ({
      ...fileOf([]),
      approvals: [
        fileOf([moveRule(account, { perDay: 6 })], { id: 'nightly-archive' }).approvals,
        fileOf([moveRule(account, { perDay: 1 })], { id: 'weekly-moves', for: 'weekly' }).approvals,
        fileOf([{ kind: 'undo_own', perDay: 1 }], { id: 'undoing', for: 'other' }).approvals,
      ].flat(),
    }),
    { env: { VIDEO_HOSTING_AGENT: undefined } },
  );
  const asked = await move(4);
  expect(standingIn(asked)).toBe(
    [
      'For nightly this would be covered by nightly-archive (move_videos: 4; 4 of today’s 6).',
      'For weekly this would not be covered. 3 over today’s 1 of weekly-moves (move_videos), which starts again at 00:00 UTC; 0 are used.',
      `For other this would not be covered. No standing approval covers a move into "Archive" (${archive}).`,
      'No agent is named here (VIDEO_HOSTING_AGENT), so no standing approval counts: nightly-archive is for nightly; weekly-moves is for weekly; undoing is for other.',
    ].join(' '),
  );
  expect(asked.text).toContain('would be covered by nightly-archive');
  expect(requestsOf(demo, MOVE)).toEqual([]);
  writeApprovals('{', dirname(path));
  expect(standingIn(await move(4))).toMatch(/^The file of standing approvals can’t be used, .*Line 1: no JSON\.$/);
});

test('what was refused by the service is given back', async () => {
  const { move, demo, archive, ids } = await nightly((account) => {
    account.demo.world.poisonedVideoIds.add(String(account.ids[0]));
    return fileOf([moveRule(account, { perDay: 4 })]);
  });
  expect((await move(4)).data).toMatchObject({ status: 'partly_applied', moved: 3 });
  expect((await move(0, { videoIds: ids.slice(4, 5) })).data?.status).toBe('applied');
  expect(idsIn(demo, archive)).toHaveLength(4);
  expect((await move(0, { videoIds: ids.slice(5, 6) })).data?.status).toBe('confirmation_required');
});

test('the receipt of what was not done says what was given back, and tells the sums without it', async () => {
  const { move, demo, archive, ids, client } = await nightly((account) => {
    for (const id of account.ids.slice(0, 4)) account.demo.world.poisonedVideoIds.add(id);
    return fileOf([moveRule(account, { perDay: 9, total: 50 })]);
  });
  const failed = await move(3);
  expect(idsIn(demo, archive)).toEqual([]);
  expect(failed.data?.status).toBe('failed');
  expect(failed.data?.confirmed).toContain('test-approval (move_videos: 0 of 3; 0 of today’s 9, 0 of 50 in all). File ');
  const partly = await move(0, { videoIds: ids.slice(3, 6) });
  expect(partly.data).toMatchObject({ status: 'partly_applied', moved: 2 });
  const told = 'test-approval (move_videos: 2 of 3; 2 of today’s 9, 2 of 50 in all). File ';
  expect(partly.data?.confirmed).toContain(told);
  expect((await client.callTool('get_change', { changeId: partly.data?.changeId })).data?.confirmed).toContain(told);
});

test('an undo of which nothing was done gives back what it took of each rule', async () => {
  const { move, demo, archive, ids, client } = await nightly((account) =>
    fileOf([moveRule(account), moveRule({ ...account, archive: account.elsewhere }, { perDay: 5 }), { kind: 'undo_own', perDay: 2 }]),
  );
  const [first, second] = [await move(3), await move(0, { videoIds: ids.slice(3, 6) })];
  const undo = async ({ data }: ToolReply) => (await client.callTool('undo_change', { changeId: data?.changeId })).data;
  for (const id of ids) demo.world.poisonedVideoIds.add(id);
  expect(await undo(first)).toMatchObject({
    status: 'failed',
    confirmed: expect.stringMatching(/\(undo_own: 0 of 1; 0 of today’s 2\), test-approval \(move_videos, rule 2: 0 of 3; 0 of today’s 5\)/),
  });
  demo.world.poisonedVideoIds.clear();
  demo.world.poisonedVideoIds.add(String(ids[0]));
  expect(await undo(first)).toMatchObject({ status: 'partly_applied', moved: 2 });
  // Of three into that project one was given back, so three more are five.
  expect(await undo(second)).toMatchObject({ status: 'applied', confirmed: expect.stringContaining('5 of today’s 5') });
  expect(idsIn(demo, archive)).toEqual(ids.slice(0, 1));
});

test.each<[string, (session: { readonly path: string }) => unknown]>([
  ['its file allows nothing more', ({ path }) => writeApprovals(fileOf([], {}, { approvals: [] }), dirname(path))],
  ['its file is gone', ({ path }) => rmSync(path)],
])('what waits for a busy service is not sent once %s', async (_what, end) => {
  const session = await nightly((account) => fileOf([moveRule(account, { perDay: MANY })]), { videos: MANY });
  const { demo, archive, move } = session;
  // The first requests are told to come again later.
  demo.faults.next({ match: MOVE, do: { kind: 'status', code: 429, retryAfter: 2 }, times: 8 });
  const call = move(MANY);
  await expect.poll(() => requestsOf(demo, MOVE).length).toBeGreaterThan(0);
  end(session);
  const { data, text } = await call;
  expect(idsIn(demo, archive)).toEqual([]);
  expect(data).toMatchObject({ status: 'stopped', moved: 0 });
  expect(text).toContain('Stopped at');
});

test('an undo stops too where the list of its rule loses the rest of the ids in the middle', async () => {
  const list = join(freshHome(), 'ids.txt');
  const { move, demo, client, elsewhere, archive } = await nightly(
    (account) => {
      writeFileSync(list, account.ids.join('\n'), { mode: 0o600 });
      const back = moveRule({ ...account, archive: account.elsewhere }, { perDay: MANY, onlyIdsIn: list });
      return fileOf([moveRule(account, { perDay: MANY }), back, { kind: 'undo_own', perDay: 9 }]);
    },
    { videos: MANY },
  );
  const { data } = await move(MANY);
  expect(idsIn(demo, archive)).toHaveLength(MANY);
  let isFirst = true;
  const { onExchange } = demo.behaviour;
  demo.behaviour.onExchange = async (exchange) => {
    if (exchange.request.path === MOVE.path && isFirst) writeFileSync(list, 'another');
    if (exchange.request.path === MOVE.path) isFirst = false;
    await onExchange?.(exchange);
  };
  const undone = await client.callTool('undo_change', { changeId: data?.changeId });
  expect(idsIn(demo, elsewhere).length).toBeLessThan(MANY);
  expect(undone.data).toMatchObject({ status: 'stopped', moved: idsIn(demo, elsewhere).length });
  expect(undone.text).toContain(`the list ${JSON.stringify(list)} was changed`);
});

test('the assistant is told by which name it acts, what is covered and what is left', async () => {
  const { move, client } = await nightly((account) => fileOf([moveRule(account, { perDay: 6, total: 50 })]));
  await move(4);
  expect(client.instructions).toContain(`What a person allowed "${AGENT}" in advance`);
  const { data } = await client.callTool('check_setup');
  expect(data?.standing).toEqual([
    expect.stringMatching(
      /^test-approval: nightly may move videos into "Archive" \(\w+\); at most 6 videos a day \(UTC\), 50 in all; until \S+ begins\. Left today: 2, and 46 in all\.$/,
    ),
  ]);
});

test('never together with a file is refused at the start', async () => {
  const { client } = await nightly((account) => fileOf([moveRule(account)]), { env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const reply = await client.callTool('list_channels');
  expect(reply.isError).toBe(true);
  expect(reply.text).toContain('VIDEO_HOSTING_STANDING_APPROVALS would bound nothing');
});

function makeLink(path: string): void {
  renameSync(path, `${path}.real`);
  symlinkSync(`${path}.real`, path);
}

function makePipe(path: string): void {
  rmSync(path);
  execFileSync('mkfifo', ['-m', '600', path]);
}

test.each<readonly [string, (session: Awaited<ReturnType<typeof nightly>>) => void, RegExp]>([
  ['is revoked', ({ dataDir }) => writeFileSync(join(dataDir, 'revoked-approvals.jsonl'), '{"approval":"test-approval"}\n'), /was revoked/],
  [
    'is for another agent',
    (session) => writeApprovals(fileOf([moveRule(session)], { for: 'weekly' }), dirname(session.path)),
    /allows it no more/,
  ],
  ['has ended', (session) => writeApprovals(fileOf([moveRule(session)], { until: daysAhead(0) }), dirname(session.path)), /ended on/],
  [
    'allows fewer',
    (session) => writeApprovals(fileOf([moveRule(session, { perDay: 10 })]), dirname(session.path)),
    /limits of test-approval are lower/,
  ],
  [
    'gets an end in all that is lower',
    (session) => writeApprovals(fileOf([moveRule(session, { perDay: MANY, total: 10 })]), dirname(session.path)),
    /limits of test-approval are lower/,
  ],
  ['is no JSON any more', (session) => writeApprovals('{', dirname(session.path)), /can’t be used any more/],
  ['is gone', (session) => rmSync(session.path), /can’t be used any more/],
  ['is a link', ({ path }) => makeLink(path), /is a link/],
  [
    'is a folder',
    ({ path }) => {
      rmSync(path);
      mkdirSync(path);
    },
    /is no regular file/,
  ],
  ['is a pipe', ({ path }) => makePipe(path), /is no regular file/],
  ['may be written by others', ({ path }) => chmodSync(path, 0o602), /can be written by others/],
])('a move stops where the approval %s in the middle, and says so', async (_what, meanwhile, why) => {
  const { reply, demo, archive, client } = await inTheMiddle(meanwhile);
  const moved = idsIn(demo, archive).length;
  expect(moved).toBeLessThan(MANY);
  expect(reply.data).toMatchObject({ status: 'stopped', moved });
  expect(String(reply.data?.note)).toMatch(/Stopped at \d\d:\d\d UTC/);
  expect(reply.text).toMatch(why);
  // What was moved is taken back by a person.
  const undo = await client.callTool('undo_change', { changeId: reply.data?.changeId });
  await client.callTool('confirm_change', agreementIn(undo));
  expect(idsIn(demo, archive)).toEqual([]);
});

test.each<readonly [string, (list: string, ids: readonly string[]) => void]>([
  ['loses the rest of the ids', (list, ids) => writeFileSync(list, ids.slice(0, 1).join('\n'))],
  ['is emptied', (list) => writeFileSync(list, '')],
  ['gets more', (list, ids) => writeFileSync(list, [...ids, 'another'].join('\n'))],
  ['is gone', (list) => rmSync(list)],
  ['is a link', makeLink],
  ['is a pipe', makePipe],
  ['may be written by others', (list) => chmodSync(list, 0o620)],
])('a move stops where the list of its rule %s in the middle', async (_what, act) => {
  const list = join(freshHome(), 'ids.txt');
  const { reply, demo, archive } = await inTheMiddle(
    ({ ids }) => act(list, ids),
    (account) => {
      writeFileSync(list, account.ids.join('\n'), { mode: 0o600 });
      return { onlyIdsIn: list };
    },
  );
  expect(reply.data).toMatchObject({ status: 'stopped', moved: idsIn(demo, archive).length });
  expect(idsIn(demo, archive).length).toBeLessThan(MANY);
  expect(String(reply.data?.note)).toMatch(/Stopped at \d\d:\d\d UTC: the list .* was changed/);
  expect(reply.text).toContain(`the list ${JSON.stringify(list)} was changed`);
});

test('when it was stopped is told in the time zone of the file', async () => {
  const { reply } = await inTheMiddle(({ path }) => rmSync(path), undefined, undefined, {}, { timeZone: 'Asia/Kolkata' });
  const [, time = ''] = /Stopped at (\d\d:\d\d) Asia\/Kolkata: /.exec(String(reply.data?.note)) ?? [];
  const minutes = (at: string) => Number(at.slice(0, 2)) * 60 + Number(at.slice(3));
  const ahead = (minutes(time) - minutes(new Date().toISOString().slice(11, 16)) + 1_440) % 1_440;
  expect(Math.abs(ahead - 330)).toBeLessThan(5);
});

test('a file that is written anew with the same rule goes on', async () => {
  const { reply } = await inTheMiddle(
    (session) => void writeApprovals(fileOf([moveRule(session, { perDay: MANY + 1 })]), dirname(session.path)),
  );
  expect(reply.data).toMatchObject({ status: 'applied', moved: MANY });
});

test('several servers at a limit apply exactly the limit, and the rest is asked', async () => {
  const first = await nightly((account) => fileOf([moveRule(account, { perDay: 5 })]));
  const others = await Promise.all(Array.from({ length: 4 }, () => start({ demo: first.demo, env: first.env, home: first.home })));
  const clients = [first, ...others].map(({ client }) => client);
  const replies = await Promise.all(
    first.ids.map((id, index) =>
      clients[index % clients.length]?.callTool('move_videos', {
        videoIds: [id],
        targetProject: first.archive,
        fromProject: first.elsewhere,
      }),
    ),
  );
  expect(idsIn(first.demo, first.archive)).toHaveLength(5);
  expect(replies.map((reply) => reply?.data?.status).toSorted()).toEqual([
    ...Array(5).fill('applied'),
    ...Array(5).fill('confirmation_required'),
  ]);
});

test('a clock that stands before the journal’s newest entry covers nothing', async () => {
  const { move, archive, demo } = await nightly((account) => fileOf([moveRule(account)]));
  await move(1);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now - 60_000);
  vi.setSystemTime(now - 60_000);
  const asked = await move(2).finally(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  expect(idsIn(demo, archive)).toHaveLength(1);
  expect(standingIn(asked)).toContain('before the journal’s latest entry');
});

test('what begins after midnight by the journal counts for that day, where the clock still shows the day before', async () => {
  const at = (time: string) => vi.setSystemTime(Date.parse(time));
  at('2027-01-02T00:00:01Z');
  try {
    const { move, demo, archive } = await nightly((account) => fileOf([moveRule(account, { perDay: 3 })], { until: '2027-01-30' }));
    const ids = [...demo.world.videos.keys()];
    await move(2);
    at('2027-01-01T23:59:58Z');
    const asked = await move(0, { videoIds: ids.slice(2, 4) });
    expect(idsIn(demo, archive)).toHaveLength(2);
    expect(standingIn(asked)).toContain('1 over today’s 3 of test-approval (move_videos)');
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['of 23 hours', 'Europe/Berlin', '2027-03-27T23:00:00Z', '2027-03-28T21:59:58Z', '2027-03-28T22:00:00Z', '2027-04-27'],
  ['of 25 hours', 'Europe/Berlin', '2027-10-30T22:00:00Z', '2027-10-31T22:59:58Z', '2027-10-31T23:00:00Z', '2027-11-30'],
  ['of 24 hours', 'America/New_York', '2027-01-01T05:00:00Z', '2027-01-02T04:59:58Z', '2027-01-02T05:00:00Z', '2027-01-30'],
])('a day %s in %s is one day, from midnight to midnight', async (_what, timeZone, first, last, next, until) => {
  const at = (time: string) => vi.setSystemTime(Date.parse(time));
  at(first);
  try {
    const { move, demo, archive } = await nightly((account) => fileOf([moveRule(account, { perDay: 3 })], { until }, { timeZone }));
    const ids = [...demo.world.videos.keys()];
    expect((await move(0, { videoIds: ids.slice(0, 2) })).data?.status).toBe('applied');
    at(last);
    expect(standingIn(await move(0, { videoIds: ids.slice(2, 4) }))).toContain(`1 over today’s 3 of test-approval (move_videos)`);
    expect((await move(0, { videoIds: ids.slice(2, 3) })).data?.status).toBe('applied');
    at(next);
    expect((await move(0, { videoIds: ids.slice(3, 6) })).data?.status).toBe('applied');
    expect(idsIn(demo, archive)).toHaveLength(6);
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['Europe/Berlin', '2027-03-28T21:59:59Z', '2027-03-28'],
  ['Europe/Berlin', '2027-03-28T22:00:00Z', '2027-03-29'],
  ['Europe/Berlin', '2027-10-31T22:59:59Z', '2027-10-31'],
  ['America/New_York', '2027-01-01T04:59:59Z', '2026-12-31'],
  ['Pacific/Kiritimati', '2026-12-31T10:00:00Z', '2027-01-01'],
])('a day begins at midnight in %s (%s)', (zone, at, day) => {
  expect(dayIn(zone, new Date(at))).toBe(day);
});

test.each<readonly [string, string, string]>([
  ['is damaged', '{"approval":"an', 'is damaged'],
  ['names nothing', '{}\n', 'is damaged'],
  ['is of a newer version', '{"at":"2026-11-01T00:00:00.000Z","approvals":["a"]}\n', 'was written by a newer version of this program'],
])('nothing is covered where the file of what was revoked %s', async (_what, content, says) => {
  const { move, demo, dataDir } = await nightly((account) => fileOf([moveRule(account)]));
  await move(1);
  writeFileSync(join(dataDir, 'revoked-approvals.jsonl'), content);
  expect(standingIn(await move(2))).toContain(`Line 1 of what was revoked ${says}`);
  expect(requestsOf(demo, MOVE)).toHaveLength(1);
});

test('a revocation holds once a damaged entry before it is taken out', async () => {
  const { dataDir } = await nightly((account) => fileOf([moveRule(account)]));
  const revoked = join(dataDir, 'revoked-approvals.jsonl');
  mkdirSync(dataDir, { recursive: true });
  // A process was killed while it wrote.
  writeFileSync(revoked, '{"at":"2026-11-2');
  await revokeApprovals(['test-approval'], { dataDir });
  const [damaged = '', ...entries] = readFileSync(revoked, 'utf8').split('\n');
  writeFileSync(revoked, entries.join('\n'));
  expect(damaged).toBe('{"at":"2026-11-2');
  expect([...(await revocations(revoked))]).toEqual(['test-approval']);
});

test('nothing is covered where what was used can’t be read, and what a crash left counts', async () => {
  const session = await nightly((account) => fileOf([moveRule(account, { perDay: 6 })]));
  const { move, client, demo, ids, archive, elsewhere } = session;
  const { data } = await move(4);
  const folder = changesFolder(session);
  const journal = join(folder, `${data?.changeId}.jsonl`);
  const whole = readFileSync(journal, 'utf8');
  // It ended after its intent: nothing tells whether the rest was sent.
  writeFileSync(journal, `${whole.split('\n')[0]}\n`);
  utimesSync(journal, 0, 0);
  const rest = (count: number) =>
    client.callTool('move_videos', { videoIds: ids.slice(4, 4 + count), targetProject: archive, fromProject: elsewhere });
  const other = await start({ demo, env: session.env, home: session.home });
  const asked = await other.client.callTool('move_videos', { videoIds: ids.slice(4, 7), targetProject: archive, fromProject: elsewhere });
  expect(standingIn(asked)).toContain('1 over today’s 6');
  writeFileSync(journal, 'x\n');
  expect(standingIn(await rest(1))).toMatch(/No standing approval counts|can’t be read/);
  expect(requestsOf(demo, MOVE)).toHaveLength(1);
});

test('a receipt says where a record is called otherwise now than the file says', async () => {
  const { demo, archive, move, client } = await nightly((account) => fileOf([moveRule(account)]));
  const project = demo.world.projects.get(archive);
  if (project === undefined) throw new Error('no such project');
  project.name = 'Archive';
  const before = await move(1);
  project.name = 'Public';
  const reply = await move(2);
  expect(idsIn(demo, archive)).toHaveLength(2);
  expect(before.text).not.toContain('is now called');
  expect(reply.text).toContain(`"Archive" of the file is now called "Public" (${archive})`);
  expect((await client.callTool('get_change', { changeId: reply.data?.changeId })).text).toContain('is now called');
});

test('a receipt says so of a channel too', async () => {
  const { update, one } = await withChannels((ids) =>
    ids.slice(0, 1).map((id) => ({ kind: 'change_texts', channels: [{ id, name: 'Best of' }], fields: ['description'], perDay: 2 })),
  );
  const reply = await update({ description: 'New' });
  expect(reply.text).toContain(`"Best of" of the file is now called ${JSON.stringify(one.name)}`);
});
