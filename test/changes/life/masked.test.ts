/** A record in which a credential is masked is not what the service has, and is never sent back. */
import { expect, test } from 'vitest';
import { API_KEY, startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { changeIdIn } from '../support/confirm.ts';
import { channelAt, contentOf, writesOf } from '../support/world.ts';

const SECRET = `Backup ${API_KEY.toLowerCase()} x`;

async function account(fields: object) {
  const demo = await startService({ channels: 3 });
  demo.behaviour.channelRecordsShowContents = true;
  const channel = channelAt(demo, 0);
  Object.assign(channel, fields);
  const { client } = await start({ demo, forms: 'accept' });
  return {
    demo,
    channel,
    client,
    update: (change: object) => client.callTool('update_channels', { changes: [{ channel: channel.id, ...change }] }),
  };
}

test('a channel whose name holds the credential is left alone until it gets another name', async () => {
  const { demo, channel, client, update } = await account({ name: SECRET });
  const held = contentOf(demo, channel.id);
  const refused = await client.callTool('update_channels', { changes: [{ channel: channel.id, description: 'New' }] });
  expect(writesOf(demo)).toEqual([]);
  expect(channel.name).toBe(SECRET);
  expect(refused.data).toMatchObject({ status: 'failed', error: { code: 'invalid_arguments' } });
  expect(refused.text).toContain('of its name, this server can read only [credential] where one of its own credentials stands');
  expect(refused.text).toContain('the credential should be renewed');
  // The mask is no name either.
  const copied = await client.callTool('update_channels', { changes: [{ channel: channel.id, name: 'Backup [credential] x!' }] });
  expect(writesOf(demo)).toEqual([]);
  expect(copied.data).toMatchObject({ status: 'failed' });
  const renamed = await update({ name: 'Backup', description: 'New' });
  expect(writesOf(demo).map(({ body }) => body)).toEqual([{ name: 'Backup', description: 'New', videoKeys: held.videoKeys }]);
  expect(renamed.data?.status).toBe('applied');
});

test.each([
  ['name', { name: SECRET }, { name: 'Backup' }],
  ['description', { description: SECRET }, { description: 'New' }],
])('a change of a %s that held the credential is not said to be undoable, and its undo is refused', async (_what, fields, change) => {
  const { demo, channel, client, update } = await account(fields);
  const done = await update(change);
  expect(channel).toMatchObject(change);
  expect(client.forms[0]?.message).toContain('This can’t be undone, not even in part');
  const undone = await client.callTool('undo_change', { changeId: changeIdIn(done) });
  expect(writesOf(demo)).toHaveLength(1);
  expect(undone.data).toMatchObject({ error: { code: 'not_undoable' } });
});

test('a list that holds the credential is not sent back', async () => {
  const { demo, channel, client } = await account({ videoKeys: ['k1', API_KEY] });
  const refused = await client.callTool('update_channels', { changes: [{ channel: channel.id, name: 'New' }] });
  expect(writesOf(demo)).toEqual([]);
  expect(refused.text).toContain('of its videoKeys, this server can read only [credential]');
});
