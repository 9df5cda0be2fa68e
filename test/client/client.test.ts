/** The client as other programs use it. */
import { expect, test } from 'vitest';
import { type ChannelId, createClient, createUnguardedClient, type VideoKey } from '../../src/client/index.ts';
import { atEnd } from '../harness/cleanup.ts';
import { type DemoService, pathsOf, startService } from '../harness/service.ts';

const optionsFor = ({ baseUrl, statsUrl, apiKey }: DemoService) => ({ baseUrl, statsUrl, apiKey });

async function clients() {
  const demo = await startService({ channels: 250 });
  const [reader, unguarded] = [createClient(optionsFor(demo)), createUnguardedClient(optionsFor(demo))];
  atEnd(() => reader.close());
  atEnd(() => unguarded.close());
  return { demo, reader, unguarded };
}

/** The channel “Onboarding” and its videos. */
function channelOf(demo: DemoService) {
  const { id, videoKeys } = demo.world.channelNamed('Onboarding');
  // The service's own record has plain texts.
  return { id: id as ChannelId, videoKeys: videoKeys as VideoKey[] };
}

test('the client reads every kind of record', async () => {
  const { demo, reader } = await clients();
  const { items, complete } = await reader.channels.all();
  expect(items.length).toBe(250);
  expect(complete).toBe(true);
  const { id } = channelOf(demo);
  expect((await reader.channels.get(id)).name).toBe('Onboarding');
  expect((await reader.projects.all()).items.length).toBe(demo.world.projects.size);
  expect((await reader.templates.list()).items.length).toBe(demo.world.templates.length);
  expect((await reader.plans.list({ size: 1 })).items.length).toBe(1);
  const { views } = await reader.viewLogs.page({ from: '2026-01-01', size: 5 });
  expect(views.length).toBe(5);
  let emails = 0;
  for await (const { email } of reader.emails.collected()) emails += email === undefined ? 0 : 1;
  expect(emails).toBeGreaterThan(0);
});

test('only the unguarded client has methods that change the account', async () => {
  const { reader, unguarded } = await clients();
  const methodsOf = (client: object): string[] =>
    Object.entries(client).flatMap(([name, part]) =>
      typeof part === 'function' ? [name] : Object.keys(part).map((method) => `${name}.${method}`),
    );
  const changes = ['channels.create', 'channels.update', 'projects.create', 'videos.move', 'videos.copyCta'];
  expect(methodsOf(unguarded).filter((name) => !methodsOf(reader).includes(name))).toEqual(changes);
  expect(methodsOf(reader).filter((name) => /create|update|move|copy|delete|send|approv/i.test(name))).toEqual([]);
});

test('the unguarded client applies changes at once', async () => {
  const { demo, unguarded } = await clients();
  const { id, videoKeys } = channelOf(demo);
  await unguarded.channels.update(id, { name: 'Renamed', videoKeys });
  expect(demo.world.channelNamed('Renamed')).toMatchObject({ id, videoKeys });
  const { record } = await unguarded.channels.create({ name: 'New', videoKeys: videoKeys.slice(0, 1) });
  expect(demo.world.channelNamed('New').id).toBe(record?.id);
  expect(pathsOf(demo)).toEqual([`PUT /v1/channels/${id}`, 'POST /v1/channels']);
});

test('missing or insecure settings are refused before any request, and a refused key is reported', async () => {
  const demo = await startService();
  const client = createClient({ baseUrl: demo.baseUrl, apiKey: demo.apiKey });
  atEnd(() => client.close());
  await expect(client.viewLogs.page({ from: '2026-01-01' })).rejects.toMatchObject({ code: 'settings_missing' });
  expect(() => createClient({ baseUrl: 'http://api.example.com', apiKey: 'k' })).toThrow(
    expect.objectContaining({ code: 'settings_invalid' }),
  );
  expect(demo.requests).toEqual([]);
  const refused = createClient({ baseUrl: demo.baseUrl, apiKey: 'another' });
  atEnd(() => refused.close());
  await expect(refused.channels.list()).rejects.toMatchObject({ code: 'unauthorized', facts: { status: 401 } });
});
