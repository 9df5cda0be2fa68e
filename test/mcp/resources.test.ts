import { expect, test } from 'vitest';
import { pathsOf, startService } from '../harness/service.ts';
import { start, startRaw } from '../harness/start.ts';

test('every listed resource can be read and has the right contents', async () => {
  const { client, demo } = await start();
  const listed = await client.listResources();
  expect(listed.length).toBeGreaterThan(1);
  for (const { uri, mimeType } of listed) {
    expect(mimeType).toBe('application/json');
    expect(typeof JSON.parse(await client.readResource(String(uri)))).toBe('object');
  }
  const types = JSON.parse(await client.readResource('video-hosting://plan-types'));
  expect(types.accountChannelAndTemplate).toContainEqual({ value: 2, name: 'Pro' });
  expect(types.project).toEqual([
    { value: 1, name: 'standard' },
    { value: 2, name: 'edge' },
  ]);
  const { templates } = JSON.parse(await client.readResource('video-hosting://templates'));
  expect(templates).toMatchObject(demo.world.templates.map(({ key, name }) => ({ key, name })));
});

test('channels and projects are read by id, and malformed addresses are refused without a request', async () => {
  const { client, demo } = await start();
  const templates = (await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate);
  expect(templates).toEqual(expect.arrayContaining(['video-hosting://channels/{id}', 'video-hosting://projects/{id}']));
  const { id, name } = demo.world.channelNamed('Onboarding');
  const channel = JSON.parse(await client.readResource(`video-hosting://channels/${id}`));
  expect(channel).toMatchObject({ channel: { id, name }, contents: { known: false } });
  const { id: projectId, options } = demo.world.projectNamed('Archive');
  const project = JSON.parse(await client.readResource(`video-hosting://projects/${projectId}`));
  expect(project).toMatchObject({ project: { id: projectId, options } });
  const asked = demo.requests.length;
  const refuses = (uri: string) => expect(client.readResource(uri)).rejects.toMatchObject({ code: expect.any(Number) });
  await refuses('nope://x');
  for (const path of ['nope', 'channels/', 'channels/a/b', 'channels/%zz']) await refuses(`video-hosting://${path}`);
  expect(demo.requests).toHaveLength(asked);
  for (const path of ['channels/nobody', 'changes/nothing']) await refuses(`video-hosting://${path}`);
});

test('arguments of prompts and templates are completed with names and ids of the account', async () => {
  const { client, demo } = await start({ demo: await startService({ channels: 150 }) });
  expect(await client.complete({ prompt: 'bulk-move' }, 'targetProject', 'arch')).toEqual(['Archive']);
  expect(await client.complete({ prompt: 'bulk-move' }, 'videos', '')).toEqual([]);
  const channels = await client.complete({ prompt: 'reorganise-channels' }, 'channel', 'web');
  expect(channels.slice(0, 2).every((name) => name.startsWith('Webinars'))).toBe(true);
  const { id } = demo.world.channelNamed('Onboarding');
  expect(await client.complete({ template: 'video-hosting://channels/{id}' }, 'id', id.slice(0, -1))).toContain(id);
  const many = await client.complete({ prompt: 'reorganise-channels' }, 'channel', '');
  expect(many).toHaveLength(100);
  expect(new Set(pathsOf(demo))).toEqual(new Set(['GET /v1/channels', 'GET /v1/projects']));
});

test('prompts quote the user’s arguments as data, and a missing argument is named in the error', async () => {
  const { client, demo } = await start();
  const listed = (await client.listPrompts()).map(({ name }) => name);
  expect(listed).toEqual(['reorganise-channels', 'analytics-report', 'bulk-move']);
  const text = await client.getPrompt('reorganise-channels', { goal: 'Webinars first "now"', channel: '👩‍💻 Developer Corner 🚀' });
  expect(text).toContain(JSON.stringify('Webinars first "now"'));
  expect(text).toContain('👩‍💻 Developer Corner 🚀');
  expect(text).toContain('update_channels');
  const says = (words: string) => ({ code: -32602, message: expect.stringContaining(words) });
  await expect(client.getPrompt('reorganise-channels', {})).rejects.toMatchObject(says('goal'));
  await expect(client.getPrompt('reorganize-channels')).rejects.toMatchObject(says('reorganise-channels'));
  expect(demo.requests).toEqual([]);
});

test('a completion says when there are more values than it returns', async () => {
  const { client, demo } = await startRaw({ demo: await startService({ channels: 150 }) });
  const names = new Set([...demo.world.channels.values()].map(({ name }) => name)).size;
  const ref = { type: 'ref/prompt', name: 'reorganise-channels' };
  const { completion } = await client.request('completion/complete', { ref, argument: { name: 'channel', value: '' } });
  expect(completion).toMatchObject({ total: names, hasMore: true });
});

test('the resource of a change says that it was undone, as get_change does', async () => {
  const demo = await startService({ channels: 1 });
  demo.behaviour.channelRecordsShowContents = true;
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const [channel] = demo.world.channels.values();
  const changes = [{ channel: channel?.id, name: 'Renamed' }];
  const { data: { changeId } = {} } = await client.callTool('update_channels', { changes });
  const { data: undone } = await client.callTool('undo_change', { changeId });
  expect(channel?.name).not.toBe('Renamed');
  const told = JSON.parse(await client.readResource(`video-hosting://changes/${String(changeId)}`));
  expect(told).toMatchObject({ undoneBy: undone?.changeId, undo: { possible: 'no' } });
});
