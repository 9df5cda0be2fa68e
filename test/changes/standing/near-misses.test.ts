/** What lacks an argument alone to be covered is told by its name, and what waits is withdrawn once it was done so. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolReply, Values } from '../../harness/client.ts';
import { settingsFor } from '../../harness/service.ts';
import { freshHome, type StartOptions } from '../../harness/start.ts';
import { type Account, idsIn, MOVE, requestsOf } from '../kinds/videos/harness.ts';
import { personOf } from '../proposals/harness.ts';
import { contentOf, writesOf } from '../support/world.ts';
import { fileOf, moveRule, nightly, rulesFor, standingIn, withChannels } from './harness.ts';

const WAIT = { VIDEO_HOSTING_CONFIRM: 'wait' };
const messageIn = ({ data }: ToolReply): string => String(data?.message);

/** An agent with a rule for moves into Archive, and a file of ids with a column of their projects. */
async function withList(rule: Values = {}, { env = {}, ...options }: StartOptions & { readonly blank?: number } = {}) {
  const { blank = 0 } = options;
  const folder = freshHome();
  const session = await nightly((account: Account) => fileOf([moveRule(account, rule)]), {
    env: { ...WAIT, VIDEO_HOSTING_FILES_DIR: folder, ...env },
  });
  const { client, archive, ids } = session;
  const rows = ids.map((id, index) => `${id},${index < blank ? '' : 'Marketing'}`);
  writeFileSync(join(folder, 'list.csv'), ['Video ID,Project', ...rows].join('\n'));
  const list = (more: Values = {}) => client.callTool('move_videos', { videoIdsFile: 'list.csv', targetProject: archive, ...more });
  return { ...session, list };
}

test('a column that would have covered a move is named, the same call with it is covered, and the one that waits is withdrawn as done by it', async () => {
  const { list, demo, archive, ids, client, home, env } = await withList();
  const asked = await list();
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect(asked.data?.status).toBe('waiting');
  expect(messageIn(asked)).toContain('it was not said where all of them are now');
  expect(messageIn(asked)).toContain(
    'With fromProjectColumn "Project" it would be covered. If that column says where they are now, make the call again with it.',
  );
  expect(messageIn(asked)).not.toContain('The same call again changes nothing until');
  const done = await list({ fromProjectColumn: 'Project' });
  expect(idsIn(demo, archive)).toHaveLength(ids.length);
  expect(done.data).toMatchObject({ status: 'applied', moved: ids.length });
  const { changeId } = asked.data ?? {};
  const [by, told] = [String(done.data?.changeId), await client.callTool('get_change', { changeId })];
  expect(told.data).toMatchObject({ status: 'withdrawn', changeId });
  expect(messageIn(told)).toContain(`Before a person decided on it, ${by} began the same`);
  const person = await personOf({ ...settingsFor(demo), ...env, HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data') });
  expect(await person.decisions.get(String(changeId))).toMatchObject({ status: 'withdrawn', by });
});

test('without such a column it is fromProject that is named, with the warning not to guess it', async () => {
  const { move, demo, archive } = await withList();
  const asked = messageIn(await move(4, { fromProject: undefined }));
  expect(asked).toMatch(
    /With the project where each of them is now as its fromProject it would be covered\. If it is known, and not guessed/,
  );
  await move(6);
  expect(idsIn(demo, archive)).toHaveLength(6);
  // It is within what was done.
  expect((await move(4, { fromProject: undefined })).data?.status).toBe('waiting');
});

test('a smaller one that waits is done by a greater one into the same project, and one into another is not', async () => {
  const { move, client, demo, archive, elsewhere } = await withList();
  const [within, beyond] = [await move(4, { fromProject: undefined }), await move(3, { targetProject: elsewhere, fromProject: undefined })];
  expect(messageIn(beyond)).not.toContain('would be covered');
  await move(6);
  expect(idsIn(demo, archive)).toHaveLength(6);
  const statusOf = async ({ data }: ToolReply) => (await client.callTool('get_change', { changeId: data?.changeId })).data?.status;
  expect([await statusOf(within), await statusOf(beyond)]).toEqual(['withdrawn', 'waiting']);
});

test.each<[string, Values, { readonly blank?: number }]>([
  ['over the limit of a day', { perDay: 5 }, {}],
  ['over the limit of a change', { perChange: 5 }, {}],
])('nothing is named where the argument would not have covered it: %s', async (_why, rule, options) => {
  const { list } = await withList(rule, options);
  expect(messageIn(await list())).toContain('The same call again changes nothing until');
});

test('a column that does not tell the project of each is not the argument', async () => {
  const { list } = await withList({}, { blank: 2 });
  const asked = messageIn(await list());
  expect(asked).toContain('With the project where each of them is now as its fromProject it would be covered.');
  expect(asked).not.toContain('With fromProjectColumn');
});

test('an origin that contradicts where this server moved the videos is told to be corrected', async () => {
  const { move, elsewhere, archive, demo } = await nightly(
    (account) => fileOf([moveRule(account), moveRule(account, { to: [{ id: account.elsewhere }] })]),
    { env: WAIT },
  );
  await move(4);
  expect(idsIn(demo, archive)).toHaveLength(4);
  const other = [...demo.world.projects.keys()].find((id) => id !== archive && id !== elsewhere);
  const asked = messageIn(await move(4, { targetProject: elsewhere, fromProject: other }));
  expect(asked).toContain('With the project where they are now as their fromProject it would be covered.');
  await move(4, { targetProject: elsewhere, fromProject: archive });
  expect(idsIn(demo, archive)).toEqual([]);
});

test('a list that is set is covered by the verbs that do the same, and the one that waits is withdrawn', async () => {
  const { update, keys, demo, one, client } = await withChannels(rulesFor, { env: WAIT });
  const asked = await update({ setVideoKeys: [...keys.slice(0, 3), keys[3]] });
  expect(writesOf(demo)).toEqual([]);
  expect(messageIn(asked)).toContain(
    'With addVideoKeys, firstVideoKeys and lastVideoKeys in the place of the whole list it would be covered.',
  );
  await update({ addVideoKeys: [keys[3]] });
  expect(contentOf(demo, one.id).videoKeys).toEqual(keys.slice(0, 4));
  expect((await client.callTool('get_change', { changeId: asked.data?.changeId })).data?.status).toBe('withdrawn');
  // One that takes a video out is not.
  expect(messageIn(await update({ setVideoKeys: keys.slice(0, 2) }))).toContain('The same call again changes nothing until');
});

const REST = ' The rest, in a call of its own, waits for a person.';

test('of a change of several channels, those are named that would be covered, and they are with a call of them alone', async () => {
  const { client, update, demo, one, other } = await withChannels(rulesFor, { env: WAIT });
  const changes = [one, other].map(({ id }, at) => ({ channel: id, name: `New ${at}` }));
  const [was, names] = [one.name, () => [one.name, other.name]];
  const before = names();
  const asked = await client.callTool('update_channels', { changes });
  expect([writesOf(demo), names()]).toEqual([[], before]);
  expect(messageIn(asked)).toContain(
    `Part of it would be covered: 1 of 2 channels (${JSON.stringify(was)}). To have that done now, make a call with that alone.${REST}`,
  );
  expect(messageIn(asked)).toContain('after a part, withdraw it.');
  const done = await update({ name: 'New 0' });
  expect(names()).toEqual(['New 0', other.name]);
  expect(done.data).toMatchObject({ status: 'applied', confirmed: expect.stringContaining('Covered by a standing approval') });
});

test('of several fields of a channel, those are named that would be covered', async () => {
  const { update, demo, one, keys } = await withChannels(rulesFor, { env: WAIT });
  const asked = messageIn(await update({ name: 'New', description: 'By hand', addVideoKeys: [keys[4]], removeVideoKeys: [] }));
  expect(writesOf(demo)).toEqual([]);
  const label = JSON.stringify(one.name);
  expect(asked).toContain(`Part of it would be covered: the name of ${label}, videos added to ${label}. To have that done now`);
  // What is lost is no part of what is covered.
  const lossy = messageIn(await update({ name: 'New', removeVideoKeys: [keys[0]] }));
  expect(lossy).toContain(`Part of it would be covered: the name of ${label}. To have that done now`);
});

test('of a move, the videos are named that no list of a rule has, and it is covered without them', async () => {
  const list = join(freshHome(), 'list.csv');
  const { move, ids, archive, demo } = await nightly((account) => fileOf([moveRule(account, { onlyIdsIn: list })]), { env: WAIT });
  writeFileSync(list, ids.slice(0, 4).join('\n'), { mode: 0o600 });
  const asked = messageIn(await move(6));
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect(asked).toContain(
    `Without "${ids[4]}", "${ids[5]}" it would be covered. To have the others done now, make a call without these.${REST}`,
  );
  await move(4);
  expect(idsIn(demo, archive)).toHaveLength(4);
});

test('of a move over the limit of a day, it is told how many would be covered by now', async () => {
  const { move, archive, demo } = await nightly((account) => fileOf([moveRule(account, { perDay: 7 })]), { env: WAIT });
  await move(2);
  const asked = messageIn(await move(10));
  expect(idsIn(demo, archive)).toHaveLength(2);
  expect(asked).toContain('5 of its 10 videos would be covered by now. To have as many done, make a call with 5 of them.');
  await move(5);
  expect(idsIn(demo, archive)).toHaveLength(5);
  expect(messageIn(await move(10))).toContain('The same call again changes nothing until');
});

test('where nobody can be asked it is the next step, and beside a token it stands with why', async () => {
  const refused = await withList({}, { env: { VIDEO_HOSTING_CONFIRM: 'form' } });
  expect((await refused.list()).text).toContain('With fromProjectColumn "Project" it would be covered.');
  const byToken = await withList({}, { env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  expect(standingIn(await byToken.list())).toContain('With fromProjectColumn "Project" it would be covered.');
});
