import { expect, test } from 'vitest';
import { recordsIn, type ToolReply } from '../../harness/client.ts';
import { type DemoService, startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { expectRefused, WRONG_PAGES } from './support.ts';

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

test('templates are shown with key and name, and templates with the same name are marked', async () => {
  const demo = await startService({ channels: 3, videos: 20 });
  const dark = demo.world.templates.filter(({ name }) => name === 'Dark');
  const [one, two, three] = [...demo.world.channels.values()];
  Object.assign(one ?? {}, { templateKey: dark[1]?.key });
  Object.assign(two ?? {}, { templateKey: demo.world.templates[2]?.key });
  Object.assign(three ?? {}, { templateKey: '' });
  const { client } = await start({ demo });
  const channels = recordsIn((await client.callTool('list_channels')).data, 'channels');
  const nameOf = (id = '') => channels.find((channel) => channel.id === id)?.templateName;
  expect([nameOf(one?.id), nameOf(two?.id), nameOf(three?.id)]).toEqual(['Dark', 'Grid', undefined]);
  const told = await client.callTool('get_channel', { channel: one?.id });
  const templateNote = expect.stringMatching(
    /^Of the templates with this name, the one for plan type Business or higher, created \d{4}-\d\d-\d\d\.$/,
  );
  expect(told.data).toMatchObject({ channel: { templateKey: dark[1]?.key, templateName: 'Dark', templateNote } });
  const { data } = await client.callTool('get_channel', { channel: two?.id });
  expect(data).toMatchObject({ channel: { templateKey: demo.world.templates[2]?.key, templateName: 'Grid' } });
  const listed = recordsIn((await client.callTool('list_channel_templates')).data, 'templates');
  expect(listed.filter(({ sameName }) => sameName !== undefined).map(({ name }) => name)).toEqual(['Dark', 'Dark']);
});

test('list_channels omits template names if the service refuses to list templates', async () => {
  const demo = await startService({ channels: 3 });
  for (const channel of demo.world.channels.values()) channel.templateKey = String(demo.world.templates[0]?.key);
  demo.faults.always({ match: { method: 'GET', path: '/v1/channels/templates' }, do: { kind: 'status', code: 403 } });
  const { client } = await start({ demo });
  const channels = recordsIn((await client.callTool('list_channels')).data, 'channels');
  expect(channels).toHaveLength(3);
  for (const channel of channels) expect(channel).not.toHaveProperty('templateName');
});

test('wrong arguments are refused', () =>
  expectRefused('list_channels', [
    ...WRONG_PAGES,
    [{ search: 's'.repeat(201) }, 'search: '],
    [{ planType: 'edge' }, 'Free, Pro, Business, Enterprise'],
    [{ parentId: 'x' }, 'parentId: there is no such argument'],
  ]));
