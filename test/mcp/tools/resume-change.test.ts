/** What the service refused of a change of channels can be sent again, where nobody changed the channel since. */
import { expect, test } from 'vitest';
import { idsIn, MOVE, manyVideos, requestsOf, sorted, UNASKED } from '../../changes/kinds/videos/harness.ts';
import { agree, changeIdIn, confirmPreview } from '../../changes/support/confirm.ts';
import { channelsOf, startChannels } from '../../changes/support/reorganisation.ts';
import { channelIdIn, videoKeysOf, writesOf } from '../../changes/support/world.ts';
import { recordsIn } from '../../harness/client.ts';
import type { DemoService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

type Fault = Parameters<DemoService['faults']['always']>[0]['do'];

const LOCKED: Fault = { kind: 'status', code: 423 };
const REFUSED: Fault = { kind: 'status', code: 400, body: { message: 'Not on a Sunday.' } };

/** A change of four channels, two of which the service refuses. */
async function refused(fault: Fault) {
  const demo = await startChannels(4);
  const all = channelsOf(demo);
  const bad = all.slice(1, 3);
  const isBad = (request: Parameters<typeof channelIdIn>[0]) => bad.some(({ id }) => id === channelIdIn(request));
  demo.faults.always({ match: { method: 'PUT', when: isBad }, do: fault });
  const { client, ...session } = await start({ demo });
  const changes = all.map(({ id }, at) => ({ channel: id, name: `New ${at}` }));
  const reply = await agree(client, 'update_channels', { changes });
  expect(recordsIn(reply.data, 'failed').map(({ id }) => id)).toEqual(bad.map(({ id }) => id));
  const names = () => all.map(({ name }) => name);
  return { demo, all, bad, client, session, reply, names, changeId: changeIdIn(reply) };
}

test.each([
  ['a lock', LOCKED],
  ['a 400 that passes', REFUSED],
])('%s: what failed alone is sent again, once the user agreed to it', async (_, fault) => {
  const { demo, bad, client, names, changeId } = await refused(fault);
  demo.faults.clear();
  const writes = writesOf(demo).length;
  const asked = await client.callTool('resume_change', { changeId, retryFailed: true });
  expect(writesOf(demo)).toHaveLength(writes);
  expect(asked.data).toMatchObject({ status: 'confirmation_required' });
  expect(asked.text).toContain('2 of 4 done, 2 channels to be sent');
  expect(asked.text).toContain('"Channel 1" failed before, and is tried again. Why: The service');
  const reply = await confirmPreview(client, asked);
  expect(names()).toEqual(['New 0', 'New 1', 'New 2', 'New 3']);
  expect(new Set(writesOf(demo).slice(writes).map(channelIdIn))).toEqual(new Set(bad.map(({ id }) => id)));
  expect(writesOf(demo)).toHaveLength(writes + 2);
  expect(reply.data).toMatchObject({ status: 'applied', changeId });
  expect(reply.data?.message).toBe('All 4 channels were changed. Last run: 2 sent, 2 changed; 2 were changed before.');
  await agree(client, 'undo_change', { changeId });
  expect(names()).toEqual(['Channel 0', 'Channel 1', 'Channel 2', 'Channel 3']);
});

test('waitSeconds says how long the call waits; the change goes on after it', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(50);
  demo.world.poisonedVideoIds.add(ids[0] ?? '');
  const { client } = await start({ demo, env: UNASKED });
  const { data: moved } = await client.callTool('move_videos', { videoIds: ids, targetProject: archive, fromProject: elsewhere });
  const { changeId } = moved ?? {};
  expect(moved).toMatchObject({ moved: 49, failedCount: 1 });
  demo.world.poisonedVideoIds.clear();
  demo.faults.next({ match: MOVE, do: { kind: 'status', code: 503, retryAfter: 2 } });
  const resumed = await client.callTool('resume_change', { changeId, retryFailed: true, waitSeconds: 0 });
  expect(resumed.data).toMatchObject({ status: 'running', changeId });
  await client.callTool('get_change', { changeId, waitSeconds: 60 });
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(ids));
});

/** A change of four channels, which a busy service left after the first. */
async function busy() {
  const demo = await startChannels(4);
  const all = channelsOf(demo);
  const { client } = await start({ demo, env: UNASKED });
  demo.faults.always({ match: { method: 'PUT' }, skip: 1, do: { kind: 'status', code: 503 } });
  const begun = await client.callTool('update_channels', { changes: all.map(({ id }, at) => ({ channel: id, name: `New ${at}` })) });
  demo.faults.clear();
  return { demo, client, begun, changeId: changeIdIn(begun), names: () => all.map(({ name }) => name) };
}

const CARRY_ON = /Carry it on with resume_change from \d\d:\d\d:\d\d UTC on; it waits for a busy service\./;
const FROM_THEN_ON = /Make the same call again from \d\d:\d\d:\d\d UTC on; with waitSeconds it waits until the service answers\./;

test('a busy service is waited out in the call', async () => {
  const { demo, client, begun, changeId, names } = await busy();
  expect(begun.data?.note).toMatch(CARRY_ON);
  const reads = () => demo.requests.filter(({ path }) => path === '/v1/channels').length;
  const before = reads();
  // Each look at the list is tried four times.
  demo.faults.next({ match: { method: 'GET', path: '/v1/channels' }, do: { kind: 'status', code: 503 }, times: 6 });
  const resumed = await client.callTool('resume_change', { changeId });
  expect(names()).toEqual(['New 0', 'New 1', 'New 2', 'New 3']);
  expect(reads() - before).toBeGreaterThan(6);
  expect(resumed.data).toMatchObject({ status: 'applied', changeId });
});

test('where a busy service stays so for as long as the call may wait, nothing is sent, and the answer says from when on it makes sense', async () => {
  const { demo, client, changeId } = await busy();
  const writes = writesOf(demo).length;
  demo.faults.always({ match: { method: 'GET' }, do: { kind: 'status', code: 503 } });
  for (const waitSeconds of [0, 4]) {
    const { data } = await client.callTool('resume_change', { changeId, waitSeconds });
    expect(writesOf(demo)).toHaveLength(writes);
    expect(data).toMatchObject({ status: 'failed', error: { code: 'service_failed' } });
    expect(data?.hint).toMatch(FROM_THEN_ON);
  }
});

test('without retryFailed nothing of it is sent, and the refusal says how', async () => {
  const { demo, client, changeId } = await refused(REFUSED);
  demo.faults.clear();
  const writes = writesOf(demo).length;
  const reply = await client.callTool('resume_change', { changeId });
  expect(writesOf(demo)).toHaveLength(writes);
  expect(reply.data).toMatchObject({
    error: { code: 'not_resumable' },
    hint: 'To send again what failed, call it with retryFailed: true.',
  });
});

test('a channel that somebody else changed since is not sent again', async () => {
  const { demo, bad, client, names, changeId } = await refused(LOCKED);
  const [touched, other] = bad;
  demo.faults.clear();
  demo.world.editChannel(String(touched?.id), { name: 'By somebody else' });
  const asked = await client.callTool('resume_change', { changeId, retryFailed: true });
  expect(asked.text).toMatch(/"By somebody else"|"Channel 1" was changed by someone else since\. It is left alone/);
  const reply = await confirmPreview(client, asked);
  expect(names()).toEqual(['New 0', 'By somebody else', 'New 2', 'New 3']);
  expect(reply.data).toMatchObject({ status: 'partly_applied', failed: [{ id: touched?.id }] });
  demo.world.editChannel(String(other?.id), { description: 'Touched' });
  const again = await client.callTool('resume_change', { changeId, retryFailed: true });
  expect(again.data).toMatchObject({ error: { code: 'not_resumable' } });
  expect(again.text).toContain('was changed by someone else since');
});

test('what fails again says so, and is for the dashboard, not for the same call', async () => {
  const { demo, bad, client, names, reply, changeId } = await refused(REFUSED);
  expect(reply.data?.next).toContain('retryFailed: true');
  // One of them passes now.
  demo.faults.clear();
  demo.faults.always({ match: { method: 'PUT', path: `/v1/channels/${bad[0]?.id}` }, do: REFUSED });
  const retried = await agree(client, 'resume_change', { changeId, retryFailed: true });
  expect(names()).toEqual(['New 0', 'Channel 1', 'New 2', 'New 3']);
  const told = await client.callTool('get_change', { changeId });
  for (const { data } of [retried, told]) {
    expect(data).toMatchObject({ status: 'partly_applied', failed: [{ id: bad[0]?.id }] });
    expect(data?.next).toBe(
      '1 channel failed again when it was sent again, so the same call alone is no help: open it in the dashboard to see what is wrong. Once that is mended, retryFailed sends it again.',
    );
  }
});

test('what was to be sent again and was not is told as it is when the service refuses the credential meanwhile', async () => {
  const { demo, client, names, changeId } = await refused(REFUSED);
  demo.faults.clear();
  demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'status', code: 401 } });
  const reply = await agree(client, 'resume_change', { changeId, retryFailed: true });
  expect(names()).toEqual(['New 0', 'Channel 1', 'Channel 2', 'New 3']);
  expect(reply.data).toMatchObject({ status: 'partly_applied' });
  demo.faults.clear();
  await agree(client, 'resume_change', { changeId, retryFailed: true });
  expect(names()).toEqual(['New 0', 'New 1', 'New 2', 'New 3']);
});

test('what the service refused to create is not sent again', async () => {
  const demo = await startChannels(1);
  const { client } = await start({ demo });
  demo.faults.next({ match: { method: 'POST', path: '/v1/channels' }, do: REFUSED });
  const channels = ['A', 'B'].map((name) => ({ name, videoKeys: videoKeysOf(demo, 1) }));
  const changeId = changeIdIn(await agree(client, 'create_channels', { channels }));
  const writes = writesOf(demo).length;
  const reply = await client.callTool('resume_change', { changeId, retryFailed: true });
  expect(writesOf(demo)).toHaveLength(writes);
  expect(reply.data).toMatchObject({ error: { code: 'not_resumable' } });
  expect(reply.text).toContain('retryFailed does not count for');
});

test('without changeId the newest change with something left is carried on, and with retryFailed one in which something failed', async () => {
  const { demo, client, names, changeId } = await refused(LOCKED);
  demo.faults.clear();
  const [, , , last] = channelsOf(demo);
  await agree(client, 'update_channels', { changes: [{ channel: last?.id, description: 'All done' }] });
  const none = await client.callTool('resume_change', {});
  expect(none.data).toMatchObject({ error: { code: 'not_found' } });
  const asked = await client.callTool('resume_change', { retryFailed: true });
  expect(asked.data).toMatchObject({
    status: 'confirmation_required',
    preview: { meaning: expect.stringContaining(`Carry on ${changeId} (`) },
  });
  await confirmPreview(client, asked);
  expect(names()).toEqual(['New 0', 'New 1', 'New 2', 'New 3']);
});

test('a service that is busy with what is carried on is waited out in the call', async () => {
  const { demo, client, changeId, names } = await busy();
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 503, retryAfter: 1 }, times: 6 });
  const resumed = await client.callTool('resume_change', { changeId });
  expect(names()).toEqual(['New 0', 'New 1', 'New 2', 'New 3']);
  expect(resumed.data).toMatchObject({ status: 'applied', changeId });
});

test('wrong arguments are refused', () =>
  expectRefused('resume_change', [
    [{}, 'Nothing that can be carried on is among the last changes of this server.'],
    [{ changeId: 'x'.repeat(61) }, 'changeId: '],
    [{ changeId: 'chg-000000000-none' }, 'There is no change "chg-000000000-none"'],
    [{ changeId: 'chg-000000000-none', retryFailed: 'perhaps' }, 'retryFailed: '],
  ]));

test('a move goes on where it stopped: what was moved is not sent again', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(2_500);
  demo.faults.always({ match: MOVE, skip: 1, do: { kind: 'status', code: 401 } });
  const { client } = await start({ demo, env: UNASKED });
  const begun = await client.callTool('move_videos', { targetProject: archive, fromProject: elsewhere, videoIds: ids });
  const changeId = changeIdIn(begun);
  expect(idsIn(demo, archive)).toHaveLength(1_000);
  expect(begun.data).toMatchObject({ status: 'partly_applied', moved: 1_000, notSentCount: 1_500 });
  demo.faults.clear();
  const sent = requestsOf(demo, MOVE).length;
  const { data } = await client.callTool('resume_change', { changeId });
  const again = requestsOf(demo, MOVE)
    .slice(sent)
    .flatMap(({ body }) => (body as { videoIds: string[] }).videoIds); // as move sends it
  expect(idsIn(demo, archive)).toHaveLength(2_500);
  expect(sorted(again)).toEqual(sorted(ids.slice(1_000)));
  expect(data).toMatchObject({ status: 'applied', changeId, moved: 2_500, failedCount: 0, unknownCount: 0, undo: { possible: 'yes' } });
});

test('what is done at once, or has nothing left, is not carried on, and the answer says why', async () => {
  const { demo, ids } = await manyVideos(3);
  const { client } = await start({ demo, env: UNASKED });
  const created = changeIdIn(await client.callTool('create_project', { name: 'Brand new', region: 'use-s' }));
  const moved = changeIdIn(await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids }));
  const sent = writesOf(demo).length;
  const replies = await Promise.all([created, moved].map((changeId) => client.callTool('resume_change', { changeId })));
  expect(writesOf(demo)).toHaveLength(sent);
  expect(replies.map(({ isError, data }) => [isError, data?.error])).toEqual(replies.map(() => [true, { code: 'not_resumable' }]));
  expect(replies[0]?.text).toContain(`Nothing of ${created} can be carried on. A project is created at once or not at all.`);
  expect(replies[1]?.text).toContain(`Nothing of ${moved} is left to be sent.`);
});
