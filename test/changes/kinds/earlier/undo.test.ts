/** Undo: a batch is undone as a whole, as far as its earlier state is known and nobody changed it since. */
import { describe, expect, test } from 'vitest';
import { recordsIn, type TestClient, type Values } from '../../../harness/client.ts';
import { type DemoService, startService } from '../../../harness/service.ts';
import { start } from '../../../harness/start.ts';
import { agree, changeIdIn, confirmPreview } from '../../support/confirm.ts';
import { argsFor, partsOf, reorganisation, startChannels } from '../../support/reorganisation.ts';
import { channelAt, videoKeysOf, writesOf } from '../../support/world.ts';

/** Each kind of change twice. */
const TWELVE = 12;

async function reorganised() {
  const demo = await startChannels(TWELVE);
  const wanted = reorganisation(demo);
  const before = new Map(wanted.map(({ id }) => [id, partsOf(demo, id)]));
  const { client } = await start({ demo });
  const reply = await agree(client, 'update_channels', argsFor(wanted));
  return { demo, client, wanted, before, changeId: changeIdIn(reply) };
}

const undo = (client: TestClient, changeId: unknown) => agree(client, 'undo_change', { changeId });

test('a batch is undone with one confirmation, and its undo can be undone', async () => {
  const { demo, client, wanted, before, changeId } = await reorganised();
  const undone = await undo(client, changeId);
  for (const { id } of wanted) expect(partsOf(demo, id)).toEqual(before.get(id));
  expect(writesOf(demo)).toHaveLength(2 * TWELVE);
  expect(undone.data?.status).toBe('applied');
  const redone = await undo(client, changeIdIn(undone));
  for (const { id, end } of wanted) expect(partsOf(demo, id)).toEqual(end);
  expect(redone.data?.status).toBe('applied');
  const back = await undo(client, changeIdIn(redone));
  for (const { id } of wanted) expect(partsOf(demo, id)).toEqual(before.get(id));
  expect(back.data?.status).toBe('applied');
});

test('list_changes names the channels of a change, and the change that undid it', async () => {
  const { client, demo, changeId } = await reorganised();
  const list = async () => {
    const reply = await client.callTool('list_changes');
    return { text: reply.text, of: (id: string) => recordsIn(reply.data, 'changes').find((change) => change.changeId === id) };
  };
  const names = [...demo.world.channels.values()].map(({ name }) => name);
  const { summary } = (await list()).of(changeId) ?? {};
  expect(summary).toMatch(/^Change 12 channels: ".*" \(.*\), ".*" \(.*\), ".*" \(.*\) and 9 more\.$/);
  expect(names.filter((name) => String(summary).includes(JSON.stringify(name))).length).toBeGreaterThan(0);
  const undone = changeIdIn(await undo(client, changeId));
  const after = await list();
  expect(after.of(changeId)).toMatchObject({ status: 'applied', undoneBy: undone });
  expect(after.of(undone)).not.toHaveProperty('undoneBy');
  expect(after.text).toMatch(new RegExp(`^${changeId} .* ${undone}`, 'm'));
  // Once the undo is undone, the change no longer counts as undone.
  const redone = changeIdIn(await undo(client, undone));
  const again = await list();
  expect(again.of(undone)).toMatchObject({ undoneBy: redone });
  expect(again.of(changeId)).not.toHaveProperty('undoneBy');
});

test('an undo that left channels alone, as its preview said, is applied, with the reasons, and the change does not count as undone', async () => {
  const { demo, client, wanted, before, changeId } = await reorganised();
  const [touched, gone] = wanted.slice(3, 5).map(({ id }) => id);
  demo.world.editChannel(String(touched), { description: 'by somebody else' });
  demo.world.channels.delete(String(gone));
  const labels = new Map(recordsIn((await client.callTool('get_change', { changeId })).data, 'after').map(({ id }) => [id, id]));
  expect(labels.size).toBe(TWELVE);
  const asked = await client.callTool('undo_change', { changeId });
  expect(asked.text).toContain(JSON.stringify(demo.world.channels.get(String(touched))?.name));
  expect(asked.text).toContain('left alone');
  const undone = await undo(client, changeId);
  expect(demo.world.channels.get(String(touched))?.description).toBe('by somebody else');
  for (const { id } of wanted.filter(({ id }) => id !== touched && id !== gone)) expect(partsOf(demo, id)).toEqual(before.get(id));
  const told = async () => (await client.callTool('get_change', { changeId: changeIdIn(undone) })).data;
  for (const data of [undone.data, await told()]) {
    expect(data).toMatchObject({ status: 'applied' });
    expect(recordsIn(data, 'notDone').map(({ id }) => id)).toEqual([touched, gone]);
    expect(recordsIn(data, 'notDone').map(({ reason }) => String(reason))).toEqual([
      expect.stringMatching(
        /^It was changed since \(.*; it holds what this change sent\)\. It is left alone: the 1 video taken out of it is not put back\.$/,
      ),
      expect.stringMatching(/^No channel has the id.*Channel not found.* It is left alone\.$/),
    ]);
  }
  expect(undone.text).toContain(`Undo of ${changeId}: ${TWELVE - 2} of ${TWELVE} channels were set back, 2 not done.`);
  expect(undone.text).toMatch(/^notDone \(2\):\n.*\n.*It was changed since/m);
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ partlyUndoneBy: changeIdIn(undone) });
  // Channels that were left alone are not part of the undo of the undo.
  expect((await undo(client, changeIdIn(undone))).data).toMatchObject({ status: 'applied' });
});

/** An account whose records show what channels hold, and a way to change its first channel. */
async function shown() {
  const demo = await startService({ channels: 2, videos: 20 });
  demo.behaviour.channelRecordsShowContents = true;
  const channel = channelAt(demo, 0);
  const { client } = await start({ demo });
  const before = partsOf(demo, channel.id);
  const update = (change: Values) => agree(client, 'update_channels', { changes: [{ channel: channel.id, ...change }] });
  return { demo, channel, client, before, update };
}

test('an undo sends the changed fields and the list that would be lost', async () => {
  const { demo, channel, client, before, update } = await shown();
  const done = await update({ name: 'Renamed' });
  await undo(client, changeIdIn(done));
  expect(partsOf(demo, channel.id)).toEqual(before);
  const { videoKeys } = channel;
  expect(writesOf(demo).map(({ body }) => body)).toEqual([
    { name: 'Renamed', videoKeys },
    { name: before?.name, videoKeys },
  ]);
});

test('of a channel that is called like another, an answer tells the name too, of a change and of its undo', async () => {
  const { demo, channel, client, update } = await shown();
  channelAt(demo, 1).name = channel.name;
  const line = `- ${channel.id} ${JSON.stringify(channel.name)}: description `;
  const done = await update({ description: 'Others' });
  expect(done.text).toContain(line);
  expect((await undo(client, changeIdIn(done))).text).toContain(line);
});

test.each([
  ['version', 99],
  ['updated', '2031-01-01T00:00:00Z'],
])('a channel whose %s changed since is not undone', async (field, value) => {
  const { demo, channel, client, update } = await shown();
  const done = await update({ name: 'Renamed' });
  Object.assign(channel, { name: 'by somebody else', [field]: value });
  const undone = await undo(client, changeIdIn(done));
  expect(channel.name).toBe('by somebody else');
  expect(writesOf(demo)).toHaveLength(1);
  expect(undone.data).toMatchObject({ error: { code: 'not_undoable' } });
});

test('a channel that holds something else since is told so where the service shows it, and is left alone', async () => {
  const { demo, channel, client, update } = await shown();
  const done = await update({ name: 'Renamed' });
  const others = videoKeysOf(demo, 2, 9);
  // By the clock of the service, which is no earlier than the change.
  demo.world.editChannel(channel.id, { videoKeys: others, updated: new Date(Date.now() + 60_000).toISOString() });
  const undone = await undo(client, changeIdIn(done));
  expect([channel.name, channel.videoKeys]).toEqual(['Renamed', others]);
  expect(undone.text).toMatch(/It was changed since on \d{4}-\d\d-\d\d \(/);
  expect(undone.text).toContain(' (name as this change left it; it holds something else by now). It is left alone.');
  expect(undone.text).toContain('Next: What was changed since can be set back by update_channels.');
  demo.behaviour.channelRecordsShowContents = false;
  const { text } = await undo(client, changeIdIn(done));
  expect(text).toContain('; what it holds can’t be seen). It is left alone.');
  const hint =
    'Next: What was changed since can be set back by update_channels. Give with it currentVideoKeys, all that the channel holds now by what the user says, in order: it replaces what is there.';
  expect(text).toContain(hint);
  await agree(client, 'state_contents', { channels: [{ channel: channel.id, videoKeys: others, projectKeys: [] }] });
  const known = await undo(client, changeIdIn(done));
  expect(known.text).toContain('Next: What was changed since can be set back by update_channels.');
  expect(known.text).not.toContain('currentVideoKeys');
});

test('a change of a channel without a version can’t be undone', async () => {
  const { demo, channel, client, update } = await shown();
  const { version: _, ...record } = channel;
  const shows = (body: typeof record) => {
    const pager = { page: 1, totalPages: 1, totalResults: 1, sort: 'Created:1' };
    demo.faults.always({ match: { path: '/v1/channels' }, do: { kind: 'status', code: 200, body: { pager, channels: [body] } } });
    const one = { method: 'GET', path: `/v1/channels/${channel.id}` };
    return { match: one, do: { kind: 'status', code: 200, body } } as const;
  };
  // Two reads for the plan (preview and confirmation) and one just before the update.
  demo.faults.next({ ...shows(record), times: 3 });
  demo.faults.always(shows({ ...record, name: 'Renamed' }));
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'reset-after' } });
  const done = await update({ name: 'Renamed' });
  expect(channel.name).toBe('Renamed');
  expect(done.data).toMatchObject({ status: 'applied', undo: { possible: 'no', how: expect.stringMatching(/no version/) } });
  const undone = await undo(client, changeIdIn(done));
  expect(writesOf(demo)).toHaveLength(1);
  expect(undone.data).toMatchObject({ error: { code: 'not_undoable' } });
});

describe('after an update whose response was lost, undo', () => {
  /** The update is processed or not, its response is lost, and the read that would show the outcome fails as well. */
  async function lost(change: (demo: DemoService) => Values, kind: 'reset-after' | 'reset-before') {
    const { update, ...world } = await shown();
    const { faults } = world.demo;
    faults.always({ match: { method: 'PUT' }, do: { kind } });
    faults.always({ match: { method: 'GET', path: `/v1/channels/${world.channel.id}` }, skip: 3, do: { kind: 'status', code: 400 } });
    const reply = await update(change(world.demo));
    faults.clear();
    expect(reply.data).toMatchObject({ unknown: [{ id: world.channel.id }] });
    return { ...world, changeId: changeIdIn(reply) };
  }

  test('restores a channel whose record shows the change', async () => {
    const { demo, channel, client, before, changeId } = await lost(() => ({ name: 'Renamed' }), 'reset-after');
    expect(channel.name).toBe('Renamed');
    await undo(client, changeId);
    expect(partsOf(demo, channel.id)).toEqual(before);
  });

  test.each([false, true])('leaves a channel alone that someone else changed too (looked at before: %s)', async (isLookedAt) => {
    const { demo, channel, client, changeId } = await lost(() => ({ name: 'Renamed' }), 'reset-after');
    demo.world.editChannel(channel.id, { description: 'by somebody else' });
    if (isLookedAt) await client.callTool('get_change', { changeId });
    const undone = await undo(client, changeId);
    expect([channel.name, channel.description]).toEqual(['Renamed', 'by somebody else']);
    expect(undone.text).toMatch(
      /It was changed since \(name as this change left it; it holds what this change sent\)\. It is left alone\./,
    );
  });

  test('leaves a channel alone whose record does not show the change', async () => {
    const { demo, channel, client, changeId } = await lost((demo) => ({ setVideoKeys: videoKeysOf(demo, 2, 9) }), 'reset-after');
    demo.behaviour.channelRecordsShowContents = false;
    const undone = await undo(client, changeId);
    expect(channel.videoKeys).toEqual(videoKeysOf(demo, 2, 9));
    expect(undone.text).toMatch(/Whether it was changed is not known; .* It is left alone\./);
  });

  test('reports that there is nothing to undo if the channel is as it was before', async () => {
    const { demo, channel, client, before, changeId } = await lost(() => ({ name: 'Renamed' }), 'reset-before');
    const undone = await undo(client, changeId);
    expect(partsOf(demo, channel.id)).toEqual(before);
    expect(undone.text).toContain('is as it was before; there is nothing to set back');
  });

  test('leaves a channel alone in which someone else made one of the same edits', async () => {
    const { demo, channel, client, changeId } = await lost(() => ({ name: 'Renamed', description: 'Described' }), 'reset-before');
    demo.world.editChannel(channel.id, { description: 'Described' });
    const edited = partsOf(demo, channel.id);
    const undone = await undo(client, changeId);
    expect(partsOf(demo, channel.id)).toEqual(edited);
    expect(undone.text).toMatch(/Whether it was changed is not known; .* It is left alone\./);
  });
});

test('a failed change can’t be undone, and the reason of its failure is shown once', async () => {
  const demo = await startService({ channels: 2, videos: 20 });
  const { client } = await start({ demo });
  const failed = await agree(client, 'update_channels', { changes: [{ channel: channelAt(demo, 0).id, setVideoKeys: ['unknown-key'] }] });
  expect(failed.data?.status).toBe('failed');
  expect(failed.text.match(/Invalid video keys: "unknown-key"/g)).toHaveLength(1);
  const undone = await undo(client, changeIdIn(failed));
  expect(undone.text).toMatch(/^Nothing of \S+ can be undone\. Nothing of it was done\.$/m);
  const listed = await client.callTool('list_changes');
  expect(listed.text).toMatch(/^changes \(1\):$/m);
});

test('the preview of a change that can’t be undone says so', async () => {
  const demo = await startService({ channels: 2, videos: 20 });
  const { client } = await start({ demo });
  const channel = channelAt(demo, 0);
  const args = { changes: [{ channel: channel.id, setVideoKeys: videoKeysOf(demo, 3) }] };
  const asked = await client.callTool('update_channels', args);
  expect(asked.data).toMatchObject({ preview: { undo: { possible: 'no' } } });
  expect(asked.text).toContain('can’t be undone, not even in part');
  const done = await confirmPreview(client, asked);
  const undone = await undo(client, changeIdIn(done));
  expect(writesOf(demo)).toHaveLength(1);
  expect(channel.videoKeys).toEqual(videoKeysOf(demo, 3));
  expect(undone.data).toMatchObject({ error: { code: 'not_undoable' } });
});

test('the preview says which part can be undone, and undo restores that part', async () => {
  const demo = await startService({ channels: 2, videos: 20 });
  demo.behaviour.channelRecordsShowContents = true;
  const { client } = await start({ demo });
  const [one, two] = [channelAt(demo, 0), channelAt(demo, 1)];
  const name = one.name;
  const args = {
    changes: [
      { channel: one.id, name: 'Renamed' },
      { channel: two.id, privateLinkEnabled: !two.privateLinkEnabled },
    ],
  };
  const asked = await client.callTool('update_channels', args);
  const how =
    '1 of 2 channels can be undone until others change them. The others can’t be set back: whether private-link access was on before can’t be read (another change can switch it).';
  expect(asked.data).toMatchObject({
    preview: {
      undo: { possible: 'partly', how },
      warnings: [`${JSON.stringify(two.name)}: private-link access can’t be read, so it can’t be undone or checked.`],
    },
  });
  expect(asked.text).toContain(how);
  const link = !two.privateLinkEnabled;
  const done = await confirmPreview(client, asked);
  await undo(client, changeIdIn(done));
  expect([one.name, two.privateLinkEnabled]).toEqual([name, link]);
});

test('the undo of a batch that ended early does not name channels that were never sent', async () => {
  const demo = await startChannels(TWELVE);
  const wanted = reorganisation(demo);
  const before = new Map(wanted.map(({ id }) => [id, partsOf(demo, id)]));
  demo.faults.always({ match: { method: 'PUT' }, skip: 3, do: { kind: 'status', code: 500 } });
  const { client } = await start({ demo });
  const done = await agree(client, 'update_channels', argsFor(wanted));
  expect(recordsIn(done.data, 'notDone').length).toBeGreaterThan(3);
  demo.faults.clear();
  const asked = await client.callTool('undo_change', { changeId: changeIdIn(done) });
  expect(asked.text).not.toContain('left alone');
  await confirmPreview(client, asked);
  for (const { id } of wanted) expect(partsOf(demo, id)).toEqual(before.get(id));
});

test('a creation can’t be undone, and the preview says so', async () => {
  const demo = await startService({ channels: 2, videos: 20 });
  const { client } = await start({ demo });
  for (const [tool, args] of [
    ['create_channels', { channels: [{ name: 'Brand new', videoKeys: videoKeysOf(demo, 2) }] }],
    ['create_project', { name: 'Brand new', region: 'use-s' }],
  ] as const satisfies readonly (readonly [string, Values])[]) {
    const asked = await client.callTool(tool, args);
    expect(asked.data).toMatchObject({ preview: { undo: { possible: 'no' } } });
    expect(asked.text).toContain('can’t be undone');
    const done = await confirmPreview(client, asked);
    expect(done.data).toMatchObject({ status: 'applied', undo: { possible: 'no' } });
    const writes = writesOf(demo).length;
    const undone = await undo(client, changeIdIn(done));
    expect(writesOf(demo)).toHaveLength(writes);
    expect(undone.data).toMatchObject({ error: { code: 'not_undoable' } });
    expect(undone.text).toContain(`${changeIdIn(done)} can’t be undone.`);
  }
});

describe('several changes', () => {
  test('of one channel, named in any order, are undone together with one request', async () => {
    const { demo, channel, client, before, update } = await shown();
    const first = changeIdIn(await update({ name: 'Renamed', addVideoKeys: [keyOutside(demo)] }));
    const second = changeIdIn(await update({ description: 'New words', firstVideoKeys: channel.videoKeys.slice(-1) }));
    const third = changeIdIn(await update({ name: 'Renamed again' }));
    const undone = await agree(client, 'undo_change', { changeIds: [second, first, third] });
    expect(partsOf(demo, channel.id)).toEqual(before);
    expect(writesOf(demo)).toHaveLength(4);
    expect(undone.data?.status).toBe('applied');
    const changes = recordsIn((await client.callTool('list_changes')).data, 'changes');
    for (const changeId of [first, second, third])
      expect(changes.find((change) => change.changeId === changeId)).toMatchObject({ undoneBy: changeIdIn(undone) });
    await undo(client, changeIdIn(undone));
    expect(channel).toMatchObject({ name: 'Renamed again', description: 'New words' });
  });

  test('that were undone before, each by itself, are refused with the undo of each', async () => {
    const { demo, client, update, before, channel } = await shown();
    const first = changeIdIn(await update({ name: 'Renamed' }));
    const second = changeIdIn(await update({ description: 'New words' }));
    const [ofSecond, ofFirst] = [changeIdIn(await undo(client, second)), changeIdIn(await undo(client, first))];
    expect(partsOf(demo, channel.id)).toEqual(before);
    const writes = writesOf(demo).length;
    const again = await agree(client, 'undo_change', { changeIds: [first, second] });
    expect(writesOf(demo)).toHaveLength(writes);
    expect(again.text).toContain(
      `Nothing of ${second}, ${first} can be undone. ${second} was undone before, by ${ofSecond}. ${first} was undone before, by ${ofFirst}.`,
    );
  });

  test('of several channels are undone together', async () => {
    const { demo, client } = await shown();
    const [one, two] = [channelAt(demo, 0), channelAt(demo, 1)];
    const names = [one.name, two.name];
    const changeIds: string[] = [];
    for (const [index, { id }] of [one, two].entries())
      changeIds.push(changeIdIn(await agree(client, 'update_channels', { changes: [{ channel: id, name: `Renamed ${index}` }] })));
    await agree(client, 'undo_change', { changeIds });
    expect([one.name, two.name]).toEqual(names);
  });

  test.each(['an edit by someone else', 'a change that is not listed'])('are not undone if %s was made between them', async (between) => {
    const { demo, channel, client, update } = await shown();
    const first = changeIdIn(await update({ name: 'Renamed' }));
    if (between === 'an edit by someone else') demo.world.editChannel(channel.id, { description: 'by somebody else' });
    else await update({ description: 'By a change that is not named' });
    const second = changeIdIn(await update({ name: 'Renamed again' }));
    const writes = writesOf(demo).length;
    const reply = await agree(client, 'undo_change', { changeIds: [second, first] });
    expect(writesOf(demo)).toHaveLength(writes);
    expect(channel.name).toBe('Renamed again');
    expect(reply.data).toMatchObject({ error: { code: 'not_undoable' } });
    expect(reply.text).toContain('It was changed between these changes');
  });

  test.each([
    ['name', { name: true }],
    ['contents', { videoKeys: true }],
  ] as const)('are undone in one part (%s), and their other parts stay as the newest left them', async (part, back) => {
    const { demo, channel, client, before, update } = await shown();
    const [one = '', two = ''] = keysOutside(demo);
    const first = changeIdIn(await update({ name: 'Renamed', addVideoKeys: [one] }));
    const second = changeIdIn(await update({ name: 'Renamed again', addVideoKeys: [two] }));
    const third = changeIdIn(await update({ description: 'New words' }));
    const after = partsOf(demo, channel.id);
    const undone = await agree(client, 'undo_change', { changeIds: [first, second, third], only: [part] });
    const restored = Object.fromEntries(Object.entries(before ?? {}).filter(([field]) => field in back));
    expect(partsOf(demo, channel.id)).toEqual({ ...after, ...restored });
    expect(undone.data).toMatchObject({ status: 'applied' });
  });

  test.each(['newest', 'middle'])('are undone if the %s of them was not carried out', async (which) => {
    const { demo, channel, client, before, update } = await shown();
    const changeIds: string[] = [];
    const lose = async (change: Values): Promise<void> => {
      demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'reset-before' } });
      const reply = await update(change);
      demo.faults.clear();
      expect(reply.data).toMatchObject({ unknown: [{ id: channel.id }] });
      changeIds.push(changeIdIn(reply));
    };
    changeIds.push(changeIdIn(await update({ name: 'Renamed', addVideoKeys: keysOutside(demo).slice(0, 1) })));
    await lose({ name: 'Lost', description: 'Lost' });
    if (which === 'middle') changeIds.push(changeIdIn(await update({ description: 'New words' })));
    const undone = await agree(client, 'undo_change', { changeIds });
    expect(partsOf(demo, channel.id)).toEqual(before);
    expect(undone.data).toMatchObject({ status: 'applied' });
  });

  test('are left alone if the newest is not known, and only an older one made what the channel shows', async () => {
    const { demo, channel, client, update } = await shown();
    const first = changeIdIn(await update({ name: 'Renamed' }));
    demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'reset-before' } });
    const second = changeIdIn(await update({ addVideoKeys: keysOutside(demo).slice(0, 1) }));
    demo.faults.clear();
    demo.world.editChannel(channel.id, { description: 'by somebody else' });
    const edited = partsOf(demo, channel.id);
    const reply = await agree(client, 'undo_change', { changeIds: [first, second] });
    expect(partsOf(demo, channel.id)).toEqual(edited);
    expect(reply.text).toMatch(/Whether it was changed is not known; .* It is left alone\./);
  });

  test('can’t include a move of videos; a part of a move and a call that names none are refused too', async () => {
    const { demo, client, update } = await shown();
    const [from, to] = [...demo.world.projects.keys()];
    const renamed = changeIdIn(await update({ name: 'Renamed' }));
    const moved = await agree(client, 'move_videos', {
      videoIds: [[...demo.world.videos.keys()][0]],
      targetProject: to,
      fromProject: from,
    });
    const both = await client.callTool('undo_change', { changeIds: [renamed, changeIdIn(moved)] });
    const part = await client.callTool('undo_change', { changeId: changeIdIn(moved), only: ['name'] });
    const none = await client.callTool('undo_change', { changeIds: [] });
    expect([both.isError, part.isError, none.isError]).toEqual([true, true, true]);
    expect(both.text).toContain('name it alone');
    expect(part.text).toContain('leave it out');
    expect(none.text).toContain('or changeIds must be given');
  });
});

describe('a part of a change', () => {
  test.each([
    ['name', { name: true }],
    ['description', { description: true }],
    ['template', { templateKey: true }],
    ['contents', { videoKeys: true }],
  ] as const)('can be undone alone (%s), and the rest stays', async (part, back) => {
    const { demo, channel, client, before, update } = await shown();
    const template = demo.world.templates.find(({ name }) => name === 'Grid');
    const done = await update({ name: 'Renamed', description: 'New words', template: 'Grid', addVideoKeys: [keyOutside(demo)] });
    const after = partsOf(demo, channel.id);
    expect(after).toMatchObject({ name: 'Renamed', description: 'New words', templateKey: template?.key });
    const undone = await agree(client, 'undo_change', { changeId: changeIdIn(done), only: [part] });
    const restored = Object.fromEntries(Object.entries(before ?? {}).filter(([field]) => field in back));
    expect(partsOf(demo, channel.id)).toEqual({ ...after, ...restored });
    expect(undone.data?.status).toBe('applied');
    const { data } = await client.callTool('get_change', { changeId: changeIdIn(done) });
    expect(data).toMatchObject({ partlyUndoneBy: changeIdIn(undone) });
    // Undoes the rest: the change together with its partial undo.
    await agree(client, 'undo_change', { changeIds: [changeIdIn(done), changeIdIn(undone)] });
    expect(partsOf(demo, channel.id)).toEqual(before);
  });

  test('can be undone first, and the rest by naming the change again, but nothing of it twice', async () => {
    const { demo, channel, client, before, update } = await shown();
    const done = changeIdIn(await update({ name: 'Renamed', description: 'New words', addVideoKeys: keysOutside(demo).slice(0, 1) }));
    for (const part of ['name', 'contents']) await agree(client, 'undo_change', { changeId: done, only: [part] });
    expect(partsOf(demo, channel.id)).toEqual({ ...before, description: 'New words' });
    const rest = changeIdIn(await undo(client, done));
    expect(partsOf(demo, channel.id)).toEqual(before);
    const writes = writesOf(demo).length;
    const again = await undo(client, done);
    expect(writesOf(demo)).toHaveLength(writes);
    expect(again.data).toMatchObject({ error: { code: 'not_undoable' } });
    expect(again.text).toContain(`It was undone before, by ${rest}.`);
    // The undo of the rest brings back the rest alone.
    await undo(client, rest);
    expect(partsOf(demo, channel.id)).toEqual({ ...before, description: 'New words' });
    await undo(client, done);
    expect(partsOf(demo, channel.id)).toEqual(before);
  });

  test('can be undone if the earlier contents are unknown, and the contents stay', async () => {
    const { demo, channel, client, before, update } = await shown();
    demo.behaviour.channelRecordsShowContents = false;
    const keys = videoKeysOf(demo, 2, 9);
    const done = changeIdIn(await update({ name: 'Renamed', setVideoKeys: keys }));
    expect((await client.callTool('undo_change', { changeId: done })).isError).toBe(true);
    expect((await client.callTool('undo_change', { changeId: done, only: ['contents'] })).isError).toBe(true);
    await agree(client, 'undo_change', { changeId: done, only: ['name'] });
    expect(channel).toMatchObject({ name: before?.name, videoKeys: keys });
  });

  test('can’t be undone if it was not changed', async () => {
    const { demo, client, update } = await shown();
    const done = await update({ name: 'Renamed' });
    const reply = await client.callTool('undo_change', { changeId: changeIdIn(done), only: ['description'] });
    expect(writesOf(demo)).toHaveLength(1);
    expect(reply.text).toContain('Nothing of that was changed in it');
  });
});

/** Videos that the first channel does not hold. */
const keysOutside = (demo: DemoService): string[] => {
  const held = new Set(channelAt(demo, 0).videoKeys);
  return videoKeysOf(demo, 20).filter((key) => !held.has(key));
};
const keyOutside = (demo: DemoService): string => keysOutside(demo)[0] ?? '';
