import { expect, test } from 'vitest';
import type { Behaviour } from '../../src/demo/behaviour.ts';
import { CLIENT_KINDS, recordsIn } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { readsOf } from './reads.ts';

const ODDITIES: readonly [string, Partial<Behaviour>][] = [
  ['fields too many', { extraFields: true }],
  ['fields that are null', { nullFields: 0.5 }],
  ['fields that are missing', { missingFields: 0.5 }],
  ['nothing but ids and keys', { missingFields: 1 }],
  ['ids that are numbers', { numericIds: true }],
  ['a brief project', { getProjectIsBrief: true }],
  ['contents shown', { channelRecordsShowContents: true, extraFields: true }],
];

// The harness holds every answer to the output schema that the tool advertises.
test.each(CLIENT_KINDS.flatMap((kind) => ODDITIES.map(([name, behaviour]) => [kind, name, behaviour] as const)))(
  '%s: %s',
  async (kind, _name, behaviour) => {
    const demo = await startService();
    const { client } = await start({ client: kind, demo });
    Object.assign(demo.behaviour, behaviour);
    await client.listTools();
    for (const [tool, args] of readsOf(demo)) {
      const reply = await client.callTool(tool, args);
      const knowsNoNames = behaviour.missingFields !== undefined || behaviour.nullFields !== undefined || behaviour.numericIds === true;
      if (!knowsNoNames) expect(`${tool}: ${reply.isError ? reply.text : 'fine'}`).toBe(`${tool}: fine`);
      if (reply.isError) expect(reply.text).toMatch(/^No (channel|project) has the id, key or exact name/);
      expect(reply.text).not.toMatch(/undefined|NaN|\[object|\bnull\b/);
    }
    const list = await client.callTool('list_channels', { size: 100 });
    expect(recordsIn(list.data, 'channels')).toHaveLength(60);
    const keys = recordsIn(list.data, 'channels').map(({ key }) => key);
    expect(new Set(keys)).toEqual(new Set([...demo.world.channels.values()].map(({ key }) => key)));
  },
);

test('ids that are numbers are told as text, and found again', async () => {
  const { client, demo } = await start();
  demo.behaviour.numericIds = true;
  const list = await client.callTool('list_channels', { search: 'Onboarding for admins' });
  const [channel] = recordsIn(list.data, 'channels');
  expect(channel?.id).toMatch(/^\d+$/);
  const found = await client.callTool('get_channel', { channel: channel?.id });
  expect(found.data).toMatchObject({ channel: { id: channel?.id, name: 'Onboarding for admins' } });
});

test('a total that the service does not tell is not made up', async () => {
  const { client, demo } = await start();
  demo.behaviour.missingFields = 1;
  const reply = await client.callTool('list_channels', { size: 5 });
  expect(recordsIn(reply.data, 'channels')).toHaveLength(5);
  expect(reply.text).toMatch(/^pager: none\nchannels \(5\):\n/);
});

test('records that can’t be read are set aside and counted, and the others shown', async () => {
  const { client, demo } = await start();
  const [first, second] = [...demo.world.channels.values()];
  const body = {
    pager: { page: 1, totalPages: 1, totalResults: 4 },
    channels: [first, { name: 'without an id' }, { ...second, name: 7 }, null],
  };
  demo.faults.always({ match: { path: '/v1/channels' }, do: { kind: 'status', code: 200, body } });
  for (const args of [{}, { search: 'e' }]) {
    const reply = await client.callTool('list_channels', args);
    expect(recordsIn(reply.data, 'channels').map(({ id }) => id)).toEqual([first?.id]);
    expect(reply.data?.skipped).toMatch(/^3 records could not be read/);
    expect(reply.text).toContain('3 records could not be read');
  }
  const lost = await client.callTool('get_channel', { channel: second?.name });
  expect(lost.text).toContain('3 of them could not be read');
});
