/** A change of channels that stopped is resumed as the same change, and never overwrites what someone else wrote. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ChangeRecord } from '../../../../src/changes/journal/change-record.ts';
import { createJournal } from '../../../../src/changes/journal/journal.ts';
import { sentence } from '../../../../src/text/sentence.ts';
import { recordsIn, type TestClient, type Values } from '../../../harness/client.ts';
import { type DemoService, startService } from '../../../harness/service.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { agree, changeIdIn, confirmPreview } from '../../support/confirm.ts';
import { moveIntent } from '../../support/intents.ts';
import { changeFiles, intentOf, linesOf } from '../../support/journal-files.ts';
import { argsFor, FORTY, partsOf, reorganisation, startForty } from '../../support/reorganisation.ts';
import { channelAt, channelIdIn, videoKeysOf, writesOf } from '../../support/world.ts';

const PUTS = { method: 'PUT', api: 'main' } as const;
const REFUSED = { kind: 'status', code: 401 } as const;

const resume = (client: TestClient, changeId: unknown) => agree(client, 'resume_change', { changeId });
const sorted = (ids: readonly (string | undefined)[]) => ids.map(String).toSorted((a, b) => (a < b ? -1 : 1));
/** The ids of the channels that were changed, once for each time. */
const applied = (demo: DemoService) => sorted(writesOf(demo).flatMap((write) => (write.applied ? channelIdIn(write) : [])));

/** A change of three channels whose contents the user states, of which the service applies only the first `spared`. */
async function broken({ spared = 1, fault = REFUSED as Parameters<DemoService['faults']['always']>[0]['do'] } = {}) {
  const demo = await startService({ channels: 3, videos: 20 });
  const all = [0, 1, 2].map((at) => channelAt(demo, at));
  const keys = videoKeysOf(demo, 6);
  for (const channel of all) Object.assign(channel, { videoKeys: keys, projectKeys: [] });
  const { client, dataDir, home } = await start({ demo });
  const changes = all.map(({ id }, at) => ({
    channel: id,
    name: `New ${at}`,
    firstVideoKeys: [keys[5]],
    currentVideoKeys: keys,
    currentProjectKeys: [],
  }));
  const struck = new Set(all.slice(spared).map(({ id }) => id));
  demo.faults.always({ match: { ...PUTS, when: (request) => struck.has(channelIdIn(request)) }, do: fault });
  const reply = await agree(client, 'update_channels', { changes });
  demo.faults.clear();
  const wanted = [keys[5], ...keys.slice(0, 5)];
  return { demo, all, keys, wanted, client, dataDir, home, reply, changeId: changeIdIn(reply) };
}

test.each(['v2 client, legacy', 'v2 client, modern'] as const)(
  'a change that the service interrupted is resumed, and then undone as a whole (%s)',
  async (kind) => {
    const demo = await startForty();
    const wanted = reorganisation(demo);
    const before = new Map(wanted.map(({ id }) => [id, partsOf(demo, id)]));
    const { client } = await start({ demo, client: kind, forms: 'accept' });
    demo.faults.always({ match: PUTS, skip: 15, do: REFUSED });
    const broken = await client.callTool('update_channels', argsFor(wanted));
    const changeId = changeIdIn(broken);
    expect(broken.data).toMatchObject({ status: 'partly_applied', next: 'resume_change carries on with the 25 not done.' });
    demo.faults.clear();
    const reply = await client.callTool('resume_change', { changeId });
    for (const { id, end } of wanted) expect(partsOf(demo, id)).toEqual(end);
    expect(applied(demo)).toEqual(sorted(wanted.map(({ id }) => id)));
    expect(reply.data).toMatchObject({ status: 'applied', changeId, confirmed: 'The user agreed in a form.' });
    expect(reply.data?.message).toBe(`All ${FORTY} channels were changed. Last run: 25 sent, 25 changed; 15 were changed before.`);
    const [first, last, whole] = [broken.data, reply.data, (await client.callTool('get_change', { changeId })).data].map((data) =>
      sorted(recordsIn(data, 'after').map(({ id }) => String(id))),
    );
    expect([first?.length, last?.length]).toEqual([15, 25]);
    expect(sorted([...(first ?? []), ...(last ?? [])])).toEqual(sorted(wanted.map(({ id }) => id)));
    expect(whole).toHaveLength(FORTY);
    expect(recordsIn(reply.data, 'before').map(({ id }) => id)).toEqual(recordsIn(reply.data, 'after').map(({ id }) => id));
    expect(reply.data?.leftOut).toContain('Of what was done before the last run, get_change has each.');
    expect(client.forms.at(-1)?.message.replaceAll(/\s+/g, ' ')).toContain('15 of 40 done, 25 channels to be sent.');
    expect(recordsIn((await client.callTool('list_changes')).data, 'changes')).toMatchObject([
      { changeId, status: 'applied', done: FORTY },
    ]);
    const again = await client.callTool('resume_change', { changeId });
    expect(again.data).toMatchObject({ error: { code: 'not_resumable' } });
    await client.callTool('undo_change', { changeId });
    for (const { id } of wanted) expect(partsOf(demo, id)).toEqual(before.get(id));
  },
);

test('a channel that someone else changed since is left alone, and named in the preview and the answer', async () => {
  const { demo, all, client, changeId, wanted } = await broken({ spared: 0 });
  demo.world.editChannel(String(all[1]?.id), { videoKeys: videoKeysOf(demo, 2, 8) });
  const asked = await client.callTool('resume_change', { changeId });
  expect(asked.text).toContain('was changed by someone else since. It is left alone');
  const reply = await resume(client, changeId);
  expect(all.map(({ videoKeys }) => videoKeys)).toEqual([wanted, videoKeysOf(demo, 2, 8), wanted]);
  expect(reply.data).toMatchObject({ status: 'partly_applied', notDone: [{ id: all[1]?.id }] });
  expect(reply.text).toContain('was changed by someone else since');
});

test('a list that the user stated after the change stopped is not overwritten by the change', async () => {
  const { demo, all, keys, client, changeId, wanted } = await broken({ spared: 0 });
  const statement = { channels: [{ channel: all[0]?.id, videoKeys: keys.slice(1), projectKeys: [] }] };
  const stated = await agree(client, 'state_contents', statement);
  const reply = await resume(client, changeId);
  expect(applied(demo)).toEqual(sorted([all[1]?.id, all[2]?.id]));
  expect(all[0]?.videoKeys).toEqual(keys);
  expect(all[1]?.videoKeys).toEqual(wanted);
  expect(reply.text).toContain(`has other contents by what was stated since (${changeIdIn(stated)})`);
});

test('what was not done is not settled by another addition to the same list, and is once what it was to add is there', async () => {
  const demo = await startService({ channels: 2, videos: 20 });
  const all = [0, 1].map((at) => channelAt(demo, at));
  const [one, other, ...keys] = videoKeysOf(demo, 6);
  for (const channel of all) Object.assign(channel, { videoKeys: keys, projectKeys: [] });
  const { client } = await start({ demo });
  const contents = { currentVideoKeys: keys, currentProjectKeys: [] };
  demo.faults.always({ match: PUTS, do: REFUSED });
  const broken = await agree(client, 'update_channels', {
    changes: all.map(({ id }) => ({ channel: id, addVideoKeys: [one], ...contents })),
  });
  demo.faults.clear();
  const add = (key: unknown, more = {}) =>
    agree(client, 'update_channels', { changes: [{ channel: all[1]?.id, addVideoKeys: [key], ...more }] });
  const settledBy = async () => {
    const reply = await client.callTool('get_change', { changeId: changeIdIn(broken) });
    return recordsIn(reply.data, 'notDone').flatMap((entry) => entry.settledBy ?? []);
  };
  const later = await add(other, contents);
  expect(all[1]?.videoKeys).toEqual([...keys, other]);
  expect(later.data?.status).toBe('applied');
  expect(await settledBy()).toEqual([]);
  const made = await add(one);
  expect(all[1]?.videoKeys).toEqual([...keys, other, one]);
  expect(await settledBy()).toEqual([changeIdIn(made)]);
});

test('a channel that a later change updated is not resumed, and the answer names that change', async () => {
  const { demo, all, keys, client, changeId } = await broken();
  const later = await agree(client, 'update_channels', {
    changes: [{ channel: all[1]?.id, name: 'Later', setVideoKeys: keys.slice(0, 2), currentProjectKeys: [] }],
  });
  const by = changeIdIn(later);
  const { data } = await client.callTool('get_change', { changeId });
  // What is left comes first, and what was settled is told in front.
  expect(recordsIn(data, 'notDone').map(({ id, settledBy }) => [id, settledBy])).toEqual([
    [all[2]?.id, undefined],
    [all[1]?.id, by],
  ]);
  expect(recordsIn(data, 'notDone')[1]?.reason).toBe(`Settled since by ${by}.`);
  expect(data?.message).toMatch(new RegExp(`^1 of 3 channels was changed, 2 not done\\. Settled since, by ${by}: ".*"\\.$`));
  expect(data?.next).toBe(`resume_change carries on with the 1 not done: ${JSON.stringify(all[2]?.name)}.`);
  const writes = writesOf(demo).length;
  const reply = await resume(client, changeId);
  expect(writesOf(demo).slice(writes).map(channelIdIn)).toEqual([all[2]?.id]);
  expect(all[1]).toMatchObject({ name: 'Later', videoKeys: keys.slice(0, 2) });
  expect(reply.text).toContain(`Settled since, by ${by}: `);
  const refused = await resume(client, changeId);
  expect(refused.data).toMatchObject({ error: { code: 'not_resumable' } });
  expect(refused.text).toContain(by);
});

test('a change that was undone can’t be resumed', async () => {
  const { demo, client, changeId } = await broken();
  const undone = await agree(client, 'undo_change', { changeId });
  const writes = writesOf(demo).length;
  const reply = await resume(client, changeId);
  expect(writesOf(demo)).toHaveLength(writes);
  expect(reply.text).toContain(`was undone by ${changeIdIn(undone)}`);
});

test('an update of unknown outcome is not sent again if the channel has changed', async () => {
  const { demo, all, client, changeId, wanted, reply } = await broken({ spared: 0, fault: { kind: 'reset-after' } });
  expect(recordsIn(reply.data, 'unknown')).toHaveLength(3);
  const told = await resume(client, changeId);
  expect(applied(demo)).toEqual(sorted(all.map(({ id }) => id)));
  for (const { videoKeys } of all) expect(videoKeys).toEqual(wanted);
  expect(told.data).toMatchObject({ error: { code: 'not_resumable' } });
  expect(told.text).toContain('3 channels may have been changed already.');
  const looked = await client.callTool('get_change', { changeId });
  expect(looked.text).toContain('as was sent, so it was probably done; what it holds counts as not known.');
});

test('an update of unknown outcome is sent again, once, if the channel has not changed', async () => {
  const { demo, all, client, changeId, wanted, reply } = await broken({
    spared: 0,
    fault: { kind: 'status', code: 500, processed: false },
  });
  const unknown = recordsIn(reply.data, 'unknown').map(({ id }) => id);
  expect(unknown.length).toBeGreaterThan(0);
  const told = await resume(client, changeId);
  expect(applied(demo)).toEqual(sorted(all.map(({ id }) => id)));
  for (const { videoKeys } of all) expect(videoKeys).toEqual(wanted);
  expect(told.data).toMatchObject({ status: 'applied' });
});

test.each(['form', 'token'] as const)('a resumed change shows the lists that it states, by %s', async (route) => {
  const { demo, home, all, keys, changeId } = await broken();
  const writes = writesOf(demo).length;
  const { client } = await start({ demo, home, forms: route === 'form' ? 'decline' : 'none' });
  const asked = await client.callTool('resume_change', { changeId });
  expect(writesOf(demo)).toHaveLength(writes);
  const shown = route === 'form' ? (client.forms[0]?.message ?? '') : asked.text;
  expect(shown.toLowerCase()).toContain('by what the assistant says, ');
  for (const { name } of all.slice(1)) expect(shown).toContain(JSON.stringify(name));
  expect(shown).toMatch(/holds 6 videos/);
  expect(shown).toContain(String(keys[0]));
  const read = async (id: string): Promise<unknown> => JSON.parse(await client.readResource(`video-hosting://changes/${id}`));
  expect(await read(changeId), 'what was done before').toMatchObject({ status: 'partly_applied' });
  if (route === 'token')
    expect(await read(String(asked.data?.changeId)), 'the plan that waits').toMatchObject({
      ...{ status: 'confirmation_required', preview: { undo: {} } },
    });
});

test('get_change checks unknown outcomes again, and the journal keeps the result', async () => {
  const demo = await startService({ channels: 2, videos: 10 });
  demo.behaviour.channelRecordsShowContents = true;
  const [one, two] = [channelAt(demo, 0), channelAt(demo, 1)];
  const home = freshHome();
  const { client, dataDir } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  demo.faults.always({ match: PUTS, do: { kind: 'reset-after' } });
  // The read after the request fails.
  demo.behaviour.onProcessed = ({ method }) => {
    if (method === 'PUT') demo.faults.always({ match: { method: 'GET' }, do: { kind: 'reset-before' } });
  };
  const changeId = changeIdIn(await client.callTool('update_channels', { changes: [{ channel: one.id, name: 'Sent' }] }));
  delete demo.behaviour.onProcessed;
  const blind = await client.callTool('get_change', { changeId });
  expect(blind.data).toMatchObject({ unknown: [{ id: one.id }] });
  demo.faults.clear();
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({
    status: 'applied',
    message: expect.stringContaining('was changed'),
  });
  demo.faults.always({ match: { method: 'GET' }, do: { kind: 'reset-before' } });
  const later = await start({ demo, home });
  expect((await later.client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'applied' });
  demo.faults.clear();
  // A journal as if the server had been killed long ago, with a request for the other channel under way.
  const [file = ''] = changeFiles(dataDir);
  const [intent, sending] = linesOf(file);
  const old = { ...sending, id: two.id, at: '2026-01-01T00:00:00.000Z' };
  const items = intentOf(file).items.map((item) => ({
    ...item,
    id: two.id,
    seen: { version: two.version, updated: two.updated },
    before: { name: two.name, videoKeys: two.videoKeys, projectKeys: two.projectKeys },
  }));
  const gone = { ...intent, items, process: { ...(intent?.process as Values), pid: 999_999_999 } };
  writeFileSync(file, `${JSON.stringify(gone)}\n${JSON.stringify(old)}\n{"type":"outc`);
  const found = await later.client.callTool('get_change', { changeId });
  expect(found.data).toMatchObject({
    status: 'interrupted',
    notDone: [{ id: two.id, reason: 'Looked at again, it is as it was before.' }],
  });
  await agree(later.client, 'resume_change', { changeId });
  expect(two.name).toBe('Sent');
});

test('resuming a creation sends the remaining channels, but not the one of unknown outcome', async () => {
  const demo = await startService({ channels: 1, videos: 10 });
  const [key] = videoKeysOf(demo, 1);
  const { client } = await start({ demo });
  demo.faults.always({ match: { method: 'POST', api: 'main' }, skip: 1, do: { kind: 'reset-after' } });
  const channels = [0, 1, 2, 3].map((at) => ({ name: `New ${at}`, videoKeys: [key] }));
  const changeId = changeIdIn(await agree(client, 'create_channels', { channels }));
  demo.faults.clear();
  const reply = await resume(client, changeId);
  const names = [...demo.world.channels.values()].slice(1).map(({ name }) => name);
  expect(names).toEqual(['New 0', 'New 1', 'New 2', 'New 3']);
  expect(reply.data).toMatchObject({ status: 'partly_applied', changeId, unknown: [{ id: 'new-2' }] });
  expect(reply.text).toContain(`A new channel of that name is there now (${demo.world.channelNamed('New 1').id})`);
  const again = await resume(client, changeId);
  expect(writesOf(demo)).toHaveLength(4);
  expect(again.data).toMatchObject({ error: { code: 'not_resumable' } });
  expect(again.text).toContain('Look at it, and ask the user, before it is created again.');
});

test('what a resumed creation created is known to another server too that read the change before', async () => {
  const demo = await startService({ channels: 1, videos: 10 });
  const home = freshHome();
  const env = { VIDEO_HOSTING_CONFIRM: 'never' };
  const [one, two] = [await start({ demo, home, env }), await start({ demo, home, env })];
  const videoKeys = videoKeysOf(demo, 2);
  demo.faults.always({ match: { method: 'POST', api: 'main' }, skip: 1, do: { kind: 'status', code: 401 } });
  const channels = ['First', 'Second'].map((name) => ({ name, videoKeys }));
  const made = await one.client.callTool('create_channels', { channels });
  demo.faults.clear();
  await two.client.callTool('list_changes');
  await one.client.callTool('resume_change', { changeId: changeIdIn(made) });
  for (const { client } of [one, two])
    expect((await client.callTool('get_channel', { channel: 'Second' })).data).toMatchObject({ contents: { known: true, videoKeys } });
});

test('a change that two servers resume at once is sent only once', async () => {
  const { demo, client, home, changeId } = await broken({ spared: 0 });
  const other = await start({ demo, home });
  const asked = await Promise.all(
    [client, other.client].map(async (one) => ({ one, preview: await one.callTool('resume_change', { changeId }) })),
  );
  const replies = await Promise.all(asked.map(({ one, preview }) => confirmPreview(one, preview)));
  expect(applied(demo)).toHaveLength(3);
  expect(replies.map(({ data }) => data?.status).toSorted()).toEqual(['applied', 'failed']);
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'applied' });
});

test('the journal refuses a second resume of the same epoch, and ignores late findings of an earlier one', async () => {
  const journal = createJournal(freshHome());
  const changeId = await journal.newChangeId();
  const item = { id: 'a', label: sentence`"A"`, seen: { version: 1, updated: '1' }, before: {}, after: { name: 'B' } };
  await (await journal.begin({ ...moveIntent(changeId), kind: 'update_channels', facts: {}, items: [item] })).end('stopped', {});
  const planned = await journal.read(changeId);
  const first = await journal.resume(changeId, { epoch: Number(planned?.epoch) });
  await first?.writer.record('a', { outcome: 'done' });
  await first?.writer.end('applied', {});
  expect(await journal.resume(changeId, { epoch: Number(planned?.epoch) })).toBeUndefined();
  // What the owner of an earlier epoch finds late is ignored.
  const late = await journal.addFound({ ...planned, epoch: 0 } as ChangeRecord, new Map([['a', { outcome: 'unknown' }]])); // was read above
  expect(late).toMatchObject({ status: 'applied', items: [{ id: 'a', outcome: 'done' }] });
});
