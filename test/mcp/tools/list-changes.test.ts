/** What was asked of this server: what waits first, then the newest. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whatWaits } from '../../../src/app/what-waits.ts';
import { idsIn, manyVideos, UNASKED } from '../../changes/kinds/videos/harness.ts';
import { personOf, waitingAgent } from '../../changes/proposals/harness.ts';
import { changeIdIn } from '../../changes/support/confirm.ts';
import { channelsOf, startChannels } from '../../changes/support/reorganisation.ts';
import { writesOf } from '../../changes/support/world.ts';
import { afterThinking, type FormResult, recordsIn } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { openPage, startWithPage, waitingRename } from '../../page/support.ts';
import { expectRefused } from './support.ts';

const ids = (data: Parameters<typeof recordsIn>[0]) => recordsIn(data, 'changes').map(({ changeId }) => changeId);

test('an account in which nothing was changed has none, and the service is not asked', async () => {
  const { client, demo } = await start();
  const { data } = await client.callTool('list_changes');
  expect(demo.requests).toEqual([]);
  expect(data).toEqual({ changes: [] });
});

test('the newest comes first, with what it was, when, how far it came and whether it can be undone', async () => {
  const { demo, ids: videos, archive, elsewhere } = await manyVideos(4);
  demo.world.poisonedVideoIds.add(videos[3] ?? '');
  const { client } = await start({ demo, env: UNASKED });
  const move = { targetProject: archive, fromProject: elsewhere };
  const first = changeIdIn(await client.callTool('move_videos', { ...move, videoIds: videos.slice(0, 2) }));
  const second = changeIdIn(await client.callTool('move_videos', { ...move, videoIds: videos.slice(2) }));
  const third = changeIdIn(await client.callTool('create_project', { name: 'Brand new', region: 'use-s' }));
  const { data } = await client.callTool('list_changes');
  expect(idsIn(demo, archive)).toHaveLength(3);
  expect(recordsIn(data, 'changes')).toMatchObject([
    { changeId: third, kind: 'create_project', status: 'applied', done: 1, of: 1, undo: 'no', confirmedBy: 'never' },
    { changeId: second, kind: 'move_videos', status: 'partly_applied', done: 1, failed: 1, of: 2, undo: 'yes' },
    { changeId: first, kind: 'move_videos', status: 'applied', done: 2, of: 2, undo: 'yes' },
  ]);
  for (const { at, summary } of recordsIn(data, 'changes')) {
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/);
    expect(summary).toMatch(/^(Move|Create) .*\.$/);
  }
  expect(ids((await client.callTool('list_changes', { limit: 1 })).data)).toEqual([third]);
  expect(ids((await client.callTool('list_changes', { status: 'partly_applied' })).data)).toEqual([second]);
  expect(ids((await client.callTool('list_changes', { status: 'applied', limit: 1 })).data)).toEqual([third]);
  const undo = changeIdIn(await client.callTool('undo_change', { changeId: first }));
  const after = recordsIn((await client.callTool('list_changes')).data, 'changes');
  expect(after.map(({ changeId }) => changeId)).toEqual([undo, third, second, first]);
  expect(after[3]).toMatchObject({ undoneBy: undo });
  expect(after[3]).not.toHaveProperty('undo');
});

test('undo is told as it is now: what somebody else, or a later change, did to the channels since is left alone by it', async () => {
  const demo = await startChannels(3);
  const all = channelsOf(demo);
  const { client } = await start({ demo, env: UNASKED });
  const rename = (name: string, some: readonly unknown[]) =>
    client.callTool('update_channels', { changes: some.map((channel, at) => ({ channel, name: `${name} ${at}` })) });
  const first = changeIdIn(
    await rename(
      'First',
      all.map(({ id }) => id),
    ),
  );
  const undoOf = async (changeId: string) => {
    const listed = recordsIn((await client.callTool('list_changes')).data, 'changes').find((change) => change.changeId === changeId);
    const told = (await client.callTool('get_change', { changeId })).data?.undo;
    expect(told).toMatchObject({ possible: listed?.undo });
    return told;
  };
  expect(await undoOf(first)).toMatchObject({ possible: 'yes' });
  const second = changeIdIn(await rename('Second', [all[0]?.id]));
  expect(await undoOf(first)).toMatchObject({
    possible: 'partly',
    how: expect.stringContaining(
      `"Channel 0" was changed since (by ${second}), so an undo leaves it alone. Undone together with that, it is set back too.`,
    ),
  });
  for (const { id } of all.slice(1)) demo.world.editChannel(id, { description: 'By hand' });
  expect(await undoOf(first)).toMatchObject({
    possible: 'no',
    how: expect.stringContaining('"Channel 0", "Channel 1", "Channel 2" were changed since'),
  });
  const refused = await client.callTool('undo_change', { changeId: first });
  expect(refused.data).toMatchObject({ error: { code: 'not_undoable' } });
  // What was undone came to nothing.
  await client.callTool('undo_change', { changeId: second });
  expect(await undoOf(first)).toMatchObject({
    possible: 'partly',
    how: expect.stringContaining('"Channel 1", "Channel 2" were changed since, so an undo leaves them alone.'),
  });
  await client.callTool('undo_change', { changeId: first });
  expect(all.map(({ name }) => name)).toEqual(['Channel 0', 'First 1', 'First 2']);
});

test('changes are listed without a word of the service, which then tells nothing of what others did', async () => {
  const demo = await startChannels(1);
  const { client } = await start({ demo, env: UNASKED });
  const changeId = changeIdIn(await client.callTool('update_channels', { changes: [{ channel: channelsOf(demo)[0]?.id, name: 'New' }] }));
  demo.faults.always({ match: { method: 'GET' }, do: { kind: 'status', code: 503 } });
  expect((await client.callTool('list_changes')).data).toMatchObject({ changes: [{ changeId, undo: 'yes' }] });
});

test('a preview that waits for its token comes before all else', async () => {
  const demo = await startService({ views: 0 });
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const changeId = changeIdIn(await client.callTool('create_project', { name: 'Brand new', region: 'use-s' }));
  const { data } = await client.callTool('list_changes');
  expect(writesOf(demo)).toEqual([]);
  expect(data).toMatchObject({ changes: [{ changeId, status: 'confirmation_required', done: 0, of: 1 }] });
  expect((await client.callTool('list_changes', { status: 'applied' })).data).toEqual({ changes: [] });
});

test('what waits for a person is listed as such, and once it was withdrawn among the rest', async () => {
  const { move, demo, client } = await waitingAgent();
  const changeId = changeIdIn(await move(3));
  expect((await client.callTool('list_changes', { status: 'waiting' })).data).toMatchObject({
    changes: [{ changeId, kind: 'move_videos', status: 'waiting', done: 0, of: 3 }],
  });
  await client.callTool('stop_change', { changeId });
  expect(writesOf(demo)).toEqual([]);
  expect((await client.callTool('list_changes', { status: 'waiting' })).data).toEqual({ changes: [] });
  expect((await client.callTool('list_changes')).data).toMatchObject({ changes: [{ changeId, status: 'withdrawn' }] });
});

test('what the user declined on the page is listed, with its id', async () => {
  const { page, change, demo, call, client } = await waitingRename();
  await page.decide(change, 'decline');
  await call;
  expect(writesOf(demo)).toEqual([]);
  const declined = [{ changeId: change.changeId, kind: 'update_channels', status: 'declined', done: 0, of: 1, declinedBy: 'page' }];
  expect((await client.callTool('list_changes', { status: 'declined' })).data).toMatchObject({ changes: declined });
  expect((await client.callTool('list_changes')).data).toMatchObject({ changes: declined });
});

test('what the user refused in a form is listed, with how, and get_change tells it', async () => {
  const demo = await startService({ channels: 2, projects: 2 });
  const answer: FormResult = { action: 'accept', content: { decision: 'nothing', note: 'not now' } };
  const { client } = await start({ demo, forms: afterThinking(answer), env: { VIDEO_HOSTING_CONFIRM: 'form' } });
  expect((await client.callTool('create_channels', { channels: [{ name: 'New', videoKeys: [] }] })).data?.status).toBe('declined');
  expect(writesOf(demo)).toEqual([]);
  const [listed] = recordsIn((await client.callTool('list_changes', { status: 'declined' })).data, 'changes');
  expect(listed).toMatchObject({ kind: 'create_channels', declinedBy: 'form', decidedAt: expect.any(String) });
  const { data } = await client.callTool('get_change', { changeId: String(listed?.changeId) });
  expect(data).toMatchObject({
    status: 'declined',
    message: expect.stringContaining('The user declined in a form. In their words: "not now".'),
  });
});

test('what a person approved is listed also where its process ended before it was begun', async () => {
  const { move, demo, archive, dataDir, client, person, home } = await waitingAgent();
  const changeId = changeIdIn(await move(4));
  // As a process of another machine, which nobody here can look for, leaves it between the decision and the intent.
  const [account = ''] = readdirSync(join(dataDir, 'accounts'));
  const at = new Date(Date.now() - 120_000).toISOString();
  const decision = { status: 'started', at, note: '', process: { pid: 1, host: 'another', machine: 'another', started: at } };
  writeFileSync(join(dataDir, 'accounts', account, 'kept', `${changeId}.decision`), JSON.stringify(decision));
  expect(idsIn(demo, archive)).toEqual([]);
  const failed = [{ changeId, kind: 'move_videos', status: 'failed', done: 0, of: 4 }];
  expect((await client.callTool('list_changes')).data).toMatchObject({ changes: failed });
  expect((await client.callTool('list_changes', { status: 'failed' })).data).toMatchObject({ changes: failed });
  expect((await whatWaits(await personOf(person))).neverBegun).toMatchObject([{ changeId }]);
  const page = await openPage(await startWithPage({ demo, home }));
  expect(await page.changes()).toMatchObject({ changes: [{ changeId, status: 'failed' }] });
});

test('wrong arguments are refused', () =>
  expectRefused('list_changes', [
    [{ status: 'done' }, 'status: '],
    [{ limit: 0 }, 'limit: '],
    [{ limit: 201 }, 'limit: '],
    [{ limit: 1.5 }, 'limit: '],
  ]));
