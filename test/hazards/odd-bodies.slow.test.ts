import { expect, test } from 'vitest';
import type { Behaviour } from '../../src/demo/behaviour.ts';
import { recordsIn } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { readsOf } from '../mcp/tools/calls.ts';

const ODDITIES: readonly [string, Partial<Behaviour>][] = [
  ['additional fields', { extraFields: true }],
  ['null fields', { nullFields: 0.5 }],
  ['missing fields', { missingFields: 0.5 }],
  ['only ids and keys', { missingFields: 1 }],
  ['numeric ids', { numericIds: true }],
  ['brief projects', { getProjectIsBrief: true }],
  ['channel contents and additional fields', { channelRecordsShowContents: true, extraFields: true }],
];

// The harness validates every answer with the output schema of its tool.
test.each(ODDITIES)('tools that read give valid answers if the service sends %s', async (_name, behaviour) => {
  const demo = await startService();
  const { client } = await start({ demo });
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
});

test('an answer shows no total if the service sends none', async () => {
  const { client, demo } = await start();
  demo.behaviour.missingFields = 1;
  const reply = await client.callTool('list_channels', { size: 5 });
  expect(recordsIn(reply.data, 'channels')).toHaveLength(5);
  expect(reply.text).toMatch(/^pager: none\nchannels \(5\):\n/);
});

test('unreadable records are left out and counted, and the other records are shown', async () => {
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
