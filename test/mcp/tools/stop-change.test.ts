/** Ends what runs, and withdraws what waits. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ended, idsIn, MOVE, manyVideos, onceStopping, requestsOf, UNASKED } from '../../changes/kinds/videos/harness.ts';
import { WAIT, waitingAgent } from '../../changes/proposals/harness.ts';
import { agreementIn, changeIdIn, confirmPreview } from '../../changes/support/confirm.ts';
import { changeFiles } from '../../changes/support/journal-files.ts';
import { afterThinking } from '../../harness/client.ts';
import { hold } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const ENDED =
  /^This call ended it, after the requests in flight\. What that was: Move 30,000 videos into "Archive".*, of [\d-]+ [\d:]+ UTC\.$/;

describe('a running change', () => {
  async function running() {
    const { demo, ids, archive, elsewhere } = await manyVideos(30_000);
    const letGo = hold(demo, ({ path }) => path === MOVE.path && requestsOf(demo, MOVE).length > 3);
    const { client, home } = await start({ demo, env: { ...UNASKED, VIDEO_HOSTING_AGENT: 'nightly' } });
    const args = { targetProject: 'Archive', fromProject: 'Marketing', videoIds: ids, waitSeconds: 0 };
    const { data, text } = await client.callTool('move_videos', args);
    expect(data).toMatchObject({ status: 'running', changeId: expect.any(String) });
    expect(text).toContain(`Wait for it with get_change ${String(data?.changeId)}`);
    return { demo, home, client, ids, archive, elsewhere, letGo, begun: data, changeId: data?.changeId };
  }

  test('says that it ended the change, or found it ended, and offers the undo', async () => {
    const { demo, home, client, archive, changeId, letGo } = await running();
    const stopping = client.callTool('stop_change', { changeId });
    await onceStopping(client, changeId, letGo);
    const { data: stopped } = await stopping;
    expect(stopped).toMatchObject({ status: 'stopped', message: expect.stringMatching(ENDED) });
    const { moved, failedCount, unknownCount, notSentCount } = stopped ?? {};
    expect([moved, failedCount, unknownCount, notSentCount].reduce((sum: number, count) => sum + Number(count), 0)).toBe(30_000);
    expect(Number(notSentCount)).toBeGreaterThan(0);
    const { data: again } = await client.callTool('stop_change', { changeId });
    expect(again?.message).toContain(
      'It had ended already (stopped), so nothing had to be stopped. What that was: Move 30,000 videos into ',
    );
    for (const data of [stopped, again]) {
      expect(data).toMatchObject({
        moved: idsIn(demo, archive).length,
        undo: { possible: 'yes', how: expect.stringContaining('back to') },
      });
      expect(data?.next).toMatch(/^undo_change takes back what was done\. resume_change carries it on: /);
    }
    const other = await start({ demo, home, env: UNASKED });
    expect((await other.client.callTool('get_change', { changeId })).data?.note).toMatch(
      /^nightly stopped it with stop_change on .* UTC\./,
    );
    // A journal of before does not tell it.
    for (const file of changeFiles(home)) writeFileSync(file, readFileSync(file, 'utf8').replace(/"stopped":.*?"at":"[^"]*"\}/, '"was":0'));
    expect((await other.client.callTool('get_change', { changeId })).data).not.toHaveProperty('note');
    await client.callTool('undo_change', { changeId });
    expect(idsIn(demo, archive)).toEqual([]);
    const { data: undone } = await client.callTool('stop_change', { changeId });
    expect(undone).toMatchObject({ undo: { possible: 'no' } });
    expect(undone).not.toHaveProperty('next');
  });

  test('is meant where no change is named, but where nobody may be asked an undo has to name it', async () => {
    const { client, changeId, letGo } = await running();
    const undone = await client.callTool('undo_change', {});
    expect(undone.text).toContain(
      `changeId: has to be given, since nobody may be asked here. The newest that can be undone is ${String(changeId)} (Move 30,000 videos into "Archive"`,
    );
    expect(undone.text).toMatch(/UTC\), which is running\./);
    expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'running' });
    const stopping = client.callTool('stop_change', {});
    await onceStopping(client, changeId, letGo);
    expect((await stopping).data).toMatchObject({ changeId, status: 'stopped' });
  });

  test('of a change that can’t be undone, or was applied, promises nothing', async () => {
    const { demo, ids } = await manyVideos(3);
    const { client } = await start({ demo, env: UNASKED });
    const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
    const { data: told } = await client.callTool('stop_change', { changeId: data?.changeId });
    expect(told).toMatchObject({
      message: expect.stringContaining('It had ended already (applied), so nothing had to be stopped.'),
      undo: { possible: 'no' },
    });
    expect(told).not.toHaveProperty('next');
  });

  test('one that runs is stopped and undone in one call', async () => {
    const { demo, client, archive, elsewhere, begun, changeId, letGo } = await running();
    expect(begun).toMatchObject({ undo: { possible: 'yes', how: expect.stringMatching(/^It is stopped first\. An undo moves/) } });
    const undoing = client.callTool('undo_change', { changeId });
    await onceStopping(client, changeId, letGo);
    const undone = await undoing;
    const moved = new Set(requestsOf(demo, MOVE).flatMap(({ body }) => (body as { videoIds: string[] }).videoIds)); // as move sends it
    expect(idsIn(demo, archive)).toEqual([]);
    expect(idsIn(demo, elsewhere)).toHaveLength(30_000);
    expect(moved.size).toBeLessThan(30_000);
    expect(undone.data).toMatchObject({ status: 'applied', moved: moved.size });
    expect(undone.data?.notes).toContainEqual(
      `${String(changeId)} was stopped before its end: ${(30_000 - moved.size).toLocaleString('en-US')} videos were not sent. Once this is done, it is not carried on any more.`,
    );
    const { data } = await client.callTool('get_change', { changeId });
    expect(data).toMatchObject({ status: 'stopped', undoneBy: changeIdIn(undone) });
    expect(data?.note).toMatch(/^nightly stopped it to have it undone, with undo_change on .* UTC\./);
  });

  test('one that runs is stopped by an undo that names none, which the user is asked about', async () => {
    const { demo, home, client, archive, changeId, letGo } = await running();
    const token = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'token', VIDEO_HOSTING_AGENT: 'nightly' } });
    const others = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'token', VIDEO_HOSTING_AGENT: 'weekly' } });
    const refused = await others.client.callTool('undo_change', {});
    expect(refused.data).toMatchObject({ error: { code: 'not_found' } });
    expect((await token.client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'running' });
    const undoing = token.client.callTool('undo_change', {});
    await onceStopping(client, changeId, letGo);
    const asked = await undoing;
    expect(asked.data).toMatchObject({ status: 'confirmation_required' });
    expect(asked.text).toContain(String(changeId));
    expect((await token.client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'stopped' });
    expect(idsIn(demo, archive).length).toBeGreaterThan(0);
    await confirmPreview(token.client, asked);
    expect(idsIn(demo, archive)).toEqual([]);
  });

  test('one that runs in another process is stopped and undone in one call', async () => {
    const { demo, home, client, archive, changeId, letGo } = await running();
    const other = await start({ demo, home, env: UNASKED });
    const undoing = other.client.callTool('undo_change', { changeId });
    await onceStopping(client, changeId, letGo);
    const undone = await undoing;
    expect(idsIn(demo, archive)).toEqual([]);
    expect(undone.data).toMatchObject({ status: 'applied' });
  });

  test('one that can’t be undone, or is undone with wrong arguments, is not stopped', async () => {
    const { demo, client, changeId, letGo } = await running();
    const wrong = await client.callTool('undo_change', { changeId, only: ['name'] });
    expect(wrong.data).toMatchObject({ error: { code: 'invalid_arguments' } });
    letGo();
    expect((await ended(client, changeId)).data).toMatchObject({ status: 'applied' });
    const again = hold(demo, ({ path }) => path === MOVE.path);
    const ids = [...demo.world.videos.keys()];
    const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids, waitSeconds: 0 });
    const refused = await client.callTool('undo_change', { changeId: data?.changeId });
    expect(refused.data).toMatchObject({ status: 'failed', error: { code: 'not_undoable' } });
    again();
    expect((await ended(client, data?.changeId)).data).toMatchObject({ status: 'applied', moved: 30_000 });
  });

  test.each([
    ['ids that are not in it', { videoIds: ['NoSuchVideo'] }, {}, 'is not in'],
    ['a file that is not there', { videoIdsFile: 'none.txt' }, {}, 'none.txt'],
    ['nobody to ask', {}, { VIDEO_HOSTING_CONFIRM: 'form' }, 'VIDEO_HOSTING_CONFIRM is form'],
  ])('is not stopped by an undo with %s', async (_, args, env, says) => {
    const { demo, home, archive, changeId, client: own, letGo } = await running();
    const { client } = await start({ demo, home, env: { ...UNASKED, VIDEO_HOSTING_FILES_DIR: home, ...env } });
    const refused = await client.callTool('undo_change', { changeId, ...args });
    letGo();
    expect((await ended(own, changeId)).data).toMatchObject({ status: 'applied', moved: 30_000 });
    expect(idsIn(demo, archive)).toHaveLength(30_000);
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining(says)]);
    expect(refused.text).not.toContain('stopped');
  });

  test('an undo that is refused once it stopped the change says that it is stopped, and how it goes on', async () => {
    const { client, ids, changeId, letGo } = await running();
    const undoing = client.callTool('undo_change', { changeId, videoIds: [ids.at(-1)] });
    await onceStopping(client, changeId, letGo);
    const { isError, text } = await undoing;
    expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'stopped' });
    expect(isError).toBe(true);
    expect(text).toContain(`${String(changeId)} was stopped for its undo, and nothing of it was set back: resume_change carries it on.`);
    expect(text).not.toContain('nothing was changed');
  });

  test('what was sent once and is in doubt tells why, not that the next attempt was not sent', async () => {
    const { demo, client, changeId, letGo } = await running();
    demo.faults.always({ match: { path: MOVE.path }, do: { kind: 'status', code: 500 } });
    const stopping = client.callTool('stop_change', { changeId });
    await onceStopping(client, changeId, letGo);
    await stopping;
    const { data, text } = await client.callTool('get_change', { changeId, list: 'unknown' });
    expect(Number(data?.unknownCount)).toBeGreaterThan(0);
    expect(text).toContain('500');
    expect(text).not.toContain('has no approval');
    expect(text).not.toContain('nothing was sent');
  });

  test('an undo that waits for a person says that the change stays stopped meanwhile', async () => {
    const { demo, home, changeId, letGo } = await running();
    const { client } = await start({ demo, home, env: WAIT });
    const undoing = client.callTool('undo_change', { changeId });
    await onceStopping(client, changeId, letGo);
    const { data } = await undoing;
    expect(data).toMatchObject({ status: 'waiting' });
    expect(data?.message).toContain(`${String(changeId)} stays stopped; resume_change carries it on.`);
  });

  test('what an undo stopped stays stopped when the user declines the undo, and the answer says so', async () => {
    const { demo, home, archive, changeId, letGo } = await running();
    const { client } = await start({ demo, home, forms: afterThinking({ action: 'decline' }) });
    const undoing = client.callTool('undo_change', { changeId });
    await onceStopping(client, changeId, letGo);
    const { data } = await undoing;
    expect(idsIn(demo, archive).length).toBeGreaterThan(0);
    expect(data).toMatchObject({ status: 'declined' });
    expect(data?.message).toContain(`${String(changeId)} stays stopped; resume_change carries it on.`);
  });
});

test('withdraws a preview, whose token counts no more', async () => {
  const { demo, ids } = await manyVideos(3);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const asked = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  const stopped = await client.callTool('stop_change', { changeId: changeIdIn(asked) });
  const confirmed = await client.callTool('confirm_change', agreementIn(asked));
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect(stopped.data).toMatchObject({ status: 'withdrawn', message: 'It waited for the user and was withdrawn. Nothing was sent.' });
  expect(confirmed.isError).toBe(true);
});

test('withdraws what waits for a person, and not what another agent asked for', async () => {
  const { move, demo, client, ...account } = await waitingAgent();
  const changeId = changeIdIn(await move(3));
  const weekly = await waitingAgent(
    { home: account.home, env: { VIDEO_HOSTING_AGENT: 'weekly' } },
    { ...account, demo, poisoned: new Set() },
  );
  const refused = await weekly.client.callTool('stop_change', { changeId });
  const stopped = await client.callTool('stop_change', { changeId });
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('Another agent asked for this change')]);
  expect(stopped.data).toMatchObject({ status: 'withdrawn', message: 'It waited for a person and was withdrawn. Nothing was sent.' });
});

test('stops what runs, also where an agent had asked to carry the same on, which then waits no more', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(20_000);
  const home = freshHome();
  const { client } = await start({ demo, home, env: UNASKED, shortCalls: true });
  const holdAll = () => hold(demo, ({ path }) => path === MOVE.path);
  const stopped = async (letGo: () => void) => {
    const stopping = client.callTool('stop_change', { changeId });
    await onceStopping(client, changeId, letGo);
    return stopping;
  };
  const first = holdAll();
  const move = { videoIds: ids, targetProject: archive, fromProject: elsewhere, waitSeconds: 0 };
  const changeId = changeIdIn(await client.callTool('move_videos', move));
  await stopped(first);
  const agent = await start({ demo, home, env: WAIT });
  expect((await agent.client.callTool('resume_change', { changeId })).data?.status).toBe('waiting');
  const second = holdAll();
  expect((await client.callTool('resume_change', { changeId })).data?.status).toBe('running');
  const listed = await agent.client.callTool('list_changes', { status: 'running' });
  const seen = await agent.client.callTool('get_change', { changeId });
  const { data } = await stopped(second);
  expect(idsIn(demo, archive).length).toBeLessThan(ids.length);
  expect(data).toMatchObject({ status: 'stopped' });
  expect(listed.data).toMatchObject({ changes: [{ changeId, status: 'running' }] });
  expect(seen.data).toMatchObject({ status: 'running' });
  expect((await agent.client.callTool('list_changes', { status: 'waiting' })).data).toEqual({ changes: [] });
});

test('wrong arguments are refused', () =>
  expectRefused('stop_change', [
    [{}, 'Nothing is running.'],
    [{ changeId: 'x'.repeat(61) }, 'changeId'],
    [{ changeId: 'chg-000000000-none' }, 'There is no change "chg-000000000-none"'],
  ]));
