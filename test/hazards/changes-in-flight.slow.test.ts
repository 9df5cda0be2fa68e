/** A change that is interrupted: the client cancels, the service is slow, or the server is stopped. */
import { statSync, utimesSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { ended } from '../changes/kinds/videos/harness.ts';
import { changeIdIn, confirmPreview } from '../changes/support/confirm.ts';
import { everythingIn } from '../changes/support/journal-files.ts';
import { channelAt, channelIdIn, videoKeysOf, writesOf } from '../changes/support/world.ts';
import { recordsIn, type ToolReply, type Values } from '../harness/client.ts';
import type { RawClient } from '../harness/raw-client.ts';
import { type DemoService, hold, startService } from '../harness/service.ts';
import { freshHome, start, startRaw } from '../harness/start.ts';

const SIX = 6;
const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };

async function startSix(channels = SIX): Promise<DemoService> {
  const demo = await startService({ channels, projects: 2, videos: 20 });
  for (const channel of demo.world.channels.values()) Object.assign(channel, { videoKeys: videoKeysOf(demo, 3), projectKeys: [] });
  demo.behaviour.channelRecordsShowContents = true;
  return demo;
}

const holdUpdates = (demo: DemoService) => hold(demo, ({ method }) => method === 'PUT');

const renames = (demo: DemoService): Values => ({
  changes: [...demo.world.channels.values()].map(({ id }, at) => ({ channel: id, name: `Renamed ${at}` })),
});

function expectTrue(demo: DemoService, { data, text }: ToolReply): void {
  const ids = (name: string) => new Set((data?.[name] === undefined ? [] : recordsIn(data, name)).map(({ id }) => String(id)));
  const sent = new Set(
    writesOf(demo)
      .filter(({ applied }) => applied)
      .map(channelIdIn),
  );
  const [after, unknown, notDone, failed] = ['after', 'unknown', 'notDone', 'failed'].map(ids);
  for (const { id } of demo.world.channels.values()) {
    const fate = unknown?.has(id) ? 'unknown' : notDone?.has(id) || failed?.has(id) ? 'not done' : after?.has(id) ? 'done' : 'untold';
    expect(fate, text).not.toBe('untold');
    if (fate !== 'unknown') expect(fate, `${id} ${text}`).toBe(sent.has(id) ? 'done' : 'not done');
  }
}

describe.each(['legacy', 'modern'] as const)('a change that a client of the %s era cancels', (era) => {
  /** The requests: the list, then for each channel a read, the update and a read. */
  test.each([1, 2, 3, 4, 5, 8, 12, 16, 19])('at request %i sends nothing more, and each outcome is reported', async (nth) => {
    const demo = await startSix();
    const { client, log } = await startRaw({ demo, era, env: NEVER });
    const giveUp = new AbortController();
    const { behaviour } = demo;
    let count = 0;
    behaviour.onRequest = async () => {
      count += 1;
      if (count !== nth) return;
      giveUp.abort();
      // The server has read the cancellation when it answers what was sent after it.
      await client.request('tools/list');
    };
    await client.callTool('update_channels', renames(demo), { signal: giveUp.signal }).catch(() => undefined);
    const [listed] = recordsIn((await client.callTool('list_changes')).data, 'changes');
    if (listed === undefined) return void expect(writesOf(demo)).toEqual([]);
    const over = await ended(client, listed.changeId);
    expectTrue(demo, over);
    // Updates that were announced or under way at that moment are completed; no other begins.
    expect(writesOf(demo).length).toBeLessThanOrEqual(Math.ceil((nth - 1) / 3) + 2);
    expect(log()).toBe('');
  });
});

test('a cancelled get_change does not stop a running change', async () => {
  const demo = await startSix();
  const letGo = holdUpdates(demo);
  const { client } = await startRaw({ demo, shortCalls: true, env: NEVER });
  const changeId = changeIdIn(await client.callTool('update_channels', renames(demo)));
  const leave = new AbortController();
  const looking = client.callTool('get_change', { changeId, waitSeconds: 60 }, { signal: leave.signal }).catch(() => undefined);
  leave.abort();
  await looking;
  // Once a later request is answered, the server has read the cancellation. Three updates are still to be sent.
  await client.request('tools/list');
  letGo();
  expect((await ended(client, changeId)).data?.status).toBe('applied');
  expect(writesOf(demo)).toHaveLength(SIX);
});

test('a change that waits for the service keeps refreshing its journal and its record lock', async () => {
  const demo = await startSix(1);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { client, dataDir } = await start({ demo, env: NEVER });
    let [noteSent, answer] = [() => {}, () => {}];
    const sent = new Promise<void>((resolve) => {
      noteSent = resolve;
    });
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    demo.behaviour.onRequest = async ({ method }) => {
      if (method !== 'PUT') return;
      noteSent();
      await answered;
    };
    const call = client.callTool('update_channels', renames(demo));
    await sent;
    const files = everythingIn(dataDir).filter((path) => /\.(jsonl|lock)$/.test(path) && !path.includes('/audit/'));
    expect(files).toHaveLength(2);
    const long = new Date(Date.now() - 50_000);
    for (const file of files) utimesSync(file, long, long);
    vi.advanceTimersByTime(5_000);
    for (const file of files) await vi.waitUntil(() => statSync(file).mtimeMs > long.getTime() + 1_000, { timeout: 300_000 });
    answer();
    expect((await call).data?.status).toBe('applied');
  } finally {
    vi.useRealTimers();
  }
});

test('a server that ends stops its running change, and the journal says so', async () => {
  const demo = await startSix(60);
  demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'delay', ms: 300 } });
  const home = freshHome();
  const { client, server } = await start({ demo, home, via: 'process', client: 'raw lines', shortCalls: true, env: NEVER });
  const changeId = changeIdIn(await client.callTool('update_channels', renames(demo)));
  server?.child.stdin.end();
  expect((await server?.exit)?.code).toBe(0);
  expect(writesOf(demo).length).toBeLessThan(60);
  const next = await start({ demo, home });
  const told = await next.client.callTool('get_change', { changeId });
  expect(told.data?.status).toBe('stopped');
  expect(told.data?.unknown).toBeUndefined();
  expectTrue(demo, told);
});

test('a server error ends the batch, and the refusal of a channel does not, as the preview says', async () => {
  const demo = await startSix();
  const { client } = await start({ demo });
  const asked = await client.callTool('update_channels', renames(demo));
  expect(asked.text).toContain('If the service refuses one of the channels, the others are changed all the same');
  demo.faults.next({ match: { method: 'PUT' }, times: 2, do: { kind: 'status', code: 400, body: { message: 'Not this one.' } } });
  const refused = await confirmPreview(client, asked);
  expect(writesOf(demo)).toHaveLength(SIX);
  expectTrue(demo, refused);
  expect(refused.text).toContain('Not this one.');

  const before = writesOf(demo).length;
  demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'status', code: 500, body: { message: 'Out of order.' } } });
  const again = { changes: [...demo.world.channels.values()].map(({ id }, at) => ({ channel: id, description: `Again ${at}` })) };
  const askedAgain = await client.callTool('update_channels', again);
  const failed = await confirmPreview(client, askedAgain);
  // The three updates under way, each retried once after a read showed the channel unchanged.
  expect(writesOf(demo).length - before).toBeLessThanOrEqual(6);
  expect(failed.text).toContain('Out of order.');
  expect(recordsIn(failed.data, 'notDone').length).toBe(3);
  expect(channelAt(demo, 0).description).not.toBe('Again 0');
});

test('nothing is sent if the last read before the update returns another channel’s record', async () => {
  const demo = await startSix();
  const { client } = await start({ demo, env: NEVER });
  const { id, version, updated, name, videoKeys, projectKeys } = channelAt(demo, 0);
  demo.faults.always({
    match: { method: 'GET', path: `/v1/channels/${id}` },
    skip: 1,
    do: { kind: 'status', code: 200, body: { id: channelAt(demo, 1).id, version, updated, name, videoKeys, projectKeys } },
  });
  const reply = await client.callTool('update_channels', { changes: [{ channel: id, name: 'Renamed' }] });
  expect(writesOf(demo)).toEqual([]);
  expect(reply.text).toMatch(/record of another channel/);
});

test('a cancel during the last reads before the updates sends no update and reads no further channel', async () => {
  const demo = await startSix();
  const { client } = await startRaw({ demo, env: NEVER });
  const giveUp = new AbortController();
  let given: Promise<unknown> | undefined;
  let looks = 0;
  demo.behaviour.onRequest = async ({ path }) => {
    if (!path.startsWith('/v1/channels/')) return;
    looks += 1;
    // The first reads are those of the plan, one for each channel.
    if (looks <= SIX) return;
    giveUp.abort();
    given ??= client.request('tools/list');
    await given;
  };
  await client.callTool('update_channels', renames(demo), { signal: giveUp.signal }).catch(() => undefined);
  const [listed] = recordsIn((await client.callTool('list_changes')).data, 'changes');
  const over = await ended(client, listed?.changeId);
  expect(writesOf(demo)).toEqual([]);
  expect(looks - SIX).toBe(3);
  expect(recordsIn(over.data, 'notDone')).toHaveLength(SIX);
});

/** Conditions under which it is unsafe to retry an update whose answer was lost. */
const LOST: Readonly<Record<string, (demo: DemoService, client: RawClient, giveUp: AbortController) => void>> = {
  'the channel can’t be read back': (demo) =>
    demo.faults.always({
      match: { method: 'GET', path: `/v1/channels/${channelAt(demo, 0).id}` },
      skip: 2,
      do: { kind: 'status', code: 404 },
    }),
  'reading it back returns another channel': (demo) => {
    const body = { ...channelAt(demo, 0), id: 'another', name: 'Renamed 0', version: channelAt(demo, 0).version + 1 };
    demo.faults.always({
      match: { method: 'GET', path: `/v1/channels/${channelAt(demo, 0).id}` },
      skip: 2,
      do: { kind: 'status', code: 200, body },
    });
  },
  'the service sends no version': (demo) => {
    const { version: _v, updated: _u, ...record } = channelAt(demo, 0);
    const pager = { page: 1, totalPages: 1, totalResults: 1, sort: 'Created:1' };
    demo.faults.always({
      match: { method: 'GET', path: '/v1/channels' },
      do: { kind: 'status', code: 200, body: { pager, channels: [record] } },
    });
    demo.faults.always({ match: { method: 'GET', path: /^.v1.channels.[^/]+$/ }, do: { kind: 'status', code: 200, body: record } });
  },
  'the client cancelled meanwhile': (demo, client, giveUp) => {
    demo.behaviour.onRequest = async ({ method }) => {
      if (method !== 'PUT') return;
      giveUp.abort();
      await client.request('tools/list');
    };
  },
};

test.each(Object.entries(LOST))('an update whose answer was lost is not sent again if %s', async (_where, arrange) => {
  const demo = await startSix(1);
  const { client } = await startRaw({ demo, env: NEVER });
  const giveUp = new AbortController();
  const { name } = channelAt(demo, 0);
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'reset-before' } });
  arrange(demo, client, giveUp);
  await client.callTool('update_channels', renames(demo), { signal: giveUp.signal }).catch(() => undefined);
  const [listed] = recordsIn((await client.callTool('list_changes')).data, 'changes');
  const over = await ended(client, listed?.changeId);
  expect(channelAt(demo, 0).name).toBe(name);
  expect(writesOf(demo)).toHaveLength(1);
  expect(recordsIn(over.data, 'unknown')).toHaveLength(1);
});

test('the answer to a change that can’t be planned says that nothing was sent', async () => {
  const demo = await startService({ channels: 2 });
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CALL_BUDGET_MS: '1000' } });
  const change = { changes: [{ channel: channelAt(demo, 0).id, name: 'Another', setVideoKeys: ['a'] }] };
  for (const fault of [
    { kind: 'status', code: 401 },
    { kind: 'delay', ms: 3_000 },
  ] as const) {
    demo.faults.clear();
    demo.faults.always({ do: fault });
    const { isError, text } = await client.callTool('update_channels', change);
    expect(isError).toBe(true);
    expect(text).toContain('No change was sent to the service; nothing was changed.');
  }
  expect(writesOf(demo)).toEqual([]);
});

test('a refused credential ends the change, and the answer says what to do', async () => {
  const demo = await startService({ channels: 6 });
  const { client } = await start({ demo, forms: 'accept' });
  const setVideoKeys = videoKeysOf(demo, 2);
  demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'status', code: 401 } });
  const changes = Array.from({ length: 6 }, (_, at) => ({ channel: channelAt(demo, at).id, setVideoKeys }));
  const { data } = await client.callTool('update_channels', { changes });
  // Three updates are under way at once.
  expect(writesOf(demo).length).toBeLessThanOrEqual(3);
  expect(data).toMatchObject({ status: 'failed', note: expect.stringMatching(/refused its key.*Next: Check VIDEO_HOSTING_API_KEY/s) });
});
