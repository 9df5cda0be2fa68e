/** What can’t be tried before is said before the yes: whether the credential may move videos at all. */
import { expect, test } from 'vitest';
import type { ToolReply, Values } from '../../harness/client.ts';
import { start } from '../../harness/start.ts';
import { fileOf, moveRule, nightly } from '../standing/harness.ts';
import { agree, confirmPreview } from '../support/confirm.ts';
import { idsIn, MOVE, manyVideos, requestsOf } from './harness.ts';

const TOKEN = { VIDEO_HOSTING_CONFIRM: 'token' };
const notesIn = ({ data }: ToolReply): string => String((data?.preview as Values | undefined)?.notes ?? '');
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${base64({ alg: 'none' })}.${base64({ exp: 4_102_444_800 })}.c2lnbmF0dXJl`;

test('the preview of a move says so until one has succeeded', async () => {
  const { demo, ids, archive } = await manyVideos(3);
  const { client } = await start({ demo, env: TOKEN });
  const move = { targetProject: 'Archive', fromProject: 'Marketing', videoIds: ids.slice(0, 1) };
  const asked = await client.callTool('move_videos', move);
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect(notesIn(asked)).toContain('Whether this credential may move videos can’t be tried before: it is no JWT');
  expect(notesIn(asked)).toContain('VIDEO_HOSTING_ACCESS_TOKEN');
  await confirmPreview(client, asked);
  expect(idsIn(demo, archive)).toHaveLength(1);
  expect(notesIn(await client.callTool('move_videos', { ...move, videoIds: ids.slice(1) }))).toBe('');
});

test('it is still said after the service refused the credential, and of what is carried on', async () => {
  const { demo, ids, archive } = await manyVideos(3);
  const { client } = await start({ demo, env: TOKEN });
  demo.faults.next({ match: MOVE, do: { kind: 'status', code: 401 } });
  const move = { targetProject: 'Archive', videoIds: ids };
  const { data } = await agree(client, 'move_videos', move);
  expect(data).toMatchObject({ status: 'failed', notSentCount: 3 });
  expect(notesIn(await client.callTool('move_videos', move))).toContain('Whether this credential');
  const again = await client.callTool('resume_change', { changeId: data?.changeId });
  expect(notesIn(again)).toContain('Whether this credential');
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
  expect(text).not.toContain('Whether this credential');
});

test('a form says it in a line, and a standing approval covers the move all the same', async () => {
  const { demo, ids } = await manyVideos(1);
  const shown: string[] = [];
  const { client } = await start({
    demo,
    env: { VIDEO_HOSTING_CONFIRM: 'form' },
    forms: ({ message }) => {
      shown.push(message);
      return { action: 'decline' };
    },
  });
  await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  expect(shown.join('')).toContain('Whether this key may move videos is not known');
  const { move, demo: other, archive } = await nightly((account) => fileOf([moveRule(account)]));
  await move(2);
  expect(idsIn(other, archive)).toHaveLength(2);
});
