/** What can’t be tried before is said before the yes: whether the credential may move videos at all. */
import { describe, expect, test } from 'vitest';
import type { ToolReply, Values } from '../../../harness/client.ts';
import { setClock, startService } from '../../../harness/service.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { fileOf, moveRule, nightly } from '../../standing/harness.ts';
import { agree, confirmPreview } from '../../support/confirm.ts';
import { idsIn, JWT, jwtUntil, MOVE, manyVideos, requestsOf, UNASKED } from './harness.ts';

const DAY_MS = 86_400_000;
const TOKEN = { VIDEO_HOSTING_CONFIRM: 'token' };
const notesIn = ({ data }: ToolReply): string => String((data?.preview as Values | undefined)?.notes ?? '');

test('the preview of a move says so until one has succeeded', async () => {
  const { demo, ids, archive } = await manyVideos(3);
  const { client } = await start({ demo, env: TOKEN });
  const move = { targetProject: 'Archive', fromProject: 'Marketing', videoIds: ids.slice(0, 1) };
  const asked = await client.callTool('move_videos', move);
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect(notesIn(asked)).toContain(
    'Whether this server’s key may move videos shows only with the first move; if it may not, nothing is moved.',
  );
  // What a person reads names no setting: the refusal does, and check_setup.
  expect(asked.text).not.toContain('VIDEO_HOSTING_');
  expect((await client.callTool('check_setup')).text).toContain('VIDEO_HOSTING_ACCESS_TOKEN');
  await confirmPreview(client, asked);
  expect(idsIn(demo, archive)).toHaveLength(1);
  expect(notesIn(await client.callTool('move_videos', { ...move, videoIds: ids.slice(1) }))).not.toContain('Whether this server’s key');
});

test('it is still said after the service refused the credential, and of what is carried on', async () => {
  const { demo, ids, archive } = await manyVideos(3);
  const { client } = await start({ demo, env: TOKEN });
  demo.faults.next({ match: MOVE, do: { kind: 'status', code: 401 } });
  const move = { targetProject: 'Archive', videoIds: ids };
  const { data } = await agree(client, 'move_videos', move);
  expect(data).toMatchObject({ status: 'failed', notSentCount: 3 });
  expect(notesIn(await client.callTool('move_videos', move))).toContain('Whether this server’s key');
  const again = await client.callTool('resume_change', { changeId: data?.changeId });
  expect(notesIn(again)).toContain('Whether this server’s key');
  await confirmPreview(client, again);
  expect(idsIn(demo, archive)).toHaveLength(3);
});

test.each([
  ['an access token', { VIDEO_HOSTING_ACCESS_TOKEN: JWT }],
  ['a key that is a JWT', { VIDEO_HOSTING_API_KEY: JWT }],
])('nothing is said with %s', async (_, env) => {
  const { demo, ids } = await manyVideos(1);
  const { client } = await start({ demo, env: { ...TOKEN, ...env } });
  const { text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  expect(text).not.toContain('Whether this server’s key');
});

test('a form says it in a line, and a standing approval covers the move all the same', async () => {
  const { demo, ids } = await manyVideos(1);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'form' }, forms: 'decline' });
  await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  expect(client.forms[0]?.message).toContain('Whether this server’s key may move videos');
  const { move, demo: other, archive } = await nightly((account) => fileOf([moveRule(account)]));
  await move(2);
  expect(idsIn(other, archive)).toHaveLength(2);
});

describe('a service that moves only for a JWT', () => {
  test.each([1, 2, 10, 1_484])('%i videos: little is sent, none counts as failed, and a resume with the token moves all', async (count) => {
    const { demo, ids, archive } = await manyVideos(count, 0, 1, JWT);
    const home = freshHome();
    const { client } = await start({ demo, home, env: UNASKED });
    const { data, text, isError } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
    expect(idsIn(demo, archive)).toEqual([]);
    expect(requestsOf(demo, MOVE).length).toBeLessThanOrEqual(2);
    expect(isError).toBe(true);
    expect(data).toMatchObject({ status: 'failed', moved: 0, failedCount: 0, unknownCount: 0, notSentCount: count });
    expect(text).toContain('The service said: "This endpoint requires an access token."');
    expect(text).toContain('set VIDEO_HOSTING_ACCESS_TOKEN to a JWT, restart the server');
    expect(text).not.toContain('set VIDEO_HOSTING_API_KEY');
    expect(String(data?.next)).toContain(`resume_change carries it on: ${count} not sent.`);
    await client.close();
    const { client: later } = await start({ demo, home, env: { ...UNASKED, VIDEO_HOSTING_ACCESS_TOKEN: JWT } });
    const resumed = await later.callTool('resume_change', { changeId: data?.changeId });
    expect(idsIn(demo, archive)).toHaveLength(count);
    expect(resumed.data).toMatchObject({ status: 'applied', moved: count, notSentCount: 0 });
  });

  test('a refusal with other words is tried from both ends of the list before it counts for all', async () => {
    const { demo, ids, archive } = await manyVideos(1_484);
    demo.faults.always({ match: MOVE, do: { kind: 'status', code: 403, body: { message: 'Forbidden.' } } });
    const { client } = await start({ demo, env: UNASKED });
    const { data, text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
    expect(idsIn(demo, archive)).toEqual([]);
    const sent = requestsOf(demo, MOVE).map(({ body }) => (body as { videoIds: string[] }).videoIds);
    expect(sent.slice(1)).toEqual([[ids[0]], [ids.at(-1)]]);
    expect(data).toMatchObject({ failedCount: 0, notSentCount: 1_484 });
    expect(text).toContain('set VIDEO_HOSTING_ACCESS_TOKEN to a JWT');
  });

  test('with a token, a refusal is searched for as ever', async () => {
    const { demo, ids, archive } = await manyVideos(10, 0, 1, JWT);
    demo.behaviour.managerProjects = new Set(['another']);
    const { client } = await start({ demo, env: { ...UNASKED, VIDEO_HOSTING_ACCESS_TOKEN: JWT } });
    const { data, text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
    expect(idsIn(demo, archive)).toEqual([]);
    expect(data).toMatchObject({ failedCount: 10, notSentCount: 0 });
    expect(text).not.toContain('is no JWT');
  });

  test.each([0, 4, 9])('a single video that the key may not move is named, wherever it stands (%i of 10)', async (place) => {
    const { demo, ids, archive, elsewhere } = await manyVideos(10);
    demo.behaviour.managerProjects = new Set([elsewhere, archive]);
    const outside = [...demo.world.projects.keys()].find((id) => id !== elsewhere && id !== archive) ?? '';
    Object.assign(demo.world.videos.get(ids[place] ?? '') ?? {}, { projectId: outside });
    const { client } = await start({ demo, env: UNASKED });
    const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
    expect(idsIn(demo, archive)).toHaveLength(9);
    expect(data).toMatchObject({ status: 'partly_applied', moved: 9, failedCount: 1, failed: [{ id: ids[place] }] });
  });
});

test.each([
  ['a success', undefined],
  ['a refusal', JWT],
])('the receipt of %s says no more that it is not known', async (_, accessToken) => {
  const { demo, ids, archive } = await manyVideos(3, 0, 1, accessToken);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'form' }, forms: 'accept' });
  const { data, text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  expect(idsIn(demo, archive)).toHaveLength(accessToken === undefined ? 3 : 0);
  expect(text).not.toContain('Whether this server’s key');
  expect(await client.readResource(`video-hosting://changes/${String(data?.changeId)}`)).not.toContain('Whether this server’s key');
});

test('what the service refuses of an expired JWT names it: the emails are read with the one for videos', async () => {
  const demo = await startService({ accessToken: JWT });
  const env = { ...UNASKED, VIDEO_HOSTING_ACCESS_TOKEN: jwtUntil(1_600_000_000) };
  const { client } = await start({ demo, env });
  const { isError, text } = await client.callTool('get_collected_emails', {});
  expect(isError).toBe(true);
  expect(text).toContain('The JWT that was sent expired on 2020-09-13.');
  expect(text).toContain('set VIDEO_HOSTING_ACCESS_TOKEN to it');
});

test('an expired JWT for videos is told first of a move, of its undoing, of its rest and of a copy', async () => {
  const { demo, ids, archive } = await manyVideos(4);
  const home = freshHome();
  const { client } = await start({ demo, home, env: UNASKED });
  const moved = await client.callTool('move_videos', { targetProject: 'Archive', fromProject: 'Marketing', videoIds: ids.slice(0, 1) });
  demo.faults.next({ match: MOVE, do: { kind: 'status', code: 401 } });
  const { data: refused } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids.slice(1) });
  expect(refused).toMatchObject({ notSentCount: 3 });
  await client.close();
  const sent = requestsOf(demo, MOVE).length;
  const env = { ...TOKEN, VIDEO_HOSTING_ACCESS_TOKEN: jwtUntil(1_600_000_000) };
  const { client: later } = await start({ demo, home, env });
  for (const [tool, args] of [
    ['move_videos', { targetProject: 'Archive', videoIds: ids.slice(1) }],
    ['undo_change', { changeId: moved.data?.changeId }],
    ['resume_change', { changeId: refused?.changeId }],
    ['copy_cta', { sourceVideoId: ids[0], targetVideoIds: ids.slice(1) }],
  ] as const) {
    const { data } = await later.callTool(tool, args);
    const { warnings = [] } = (data?.preview ?? {}) as { readonly warnings?: readonly string[] };
    const told = warnings.findIndex((text) =>
      text.startsWith('The service will refuse this: this server’s key for videos expired on 2020-09-13'),
    );
    expect([tool, tool === 'copy_cta' ? told >= 0 : told === 0]).toEqual([tool, true]);
    expect(warnings[told]).not.toContain('VIDEO_HOSTING_');
    expect(warnings.join(' ')).toContain('set VIDEO_HOSTING_ACCESS_TOKEN to it');
  }
  expect(requestsOf(demo, MOVE)).toHaveLength(sent);
  expect(idsIn(demo, archive)).toHaveLength(1);
});

test.each([
  [-3, -1, 'not told where only this machine’s clock says so'],
  [3, 1, 'told where this machine’s clock is behind'],
])('that the JWT for videos expired goes by the service’s clock, %d days from this machine’s: %s', async (aheadDays, expiresInDays) => {
  const { demo, ids } = await manyVideos(2);
  const home = freshHome();
  const { client } = await start({ demo, home, env: UNASKED });
  const moved = await client.callTool('move_videos', { targetProject: 'Archive', fromProject: 'Marketing', videoIds: ids });
  await client.close();
  setClock(demo, aheadDays * DAY_MS);
  const env = { ...TOKEN, VIDEO_HOSTING_ACCESS_TOKEN: jwtUntil(Math.floor((Date.now() + expiresInDays * DAY_MS) / 1_000)) };
  for (const [tool, args] of [
    ['move_videos', { targetProject: 'Archive', videoIds: ids }],
    // Nothing of it needs an answer of the service otherwise.
    ['undo_change', { changeId: moved.data?.changeId }],
    ['copy_cta', { sourceVideoId: ids[0], targetVideoIds: ids.slice(1) }],
  ] as const) {
    const { client: later } = await start({ demo, home, env });
    const { text } = await later.callTool(tool, args);
    expect([tool, text.includes('this server’s key for videos expired')]).toEqual([tool, aheadDays > 0]);
  }
});
