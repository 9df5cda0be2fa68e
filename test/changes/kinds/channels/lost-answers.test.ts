/** Updates whose answer was lost: what tells that they were carried out, and the way out where nothing does. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recordsIn, type Values } from '../../../harness/client.ts';
import { type DemoService, startService } from '../../../harness/service.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { changeIdIn } from '../../support/confirm.ts';
import { changeFiles, linesOf } from '../../support/journal-files.ts';
import { channelAt, videoKeysOf, writesOf } from '../../support/world.ts';

const HOUR_MS = 3_600_000;
const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };
const PUT = { method: 'PUT' };

/** Gives the service a clock that runs, ahead of this machine's; its answers have a `Date` unless `isDated` is false. */
function runClock({ behaviour, world }: DemoService, aheadMs: number, isDated = true): void {
  const now = () => new Date(Date.now() + aheadMs);
  world.tick = () => now().toISOString();
  const answer = behaviour.onExchange;
  behaviour.onExchange = async (exchange) => {
    exchange.response.sendDate = false;
    if (isDated) exchange.response.setHeader('date', now().toUTCString());
    await answer?.(exchange);
  };
}

async function account({ aheadMs = HOUR_MS, isDated = true } = {}) {
  const demo = await startService({ channels: 2, videos: 30 });
  runClock(demo, aheadMs, isDated);
  const channel = channelAt(demo, 0);
  const keys = videoKeysOf(demo, 4);
  Object.assign(channel, { videoKeys: keys, projectKeys: [] });
  const home = freshHome();
  const session = await start({ demo, home, env: NEVER });
  const update = (change: Values) =>
    session.client.callTool('update_channels', {
      changes: [{ channel: channel.id, currentVideoKeys: keys, currentProjectKeys: [], ...change }],
    });
  const look = async () => (await session.client.callTool('get_channel', { channel: channel.id })).data?.contents;
  return { ...session, demo, home, channel, keys, update, look };
}

test.each([0, 2 * HOUR_MS, -2 * HOUR_MS])(
  'an update is done where the next version has its texts and its time, by the clock of a service %d ms ahead, and its list is not known',
  async (aheadMs) => {
    const { demo, channel, keys, update, look } = await account({ aheadMs });
    demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
    const reply = await update({ name: 'Renamed', firstVideoKeys: [keys[3]] });
    const wanted = [keys[3], ...keys.slice(0, 3)];
    expect(channel).toMatchObject({ name: 'Renamed', videoKeys: wanted });
    expect(writesOf(demo)).toHaveLength(1);
    expect(reply.data).toMatchObject({ status: 'applied', after: [{ id: channel.id, name: 'Renamed' }] });
    expect(reply.text).not.toContain('took it as sent');
    expect(reply.text).toContain('what the channel holds counts as not known');
    expect(await look()).toMatchObject({ known: false });
  },
);

test.each([
  ['the answers have no date', { isDated: false }, () => {}],
  [
    'the version moved by two',
    {},
    ({ world }: DemoService, id: string) => void world.editChannel(id, { updated: new Date(Date.now() + HOUR_MS).toISOString() }),
  ],
  [
    'it was updated at another time',
    {},
    ({ world }: DemoService, id: string) => void Object.assign(world.channels.get(id) ?? {}, { updated: new Date().toISOString() }),
  ],
  [
    'its name is another one',
    {},
    ({ world }: DemoService, id: string) => void Object.assign(world.channels.get(id) ?? {}, { name: 'Theirs' }),
  ],
])('an update without an answer is not known where %s', async (_what, options, meanwhile) => {
  const { demo, channel, update, look } = await account(options);
  demo.behaviour.onProcessed = ({ method }) => {
    if (method === 'PUT') meanwhile(demo, channel.id);
  };
  demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
  const reply = await update({ name: 'Renamed' });
  expect(writesOf(demo)).toHaveLength(1);
  expect(reply.data).toMatchObject({ status: 'partly_applied', unknown: [{ id: channel.id }] });
  expect(await look()).toMatchObject({ known: false });
});

test.each([
  ['was carried out', 'reset-after'],
  ['never came to the service', 'reset-before'],
] as const)('an update of contents alone is not known without an answer, whether it %s or not', async (_what, kind) => {
  const { demo, client, channel, keys, update, look } = await account();
  const theirs = [...keys, ...videoKeysOf(demo, 8, 20)];
  // Somebody edits the videos in the moment in which the request is lost.
  demo.behaviour.onRequest = ({ method }) => {
    if (method === 'PUT' && kind === 'reset-before') demo.world.editChannel(channel.id, { videoKeys: theirs });
  };
  demo.faults.next({ match: PUT, do: { kind } });
  const reply = await update({ firstVideoKeys: [keys[3]] });
  delete demo.behaviour.onRequest;
  const held = kind === 'reset-before' ? theirs : [keys[3], ...keys.slice(0, 3)];
  expect(channel.videoKeys).toEqual(held);
  expect(writesOf(demo)).toHaveLength(1);
  expect(reply.data).toMatchObject({ unknown: [{ id: channel.id }] });
  expect(reply.text).not.toContain('took it as sent');
  expect(await look()).toMatchObject({ known: false });
  // Neither a rename nor an undo rests on the list that was sent.
  const renamed = await client.callTool('update_channels', { changes: [{ channel: channel.id, name: 'Renamed' }] });
  expect(renamed.data).not.toMatchObject({ status: 'applied' });
  const undone = await client.callTool('undo_change', { changeId: changeIdIn(reply) });
  expect(undone.data).not.toMatchObject({ status: 'applied' });
  expect(channel.videoKeys).toEqual(held);
  expect(writesOf(demo)).toHaveLength(1);
});

test('an update of contents that the service shows is done without an answer, and said to be read back', async () => {
  const { demo, channel, keys, update, look } = await account();
  demo.behaviour.channelRecordsShowContents = true;
  demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
  const reply = await update({ firstVideoKeys: [keys[3]], currentVideoKeys: undefined, currentProjectKeys: undefined });
  const wanted = [keys[3], ...keys.slice(0, 3)];
  expect(channel.videoKeys).toEqual(wanted);
  expect(reply.data).toMatchObject({ status: 'applied' });
  expect(reply.text).toContain('Read back: the service shows the videos');
  expect(await look()).toMatchObject({ known: true, videoKeys: wanted });
});

test.each(['description', 'name', 'templateKey'])(
  'an edit of another %s in that moment does not count as an update of contents',
  async (text) => {
    const { demo, channel, keys, update, look } = await account();
    const theirs = videoKeysOf(demo, 2, 20);
    demo.behaviour.onRequest = ({ method }) => {
      if (method === 'PUT') demo.world.editChannel(channel.id, { videoKeys: theirs, [text]: 'Theirs' });
    };
    demo.faults.next({ match: PUT, do: { kind: 'reset-before' } });
    const reply = await update({ firstVideoKeys: [keys[3]] });
    expect(channel.videoKeys).toEqual(theirs);
    expect(writesOf(demo)).toHaveLength(1);
    expect(reply.data).toMatchObject({ unknown: [{ id: channel.id }] });
    expect(await look()).toMatchObject({ known: false });
  },
);

test('what somebody did by hand soon after a server was killed does not count as its update of contents', async () => {
  const { demo, channel, keys, home, dataDir, update, stop } = await account();
  demo.faults.next({ match: PUT, do: { kind: 'reset-before' }, times: 2 });
  const reply = await update({ firstVideoKeys: [keys[3]] });
  expect(reply.data).toMatchObject({ unknown: [{ id: channel.id }] });
  await stop();
  const [file = ''] = changeFiles(dataDir);
  const [intent, sending] = linesOf(file);
  const gone = { ...intent, process: { ...(intent?.process as Values), pid: 999_999_999 } };
  writeFileSync(file, `${JSON.stringify(gone)}\n${JSON.stringify(sending)}\n`);
  const theirs = videoKeysOf(demo, 2, 20);
  demo.world.editChannel(channel.id, { videoKeys: theirs });
  const { client } = await start({ demo, home, env: NEVER });
  const told = await client.callTool('get_change', { changeId: changeIdIn(reply) });
  expect(told.data).toMatchObject({ unknown: [{ id: channel.id }] });
  const { data } = await client.callTool('get_channel', { channel: channel.id });
  expect(data?.contents).toMatchObject({ known: false });
});

test('an edit after the request, and before its outcome was recorded, does not count as its update of contents', async () => {
  const { demo, channel, keys, home, dataDir, update, stop } = await account();
  demo.faults.next({ match: PUT, do: { kind: 'reset-before' }, times: 2 });
  const reply = await update({ firstVideoKeys: [keys[3]] });
  await stop();
  // As if the channel could not be read back for a minute.
  const earlier = (time: unknown) => (typeof time === 'string' ? new Date(Date.parse(time) - 60_000).toISOString() : undefined);
  const [file = ''] = changeFiles(dataDir);
  const lines = linesOf(file).map((line) => ({
    ...line,
    ...(line.type === 'sending' ? { at: earlier(line.at) } : {}),
    ...(line.type === 'outcome' ? { lostAt: earlier(line.lostAt) } : {}),
  }));
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const updated = new Date(Date.now() + HOUR_MS - 30_000).toISOString();
  demo.world.editChannel(channel.id, { videoKeys: videoKeysOf(demo, 2, 20), updated });
  const { client } = await start({ demo, home, env: NEVER });
  const told = await client.callTool('get_change', { changeId: changeIdIn(reply) });
  expect(told.data).toMatchObject({ unknown: [{ id: channel.id }] });
  const { data } = await client.callTool('get_channel', { channel: channel.id });
  expect(data?.contents).toMatchObject({ known: false });
});

test('what is not known is settled by the lists that were sent, and the first change names the one that settled it', async () => {
  const { demo, client, channel, keys, update, look } = await account({ isDated: false });
  demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
  const reply = await update({ firstVideoKeys: [keys[3]] });
  const wanted = [keys[3], ...keys.slice(0, 3)];
  const [unknown] = recordsIn(reply.data, 'unknown');
  expect(unknown).toMatchObject({ id: channel.id, sent: { videoKeys: wanted } });
  expect(reply.data?.next).toContain('update_channels with setVideoKeys');
  const { videoKeys, projectKeys = [] } = (unknown?.sent ?? {}) as Values;
  const settled = await client.callTool('update_channels', {
    changes: [{ channel: channel.id, setVideoKeys: videoKeys, setProjectKeys: projectKeys }],
  });
  expect(settled.data).toMatchObject({ status: 'applied' });
  expect(channel.videoKeys).toEqual(wanted);
  expect(await look()).toMatchObject({ known: true, videoKeys: wanted });
  const [changeId, by] = [changeIdIn(reply), changeIdIn(settled)];
  const first = await client.callTool('get_change', { changeId });
  expect(first.data).toMatchObject({ unknown: [{ id: channel.id, settledBy: by }] });
  expect(first.data?.next).toBeUndefined();
  expect((await client.callTool('get_change', { changeId, list: 'unknown' })).data).toMatchObject({ unknown: [{ settledBy: by }] });
  const { data } = await client.callTool('list_changes', {});
  expect(recordsIn(data, 'changes').map((change) => [change.changeId, change.settledBy])).toEqual([
    [by, undefined],
    [changeId, by],
  ]);
});

test('a rename of unknown outcome is settled by a later change that leaves the name as it was to be', async () => {
  const { demo, client, keys, update } = await account({ isDated: false });
  demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
  const changeId = changeIdIn(await update({ name: 'Renamed' }));
  const settledBy = async () => recordsIn((await client.callTool('get_change', { changeId })).data, 'unknown')[0]?.settledBy;
  expect(await settledBy()).toBeUndefined();
  const by = changeIdIn(await update({ setVideoKeys: keys, currentVideoKeys: undefined }));
  expect(await settledBy()).toBe(by);
});

test.each(['lost', 'killed'] as const)('a later look tells an update by the times in the journal (%s)', async (how) => {
  const { demo, channel, keys, home, dataDir, update } = await account();
  // The answer is lost, and the channel can’t be read back.
  demo.behaviour.onProcessed = ({ method }) => {
    if (method === 'PUT') demo.faults.always({ match: { method: 'GET' }, do: { kind: 'reset-before' } });
  };
  demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
  const reply = await update({ name: 'Renamed', firstVideoKeys: [keys[3]] });
  expect(reply.data).toMatchObject({ unknown: [{ id: channel.id }] });
  demo.faults.clear();
  const [file = ''] = changeFiles(dataDir);
  const [intent, sending] = linesOf(file);
  if (how === 'killed') {
    const gone = { ...intent, process: { ...(intent?.process as Values), pid: 999_999_999 } };
    writeFileSync(file, `${JSON.stringify(gone)}\n${JSON.stringify(sending)}\n`);
  }
  const { client } = await start({ demo, home, env: NEVER });
  const wanted = [keys[3], ...keys.slice(0, 3)];
  expect(channel).toMatchObject({ name: 'Renamed', videoKeys: wanted });
  const told = await client.callTool('get_change', { changeId: changeIdIn(reply) });
  expect(recordsIn(told.data, 'after')).toMatchObject([{ id: channel.id, name: 'Renamed' }]);
  expect(told.data).not.toHaveProperty('unknown');
  const { data } = await client.callTool('get_channel', { channel: channel.id });
  expect(data?.contents).toMatchObject({ known: false });
});

test.each(['at once', 'later'] as const)(
  'a colleague’s list under the name that an update was to set is not taken for the one that was lost with it (looked at %s)',
  async (when) => {
    const { demo, client, channel, keys, update, look } = await account();
    const theirs = [...keys, ...videoKeysOf(demo, 8, 20)];
    // Both work through the same list of new names. The request never comes to the service.
    demo.behaviour.onRequest = ({ method }) => {
      if (method !== 'PUT') return;
      demo.world.editChannel(channel.id, { name: 'Renamed', videoKeys: theirs });
      if (when === 'later') demo.faults.always({ match: { method: 'GET' }, do: { kind: 'reset-before' } });
    };
    demo.faults.next({ match: PUT, do: { kind: 'reset-before' } });
    const reply = await update({ name: 'Renamed', firstVideoKeys: [keys[3]] });
    const changeId = changeIdIn(reply);
    delete demo.behaviour.onRequest;
    demo.faults.clear();
    expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'applied' });
    expect(await look()).toMatchObject({ known: false });
    // Nothing starts from the list that was lost: no text, no undo.
    const renamed = await client.callTool('update_channels', { changes: [{ channel: channel.id, name: 'Renamed again' }] });
    expect(renamed.data).not.toMatchObject({ status: 'applied' });
    expect(renamed.text).toContain('contents_unknown');
    const undone = await client.callTool('undo_change', { changeId });
    expect(undone.text).toContain('No answer came, so what it holds since is not known');
    expect(channel).toMatchObject({ name: 'Renamed', videoKeys: theirs });
    expect(writesOf(demo)).toHaveLength(1);
  },
);

test('a guess that an earlier version kept as what it had left is none any more', async () => {
  const { demo, channel, keys, home, dataDir, update, stop } = await account();
  demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
  const reply = await update({ name: 'Renamed', firstVideoKeys: [keys[3]] });
  await stop();
  const [file = ''] = changeFiles(dataDir);
  const { version, updated } = channel;
  const lines = linesOf(file).map((line) => (line.type === 'outcome' ? { ...line, seen: { version, updated } } : line));
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { client } = await start({ demo, home, env: NEVER });
  const { data } = await client.callTool('get_channel', { channel: channel.id });
  expect(data?.contents).toMatchObject({ known: false });
  expect((await client.callTool('undo_change', { changeId: changeIdIn(reply) })).data).not.toMatchObject({ status: 'applied' });
});

test('an update that no answer tells of settles nothing that was not known before it', async () => {
  const { demo, client, channel, keys, update } = await account({ isDated: false });
  demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
  const changeId = changeIdIn(await update({ firstVideoKeys: [keys[3]] }));
  runClock(demo, HOUR_MS);
  demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
  const again = await update({ name: 'Renamed', setVideoKeys: [keys[3], ...keys.slice(0, 3)], currentVideoKeys: undefined });
  expect(again.data).toMatchObject({ status: 'applied' });
  expect(channel.name).toBe('Renamed');
  const [open] = recordsIn((await client.callTool('get_change', { changeId })).data, 'unknown');
  expect(open).toMatchObject({ id: channel.id });
  expect(open).not.toHaveProperty('settledBy');
});

test('an undo that no answer tells of does not count as all of it', async () => {
  const { demo, client, channel, keys, update } = await account();
  const changeId = changeIdIn(await update({ name: 'Renamed', firstVideoKeys: [keys[3]] }));
  demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
  const undone = await client.callTool('undo_change', { changeId });
  expect(undone.data).toMatchObject({ status: 'applied' });
  expect(channel.videoKeys).toEqual(keys);
  const { data } = await client.callTool('get_change', { changeId });
  expect(data).toMatchObject({ partlyUndoneBy: changeIdIn(undone) });
  expect(data).not.toHaveProperty('undoneBy');
});

test('an undo looks again at what is not known, as get_change does', async () => {
  const { client, demo, channel, keys, update } = await account();
  demo.behaviour.channelRecordsShowContents = true;
  // The answer is lost, and the channel can’t be read back.
  demo.behaviour.onProcessed = ({ method }) => {
    if (method === 'PUT') demo.faults.always({ match: { method: 'GET' }, do: { kind: 'reset-before' } });
  };
  demo.faults.next({ match: PUT, do: { kind: 'reset-after' } });
  const reply = await update({ removeVideoKeys: [keys[0]] });
  expect(reply.data).toMatchObject({ unknown: [{ id: channel.id }] });
  expect(channel.videoKeys).toEqual(keys.slice(1));
  demo.faults.clear();
  delete demo.behaviour.onProcessed;
  const undone = await client.callTool('undo_change', { changeId: changeIdIn(reply) });
  expect(channel.videoKeys).toEqual(keys);
  expect(undone.data).toMatchObject({ status: 'applied' });
});

test('what is as it was before, when it is read after a lost answer, was probably not done: that is told, and decides nothing', async () => {
  const { demo, client, channel, home, dataDir, update, look, stop } = await account();
  demo.faults.always({ match: PUT, do: { kind: 'reset-before' } });
  const reply = await update({ name: 'Renamed' });
  demo.faults.clear();
  expect(channel.name).not.toBe('Renamed');
  const probably = `${reply.data?.message}`;
  expect(probably).toContain('was probably not changed: it is as it was before');
  expect(reply.data).toMatchObject({ status: 'partly_applied', unknown: [{ id: channel.id }] });
  const [file = ''] = changeFiles(dataDir);
  const outcomes = linesOf(file).filter(({ type }) => type === 'outcome');
  expect(outcomes).toMatchObject([{ outcome: 'unknown', isAsBefore: true }]);
  // What the channel holds counts as not known, as without it.
  expect(await look()).toMatchObject({ known: false });
  const changeId = changeIdIn(reply);
  expect((await client.callTool('resume_change', { changeId })).data).toMatchObject({ status: 'applied', after: [{ name: 'Renamed' }] });
  await stop();
  // A journal that does not say it is read as before.
  const others = linesOf(file).filter(({ type }) => type === 'intent' || type === 'sending' || type === 'outcome' || type === 'end');
  const lines = others.slice(0, others.findIndex(({ type }) => type === 'end') + 1).map(({ isAsBefore: _, ...line }) => line);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  Object.assign(channel, { name: 'Theirs', version: Number(channel.version) + 1 });
  const again = await start({ demo, home, env: NEVER });
  const { data } = await again.client.callTool('get_change', { changeId });
  expect(`${data?.message}`).toContain('It is not known whether');
});

test('what could not be read after a lost answer is not told to be as it was before', async () => {
  const { demo, channel, dataDir, update } = await account();
  demo.behaviour.onRequest = ({ method }) => {
    if (method === 'PUT') demo.faults.always({ match: { method: 'GET' }, do: { kind: 'reset-before' } });
  };
  demo.faults.next({ match: PUT, do: { kind: 'reset-before' } });
  const reply = await update({ name: 'Renamed' });
  expect(reply.data).toMatchObject({ unknown: [{ id: channel.id }] });
  expect(`${reply.data?.message}`).toContain('It is not known whether');
  const [file = ''] = changeFiles(dataDir);
  for (const line of linesOf(file)) expect(line).not.toHaveProperty('isAsBefore');
});
