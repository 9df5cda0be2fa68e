import { expect, test } from 'vitest';
import { recordsIn, type ToolReply } from '../harness/client.ts';
import { type DemoService, pathsOf, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

const idsIn = (reply: ToolReply) => recordsIn(reply.data, 'channels').map(({ id }) => id);

/** The account's channels, oldest first. */
function oldestFirst(demo: DemoService) {
  return [...demo.world.channels.values()].sort((a, b) => (a.created < b.created ? -1 : 1));
}

/** The queries of the requests that list channels. (Templates are requested too, for their names.) */
const listed = (demo: DemoService) => demo.requests.filter(({ path }) => path === '/v1/channels').map(({ query }) => query);

test('list_channels returns the requested page in the requested order', async () => {
  const { client, demo } = await start();
  const reply = await client.callTool('list_channels', { page: 2, size: 7, sort: 'Created:1' });
  expect(listed(demo)).toEqual([{ page: '2', size: '7', sort: 'Created:1' }]);
  expect(reply.data?.pager).toEqual({ page: 2, totalPages: 9, totalResults: 60, sort: 'Created:1' });
  const expected = oldestFirst(demo).slice(7, 14);
  expect(recordsIn(reply.data, 'channels')).toMatchObject(expected.map(({ id, created }) => ({ id, created })));
  expect(reply.text).toMatch(/^pager: page 2, totalPages 9, totalResults 60, .*\nchannels \(7\):\n/);
  expect(reply.text.split('\n')).toHaveLength(10);
});

test('list_channels shows whole descriptions and times of up to 25 channels, and more of them in brief', async () => {
  const { client, demo } = await start();
  const description = `${'Every talk of the year, with slides. '.repeat(6)}The end`;
  for (const channel of demo.world.channels.values()) channel.description = description;
  const few = recordsIn((await client.callTool('list_channels', { size: 25 })).data, 'channels');
  const many = recordsIn((await client.callTool('list_channels', { size: 26 })).data, 'channels');
  expect([few.length, many.length]).toEqual([25, 26]);
  for (const { id, ...shown } of few) {
    const { created, updated } = demo.world.channels.get(String(id)) ?? {};
    expect(shown).toMatchObject({ description, created, updated });
  }
  for (const shown of many) {
    expect(String(shown.description).length).toBeLessThanOrEqual(60);
    expect(shown.updated).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(shown).not.toHaveProperty('created');
  }
});

test('list_channels searches all pages, ignoring case and accents, and lists the nearest names', async () => {
  const { client, demo } = await start({ demo: await startService({ channels: 250 }) });
  const series = [...demo.world.channels.values()].filter(({ name }) => name.startsWith('Series '));
  expect(series.length).toBeGreaterThan(150);
  const found = await client.callTool('list_channels', { search: 'sERIES', page: 2, size: 100 });
  expect(found.data?.pager).toMatchObject({ page: 2, totalPages: 2, totalResults: series.length });
  expect(idsIn(found)).toHaveLength(series.length - 100);
  const accents = await client.callTool('list_channels', { search: 'evenements' });
  expect(idsIn(accents)).toEqual([demo.world.channelNamed('Événements').id]);
  const near = await client.callTool('list_channels', { search: 'onbording' });
  expect(near.data).toMatchObject({ channels: [], pager: { totalResults: 0 } });
  expect(near.text).toContain(`\nThe nearest names: "Onboarding" (${demo.world.channelNamed('Onboarding').id}, updated `);
  const none = await client.callTool('list_channels', { search: 'no such channel' });
  expect(none.data).toMatchObject({ channels: [], pager: { totalResults: 0 } });
  expect(none.text).toContain(`\nNone of the ${demo.world.channels.size} names comes near that; without search they are listed.`);
  const { id, updated } = demo.world.channelNamed('Webinars 2026');
  const webinars = await client.callTool('list_channels', { search: 'webinr 2026' });
  expect(webinars.text).toContain(`\nThe nearest names: "Webinars 2026" (${id}, updated ${updated.slice(0, 10)})`);
});

test('list_channels notes when the service used another order than requested', async () => {
  const { client } = await start();
  const other = await client.callTool('list_channels', { sort: 'popularity', size: 1 });
  expect(other.text).toMatch(/\nNot in the order that was asked for: the service says it is "created(:-1)?"\.$/m);
  for (const sort of ['Created:1', 'created', '-created', 'name:-1'])
    expect((await client.callTool('list_channels', { sort, size: 1 })).text).not.toContain('Not in the order');
});

test('list_channels accepts a plan type by name and by number', async () => {
  const { client, demo } = await start();
  const business = [...demo.world.channels.values()].filter(({ planType }) => planType === 3).map(({ id }) => id);
  for (const planType of ['Business', 3]) {
    const reply = await client.callTool('list_channels', { planType });
    expect(new Set(idsIn(reply))).toEqual(new Set(business));
    expect(recordsIn(reply.data, 'channels')[0]).toMatchObject({ planType: 'Business' });
  }
  expect(listed(demo)).toEqual([{ planType: '3' }, { planType: '3' }]);
});

test('get_channel finds a channel by id, by key and by an awkward name', async () => {
  const { client, demo } = await start();
  for (const name of ['製品紹介', '👩‍💻 Developer Corner 🚀', '"Ask Me Anything"', '50% off: campaign', 'Q1/Q2 Recaps', 'a']) {
    const { id, key } = demo.world.channelNamed(name);
    for (const channel of [id, key, name]) {
      const reply = await client.callTool('get_channel', { channel });
      expect(reply.data).toMatchObject({ channel: { id, key, name }, contents: { known: false } });
    }
  }
  expect(new Set(demo.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('get_channel returns the contents of a channel only if the service shows them', async () => {
  const { client, demo } = await start();
  const { id, videoKeys, projectKeys } = demo.world.channelNamed('Onboarding');
  const unknown = await client.callTool('get_channel', { channel: id });
  expect(unknown.data?.contents).toMatchObject({ known: false, next: expect.stringContaining('currentVideoKeys') });
  expect(unknown.text).toContain('not known');
  demo.behaviour.channelRecordsShowContents = true;
  const known = await client.callTool('get_channel', { channel: id });
  expect(known.data?.contents).toMatchObject({ known: true, source: 'as the service shows it', videoKeys, projectKeys });
  expect(known.text).toContain(`videoCount: ${videoKeys.length}`);
});

test('a channel named like an endpoint is found by name, and the endpoint is not requested', async () => {
  const { client, demo } = await start();
  const missing = await client.callTool('get_channel', { channel: 'templates' });
  expect(missing.isError).toBe(true);
  expect(pathsOf(demo)).not.toContain('GET /v1/channels/templates');
  const { id } = demo.world.addChannel({ name: 'templates' });
  expect((await client.callTool('get_channel', { channel: 'templates' })).data).toMatchObject({ channel: { id } });
  expect(pathsOf(demo)).not.toContain('GET /v1/channels/templates');
});

test('a name with URL syntax does not change the path of a request', async () => {
  const { client, demo } = await start();
  for (const channel of ['..', '.', '../plans', '%2e%2e', 'x?page=2', 'x#y', '/v1/plans']) {
    const reply = await client.callTool('get_channel', { channel });
    expect(reply.isError).toBe(true);
    expect(reply.text).toContain('No channel has the id');
  }
  expect(new Set(pathsOf(demo))).toEqual(new Set(['GET /v1/channels']));
});

test.each([400, 403, 500])('a channel is found by name although the service answers %i to the name as an id', async (code) => {
  const { client, demo } = await start();
  demo.faults.always({ match: { path: '/v1/channels/Onboarding' }, do: { kind: 'status', code } });
  const { id } = demo.world.channelNamed('Onboarding');
  expect((await client.callTool('get_channel', { channel: 'Onboarding' })).data).toMatchObject({ channel: { id } });
});

test('the error for an unknown name lists the nearest name', async () => {
  const { client, demo } = await start();
  const { id, updated } = demo.world.channelNamed('Onboarding');
  const reply = await client.callTool('get_channel', { channel: 'Onbording' });
  expect(reply.text).toContain(`"Onboarding" (${id}, updated ${updated.slice(0, 10)})`);
  expect(reply.text).toContain('Next: Call again with the id of the one that is meant');
  const far = await client.callTool('get_channel', { channel: 'qqqqqqqqqqqq' });
  expect(far.text).toContain('Next: Use list_channels');
});

test('spaces around a name are ignored, and the error for a URL names the channel whose id it contains', async () => {
  const { client, demo } = await start();
  const { id, updated } = demo.world.channelNamed('Onboarding');
  expect((await client.callTool('get_channel', { channel: ' Onboarding\n' })).data).toMatchObject({ channel: { id } });
  const address = await client.callTool('get_channel', { channel: `https://video.example.com/channels/${id}/edit` });
  expect(address.text).toContain(`The nearest: "Onboarding" (${id}, updated ${updated.slice(0, 10)}).`);
});

test('a response with another channel’s record is not taken for the requested channel', async () => {
  const { client, demo } = await start();
  const { id } = demo.world.channelNamed('Onboarding');
  const other = demo.world.channelNamed('How-to');
  demo.faults.next({ match: { path: `/v1/channels/${id}` }, do: { kind: 'status', code: 200, body: { id: other.id, name: other.name } } });
  expect((await client.callTool('get_channel', { channel: id })).data).toMatchObject({ channel: { id, name: 'Onboarding' } });
});
