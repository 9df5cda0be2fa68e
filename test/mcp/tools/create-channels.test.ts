/** Several new channels with one confirmation: each is sent once, and each has its own outcome. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changeFiles } from '../../changes/support/journal-files.ts';
import { videoKeysOf, writesOf } from '../../changes/support/world.ts';
import { CLIENT_KINDS, recordsIn } from '../../harness/client.ts';
import { pathsOf, startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };

const six = (keys: readonly string[]) => Array.from({ length: 6 }, (_, index) => ({ name: `New ${index}`, videoKeys: [keys[index]] }));

test.each(CLIENT_KINDS)('six channels are created in order with one call and one confirmation (%s)', async (kind) => {
  const demo = await startService({ channels: 3, videos: 20 });
  const keys = videoKeysOf(demo, 6);
  const { client } = await start({ demo, client: kind, forms: 'accept' });
  const reply = await client.callTool('create_channels', { channels: six(keys) });
  const created = [...demo.world.channels.values()].slice(-6);
  expect(created.map(({ name, videoKeys }) => [name, videoKeys])).toEqual(keys.map((key, index) => [`New ${index}`, [key]]));
  expect(client.forms).toHaveLength(1);
  expect(reply.data).toMatchObject({ status: 'applied', undo: { possible: 'no' } });
  expect(recordsIn(reply.data, 'after').map(({ id }) => id)).toEqual(created.map(({ id }) => id));
  const looked = await client.callTool('get_channel', { channel: created[3]?.id });
  expect(looked.data).toMatchObject({ contents: { known: true, videoKeys: [keys[3]] } });
});

test('a form names the channels that are created, as many as it has room for, and how many there are besides', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  const { client } = await start({ demo, forms: 'decline', env: { VIDEO_HOSTING_CONFIRM: 'form' } });
  const keys = videoKeysOf(demo, 1);
  const create = (names: readonly string[]) =>
    client.callTool('create_channels', { channels: names.map((name) => ({ name, description: `About ${name}`, videoKeys: keys })) });
  const names = ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo', 'Win money at evil.example'];
  await create(names);
  await create(Array.from({ length: 20 }, (_, at) => `${at} ${'long '.repeat(10)}end`));
  expect(writesOf(demo)).toEqual([]);
  const [few = '', many = ''] = client.forms.map(({ message }) => message.replace(/\s+/g, ' '));
  for (const name of names) expect(few).toContain(`"${name}"`);
  expect(many).toMatch(/"0 long .*"11 long .* and 8 more\./);
  for (const { message } of client.forms) expect(message.split('\n').length).toBeLessThanOrEqual(16);
});

test.each([
  ['refuses it', { kind: 'status', code: 400 }, '"New" was not created: it failed.'],
  ['refuses the credential', { kind: 'status', code: 401 }, '"New" was not created.'],
  ['gives no answer', { kind: 'reset-before' }, 'It is not known whether "New" was created.'],
] as const)('what became of a single channel is told of it alone, where the service %s', async (_, fault, says) => {
  const demo = await startService({ channels: 3, videos: 20 });
  const { client } = await start({ demo, env: NEVER });
  demo.faults.always({ match: { method: 'POST' }, do: fault });
  const { data } = await client.callTool('create_channels', { channels: [{ name: 'New', videoKeys: videoKeysOf(demo, 1) }] });
  expect([...demo.world.channels.values()].map(({ name }) => name)).not.toContain('New');
  expect(data?.message).toBe(says);
});

test('an answer without a body is told with its status, and no sentence twice', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  const { client } = await start({ demo, env: NEVER });
  const keys = videoKeysOf(demo, 1);
  for (const [code, said] of [
    [500, 'The service had a problem of its own'],
    [503, 'The service is not available right now'],
    [504, 'No answer came from the service in time'],
  ] as const) {
    demo.faults.next({ match: { method: 'POST' }, do: { kind: 'status', code, body: '' } });
    const reply = await client.callTool('create_channels', { channels: [{ name: `New ${code}`, videoKeys: keys }] });
    expect(reply.text).toContain(`${said} (status ${code}).`);
    expect(reply.text.split(said)).toHaveLength(2);
  }
});

test('the other channels are created if the service refuses one', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  demo.faults.next({ match: { method: 'POST' }, skip: 2, do: { kind: 'status', code: 400, body: { message: 'Not on a Sunday.' } } });
  const { client } = await start({ demo, env: NEVER });
  const reply = await client.callTool('create_channels', { channels: six(videoKeysOf(demo, 6)) });
  const names = [...demo.world.channels.values()].slice(3).map(({ name }) => name);
  expect(names).toEqual(['New 0', 'New 1', 'New 3', 'New 4', 'New 5']);
  expect(reply.data).toMatchObject({ status: 'partly_applied', failed: [{ id: 'new-3', label: '"New 2"' }] });
  expect(reply.text).toContain('Not on a Sunday.');
});

test('a channel that waits for a busy service is not created once its change is stopped', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  const { client } = await start({ demo, env: NEVER, shortCalls: true });
  // While the first one is created, another call is told that nothing may be sent for a while.
  demo.faults.next({ match: { method: 'GET', path: '/v1/plans' }, do: { kind: 'status', code: 429, retryAfter: 5 } });
  demo.behaviour.onRequest = async ({ method }) => {
    if (method !== 'POST') return;
    delete demo.behaviour.onRequest;
    void client.callTool('list_plans', {}).catch(() => undefined);
    await expect.poll(() => pathsOf(demo).filter((path) => path.includes('/v1/plans')).length).toBeGreaterThan(0);
  };
  const running = await client.callTool('create_channels', { channels: six(videoKeysOf(demo, 6)) });
  const stopped = await client.callTool('stop_change', { changeId: running.data?.changeId });
  expect([...demo.world.channels.values()].slice(3).map(({ name }) => name)).toEqual(['New 0']);
  expect(writesOf(demo)).toHaveLength(1);
  expect(stopped.data).toMatchObject({ status: 'stopped', done: 1, failedCount: 0, unknownCount: 0, notSentCount: 5 });
});

test('after a lost response, no further channel is sent, and the reply names the one that was probably created', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  demo.faults.always({ match: { method: 'POST', api: 'main' }, skip: 2, do: { kind: 'reset-after' } });
  const { client } = await start({ demo, env: NEVER });
  const reply = await client.callTool('create_channels', { channels: six(videoKeysOf(demo, 6)) });
  expect(writesOf(demo)).toHaveLength(3);
  const [, , doubtful] = [...demo.world.channels.values()].slice(3);
  expect(reply.data).toMatchObject({ status: 'partly_applied', unknown: [{ id: 'new-3' }] });
  expect(recordsIn(reply.data, 'notDone').map(({ id }) => id)).toEqual(['new-4', 'new-5', 'new-6']);
  expect(reply.text).toContain(`(${doubtful?.id}); it is probably this one`);
});

test('a creation that was killed names what it did not send, also while its server still counts as running', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  const { client, dataDir, home, stop } = await start({ demo, env: NEVER });
  const [key] = videoKeysOf(demo, 1);
  const channels = Array.from({ length: 30 }, (_, index) => ({ name: `New ${index}`, videoKeys: [key] }));
  const { data } = await client.callTool('create_channels', { channels });
  await stop();
  const [file = ''] = changeFiles(dataDir);
  const lines = readFileSync(file, 'utf8').split('\n');
  const later = await start({ demo, home, env: NEVER });
  const told = async (list?: string) => (await later.client.callTool('get_change', { changeId: data?.changeId, list })).data;
  // Of another machine, whose heartbeat is a minute old at most; then of this one, where no such process runs.
  for (const [status, owner] of [
    ['running', '"pid":1,"host":"elsewhere","machine":"elsewhere"'],
    ['interrupted', '"pid":999999999,"host":"elsewhere"'],
  ] as const) {
    // The intent, eleven channels, and one that was about to be sent.
    const left = lines
      .slice(0, 24)
      .join('\n')
      .replace(/"process":\{[^}]*/, `"process":{${owner},"started":"2026-01-01T00:00:00.000Z"`);
    writeFileSync(file, `${left}\n`);
    if (status === 'interrupted') utimesSync(file, new Date(0), new Date(0));
    const { list, pager, notDone } = (await told('notDone')) ?? {};
    expect({ list, pager }).toMatchObject({ list: 'notDone', pager: { totalResults: 18 } });
    expect(recordsIn({ notDone }, 'notDone').map(({ label }) => label)).toEqual(channels.slice(12).map(({ name }) => JSON.stringify(name)));
    expect(await told()).toMatchObject({ status });
    const created = [...demo.world.channels.values()].slice(3, 14).map(({ id }) => id);
    expect(recordsIn(await told('done'), 'done').map(({ id }) => id)).toEqual(created);
  }
});

test('all problems of all channels are reported at once, and nothing is sent', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  const [a] = videoKeysOf(demo, 1);
  const { client } = await start({ demo, env: NEVER });
  const channels = [
    { name: 'Twin', videoKeys: [a] },
    { name: 'Twin', videoKeys: [`${a}\u200b`] },
    { name: ' ', videoKeys: [a] },
    { name: 'Other', videoKeys: [a], template: 'No such' },
  ];
  const reply = await client.callTool('create_channels', { channels });
  const none = await client.callTool('create_channels', { channels: [] });
  expect(writesOf(demo)).toEqual([]);
  expect([reply.isError, none.isError]).toEqual([true, true]);
  for (const field of [
    'channels[1].name ("Twin"): is the name of channels[0] too',
    'channels[1].videoKeys[0] ("Twin")',
    'channels[2].name',
    'channels[3].template',
  ])
    expect(reply.text).toContain(field);
});

test('a template is found by key or exact name, and an ambiguous name lists the candidates with plan type and date', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  const [key] = videoKeysOf(demo, 1);
  const { client } = await start({ demo });
  const templates = demo.world.templates.filter(({ status }) => status === 1);
  const grid = templates.find(({ name }) => name === 'Grid');
  const dark = templates.filter(({ name }) => name === 'Dark');
  const make = (template: string) => client.callTool('create_channels', { channels: [{ name: 'New', videoKeys: [key], template }] });
  expect((await make('Grid')).text).toContain(`template: "Grid" (${grid?.key}), for plan type Pro or higher`);
  expect((await make(String(dark[1]?.key))).text).toContain(`template: "Dark" (${dark[1]?.key}, for plan type Business or higher, created`);
  const both = await make('Dark');
  expect(both.isError).toBe(true);
  for (const { key, created } of dark)
    expect(both.text).toMatch(new RegExp(`${key}, for plan type \\w+ or higher, created ${created.slice(0, 10)}`));
  const near = await make('grid');
  expect(near.text).toContain(`Did you mean "Grid" (${grid?.key})?`);
  expect((await make('Old Carousel')).text).toContain('is not active');
  expect(writesOf(demo)).toEqual([]);
});

test('wrong arguments are refused', () =>
  expectRefused('create_channels', [
    [{}, 'channels: is missing'],
    [{ channels: [] }, 'channels: '],
    [{ channels: Array.from({ length: 51 }, (_, at) => ({ name: `New ${at}`, videoKeys: ['a'] })) }, 'channels: '],
    [{ channels: [{ name: 'New' }] }, 'channels[0].videoKeys'],
    [{ channels: [{ name: 'n'.repeat(101), videoKeys: ['a'] }] }, 'channels[0].name'],
    [{ channels: [{ name: 'New', videoKeys: ['a'], description: 'd'.repeat(251) }] }, 'channels[0].description'],
  ]));
