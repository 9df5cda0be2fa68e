import { expect, test } from 'vitest';
import { ask, firstOf, startSmall } from './harness.ts';

test('a channel list cuts the page size to 100, or refuses a larger one', async () => {
  const demo = await startSmall({ channels: 130 });
  expect((await ask(demo, 'GET /v1/channels?size=500')).json.channels).toHaveLength(100);
  demo.behaviour.oversizedPage = 'reject';
  expect((await ask(demo, 'GET /v1/channels?size=101')).status).toBe(400);
});

test.each(['name', '-name', 'Name:1', 'name:-1', 'Created:-1', 'created'])('a channel list sorts by %s and states it', async (sort) => {
  const demo = await startSmall();
  const sign = sort.includes('-') ? -1 : 1;
  const { json } = await ask(demo, `GET /v1/channels?size=100&sort=${sort}`);
  const field = sort.toLowerCase().includes('name') ? 'name' : 'created';
  const values: string[] = json.channels.map((channel: Record<string, string>) => channel[field]?.toLowerCase());
  expect(values).toEqual([...values].sort((a, b) => (a < b ? -sign : a > b ? sign : 0)));
  expect(json.pager.sort).toBe(sort);
});

test('a page past the end is empty, the last page, or a 404', async () => {
  const demo = await startSmall({ channels: 5 });
  expect((await ask(demo, 'GET /v1/channels?page=9')).json.channels).toEqual([]);
  demo.behaviour.pageBeyondEnd = 'last';
  expect((await ask(demo, 'GET /v1/channels?page=9')).json.pager.page).toBe(1);
  demo.behaviour.pageBeyondEnd = 'not-found';
  expect((await ask(demo, 'GET /v1/channels?page=9')).status).toBe(404);
});

test('an update that sends one list empties the other, or keeps it', async () => {
  const demo = await startSmall();
  const project = firstOf(demo.world.projects.values());
  const channel = demo.world.addChannel({ projectKeys: [project.key] });
  const body = { name: 'x', videoKeys: [...demo.world.videosByKey.keys()].slice(0, 1) };
  demo.behaviour.updateClearsUnsentList = false;
  await ask(demo, `PUT /v1/channels/${channel.id}`, { body });
  expect(demo.world.channels.get(channel.id)?.projectKeys).toEqual([project.key]);
  demo.behaviour.updateClearsUnsentList = true;
  await ask(demo, `PUT /v1/channels/${channel.id}`, { body });
  expect(demo.world.channels.get(channel.id)?.projectKeys).toEqual([]);
});

test.each([
  ['no name', { videoKeys: ['?'] }, /name is required/],
  ['a name of 101 characters', { name: 'n'.repeat(101), videoKeys: ['?'] }, /at most 100/],
  ['a description of 251 characters', { name: 'n', description: 'd'.repeat(251), videoKeys: ['?'] }, /at most 250/],
  ['no list', { name: 'n' }, /at least one videoKey or projectKey must be provided/i],
  ['an empty list', { name: 'n', videoKeys: [] }, /at least one videoKey or projectKey must be provided/i],
  ['a list that is not an array', { name: 'n', videoKeys: 'abc' }, /array of strings/],
  ['an unknown project', { name: 'n', projectKeys: ['?'] }, /projectKeys/],
  ['two empty lists and an unknown template', { name: 'n', projectKeys: [], videoKeys: [], templateKey: '?' }, /at least one/i],
])('an update with %s is a 400 that changes nothing', async (_name, body, message) => {
  const demo = await startSmall();
  const channel = firstOf(demo.world.channels.values());
  const before = structuredClone(channel);
  const { status, json } = await ask(demo, `PUT /v1/channels/${channel.id}`, { body });
  expect(status).toBe(400);
  expect(json.message).toMatch(message);
  expect(channel).toEqual(before);
});

test('an inactive template is refused, ignored or accepted, as configured', async () => {
  const demo = await startSmall();
  const channel = demo.world.channelNamed('Onboarding');
  const former = channel.templateKey;
  const inactive = demo.world.templates.find((template) => template.status !== 1)?.key ?? '';
  const put = () =>
    ask(demo, `PUT /v1/channels/${channel.id}`, { body: { name: 'n', videoKeys: channel.videoKeys, templateKey: inactive } });
  expect((await put()).status).toBe(400);
  demo.behaviour.unknownTemplateKey = 'ignore';
  expect((await put()).json.templateKey).toBe(former);
  demo.behaviour.unknownTemplateKey = 'accept';
  expect((await put()).json.templateKey).toBe(inactive);
});

test('updating a channel that does not exist or is not accessible is a 404', async () => {
  const demo = await startSmall();
  const channel = firstOf(demo.world.channels.values());
  const body = { name: 'n', videoKeys: channel.videoKeys };
  expect((await ask(demo, 'PUT /v1/channels/nope', { body })).status).toBe(404);
  demo.behaviour.inaccessibleChannels = new Set([channel.id]);
  expect((await ask(demo, `PUT /v1/channels/${channel.id}`, { body })).status).toBe(404);
  expect((await ask(demo, 'GET /v1/channels?size=100')).json.pager.totalResults).toBe(59);
});

test('a channel can’t be deleted, because the API document has no request for it', async () => {
  const demo = await startSmall();
  const channel = firstOf(demo.world.channels.values());
  const { status, headers } = await ask(demo, `DELETE /v1/channels/${channel.id}`);
  expect([status, headers.get('allow')]).toEqual([405, 'GET, PUT']);
  expect(demo.world.channels.has(channel.id)).toBe(true);
});

test('an update can ignore a field silently, and be visible only at a later read', async () => {
  const demo = await startSmall();
  const channel = demo.world.channelNamed('Onboarding');
  demo.behaviour.updateIgnores = new Set(['description']);
  demo.behaviour.staleReads = 1;
  const body = { name: 'Changed', description: 'Changed', videoKeys: channel.videoKeys };
  expect((await ask(demo, `PUT /v1/channels/${channel.id}`, { body })).json.description).toBe('First week, first project, first success.');
  expect((await ask(demo, `GET /v1/channels/${channel.id}`)).json.name).toBe('Onboarding');
  expect((await ask(demo, `GET /v1/channels/${channel.id}`)).json.name).toBe('Changed');
});

test('a body must be JSON, have its content type and be of limited size', async () => {
  const demo = await startSmall();
  const put = (raw: string, headers: Record<string, string> = {}) =>
    ask(demo, `PUT /v1/channels/${firstOf(demo.world.channels.keys())}`, { raw, headers });
  expect((await put('{}', { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await put('{')).status).toBe(400);
  expect((await put('[]')).status).toBe(400);
  expect((await put(`"${'x'.repeat(3_000_000)}"`)).status).toBe(413);
});
