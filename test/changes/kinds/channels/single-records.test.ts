/** A change reads each channel that it names as a single record: the contents in that record count, and so do errors. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { Values } from '../../../harness/client.ts';
import type { Fault } from '../../../harness/faults.ts';
import { type DemoService, pathsOf, startService } from '../../../harness/service.ts';
import { start } from '../../../harness/start.ts';
import { agree, changeIdIn } from '../../support/confirm.ts';
import { partsOf } from '../../support/reorganisation.ts';
import { channelAt, contentOf, videoKeysOf, writesOf } from '../../support/world.ts';

const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };

/** An account that shows a channel’s contents in its single record, but not in the list. */
async function account(channels = 3) {
  const demo = await startService({ channels, projects: 3, videos: 30 });
  demo.behaviour.channelRecordsShowContents = true;
  demo.behaviour.channelListOmitsContents = true;
  const session = await start({ demo, env: NEVER });
  const update = (changes: readonly Values[]) => session.client.callTool('update_channels', { changes });
  return { ...session, demo, channel: channelAt(demo, 0), update };
}

const looksAt = (demo: DemoService, id: string): number => pathsOf(demo).filter((path) => path === `GET /v1/channels/${id}`).length;

describe.concurrent('if only single records show the contents', () => {
  test('a change reads each channel once for the plan, and can be undone', async () => {
    const { demo, client, update } = await account(20);
    const channels = [...demo.world.channels.values()].slice(0, 20);
    const before = channels.map(({ id }) => partsOf(demo, id));
    const done = await update(channels.map(({ id }, index) => ({ channel: id, name: `Renamed ${index}` })));
    expect(channels.map(({ name }) => name)).toEqual(channels.map((_, index) => `Renamed ${index}`));
    // For the plan, just before the update, and after it.
    expect(channels.map(({ id }) => looksAt(demo, id))).toEqual(channels.map(() => 3));
    const undone = await agree(client, 'undo_change', { changeId: changeIdIn(done) });
    expect(channels.map(({ id }) => partsOf(demo, id))).toEqual(before);
    expect(undone.data).toMatchObject({ status: 'applied' });
  });

  test('get_channel shows the contents for a name too', async () => {
    const { channel, client } = await account();
    const { videoKeys } = channel;
    const { data } = await client.callTool('get_channel', { channel: channel.name });
    expect(data).toMatchObject({ contents: { known: true, source: 'as the service shows it', videoKeys } });
  });

  test('a channel that is named twice is read once', async () => {
    const { demo, channel, update } = await account();
    const reply = await update([
      { channel: channel.id, name: 'One' },
      { channel: channel.name, name: 'Two' },
    ]);
    expect(writesOf(demo)).toEqual([]);
    expect(looksAt(demo, channel.id)).toBe(1);
    expect(reply.text).toContain('is the same channel as changes[0]');
  });
});

test.concurrent('an outdated list of channels does not block a change', async () => {
  const { demo, channel, update } = await account();
  const { videoKeys: _v, projectKeys: _p, privateLinkEnabled: _l, ...record } = channel;
  const channels = [{ ...record, version: record.version - 1, updated: '2020-01-01T00:00:00Z' }];
  const pager = { page: 1, totalPages: 1, totalResults: 1, sort: 'Created:1' };
  demo.faults.always({ match: { path: '/v1/channels' }, do: { kind: 'status', code: 200, body: { pager, channels } } });
  const [added] = videoKeysOf(demo, 1, 20);
  const before = [...channel.videoKeys];
  expect((await update([{ channel: channel.id, addVideoKeys: [added] }])).data).toMatchObject({ status: 'applied' });
  expect(channel.videoKeys).toEqual([...before, added]);
});

test.concurrent('a channel that is missing from the list can be changed by its id', async () => {
  const { demo, channel, update } = await account();
  const pager = { page: 1, totalPages: 1, totalResults: 0, sort: 'Created:1' };
  demo.faults.always({ match: { path: '/v1/channels' }, do: { kind: 'status', code: 200, body: { pager, channels: [] } } });
  expect((await update([{ channel: channel.id, name: 'Another name' }])).data).toMatchObject({ status: 'applied' });
  expect(channel.name).toBe('Another name');
});

/** What the service answers in place of a single record, and the text that reports it. */
const REFUSALS: readonly (readonly [name: string, fault: Fault, told: RegExp])[] = [
  [
    '404',
    { kind: 'status', code: 404, body: { message: 'Gone for good.' } },
    /no access to it; it said "Gone for good\." \(GET [^ ]*, status 404\)/,
  ],
  [
    '400',
    { kind: 'status', code: 400, body: { message: 'No such form of id.' } },
    /it said "No such form of id\." \(GET [^ ]*, status 400\)/,
  ],
  ['403', { kind: 'status', code: 403, body: { message: 'Not for you.' } }, /it said "Not for you\." \(GET [^ ]*, status 403\)/],
  ['500', { kind: 'status', code: 500, body: { message: 'Out of order.' } }, /it said "Out of order\." \(GET [^ ]*, status 500\)/],
  ['an HTML page', { kind: 'garbage', shape: 'html' }, /GET \/v1\/(?:channels|projects)\//],
];

describe.concurrent.each(REFUSALS)('a read of a single record that is answered with %s', (_name, fault, told) => {
  async function refused(kind: 'channels' | 'projects') {
    const world = await account();
    const [record] = [...world.demo.world[kind].values()];
    if (record === undefined) throw new RangeError('none is there');
    world.demo.faults.always({ match: { method: 'GET', path: `/v1/${kind}/${record.id}` }, do: fault });
    return { ...world, record };
  }

  test.each(['channels', 'projects'] as const)('is reported together with the record from the list of %s', async (kind) => {
    const { client, record } = await refused(kind);
    const what = kind === 'channels' ? 'channel' : 'project';
    for (const reference of [record.id, record.name]) {
      const reply = await client.callTool(`get_${what}`, { [what]: reference });
      expect(reply.data).toMatchObject({
        [what]: { id: record.id, name: record.name },
        notes: expect.arrayContaining([expect.stringMatching(told)]),
      });
      expect(reply.text).toMatch(told);
    }
    const resource: unknown = JSON.parse(await client.readResource(`video-hosting://${kind}/${record.id}`));
    expect(resource).toMatchObject({ [what]: { id: record.id }, notes: expect.arrayContaining([expect.stringMatching(told)]) });
  });

  test('stops the plan of a change, and the answer says why', async () => {
    const { demo, record, update } = await refused('channels');
    const reply = await update([{ channel: record.id, name: 'Another name', setVideoKeys: videoKeysOf(demo, 2) }]);
    expect(writesOf(demo)).toEqual([]);
    expect(reply.text).toMatch(told);
    expect(reply.text).toMatch(/can’t be read by itself, so it is left alone.*nothing was changed/s);
  });
});

test.concurrent('an unknown id is answered with the service’s message and a hint about access', async () => {
  const { client, update } = await account();
  const id = '0123456789abcdef01234567';
  const told = /it said "Channel not found\." \(GET [^ ]*, status 404\)/;
  for (const reply of [await client.callTool('get_channel', { channel: id }), await update([{ channel: id, name: 'Another' }])]) {
    expect(reply.isError).toBe(true);
    expect(reply.text).toMatch(told);
    expect(reply.text).toMatch(/or this credential has no access to it/);
  }
  expect((await client.callTool('get_project', { project: id })).text).toMatch(/no access to it.*, status 404\b/);
  await expect(client.readResource(`video-hosting://channels/${id}`)).rejects.toThrow(told);
});

test.concurrent('only a few single records are requested if the service answers each with an error', async () => {
  const { demo, update } = await account(50);
  demo.faults.always({ match: { method: 'GET', path: /^.v1.channels.[^/]+$/ }, do: { kind: 'status', code: 403 } });
  const channels = [...demo.world.channels.values()].slice(0, 50);
  const reply = await update(channels.map(({ id }, index) => ({ channel: id, name: `Renamed ${index}` })));
  expect(writesOf(demo)).toEqual([]);
  const asked = channels.reduce((sum, { id }) => sum + looksAt(demo, id), 0);
  expect(asked).toBeLessThan(20);
  expect(reply.text).toMatch(/None of the first 10 channels could be read by itself.*status 403/s);
});

test.concurrent('a channel is looked at again where its update had to wait since the last look', async () => {
  const { demo, channel: mine, update } = await account(2);
  const other = channelAt(demo, 1);
  const pathOf = ({ id }: { id: string }) => `/v1/channels/${id}`;
  // While one channel is looked at, the service asks for a pause.
  demo.faults.next({ match: { method: 'GET', path: pathOf(other) }, skip: 1, do: { kind: 'status', code: 429, retryAfter: 6 } });
  const theirs = videoKeysOf(demo, 2, 20);
  const edit = () => void demo.world.editChannel(mine.id, { videoKeys: theirs });
  demo.behaviour.onRequest = async ({ method, path }) => {
    if (method !== 'GET' || path !== pathOf(mine) || looksAt(demo, mine.id) !== 2) return;
    // Answered once the pause was asked for, however slow the machine is.
    await vi.waitFor(() => expect(looksAt(demo, other.id)).toBeGreaterThan(1), { timeout: 60_000 });
    setTimeout(edit, 1_200);
    await sleep(300);
  };
  const reply = await update([
    { channel: mine.id, name: 'Mine' },
    { channel: other.id, name: 'Other' },
  ]);
  expect(contentOf(demo, mine.id).videoKeys).toEqual(theirs);
  expect(writesOf(demo).map(({ path }) => path)).toEqual([pathOf(other)]);
  expect(reply.data).toMatchObject({ status: 'partly_applied', notDone: [{ id: mine.id }] });
  expect(reply.text).toContain('Someone else changed it after the plan was made');
});
