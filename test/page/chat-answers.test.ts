/** Derives the data of views from tools’ answers, for hosts that let a view read nothing else. */
import { expect, test } from 'vitest';
import { changeFromAnswer, changesFromAnswer, channelsFromAnswer } from '../../src/page/views/chat/from-answers.ts';
import { channelAt, videoKeysOf } from '../changes/support/world.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

test('the view of a bulk move has its counts and its summary', async () => {
  const { client, demo } = await start({ forms: 'accept' });
  const ids = [...demo.world.videos.keys()].slice(0, 5);
  const target = [...demo.world.projects.keys()][0];
  const { data } = await client.callTool('move_videos', { targetProject: target, videoIds: [...ids, 'ffffffffffffffffffffffff'] });
  const view = changeFromAnswer((await client.callTool('get_change', { changeId: data?.changeId })).data ?? {});
  expect(view).toMatchObject({ status: 'partly_applied', changesAccount: true, records: [], canStop: false, canUndo: false });
  expect(view.bulk).toMatchObject({ total: 6, done: 5, failedCount: 1, unknownCount: 0, notSent: 0 });
  expect(view.bulk?.failed).toEqual([{ id: 'ffffffffffffffffffffffff', reason: expect.stringMatching(/./) }]);
  expect(view.summary).toMatch(/^Move 6 videos .*\.$/);
  expect(view.confirmed).toBe('The user agreed in a form.');
});

test('the view of a channel change has fields and lists before and after, and the reason of a failure', async () => {
  const demo = await startService({ channels: 3 });
  demo.behaviour.channelRecordsShowContents = true;
  const { client } = await start({ demo, forms: 'accept' });
  const { id, name, videoKeys } = structuredClone(channelAt(demo, 0));
  const changes = [{ channel: id, name: 'Renamed', setVideoKeys: videoKeysOf(demo, 3) }];
  const { data } = await client.callTool('update_channels', { changes });
  const answer = (await client.callTool('get_change', { changeId: data?.changeId })).data ?? {};
  const [record] = changeFromAnswer(answer).records;
  expect(record).toMatchObject({ id, label: name, outcome: 'done', fields: [{ name: 'name', before: name, after: 'Renamed' }] });
  expect(record?.lists).toEqual([{ what: 'video', before: videoKeys, after: videoKeysOf(demo, 3) }]);
  const failed = changeFromAnswer({ ...answer, after: [], failed: [{ id, label: name, reason: 'The service refused it.' }] });
  expect(failed.records).toEqual([{ id, label: name, reason: 'The service refused it.', outcome: 'failed', fields: [], lists: [] }]);
  const [listed] = changesFromAnswer((await client.callTool('list_changes')).data ?? {}).changes;
  expect(listed).toMatchObject({ changeId: data?.changeId, status: 'applied' });
});

test('channels are listed by page, each with whether its contents are known', async () => {
  const { client, demo } = await start({ demo: await startService({ channels: 3 }) });
  const list = channelsFromAnswer((await client.callTool('list_channels', { page: 1, size: 2 })).data ?? {});
  expect(list).toMatchObject({ page: 1, pages: 2 });
  expect(list.channels).toHaveLength(2);
  expect(list.channels[0]).toMatchObject({ isKnown: false, name: demo.world.channels.get(list.channels[0]?.id ?? '')?.name });
});
