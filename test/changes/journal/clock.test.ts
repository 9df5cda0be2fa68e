/** The order of changes does not depend on the clock: it may be set back, as on a machine that another system was started on. */
import { afterEach, expect, test, vi } from 'vitest';
import { createJournal } from '../../../src/changes/journal/journal.ts';
import { createUsage } from '../../../src/changes/standing/usage.ts';
import { startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { idsIn, MOVE, manyVideos } from '../kinds/videos/harness.ts';
import { agree, changeIdIn } from '../support/confirm.ts';
import { moveIntent } from '../support/intents.ts';
import { changeFiles, linesOf } from '../support/journal-files.ts';
import { channelAt, contentOf, videoKeysOf } from '../support/world.ts';

afterEach(() => void vi.useRealTimers());

const TWO_HOURS = 2 * 3_600_000;
/** Sets the clock ahead; `vi.useRealTimers` sets it back. */
const setAhead = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + TWO_HOURS });

test('ids of changes only grow, in one process and in the next', async () => {
  const folder = freshHome();
  const journal = createJournal(folder);
  setAhead();
  const first = await journal.newChangeId();
  const writer = await journal.begin(moveIntent(first));
  await writer.end('applied', {});
  vi.useRealTimers();
  const others = [await journal.newChangeId(), await journal.newChangeId(), await createJournal(folder).newChangeId()];
  for (const id of others) expect(id > first, `${id} after ${first}`).toBe(true);
  expect(String(others[1]) > String(others[0])).toBe(true);
  const next = createJournal(folder);
  const changeId = await next.newChangeId();
  await (await next.begin(moveIntent(changeId))).end('applied', {});
  const [earlier, later] = [await next.read(first), await next.read(changeId)];
  expect(String(later?.intent.at) > String(earlier?.ended?.at)).toBe(true);
  expect(String(later?.ended?.at) >= String(later?.intent.at)).toBe(true);
});

test('what another process began a moment ago comes before, also where the clock was set back', async () => {
  const folder = freshHome();
  const [one, other] = [createJournal(folder), createJournal(folder)];
  await (await other.begin(moveIntent(await other.newChangeId()))).end('applied', {});
  const early = await one.newChangeId();
  setAhead();
  const first = await other.newChangeId();
  await (await other.begin(moveIntent(first))).end('applied', {});
  vi.useRealTimers();
  const at = await one.nextTime();
  const changeId = await one.newChangeId();
  await (await one.begin(moveIntent(early))).end('applied', {});
  const ended = String((await one.read(first))?.ended?.at);
  expect(changeId > first).toBe(true);
  expect(at > ended).toBe(true);
  expect(String((await other.read(early))?.intent.at) > ended).toBe(true);
});

test('a move that is at work still is found, however long ago it was begun', async () => {
  const journal = createJournal(freshHome());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10 * 24 * 3_600_000 });
  const old = await journal.newChangeId();
  const writer = await journal.begin(moveIntent(old), ['a', 'b']);
  vi.useRealTimers();
  const changeId = await journal.newChangeId();
  await (await journal.begin(moveIntent(changeId), ['a'])).end('applied', {});
  const begun = (await journal.read(changeId))?.intent;
  await writer.sendingRange(0, 2, true);
  await writer.recordRange(0, 2, 'done');
  const found: string[] = [];
  if (begun !== undefined) for await (const { intent } of journal.eachSince(['move_videos'], begun)) found.push(intent.changeId);
  await writer.end('applied', {});
  expect(found).toEqual([old]);
});

test('what a standing approval covered counts on the day on which it was begun, however old its id is', async () => {
  const journal = createJournal(freshHome());
  const standing = {
    agent: 'nightly',
    file: '0',
    rules: [{ approval: 'a', kind: 'move_videos', rule: 'r', number: 3, today: { used: 3, limit: 9 } }],
  };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * 24 * 3_600_000 });
  const changeId = await journal.newChangeId();
  vi.useRealTimers();
  const writer = await journal.begin({ ...moveIntent(changeId), standing }, ['a', 'b', 'c']);
  const usedOf = await createUsage(journal)('today', 'UTC', new Date());
  await writer.end('applied', {});
  expect(usedOf({ approval: 'a', rule: 'r' }).today).toBe(3);
});

test('a change is begun after all that changes with older ids have recorded', async () => {
  const folder = freshHome();
  const journal = createJournal(folder);
  const [older, newer] = [await journal.newChangeId(), await journal.newChangeId()];
  await (await journal.begin(moveIntent(newer))).end('applied', {});
  setAhead();
  await (await journal.begin(moveIntent(older))).end('applied', {});
  vi.useRealTimers();
  // Another process, which knows the changes by their files alone.
  const next = createJournal(folder);
  const changeId = await next.newChangeId();
  await (await next.begin(moveIntent(changeId))).end('applied', {});
  const [ahead, last] = [await next.read(older), await next.read(changeId)];
  expect(String(last?.intent.at) > String(ahead?.ended?.at)).toBe(true);
});

test('an undone move counts as undone, and is not carried on', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(1_500);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  setAhead();
  demo.faults.always({ match: MOVE, skip: 1, do: { kind: 'status', code: 401 } });
  const changeId = changeIdIn(await agree(client, 'move_videos', { targetProject: archive, videoIds: ids, fromProject: elsewhere }));
  demo.faults.clear();
  vi.useRealTimers();
  const undone = changeIdIn(await agree(client, 'undo_change', { changeId }));
  const resumed = await agree(client, 'resume_change', { changeId });
  expect(idsIn(demo, archive)).toEqual([]);
  expect(resumed.data).toMatchObject({ error: { code: 'not_resumable' } });
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ undoneBy: undone });
  const { changes } = (await client.callTool('list_changes')).data as { changes: { changeId: string }[] }; // as advertised
  expect(changes.map((change) => change.changeId)).toEqual([undone, changeId]);
});

test('a later statement keeps an update from being carried on with the older list', async () => {
  const demo = await startService({ channels: 2, videos: 60 });
  const channel = channelAt(demo, 1);
  const truth = [...channel.videoKeys];
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  setAhead();
  demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'status', code: 401 } });
  const change = { channel: channel.id, name: 'Renamed', currentVideoKeys: truth.slice(0, 2), currentProjectKeys: [] };
  const wrong = changeIdIn(await agree(client, 'update_channels', { changes: [change] }));
  demo.faults.clear();
  vi.useRealTimers();
  await agree(client, 'state_contents', { channels: [{ channel: channel.id, videoKeys: truth, projectKeys: [] }] });
  const resumed = await agree(client, 'resume_change', { changeId: wrong });
  expect(contentOf(demo, channel.id).videoKeys).toEqual(truth);
  expect(resumed.data).toMatchObject({ error: { code: 'not_resumable' } });
  expect(resumed.text).toContain('other contents by what was stated since');
});

test('a later update without an answer leaves not known what an earlier one wrote', async () => {
  const demo = await startService({ channels: 2, videos: 20 });
  const { id } = channelAt(demo, 0);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const set = (setVideoKeys: readonly string[]) =>
    client.callTool('update_channels', { changes: [{ channel: id, setVideoKeys, setProjectKeys: [] }] });
  setAhead();
  await set(videoKeysOf(demo, 3));
  expect((await client.callTool('get_channel', { channel: id })).data).toMatchObject({ contents: { known: true } });
  vi.useRealTimers();
  demo.faults.always({ match: { method: 'PUT' }, do: { kind: 'reset-before' } });
  await set(videoKeysOf(demo, 2, 5));
  expect((await client.callTool('get_channel', { channel: id })).data).toMatchObject({ contents: { known: false } });
});

test('a change that is carried on after the clock was set back goes on after its own beginning', async () => {
  const { demo, ids, archive } = await manyVideos(1_500);
  const { client, dataDir } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  setAhead();
  demo.faults.always({ match: MOVE, skip: 1, do: { kind: 'status', code: 401 } });
  const changeId = changeIdIn(await client.callTool('move_videos', { targetProject: archive, videoIds: ids }));
  demo.faults.clear();
  vi.useRealTimers();
  await client.callTool('resume_change', { changeId });
  expect(idsIn(demo, archive)).toHaveLength(1_500);
  const times = linesOf(String(changeFiles(dataDir)[0])).flatMap(({ at }) => (typeof at === 'string' ? [at] : []));
  expect(times).toEqual(times.toSorted((one, other) => (one < other ? -1 : 1)));
});
