/** Of a change of many channels, some are taken back and the rest stays, to be taken back later or not at all. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agree, changeIdIn, confirmPreview } from '../../changes/support/confirm.ts';
import { argsFor, channelsOf, partsOf, reorganisation, startChannels } from '../../changes/support/reorganisation.ts';
import { channelIdIn, writesOf } from '../../changes/support/world.ts';
import type { TestClient, Values } from '../../harness/client.ts';
import { freshHome, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const SIX = 6;

async function reorganised() {
  const demo = await startChannels(SIX);
  const wanted = reorganisation(demo);
  const before = new Map(wanted.map(({ id }) => [id, partsOf(demo, id)]));
  const { client } = await start({ demo });
  const changeId = changeIdIn(await agree(client, 'update_channels', argsFor(wanted)));
  const ids = wanted.map(({ id }) => id);
  /** Which channels are as they were before the change, by their positions. */
  const isBack = () => ids.map((id) => JSON.stringify(partsOf(demo, id)) === JSON.stringify(before.get(id)));
  const undo = (channels: readonly unknown[], more: Values = {}) => agree(client, 'undo_change', { changeId, channels, ...more });
  return { demo, client, wanted, ids, before, changeId, isBack, undo };
}

const told = async (client: TestClient, changeId: string) => (await client.callTool('get_change', { changeId })).data;

const UTC = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC';

test('channels are taken back by id, key, and the name that they have now or had before', async () => {
  const { demo, client, ids, changeId, isBack, undo } = await reorganised();
  const [, byKey] = channelsOf(demo);
  const asked = await client.callTool('undo_change', { changeId, channels: [ids[5], byKey?.key, 'Renamed 0'] });
  expect(asked.data?.preview).toMatchObject({
    summary: expect.stringMatching(/^Undo: set 3 channels back \(/),
    meaning: expect.stringMatching(
      new RegExp(`^Undo ${changeId}: set 3 of 6 channels back\\. What is undone: Change 6 channels, of ${UTC}\\.$`),
    ),
  });
  const undone = await undo([ids[5], byKey?.key, 'Renamed 0']);
  expect(isBack()).toEqual([true, true, false, false, false, true]);
  expect(writesOf(demo)).toHaveLength(SIX + 3);
  expect(undone.data).toMatchObject({ status: 'applied', message: `Undo of ${changeId}: all 3 channels were set back.` });
  const data = await told(client, changeId);
  expect(data).toMatchObject({ partlyUndoneBy: changeIdIn(undone), undo: { possible: 'yes' } });
  expect(data).not.toHaveProperty('undoneBy');
});

test('channels that are left alone are counted before those that are set back', async () => {
  const { demo, client, ids, changeId, isBack } = await reorganised();
  for (const id of ids.slice(1, 3)) demo.world.editChannel(id, { description: 'By hand' });
  const asked = await client.callTool('undo_change', { changeId, channels: ids.slice(0, 3) });
  expect(asked.data?.preview).toMatchObject({
    summary: 'Undo: set 1 channel back (name)',
    meaning: expect.stringContaining(`Undo ${changeId}: leave 2 channels alone, set 1 of 6 channels back. What is undone: `),
  });
  await agree(client, 'undo_change', { changeId, channels: ids.slice(0, 3) });
  expect(isBack()).toEqual([true, false, false, false, false, false]);
});

test('the name from before the change finds a channel as well', async () => {
  const { isBack, undo } = await reorganised();
  await undo(['Channel 5']);
  expect(isBack()).toEqual([false, false, false, false, false, true]);
});

test('the rest can be undone afterwards, and nothing twice', async () => {
  const { demo, client, ids, changeId, isBack, undo } = await reorganised();
  const first = changeIdIn(await undo(ids.slice(0, 2)));
  const writes = writesOf(demo).length;
  const again = await undo(ids.slice(0, 1));
  expect(writesOf(demo)).toHaveLength(writes);
  expect(again.data).toMatchObject({ status: 'failed', error: { code: 'not_undoable' } });
  expect(again.text).toContain(`Part of it was undone before, by ${first}.`);
  expect(again.text).toContain('is as it was before; there is nothing to set back');
  const rest = await agree(client, 'undo_change', { changeId });
  expect(isBack()).toEqual(ids.map(() => true));
  expect(writesOf(demo).slice(writes).map(channelIdIn)).toEqual(expect.arrayContaining(ids.slice(2)));
  expect(writesOf(demo)).toHaveLength(writes + 4);
  expect(rest.data).toMatchObject({ status: 'applied' });
  expect(await told(client, changeId)).toMatchObject({ undoneBy: changeIdIn(rest), undo: { possible: 'no' } });
});

test('a change counts as undone once its last channels are taken back by name', async () => {
  const { client, ids, changeId, isBack, undo } = await reorganised();
  await undo(ids.slice(0, 4));
  const last = changeIdIn(await undo(ids.slice(4)));
  expect(isBack()).toEqual(ids.map(() => true));
  expect(await told(client, changeId)).toMatchObject({ undoneBy: last });
  // The undo of the last part brings back that part alone.
  await agree(client, 'undo_change', { changeId: last });
  expect(isBack()).toEqual([true, true, true, true, false, false]);
  expect(await told(client, changeId)).not.toHaveProperty('undoneBy');
});

test('channels are taken back, and carried on with, while the catalogue with their titles is half written', async () => {
  const demo = await startChannels(SIX);
  const wanted = reorganisation(demo);
  const home = freshHome();
  const file = join(home, 'videos.csv');
  writeFileSync(file, 'id,key,ti');
  const { client: before } = await start({ demo, home });
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: file } });
  demo.faults.next({ match: { method: 'PUT' }, skip: 1, do: { kind: 'status', code: 400, body: { message: 'No.' } } });
  const changeId = changeIdIn(await agree(before, 'update_channels', argsFor(wanted)));
  const resumed = await agree(client, 'resume_change', { changeId, retryFailed: true });
  expect(resumed.data?.status).toBe('applied');
  const undone = await agree(client, 'undo_change', { changeId });
  expect(undone.data?.status).toBe('applied');
});

test('some parts of some channels, of several changes, are taken back', async () => {
  const { demo, client, ids, changeId, before } = await reorganised();
  const [one = '', two = ''] = ids;
  const rename = (name: string) => ({
    changes: ids.slice(0, 2).map((channel, at) => ({ channel, name: `${name} ${at}`, description: name })),
  });
  const second = changeIdIn(await agree(client, 'update_channels', rename('Later')));
  const undone = await agree(client, 'undo_change', { changeIds: [changeId, second], channels: [two], only: ['name'] });
  expect(partsOf(demo, one)).toMatchObject({ name: 'Later 0', description: 'Later' });
  expect(partsOf(demo, two)).toMatchObject({ name: before.get(two)?.name, description: 'Later' });
  expect(undone.data).toMatchObject({ status: 'applied' });
  for (const id of [changeId, second]) expect(await told(client, id)).toMatchObject({ partlyUndoneBy: changeIdIn(undone) });
});

test('all that is not in the change, was not changed, or can’t be told apart is named at once, and nothing is sent', async () => {
  const demo = await startChannels(SIX);
  const [one, two, three, four] = channelsOf(demo);
  const { client } = await start({ demo });
  demo.faults.next({ match: { method: 'PUT', path: `/v1/channels/${three?.id}` }, do: { kind: 'status', code: 400 } });
  const changes = [
    { channel: one?.id, name: 'Swapped' },
    { channel: two?.id, name: 'Other' },
    { channel: three?.id, name: 'Refused' },
  ];
  const changeId = changeIdIn(await agree(client, 'update_channels', { changes }));
  demo.world.editChannel(String(four?.id), { name: 'Channel 0' });
  const writes = writesOf(demo).length;
  const reply = await client.callTool('undo_change', { changeId, channels: ['Channel 4', 'Channel 2', 'nobody', 'Channel 0', 'Other'] });
  expect(writesOf(demo)).toHaveLength(writes);
  expect(reply.data).toMatchObject({ status: 'failed', error: { code: 'invalid_arguments' } });
  const problems = [
    `"Channel 4", "nobody" are not in ${changeId}, which has "Channel 0", "Channel 1", "Channel 2".`,
    `"Channel 2" is in ${changeId}, but nothing was changed there that could be set back.`,
    `"Channel 0" is what several channels are called, or were before it: name the one that is meant by its id (${four?.id}, ${one?.id}).`,
  ];
  expect(reply.data).toMatchObject({ problems: problems.map((problem) => `channels: ${problem}`) });
});

test('channels of a move are refused, as parts are', async () => {
  const demo = await startChannels(2);
  const { client } = await start({ demo });
  const [from, to] = [...demo.world.projects.keys()];
  const videoIds = [...demo.world.videos.keys()].slice(0, 1);
  const moved = changeIdIn(await agree(client, 'move_videos', { videoIds, targetProject: to, fromProject: from }));
  const reply = await client.callTool('undo_change', { changeId: moved, channels: ['Channel 0'], only: ['name'] });
  expect(reply.isError).toBe(true);
  expect(reply.text).toMatch(/only: names parts of a channel.*\n.*channels: names channels/);
});

test('wrong arguments are refused', () =>
  expectRefused('undo_change', [
    [{}, 'Nothing that can be undone is among the last changes of this server.'],
    [{ changeId: 'chg-000000000-none' }, 'There is no change "chg-000000000-none"'],
    [{ changeId: 'a', channels: Array.from({ length: 101 }, String) }, 'channels: must have at most 100 entries.'],
    [{ changeIds: [] }, 'changeId: or changeIds must be given.'],
    [{ changeIds: Array.from({ length: 51 }, (_, at) => `chg-${at}`) }, 'changeIds: '],
    [{ changeId: 'a', only: ['videos'] }, 'only'],
  ]));

test('a whole change is set back, as it was before, and an undo can be undone', async () => {
  const { demo, client, wanted, ids, changeId, isBack } = await reorganised();
  const undone = await agree(client, 'undo_change', { changeId });
  expect(isBack()).toEqual(ids.map(() => true));
  expect(undone.data).toMatchObject({ status: 'applied', undo: { possible: 'yes' } });
  expect(await told(client, changeId)).toMatchObject({ undoneBy: changeIdIn(undone), undo: { possible: 'no' } });
  const again = await agree(client, 'undo_change', { changeId });
  expect([again.isError, again.text]).toEqual([true, expect.stringContaining(changeIdIn(undone))]);
  await agree(client, 'undo_change', { changeId: changeIdIn(undone) });
  expect(ids.map((id) => partsOf(demo, id))).toEqual(wanted.map(({ end }) => end));
});

test('the undo of a part says that the rest stays done', async () => {
  const { client, changeId, ids } = await reorganised();
  const asked = async (more: Values) => (await client.callTool('undo_change', { changeId, channels: [ids[0]], ...more })).text;
  expect(await asked({ only: ['name'] })).toContain(' Of it, only the name: the rest stays done.');
  expect(await asked({})).not.toContain('the rest stays done');
});

test('without changeId the newest change that can be undone is set back, and neither an undo nor what is undone', async () => {
  const { demo, client, wanted, ids, changeId, isBack } = await reorganised();
  const renamed = await agree(client, 'update_channels', { changes: [{ channel: ids[0], name: 'Once more' }] });
  const asked = await client.callTool('undo_change', {});
  expect(asked.data).toMatchObject({
    status: 'confirmation_required',
    preview: {
      meaning: expect.stringContaining(`Undo ${changeIdIn(renamed)}: set 1 of 1 channel back. What is undone: Change 1 channel, of `),
    },
  });
  await confirmPreview(client, asked);
  expect(partsOf(demo, ids[0] ?? '')).toEqual(wanted[0]?.end);
  const older = await client.callTool('undo_change', {});
  expect(older.data?.preview).toMatchObject({ meaning: expect.stringContaining(`Undo ${changeId}: `) });
  // What is begun between preview and confirmation is not meant.
  const [from, to] = [...demo.world.projects.keys()];
  const [moved = ''] = demo.world.videos.keys();
  await agree(client, 'move_videos', { videoIds: [moved], targetProject: to, fromProject: from });
  await confirmPreview(client, older);
  expect(isBack()).toEqual(ids.map(() => true));
  expect(demo.world.videos.get(moved)?.projectId).toBe(to);
});

test('where nobody may be asked, the change has to be named, and the refusal names it', async () => {
  const demo = await startChannels(2);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const [first] = channelsOf(demo);
  const changeId = changeIdIn(await client.callTool('update_channels', { changes: [{ channel: first?.id, name: 'Other' }] }));
  const writes = writesOf(demo).length;
  const reply = await client.callTool('undo_change', {});
  expect(writesOf(demo)).toHaveLength(writes);
  expect(reply.data).toMatchObject({ error: { code: 'invalid_arguments' } });
  expect(reply.text).toContain(
    `changeId: has to be given, since nobody may be asked here. The newest that can be undone is ${changeId} (Change 1 channel: "Channel 0" (`,
  );
});
