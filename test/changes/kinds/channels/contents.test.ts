/** A change uses a channel’s contents only if their source is known, so that a rename never empties a channel. */
import { describe, expect, test } from 'vitest';
import type { DemoChannel } from '../../../../src/demo/records.ts';
import type { Values } from '../../../harness/client.ts';
import { type DemoService, startService } from '../../../harness/service.ts';
import { start } from '../../../harness/start.ts';
import { agree, confirmPreview } from '../../support/confirm.ts';
import { channelAt, contentOf, videoKeysOf, writesOf } from '../../support/world.ts';

/** The source that an answer gives for contents that this server sent. */
const LAST_WROTE = expect.stringContaining('as this server last wrote it');

const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };

async function account(contents: { videoKeys?: number; projectKeys?: number } = { videoKeys: 4 }, env: Record<string, string> = NEVER) {
  const demo = await startService({ channels: 3, projects: 3, videos: 30 });
  const channel = channelAt(demo, 0);
  channel.videoKeys = videoKeysOf(demo, contents.videoKeys ?? 0);
  channel.projectKeys = [...demo.world.projects.values()].slice(0, contents.projectKeys ?? 0).map(({ key }) => key);
  const session = await start({ demo, env });
  const update = (change: Values, more: Values = {}) =>
    session.client.callTool('update_channels', { changes: [{ channel: channel.id, ...change }], ...more });
  return { ...session, demo, channel, update, look: () => session.client.callTool('get_channel', { channel: channel.id }) };
}

/** Replaces the record of the first channel in each read until the first write. */
function showAs(demo: DemoService, record: (channel: DemoChannel) => object): void {
  const channel = channelAt(demo, 0);
  const match = { method: 'GET', path: `/v1/channels/${channel.id}`, when: () => writesOf(demo).length === 0 };
  demo.faults.always({ match, do: { kind: 'status', code: 200, body: record(channel) } });
}

/** The record of the first channel shows only one of its lists. */
function showOnly(demo: DemoService, list: 'videoKeys' | 'projectKeys'): void {
  showAs(demo, ({ videoKeys, projectKeys, ...record }) => ({ ...record, [list]: { videoKeys, projectKeys }[list] }));
}

const HARMLESS: Readonly<Record<string, Values>> = {
  'a rename': { name: 'Another name' },
  'a new description': { description: 'Another description' },
  'a new template': { template: '' },
  'a private link': { privateLinkEnabled: true },
  'an added key': { addVideoKeys: ['sp9oWRA7mJz'] },
  'a removed key': { removeVideoKeys: ['sp9oWRA7mJz'] },
  'a new order': { firstVideoKeys: ['sp9oWRA7mJz'] },
  'a video at the end': { lastVideoKeys: ['sp9oWRA7mJz'] },
};

describe.each(Object.entries(HARMLESS))('%s', (_what, change) => {
  test('is refused before anything is sent if the contents are not known, and the answer explains why', async () => {
    const { demo, channel, update } = await account();
    Object.assign(channel, { templateKey: 'tpl-of-before' });
    const before = contentOf(demo, channel.id);
    const reply = await update(change);
    expect(writesOf(demo)).toEqual([]);
    expect(contentOf(demo, channel.id)).toEqual(before);
    expect(reply).toMatchObject({ isError: true, data: { status: 'failed', error: { code: 'contents_unknown' } } });
    expect(reply.text).toContain('setVideoKeys');
  });
});

test('unknown contents of several channels are explained once, with the advice not to guess them', async () => {
  const demo = await startService({ channels: 6, videos: 30 });
  const { client } = await start({ demo });
  const names = [...demo.world.channels.values()].map(({ id }) => ({ channel: id, description: 'New' }));
  const many = await client.callTool('update_channels', { changes: names });
  expect(many.data).toMatchObject({ error: { code: 'contents_unknown' } });
  expect(many.text.match(/would be emptied/g)).toHaveLength(1);
  expect(many.text.match(/what it holds is not known/g)).toHaveLength(6);
  expect(many.text).toContain('Views were looked through for the first 3 of these channels only');
  // With other mistakes too: the hint to correct the arguments must not lead to a guess.
  const mixed = await client.callTool('update_channels', { changes: [names[0], { channel: names[1]?.channel, template: 'none' }] });
  expect(mixed.data).toMatchObject({ error: { code: 'invalid_arguments' } });
  expect(mixed.text).toContain('3 arguments are wrong');
  expect(mixed.text).toMatch(/Next: Correct the other fields\..*Ask the user for .* Never guess it\./);
  expect(writesOf(demo)).toEqual([]);
});

test.each([true, false])('a rename keeps the contents, whether the service clears an unsent list or not (%s)', async (clears) => {
  const { demo, channel, update } = await account({ videoKeys: 4, projectKeys: 2 });
  demo.behaviour.updateClearsUnsentList = clears;
  demo.behaviour.channelRecordsShowContents = true;
  const before = contentOf(demo, channel.id);
  expect((await update({ name: 'Another name' })).data?.status).toBe('applied');
  expect(channel.name).toBe('Another name');
  expect(contentOf(demo, channel.id)).toEqual(before);
  expect(writesOf(demo).map(({ body }) => body)).toEqual([{ name: 'Another name', ...before }]);
  demo.behaviour.channelRecordsShowContents = false;
  expect((await update({ name: 'A third name' })).data?.status).toBe('applied');
  expect(contentOf(demo, channel.id)).toEqual(before);
});

test.each(['videoKeys', 'projectKeys'] as const)(
  'if the service shows only the %s, a rename is refused until the other list is stated',
  async (list) => {
    const { demo, channel, update } = await account({ videoKeys: 4, projectKeys: 2 });
    const before = contentOf(demo, channel.id);
    showOnly(demo, list);
    const reply = await update({ name: 'Another name' });
    expect(writesOf(demo)).toEqual([]);
    expect(contentOf(demo, channel.id)).toEqual(before);
    expect(reply.text).toContain(list === 'videoKeys' ? 'setProjectKeys' : 'setVideoKeys');
    const stated = list === 'videoKeys' ? { setProjectKeys: before.projectKeys } : { setVideoKeys: before.videoKeys };
    expect((await update({ name: 'Another name', ...stated })).data?.status).toBe('applied');
    expect(contentOf(demo, channel.id)).toEqual(before);
  },
);

test.each([
  ['added to', 'addVideoKeys', 9],
  ['moved in', 'firstVideoKeys', 2],
] as const)('a video can’t be %s a list that is not shown, even if the projects are stated', async (_how, edit, at) => {
  const { demo, channel, update } = await account({ videoKeys: 4, projectKeys: 2 });
  const before = contentOf(demo, channel.id);
  showOnly(demo, 'projectKeys');
  const reply = await update({ setProjectKeys: before.projectKeys, [edit]: videoKeysOf(demo, 1, at) });
  expect(writesOf(demo)).toEqual([]);
  expect(contentOf(demo, channel.id)).toEqual(before);
  expect(reply.data).toMatchObject({ error: { code: 'contents_unknown' } });
  expect(reply.text).toContain('setVideoKeys');
});

test.each([true, false])('a list that is stated as empty is emptied, whether the service shows the contents or not (%s)', async (shown) => {
  const { demo, channel, update } = await account({ videoKeys: 4, projectKeys: 2 });
  demo.behaviour.updateClearsUnsentList = false;
  demo.behaviour.channelRecordsShowContents = shown;
  const { videoKeys } = contentOf(demo, channel.id);
  await update({ setVideoKeys: videoKeys, setProjectKeys: [] });
  expect(contentOf(demo, channel.id)).toEqual({ videoKeys, projectKeys: [] });
});

test('a rename of a channel that was stated to be empty sends both empty lists and reports the service’s refusal', async () => {
  const { demo, update } = await account({});
  demo.behaviour.channelRecordsShowContents = true;
  const reply = await update({ name: 'Another name', currentVideoKeys: [], currentProjectKeys: [] });
  expect(writesOf(demo).map(({ body }) => body)).toEqual([{ name: 'Another name', videoKeys: [], projectKeys: [] }]);
  expect(reply.text).toContain('At least one videoKey or projectKey');
});

describe.each([
  ['projects', 'currentProjectKeys', 'projectKeys', 'currentVideoKeys'],
  ['videos', 'currentVideoKeys', 'videoKeys', 'currentProjectKeys'],
] as const)('a channel that is stated to hold no %s, with nothing known of the rest', (_what, current, list, other) => {
  test.each(['the change states it', 'it was stated before'])('is not emptied by a rename where %s', async (when) => {
    const { demo, client, channel, update } = await account(list === 'projectKeys' ? { videoKeys: 4 } : { projectKeys: 2 });
    demo.behaviour.emptyListCountsAsGiven = true;
    const before = contentOf(demo, channel.id);
    const isStatedBefore = when === 'it was stated before';
    if (isStatedBefore) await client.callTool('state_contents', { channels: [{ channel: channel.id, [list]: [] }] });
    const reply = await update({ name: 'Another name', ...(isStatedBefore ? {} : { [current]: [] }) });
    expect(writesOf(demo)).toEqual([]);
    expect(contentOf(demo, channel.id)).toEqual(before);
    expect(reply.data).toMatchObject({ error: { code: 'contents_unknown' } });
    expect(reply.text).toContain(other);
  });
});

describe('two empty lists in a record', () => {
  /** A service whose records carry both fields and never fill them. */
  async function withEmptyFields() {
    const session = await account({ videoKeys: 4, projectKeys: 1 });
    const { demo, channel } = session;
    demo.behaviour.emptyListCountsAsGiven = true;
    const body = { toJSON: () => ({ ...channel, videoKeys: [], projectKeys: [] }) };
    demo.faults.always({ match: { path: `/v1/channels/${channel.id}` }, do: { kind: 'status', code: 200, body, processed: true } });
    return session;
  }

  test('are not believed: nothing is sent until someone states what the channel holds', async () => {
    const { demo, channel, update, look } = await withEmptyFields();
    const before = contentOf(demo, channel.id);
    expect((await look()).data?.contents).toMatchObject({ known: false });
    for (const change of [{ name: 'Another name' }, { addVideoKeys: videoKeysOf(demo, 1, 20) }]) {
      const reply = await update(change);
      expect(writesOf(demo)).toEqual([]);
      expect(reply.data).toMatchObject({ error: { code: 'contents_unknown' } });
    }
    const stated = { currentVideoKeys: before.videoKeys, currentProjectKeys: before.projectKeys };
    const reply = await update({ name: 'Another name', ...stated });
    expect([channel.name, contentOf(demo, channel.id)]).toEqual(['Another name', before]);
    expect(reply.data).toMatchObject({ status: 'applied' });
    expect(reply.text).not.toContain('not what was sent');
    // What was sent is known from then on, whatever the record shows.
    await update({ name: 'A third name' });
    expect([channel.name, contentOf(demo, channel.id)]).toEqual(['A third name', before]);
  });

  test('after an update are reported where the record before it showed what the channel held', async () => {
    const { demo, channel, update } = await account();
    demo.behaviour.channelRecordsShowContents = true;
    demo.behaviour.onProcessed = ({ method }) => {
      if (method === 'PUT') Object.assign(channel, { videoKeys: [], projectKeys: [] });
    };
    const reply = await update({ name: 'Another name' });
    expect(contentOf(demo, channel.id)).toEqual({ videoKeys: [], projectKeys: [] });
    expect(reply.text).toContain('its videoKeys is not what was sent');
  });
});

test.each<[string, (channel: DemoChannel) => Partial<DemoChannel>]>([
  ['version', ({ version }) => ({ version: version + 1 })],
  ['time of update', () => ({ updated: '2031-01-01T00:00:00.000Z' })],
  ['name', () => ({ name: 'By somebody else' })],
  ['set of videos', ({ videoKeys }) => ({ videoKeys: videoKeys.slice(1) })],
  ['order of videos', ({ videoKeys }) => ({ videoKeys: videoKeys.toReversed() })],
])('a channel whose %s changed before the request is left alone', async (_what, patch) => {
  const { demo, channel, update } = await account();
  demo.behaviour.channelRecordsShowContents = true;
  const record = { ...channel, ...patch(channel) };
  // The plan reads the real record, later reads get the patched one.
  const match = { method: 'GET', path: `/v1/channels/${channel.id}` };
  demo.faults.always({ match, skip: 1, do: { kind: 'status', code: 200, body: record } });
  const reply = await update({ name: 'Another name' });
  expect(writesOf(demo)).toEqual([]);
  expect(reply.data).toMatchObject({ notDone: [{ id: channel.id }] });
});

test('a stated list is known until someone else changes the channel', async () => {
  const { demo, channel, update, look } = await account();
  const stated = videoKeysOf(demo, 5, 10);
  await update({ setVideoKeys: stated });
  expect(channel.videoKeys).toEqual(stated);
  expect((await look()).data?.contents).toMatchObject({ known: true, source: LAST_WROTE, videoKeys: stated });
  expect((await update({ name: 'Another name' })).data?.status).toBe('applied');
  expect(channel.videoKeys).toEqual(stated);
  demo.world.editChannel(channel.id, { description: 'by somebody else' });
  expect((await look()).data?.contents).toMatchObject({ known: false, next: expect.stringContaining('currentVideoKeys') });
  const writes = writesOf(demo).length;
  expect((await update({ name: 'A third name' })).data).toMatchObject({ error: { code: 'contents_unknown' } });
  expect(writesOf(demo)).toHaveLength(writes);
});

test('an empty list of projects stays known after updates that do not send it', async () => {
  const { demo, channel, client, update, look } = await account();
  const stated = videoKeysOf(demo, 3);
  await update({ setVideoKeys: stated, setProjectKeys: [] });
  expect((await look()).data?.contents).toMatchObject({ projectCount: 0, projectKeys: [] });
  const changeIds: unknown[] = [];
  for (const name of ['A second name', 'A third name']) {
    changeIds.push((await update({ name })).data?.changeId);
    expect((await look()).data?.contents).toMatchObject({ known: true, videoKeys: stated, projectCount: 0, projectKeys: [] });
  }
  expect(contentOf(demo, channel.id)).toEqual({ videoKeys: stated, projectKeys: [] });
  await client.callTool('undo_change', { changeId: changeIds[1] });
  expect(channel.name).toBe('A second name');
  expect((await look()).data?.contents).toMatchObject({ known: true, videoKeys: stated, projectKeys: [] });
});

test.each([true, false])('a record from before the last write is not written back (contents shown: %s)', async (shown) => {
  const { demo, channel, update } = await account();
  demo.behaviour.channelRecordsShowContents = shown;
  demo.behaviour.staleReads = 3;
  const held = [...channel.videoKeys];
  const [one = '', two = ''] = videoKeysOf(demo, 2, 20);
  const stated = (videoKeys: string[]) => (shown ? {} : { currentVideoKeys: videoKeys, currentProjectKeys: [] });
  await update({ name: 'Renamed', addVideoKeys: [one], ...stated(held) });
  const reply = await update({ description: 'New', addVideoKeys: [two], ...stated([...held, one]) });
  expect(writesOf(demo)).toHaveLength(1);
  expect(channel).toMatchObject({ name: 'Renamed', videoKeys: [...held, one] });
  expect(reply.text).toContain('this server left it at version');
  demo.behaviour.staleReads = 0;
  await update({ description: 'New', addVideoKeys: [two] });
  await update({ description: 'New', addVideoKeys: [two] });
  expect(channel).toMatchObject({ name: 'Renamed', description: 'New', videoKeys: [...held, one, two] });
});

test('a record read back that is older or newer than the write is not compared with it', async () => {
  const { demo, channel, update } = await account();
  demo.behaviour.channelRecordsShowContents = true;
  demo.behaviour.onProcessed = ({ method }) => {
    if (method === 'PUT') demo.world.editChannel(channel.id, { name: 'By somebody else' });
  };
  const newer = await update({ name: 'Another name' });
  expect(channel.name).toBe('By somebody else');
  expect(newer.data).toMatchObject({ status: 'applied' });
  expect(newer.text).not.toContain('not what was sent');
  delete demo.behaviour.onProcessed;
  demo.behaviour.staleReads = 1;
  // The response itself has no version.
  const { id } = channel;
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 200, processed: true, body: { id, name: 'A third name' } } });
  const older = await update({ name: 'A third name' });
  expect(channel.name).toBe('A third name');
  expect(older.data).toMatchObject({ status: 'applied' });
  expect(older.text).not.toContain('not what was sent');
});

test('a response that only repeats the request does not prove that the update was applied', async () => {
  const { demo, channel, update } = await account();
  demo.behaviour.channelRecordsShowContents = true;
  demo.behaviour.updateIgnores = new Set(['name']);
  const { name } = channel;
  const body = { ...channel, name: 'Another name', version: channel.version + 1 };
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 200, processed: true, body } });
  const reply = await update({ name: 'Another name' });
  expect(channel.name).toBe(name);
  expect(reply.data).toMatchObject({ status: 'partly_applied' });
  expect(reply.text).toContain('not what was sent');
});

test.each([false, true])(
  'after a response without a version, contents are known only if nobody else edited them (edited: %s)',
  async (somebody) => {
    const { demo, channel, update, look } = await account();
    const stated = videoKeysOf(demo, 3, 9);
    demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 200, processed: true, body: { id: channel.id } } });
    demo.behaviour.onProcessed = ({ method }) => {
      if (method === 'PUT' && somebody) demo.world.editChannel(channel.id, { videoKeys: videoKeysOf(demo, 5, 20) });
    };
    expect((await update({ setVideoKeys: stated })).data?.status).toBe('applied');
    expect(channel.videoKeys).toEqual(somebody ? videoKeysOf(demo, 5, 20) : stated);
    expect((await look()).data?.contents).toMatchObject(somebody ? { known: false } : { known: true, videoKeys: stated });
  },
);

test.each([0, 1])(
  'a success that shows the version from before is told, and its list does not count as held (processed: %s)',
  async (processed) => {
    const { demo, channel, update, look } = await account();
    const [gone = '', ...rest] = channel.videoKeys;
    const { videoKeys, projectKeys: _projects, privateLinkEnabled: _link, ...body } = channel;
    demo.behaviour.staleReads = processed;
    demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 200, processed: processed === 1, body: { ...body } } });
    const reply = await update({ removeVideoKeys: [gone], currentVideoKeys: videoKeys, currentProjectKeys: [] });
    expect(channel.videoKeys).toEqual(processed === 1 ? rest : videoKeys);
    expect(reply.text).toContain('still shows the version from before, so it may not have been done');
    expect(reply.data?.status).toBe('partly_applied');
    expect((await look()).data?.contents).toMatchObject({ known: false });
  },
);

test('an update answered with another channel’s record has an unknown outcome', async () => {
  const { demo, channel, update, look } = await account();
  const stated = videoKeysOf(demo, 3, 9);
  const { videoKeys: _v, projectKeys: _p, ...record } = channelAt(demo, 1);
  const body = { ...record, version: channel.version + 1 };
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 200, processed: true, body } });
  const reply = await update({ setVideoKeys: stated });
  expect(channel.videoKeys).toEqual(stated);
  expect(reply.data).toMatchObject({ unknown: [{ id: channel.id }] });
  expect((await look()).data?.contents).toMatchObject({ known: false });
});

test.each([true, false])('another person’s edit is not taken for an update whose response was lost (contents shown: %s)', async (shown) => {
  const { demo, channel, update } = await account();
  demo.behaviour.channelRecordsShowContents = shown;
  const theirs = videoKeysOf(demo, 2, 20);
  demo.behaviour.onRequest = ({ method }) => {
    if (method === 'PUT') demo.world.editChannel(channel.id, { videoKeys: theirs });
  };
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'reset-before' } });
  const reply = await update({ setVideoKeys: videoKeysOf(demo, 3, 9) });
  expect(channel.videoKeys).toEqual(theirs);
  expect(writesOf(demo)).toHaveLength(1);
  expect(reply.data).toMatchObject({ unknown: [{ id: channel.id }] });
  // The update sent no name or description that the record could confirm.
  expect(reply.text).not.toContain('probably done');
});

test('a private link is not reported as set if the response was lost', async () => {
  const { demo, channel, update } = await account();
  demo.behaviour.channelRecordsShowContents = true;
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'reset-after' } });
  const reply = await update({ name: 'Another name', privateLinkEnabled: true });
  expect(channel.name).toBe('Another name');
  expect(reply.data).toMatchObject({ unknown: [{ id: channel.id }] });
});

test('a channel that holds a video twice keeps it twice', async () => {
  const { demo, channel, update } = await account();
  const [a, b, c] = videoKeysOf(demo, 3);
  channel.videoKeys = [a, b, a, c].map(String);
  demo.behaviour.channelRecordsShowContents = true;
  await update({ addVideoKeys: videoKeysOf(demo, 1, 9) });
  expect(channel.videoKeys).toEqual([a, b, a, c, ...videoKeysOf(demo, 1, 9)]);
  await update({ firstVideoKeys: [c] });
  expect(channel.videoKeys).toEqual([c, a, b, a, ...videoKeysOf(demo, 1, 9)]);
  await update({ addVideoKeys: [b, ...videoKeysOf(demo, 1, 10)] });
  expect(channel.videoKeys).toEqual([c, a, b, a, ...videoKeysOf(demo, 2, 9)]);
  await update({ firstVideoKeys: [a] });
  expect(channel.videoKeys).toEqual([a, a, c, b, ...videoKeysOf(demo, 2, 9)]);
  await update({ lastVideoKeys: [c, a] });
  expect(channel.videoKeys).toEqual([b, ...videoKeysOf(demo, 2, 9), a, c, a]);
});

test.each(['name', 'description', 'templateKey'] as const)(
  'a %s that the service accepts but does not apply is reported',
  async (field) => {
    const { demo, channel, update } = await account();
    demo.behaviour.channelRecordsShowContents = true;
    demo.behaviour.updateIgnores = new Set([field]);
    const before = channel[field];
    const wanted =
      field === 'templateKey' ? String(demo.world.templates.find(({ key, status }) => key !== before && status === 1)?.key) : 'Wanted';
    const reply = await update({ [field === 'templateKey' ? 'template' : field]: wanted });
    expect(channel[field]).toBe(before);
    expect(reply.data?.status).toBe('partly_applied');
    expect(reply.text).toContain(field);
  },
);

test('videos that the service accepts but does not apply are reported if it shows them', async () => {
  const { demo, channel, update, look } = await account();
  demo.behaviour.channelRecordsShowContents = true;
  demo.behaviour.updateIgnores = new Set(['videoKeys']);
  const before = [...channel.videoKeys];
  const reply = await update({ setVideoKeys: videoKeysOf(demo, 2, 8) });
  expect(channel.videoKeys).toEqual(before);
  expect(reply.data?.status).toBe('partly_applied');
  demo.behaviour.channelRecordsShowContents = false;
  expect((await look()).data?.contents).toMatchObject({ known: false });
});

test('a concurrent edit just before the request is reported as overwritten', async () => {
  const { demo, channel, update } = await account();
  demo.behaviour.channelRecordsShowContents = true;
  demo.behaviour.onRequest = ({ method }) => {
    if (method === 'PUT') demo.world.editChannel(channel.id, { videoKeys: videoKeysOf(demo, 1, 20) });
  };
  const reply = await update({ name: 'Another name' });
  expect(channel.name).toBe('Another name');
  expect(reply.text).toContain('overwritten');
});

/** The record of the first channel lacks one of its texts until the first write. */
function hideText(demo: DemoService, field: 'name' | 'description'): void {
  showAs(demo, ({ [field]: _, ...record }) => record);
}

test('a description that is not shown can be cleared, and the preview and the answer say that it can’t be undone', async () => {
  const { demo, channel, client, update } = await account(undefined, {});
  demo.behaviour.channelRecordsShowContents = true;
  channel.description = 'There is one';
  hideText(demo, 'description');
  const asked = await update({ description: '' });
  expect(channel.description).toBe('There is one');
  expect(asked.data).toMatchObject({ preview: { undo: { possible: 'no' } } });
  const reply = await confirmPreview(client, asked);
  expect(channel.description).toBe('');
  expect(reply.data).toMatchObject({ status: 'applied', undo: { possible: 'no' } });
});

test('a channel without a shown name is updated only if the change states one', async () => {
  const { demo, channel, update } = await account();
  demo.behaviour.channelRecordsShowContents = true;
  const { name } = channel;
  hideText(demo, 'name');
  const refused = await update({ description: 'Another description' });
  expect(writesOf(demo)).toEqual([]);
  expect(refused.text).toContain('the service did not tell its name');
  await update({ description: 'Another description', name });
  expect(channel).toMatchObject({ name, description: 'Another description' });
});

test('neither the preview nor the answer offers an undo that would have to restore a list that this server never sent', async () => {
  const { demo, channel, client, update } = await account({ videoKeys: 4, projectKeys: 2 }, {});
  const [project] = demo.world.projects.values();
  await agree(client, 'update_channels', { changes: [{ channel: channel.id, setVideoKeys: videoKeysOf(demo, 3) }] });
  const asked = await update({ setProjectKeys: [project?.id] });
  expect(asked.data).toMatchObject({ preview: { undo: { possible: 'no' } } });
  const reply = await confirmPreview(client, asked);
  expect(channel.projectKeys).toEqual([project?.key]);
  expect(reply.data).toMatchObject({ status: 'applied', undo: { possible: 'no' } });
});

test('an update that can clear a list that is not shown is reported as not undoable, and its undo is refused', async () => {
  const { demo, channel, update, client } = await account({ videoKeys: 4, projectKeys: 2 });
  showOnly(demo, 'videoKeys');
  const done = await update({ setVideoKeys: videoKeysOf(demo, 2, 9) });
  expect(contentOf(demo, channel.id)).toEqual({ videoKeys: videoKeysOf(demo, 2, 9), projectKeys: [] });
  expect(done.data).toMatchObject({ status: 'applied', undo: { possible: 'no' } });
  demo.faults.clear();
  const undone = await client.callTool('undo_change', { changeId: done.data?.changeId });
  expect(undone.data).toMatchObject({ status: 'failed', error: { code: 'not_undoable' } });
});
