/** What of a change weighs, in the rows of the page’s lists: from what is planned and what became of it. */
import { expect, test, vi } from 'vitest';
import { COPY, manyVideos } from '../changes/kinds/videos/harness.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { channelAt, videoKeysOf, writesOf } from '../changes/support/world.ts';
import { startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { asked, held, openPage, rename, startWithPage, type TestPage } from './support.ts';

async function rowOf(page: TestPage, changeId: string) {
  const { changes } = await page.changes();
  const { weighs = [], ...row } = changes.find((change) => change.changeId === changeId) ?? {};
  return { ...row, weighs: weighs.map(({ text }) => text) };
}

test('a row says what would be emptied and lost, then what was lost by what was done, and nothing once it was undone', async () => {
  const session = await startWithPage({ channels: 4 });
  const { demo, client } = session;
  const [emptied, most, little, other] = [0, 1, 2, 3].map((index) => channelAt(demo, index)) as [Channel, Channel, Channel, Channel];
  const { call, page, change } = await asked(session, 'update_channels', {
    changes: [
      { ...held(emptied), setVideoKeys: [], setProjectKeys: [] },
      { ...held(most), removeVideoKeys: most.videoKeys.slice(1) },
      { ...held(little), removeVideoKeys: little.videoKeys.slice(0, 1) },
      { ...held(other), name: 'Other' },
    ],
  });
  const lost = `2 channels lose ${most.videoKeys.length} of ${most.videoKeys.length + little.videoKeys.length} videos, 1 of them most`;
  expect((await rowOf(page, change.changeId)).weighs).toEqual(['empties 1 channel', lost]);
  // Until when it waits, and that it goes by what somebody states.
  expect(await rowOf(page, change.changeId)).toMatchObject({ expiresAt: expect.any(String), isStated: true });
  await page.decide(change, 'apply');
  const changeId = changeIdIn(await call);
  // The service refuses an empty channel.
  expect(demo.world.channels.get(emptied.id)?.videoKeys).toEqual(emptied.videoKeys);
  expect(demo.world.channels.get(most.id)?.videoKeys).toHaveLength(1);
  expect(await rowOf(page, changeId)).toMatchObject({ status: 'partly_applied', weighs: [lost] });
  const undo = client.callTool('undo_change', { changeId });
  await page.decide(await page.firstWaiting(), 'apply');
  await undo;
  expect(await rowOf(page, changeId)).toMatchObject({ undoneBy: expect.any(String), weighs: [] });
});
type Channel = ReturnType<typeof channelAt>;

test('what is created is named in its heading and its row, which say that it can’t be undone', async () => {
  const session = await startWithPage();
  const videoKeys = videoKeysOf(session.demo, 1);
  const { call, page, change } = await asked(session, 'create_channels', {
    channels: ['Spring', 'Summer'].map((name) => ({ name, videoKeys })),
  });
  expect(change.summary).toBe('Create 2 channels: "Spring", "Summer"');
  expect(await rowOf(page, change.changeId)).toMatchObject({ summary: change.summary, weighs: ['can’t be undone'] });
  await page.decide(change, 'apply');
  const changeId = changeIdIn(await call);
  expect(await rowOf(page, changeId)).toMatchObject({ status: 'applied', summary: change.summary, weighs: ['can’t be undone'] });
});

test('what failed says why in its row, and nothing of what it would have lost', async () => {
  const { demo, ids } = await manyVideos(4);
  const home = freshHome();
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const page = await openPage(await startWithPage({ demo, home }));
  demo.faults.always({ match: COPY, do: { kind: 'status', code: 403, body: { message: 'Not yours.' } } });
  const [sourceVideoId, ...targetVideoIds] = ids;
  const changeId = changeIdIn(await client.callTool('copy_cta', { sourceVideoId, targetVideoIds }));
  expect(await rowOf(page, changeId)).toMatchObject({ status: 'failed', weighs: [] });
});

test('what waits stands by its weight: the losses first, then what can’t be undone, last what can’t be applied or is done already', async () => {
  const demo = await startService({ channels: 5, projects: 2 });
  const home = freshHome();
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'wait', VIDEO_HOSTING_AGENT: 'nightly' } });
  const ask = async (tool: string, args: Record<string, unknown>) => changeIdIn(await client.callTool(tool, args));
  const update = (index: number, change: Record<string, unknown>) =>
    ask('update_channels', { changes: [{ ...held(channelAt(demo, index)), ...change }] });
  const [same, gone] = [await update(0, { name: 'Same' }), await update(1, { name: 'Gone again' })];
  const first = await update(2, { name: 'Fine' });
  const loses = await update(3, { removeVideoKeys: channelAt(demo, 3).videoKeys.slice(0, 1) });
  const creates = await ask('create_channels', { channels: [{ name: 'Spring', videoKeys: videoKeysOf(demo, 1) }] });
  const empties = await update(4, { setVideoKeys: [], setProjectKeys: [] });
  const latest = await update(2, { description: 'Fine too' });
  demo.world.channels.delete(channelAt(demo, 1).id);
  demo.world.editChannel(channelAt(demo, 0).id, { name: 'Same' });
  const page = await openPage(await startWithPage({ demo, home }));
  for (const changeId of [same, gone]) await page.change(changeId);
  const { changes } = await page.changes();
  expect(changes.map(({ changeId }) => changeId)).toEqual([empties, loses, creates, latest, first, gone, same]);
  expect(writesOf(demo)).toEqual([]);
});

test('a row tells what a channel is called then, before and after it was done', async () => {
  const session = await startWithPage({ channels: 2 });
  const [one, other] = [channelAt(session.demo, 0), channelAt(session.demo, 1)];
  const { call, page, change } = await asked(session, 'update_channels', {
    changes: [
      { ...held(one), name: 'Spring' },
      { ...held(other), name: 'Summer', description: 'Warm.' },
    ],
  });
  const summary = `Change 2 channels: "${one.name}" (name → "Spring"), "${other.name}" (name → "Summer", description)`;
  expect((await rowOf(page, change.changeId)).summary).toBe(summary);
  await page.decide(change, 'apply');
  expect([one, other].map(({ id }) => session.demo.world.channels.get(id)?.name)).toEqual(['Spring', 'Summer']);
  expect((await rowOf(page, changeIdIn(await call))).summary).toBe(summary);
});

test('a row says that what waits can’t be applied now, or that nothing is left of it, without anybody opening it', async () => {
  const demo = await startService({ channels: 4, projects: 2 });
  const home = freshHome();
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'wait', VIDEO_HOSTING_AGENT: 'nightly' } });
  const ask = async (index: number, name: string) =>
    changeIdIn(await client.callTool('update_channels', rename(channelAt(demo, index), name)));
  const [gone, same, fit] = [await ask(0, 'Gone again'), await ask(1, 'Same'), await ask(2, 'Fine')];
  const [first, second] = [channelAt(demo, 0), channelAt(demo, 1)];
  demo.world.channels.delete(first.id);
  demo.world.editChannel(second.id, { name: 'Same' });
  const page = await openPage(await startWithPage({ demo, home }));
  const events = await page.events();
  await vi.waitFor(async () => expect((await rowOf(page, gone)).unfit).toBe('Can’t be applied now'), { timeout: 300_000 });
  await vi.waitFor(async () => expect((await rowOf(page, same)).unfit).toBe('Nothing left to do'), { timeout: 300_000 });
  expect((await rowOf(page, fit)).unfit).toBeUndefined();
  expect(writesOf(demo)).toEqual([]);
  events.close();
});
