/** Names that channels had until this server gave them others: both processes know them, from the journal. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestClient, Values } from '../../../harness/client.ts';
import { type DemoService, startService } from '../../../harness/service.ts';
import { freshHome, type Session, start } from '../../../harness/start.ts';
import { videoKeysOf, writesOf } from '../../support/world.ts';

const UNASKED = { VIDEO_HOSTING_CONFIRM: 'never' };
const ON = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;

/** A server that renames a channel, and another process on its data folder, which only the journal tells. */
async function renamed(more: { readonly channels?: number; readonly views?: number } = {}) {
  const demo = await startService({ channels: 3, projects: 2, videos: 20, ...more });
  demo.behaviour.channelRecordsShowContents = true;
  const home = freshHome();
  const folder = join(home, 'files');
  mkdirSync(folder);
  const env = { ...UNASKED, VIDEO_HOSTING_FILES_DIR: folder };
  const first = await start({ demo, home, env, via: 'process' });
  const [channel, other] = [...demo.world.channels.values()];
  if (channel === undefined || other === undefined) throw new Error('The account has two channels.');
  const { name: old } = channel;
  await rename(first, channel.id, 'Called otherwise');
  expect(channel.name).toBe('Called otherwise');
  const { client } = await start({ demo, home, env, via: 'process' });
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  return {
    demo,
    first,
    client,
    channel,
    other,
    old,
    put,
    note: new RegExp(`"${old}" is "Called otherwise" \\(${channel.id}\\) now: this server renamed it on ${ON}\\.`),
  };
}

const rename = async ({ client }: Pick<Session, 'client'>, channel: string, name: string) => {
  const { data, text } = await client.callTool('update_channels', { changes: [{ channel, name }] });
  if (data?.status !== 'applied') throw new Error(text);
  return String(data.changeId);
};

const changeOf = (client: TestClient, ...changes: Values[]) => client.callTool('update_channels', { changes });
const lastWriteTo = (demo: DemoService): string => String(writesOf(demo).at(-1)?.path);

test('a channel is found by its former name, and each answer says that and when it was renamed', async () => {
  const { client, channel, old, note } = await renamed();
  const found = await client.callTool('get_channel', { channel: ` ${old}` });
  expect(found.data).toMatchObject({ channel: { id: channel.id, name: 'Called otherwise' } });
  expect(found.text).toMatch(note);
  const listed = await client.callTool('list_channels', { search: old });
  expect(listed.data?.channels).toMatchObject([{ id: channel.id }]);
  expect(listed.text).toMatch(note);
  const emails = await client.callTool('get_collected_emails', { channel: old });
  expect(emails.text).toMatch(new RegExp(`channel "Called otherwise" \\("${old}" until this server renamed it on ${ON}\\)`));
});

test('a question that names it so is about it, and says so; of several channels too', async () => {
  const { client, channel, other, old, note } = await renamed({ views: 400 });
  for (const channels of [[old], [other.name, old]]) {
    const reply = await client.callTool('query_analytics', { from: '2024-01-01', channels });
    expect(reply.data?.filters, reply.text).toEqual([expect.stringContaining(`"Called otherwise" (${channel.key})`)]);
    expect(reply.text).toMatch(note);
  }
});

test('a change that names it so changes it, and its answer says so; a file too', async () => {
  const { demo, client, channel, old, put } = await renamed();
  const told = new RegExp(`"${old}" is "Called otherwise" now: this server renamed it on ${ON}\\.`);
  const reply = await changeOf(client, { channel: old, description: 'About it' });
  expect(channel.description).toBe('About it');
  expect(reply.data?.status).toBe('applied');
  expect(reply.text).toMatch(told);
  const [key] = videoKeysOf(demo, 1);
  put('new.csv', `channel,key\n${old},${key}\n`);
  const listed = await changeOf(client, { channel: channel.id, setVideoKeysFile: 'new.csv' });
  expect(listed.data?.status, listed.text).toBe('applied');
  expect(listed.text).toMatch(told);
});

test('a channel that has the name now is the one that is meant, and nothing is said', async () => {
  const { demo, client, other, old, first } = await renamed();
  await rename(first, other.id, old);
  const found = await client.callTool('get_channel', { channel: old });
  expect(found.data).toMatchObject({ channel: { id: other.id } });
  expect(found.text).not.toContain('renamed');
  const reply = await changeOf(client, { channel: old, description: 'About the other' });
  expect(other.description).toBe('About the other');
  expect(lastWriteTo(demo)).toContain(other.id);
  expect(reply.text).not.toContain('renamed it on');
});

test('a name that several had is refused with them, and one that an undo took back is former too', async () => {
  const { demo, client, channel, other, old, first } = await renamed();
  await rename(first, other.id, old);
  const changeId = await rename(first, other.id, 'Called anew');
  const before = writesOf(demo).length;
  const reply = await changeOf(client, { channel: old, description: 'Of which?' });
  expect(writesOf(demo)).toHaveLength(before);
  expect(reply.isError).toBe(true);
  expect(reply.text).toContain(
    `No channel is called "${old}", but several were before this server renamed them: "Called otherwise" (${channel.id}`,
  );
  await client.callTool('undo_change', { changeId });
  expect(other.name).toBe(old);
  expect((await client.callTool('get_channel', { channel: 'Called anew' })).text).toMatch(
    new RegExp(`"Called anew" is "${old}" \\(${other.id}\\) now: this server renamed it`),
  );
});
