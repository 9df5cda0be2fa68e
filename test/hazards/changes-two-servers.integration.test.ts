/** Two servers with one data folder, each with its own client, make changes: the journal stays intact, and every answer is true. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { agree, changeIdIn } from '../changes/support/confirm.ts';
import { changeFiles, intentOf, linesOf } from '../changes/support/journal-files.ts';
import { channelAt, contentOf, videoKeysOf, writesOf } from '../changes/support/world.ts';
import { recordsIn, type TestClient, type ToolReply } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';

/** How an answer names the source of contents that this server sent. */
const LAST_WROTE = expect.stringContaining('as this server last wrote it');

const ROUNDS = 12;
const CHANNELS = 4;

test.each(['memory', 'process'] as const)('two servers change the same channels, and no change is overwritten (%s)', async (via) => {
  const demo = await startService({ channels: CHANNELS, projects: 2, videos: 100 });
  demo.behaviour.channelRecordsShowContents = true;
  for (const channel of demo.world.channels.values()) Object.assign(channel, { videoKeys: videoKeysOf(demo, 2), projectKeys: [] });
  const ids = [...demo.world.channels.keys()];
  const home = freshHome();
  const options = { demo, home, via, env: { VIDEO_HOSTING_CONFIRM: 'never' } } as const;
  const [one, two] = [await start(options), await start(options)];
  const claimed: { readonly id: string; readonly key: string; readonly reply: ToolReply }[] = [];

  async function work({ client }: { client: TestClient }, from: number): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = String(ids[round % CHANNELS]);
      const [key] = videoKeysOf(demo, 1, from + round);
      const reply = await client.callTool('update_channels', { changes: [{ channel: id, addVideoKeys: [key] }] });
      if (reply.data?.status === 'applied') claimed.push({ id, key: String(key), reply });
    }
  }
  await Promise.all([work(one, 10), work(two, 50)]);

  // Every change that was reported as applied is in the account: neither server overwrote the other.
  expect(claimed.filter(({ reply }) => reply.text.includes('overwritten'))).toEqual([]);
  expect(claimed.filter(({ id, key }) => !contentOf(demo, id).videoKeys.includes(key))).toEqual([]);
  // Of two that meet, one goes on.
  expect(claimed.length).toBeGreaterThanOrEqual(ROUNDS);

  const files = changeFiles(one.dataDir);
  const sent = writesOf(demo).length;
  expect(files.length).toBe(new Set(files.map((file) => intentOf(file).changeId)).size);
  for (const file of files) {
    const [intent, ...rest] = linesOf(file);
    expect(intent?.type).toBe('intent');
    expect(rest.filter(({ type }) => type === 'intent')).toEqual([]);
    expect(rest.at(-1)?.type).toBe('end');
    expect(readFileSync(file, 'utf8').endsWith('\n')).toBe(true);
  }

  demo.behaviour.channelRecordsShowContents = false;
  for (const { client } of [one, two]) {
    expect(recordsIn((await client.callTool('list_changes', { limit: 200 })).data, 'changes')).toHaveLength(files.length);
    for (const id of ids) {
      const contents = (await client.callTool('get_channel', { channel: id })).data?.contents;
      expect(contents).toMatchObject({ known: true, source: LAST_WROTE, videoKeys: contentOf(demo, id).videoKeys });
    }
  }
  expect(writesOf(demo)).toHaveLength(sent);
});

test('a server reports and undoes the change of another server, which then can’t undo it again', async () => {
  const demo = await startService({ channels: 2, videos: 20 });
  demo.behaviour.channelRecordsShowContents = true;
  const home = freshHome();
  const [one, two] = [await start({ demo, home }), await start({ demo, home })];
  const channel = channelAt(demo, 0);
  const before = channel.name;
  const done = await agree(one.client, 'update_channels', { changes: [{ channel: channel.id, name: 'Renamed' }] });
  expect(channel.name).toBe('Renamed');
  const told = async ({ client }: { client: TestClient }) => (await client.callTool('get_change', { changeId: changeIdIn(done) })).data;
  expect(await told(two)).toMatchObject({ status: 'applied', before: [{ name: before }], after: [{ name: 'Renamed' }] });
  const undone = await agree(two.client, 'undo_change', { changeId: changeIdIn(done) });
  expect(channel.name).toBe(before);
  expect(undone.data?.status).toBe('applied');
  expect(await told(one)).toMatchObject({ undo: { possible: 'no' }, undoneBy: changeIdIn(undone) });
  expect((await agree(one.client, 'undo_change', { changeId: changeIdIn(done) })).isError).toBe(true);
});
