import { expect, test } from 'vitest';
import { parseArguments } from '../../../src/mcp/call/arguments.ts';
import { listing } from '../../../src/mcp/listing/listing.ts';
import { tools } from '../../../src/mcp/tools/index.ts';
import { fieldsIn, isObject, type Values } from '../../../src/platform/is-object.ts';
import { idsIn, manyVideos, UNASKED } from '../../changes/kinds/videos/harness.ts';
import { agree, changeIdIn } from '../../changes/support/confirm.ts';
import { channelAt, videoKeysOf } from '../../changes/support/world.ts';
import { start } from '../../harness/start.ts';
import { everyCallOf } from '../tools/calls.ts';

/** Optional texts in which an empty one is a value: it clears what is there, or is the documented form of none. */
const VALUES = new Set([
  'create_channels.channels.description',
  'create_channels.channels.template',
  'update_channels.changes.description',
  'update_channels.changes.template',
  'create_project.description',
]);

/** What a client sends that fills in each optional argument that it was not given. */
function filled(schema: Values, given: unknown, value: unknown, path: string): unknown {
  const { properties, required, items } = schema;
  if (Array.isArray(given)) return given.map((entry) => filled(fieldsIn(items), entry, value, path));
  if (!isObject(given)) return given;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const entries = Object.entries(fieldsIn(properties)).flatMap(([name, field]) => {
    const at = `${path}.${name}`;
    if (name in given) return [[name, filled(fieldsIn(field), given[name], value, at)]];
    return needed.includes(name) || VALUES.has(at) ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

test('an empty text for an optional argument of any tool is as if it were left out, in entries of lists too', async () => {
  const { demo } = await start();
  for (const tool of tools) {
    const { inputSchema = {} } = listing().tools.find(({ name }) => name === tool.name) ?? {};
    for (const args of everyCallOf(tool.name, demo)) {
      let meant: unknown;
      try {
        meant = parseArguments(tool, args);
      } catch {
        continue; // refused for what it gives
      }
      for (const empty of ['', ' ', null]) {
        const sent = filled(inputSchema, args, empty, tool.name);
        expect(parseArguments(tool, sent), `${tool.name} ${JSON.stringify(sent)}`).toEqual(meant);
      }
    }
  }
});

test('an empty description clears it, an empty template is the default, and both stay as they are where they are left out', async () => {
  const { client, demo } = await start({ env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const channel = channelAt(demo, 0);
  Object.assign(channel, { description: 'Of last year' });
  const change = {
    channel: channel.id,
    name: 'Renamed',
    setVideoKeys: videoKeysOf(demo, 2),
    setVideoKeysFile: '',
    currentVideoKeysFile: '',
  };
  await agree(client, 'update_channels', { changes: [change], currentVideoKeysFile: '' });
  expect(demo.world.channels.get(channel.id)).toMatchObject({ name: 'Renamed', description: 'Of last year' });
  await agree(client, 'update_channels', { changes: [{ ...change, description: '' }] });
  expect(demo.world.channels.get(channel.id)).toMatchObject({ description: '' });
});

test('lists that choose what is undone, all of them without entries, choose nothing', async () => {
  const { client, demo } = await start({ env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const channel = channelAt(demo, 0);
  const { name } = channel;
  const changed = await agree(client, 'update_channels', {
    changes: [{ channel: channel.id, name: 'Renamed', currentVideoKeys: channel.videoKeys, currentProjectKeys: channel.projectKeys }],
  });
  await agree(client, 'undo_change', {
    changeId: changeIdIn(changed),
    changeIds: [],
    only: [],
    channels: [],
    videoIds: [],
    videoIdsFile: '',
  });
  expect(demo.world.channels.get(channel.id)?.name).toBe(name);
});

test.each(['only', 'channels', 'videoIds'])('one list without entries never stands for all: %s', async (list) => {
  const { demo, ids, archive, elsewhere } = await manyVideos(3);
  const { client } = await start({ demo, env: UNASKED });
  const moved = await client.callTool('move_videos', { targetProject: archive, fromProject: elsewhere, videoIds: ids });
  const undo = await client.callTool('undo_change', { changeId: changeIdIn(moved), [list]: [] });
  expect(idsIn(demo, archive)).toHaveLength(3);
  expect(undo.isError).toBe(true);
  expect(undo.text).toContain(`${list}: names nothing, so nothing would be undone: leave it out to undo all of the change.`);
});

test('an option of a new project that is null, or empty and no text, is left out', async () => {
  const { client, demo } = await start({ env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const options = { convertToHls: true, convertToMp4: null, bitrate720p: '' };
  const videoOptions = { autoplay: '', playerSkin: '', primaryColor: null };
  await agree(client, 'create_project', { name: 'Brand new', region: 'use-s', planType: '', options, videoOptions });
  const sent = demo.requests.find(({ method, path }) => method === 'POST' && path === '/v1/projects')?.body;
  expect(sent).toMatchObject({ options: { convertToHls: true }, videoOptions: { playerSkin: '' } });
  expect(Object.keys(fieldsIn(fieldsIn(sent).options))).toEqual(['convertToHls']);
  expect(Object.keys(fieldsIn(fieldsIn(sent).videoOptions))).toEqual(['playerSkin']);
});
