/** Keys and titles in the place of ids are noticed before anything is sent, and a move of which nothing succeeds ends after some. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLikeness } from '../../../../src/files/id-format.ts';
import type { ToolReply, Values } from '../../../harness/client.ts';
import { startService } from '../../../harness/service.ts';
import { start } from '../../../harness/start.ts';
import { fileOf, moveRule, nightly } from '../../standing/harness.ts';
import { agree, confirmPreview } from '../../support/confirm.ts';
import { COPY, idsIn, MOVE, manyVideos, requestsOf, UNASKED, withFile } from './harness.ts';

const previewIn = ({ data }: ToolReply) => data?.preview as { readonly warnings: readonly string[]; readonly summary: string };
const firstWarning = (reply: ToolReply): string | undefined => previewIn(reply).warnings[0];

const TOKEN = { VIDEO_HOSTING_CONFIRM: 'token' };

/** An account with videos, their keys in a column called Key, and a client. */
async function withKeys(videos: number, { env = TOKEN, head = 'Name,Key,Project' }: { env?: Record<string, string>; head?: string } = {}) {
  const account = await withFile(videos, 0, () => []);
  const all = [...account.demo.world.videos.values()];
  const rows = all.map(({ title, key }) => `${JSON.stringify(title)},${key},Marketing`);
  writeFileSync(join(account.folder, 'keys.csv'), [head, ...rows].join('\n'));
  const session = await start({ demo: account.demo, home: account.home, env: { ...env, VIDEO_HOSTING_FILES_DIR: account.folder } });
  const list = (more: Values = {}) =>
    session.client.callTool('move_videos', { targetProject: 'Archive', fromProject: 'Marketing', videoIdsFile: 'keys.csv', ...more });
  return { ...account, ...session, all, keys: all.map(({ key }) => key), list };
}

describe('before anything is sent', () => {
  test('where the catalogue that is set is not there, that is told, and nobody is told to set one', async () => {
    const { list, demo } = await withKeys(20, { env: { ...TOKEN, VIDEO_HOSTING_VIDEO_CATALOGUE: '/nowhere/catalogue.csv' } });
    const reply = await list();
    expect(firstWarning(reply)).not.toContain('VIDEO_HOSTING_');
    expect(reply.text).toContain('The video catalogue that is set (VIDEO_HOSTING_VIDEO_CATALOGUE) tells no ids');
    expect(reply.text).toContain('The video catalogue "/nowhere/catalogue.csv" can’t be used. file: is not there, or is no file.');
    expect(reply.text).not.toContain('Set VIDEO_HOSTING_VIDEO_CATALOGUE to a file');
    expect(requestsOf(demo, MOVE)).toEqual([]);
  });

  test('a column of keys is warned of first, with what to set, also in the summary that a person agrees to', async () => {
    const { list, demo, keys, archive } = await withKeys(120);
    const { warnings, summary } = previewIn(await list());
    expect(warnings[0]).toBe(
      `All 120 look like keys (${JSON.stringify(keys[0])}, ${JSON.stringify(keys[1])} and 118 more, column "Key"), where an id of this account looks like "${archive}". Only ids are taken.`,
    );
    expect(warnings).toContain(
      'Set VIDEO_HOSTING_VIDEO_CATALOGUE to a file of the videos with id, key and title, and keys and titles are translated; or take a column of ids.',
    );
    expect(summary).toBe('Move 120 videos into Archive; look like keys');
    expect(requestsOf(demo, MOVE)).toEqual([]);
  });

  test('a form leads with it', async () => {
    const { keys, demo } = await manyVideos(60).then((account) => ({
      ...account,
      keys: [...account.demo.world.videos.values()].map(({ key }) => key),
    }));
    const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'form' }, forms: 'decline' });
    await client.callTool('move_videos', { targetProject: 'Archive', videoIds: keys });
    const [{ message: first = '' } = {}] = client.forms;
    expect(first.split('\n').slice(0, 4).join('\n')).toMatch(/! All 60 look like no ids\. Can’t be undone\./);
    expect(first).toContain('Only ids are taken.');
    expect(first).not.toContain('VIDEO_HOSTING_');
    expect(first.split('\n').length).toBeLessThanOrEqual(16);
  });

  test('titles are refused, and what looks like nothing of the account is told as such', async () => {
    const { client, all, folder, list } = await withKeys(3);
    const warned = async (videoIds: readonly string[]) =>
      firstWarning(await client.callTool('move_videos', { targetProject: 'Archive', videoIds }));
    const titles = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: all.map((_, at) => `A talk of ${at}`) });
    expect(titles.isError).toBe(true);
    expect(titles.text).toContain(
      '"A talk of 0" has spaces, so it is no id. Titles need a video catalogue (VIDEO_HOSTING_VIDEO_CATALOGUE).',
    );
    writeFileSync(join(folder, 'titles.csv'), 'Title,Note\nIntro,a\nOutro,b\nTour,c\n');
    expect(firstWarning(await list({ videoIdsFile: 'titles.csv', idColumn: 'Title' }))).toMatch(/^All 3 look like titles /);
    expect(await warned(['VID#1', 'VID#2'])).toMatch(/^Both look like no ids /);
    expect(await warned(['VID#1'])).toMatch(/^It looks like no id /);
  });

  test('a copy is warned of keys too', async () => {
    const { client, keys, ids, demo } = await withKeys(12);
    const asked = await client.callTool('copy_cta', { sourceVideoId: ids[0], targetVideoIds: keys.slice(1) });
    expect(firstWarning(asked)).toMatch(/^All 11 look like no ids /);
    expect(requestsOf(demo, COPY)).toEqual([]);
  });

  test.each<[string, (session: Awaited<ReturnType<typeof withKeys>>) => Promise<unknown>]>([
    [
      'ids, whatever their column is called',
      async ({ folder, ids, list }) => {
        writeFileSync(join(folder, 'ids.csv'), ['Key,Note', ...ids.map((id) => `${id},x`)].join('\n'));
        return list({ videoIdsFile: 'ids.csv' });
      },
    ],
    [
      'a list of which less than half look otherwise',
      async ({ ids, keys, client }) =>
        client.callTool('move_videos', { targetProject: 'Archive', videoIds: [...ids.slice(0, 5), ...keys.slice(0, 4)] }),
    ],
  ])('nothing is said of %s', async (_, ask) => {
    const session = await withKeys(12);
    const { data } = (await ask(session)) as { data: Values };
    expect(JSON.stringify(data.preview)).not.toContain('look like');
  });

  test('ids that were moved before are ids, however the account’s others look', async () => {
    const account = await manyVideos(6);
    const { demo } = account;
    for (const [at, video] of [...demo.world.videos.values()].entries()) {
      demo.world.videos.delete(video.id);
      video.id = `7000${at}`;
      demo.world.videos.set(video.id, video);
    }
    const { client } = await start({ demo, env: TOKEN });
    const move = (at: number) => ({ targetProject: 'Archive', videoIds: [`7000${at}`] });
    expect(firstWarning(await client.callTool('move_videos', move(1)))).toContain('look');
    const { data } = await agree(client, 'move_videos', move(1));
    expect(data).toMatchObject({ status: 'applied', moved: 1 });
    expect(JSON.stringify((await client.callTool('move_videos', move(2))).data?.preview)).not.toContain('look');
  });

  test('what a catalogue translates is no doubt', async () => {
    const { folder, demo, home } = await withKeys(12);
    const rows = [...demo.world.videos.values()].map(({ id, key }) => `${id},${key}`);
    writeFileSync(join(folder, 'catalogue.csv'), ['id,key', ...rows].join('\n'));
    const env = { ...TOKEN, VIDEO_HOSTING_FILES_DIR: folder, VIDEO_HOSTING_VIDEO_CATALOGUE: join(folder, 'catalogue.csv') };
    const { client } = await start({ demo, home, env });
    const { data, text } = await agree(client, 'move_videos', { targetProject: 'Archive', videoIdsFile: 'keys.csv' });
    expect(data).toMatchObject({ status: 'applied', moved: 12 });
    // What the file has is called what it is.
    expect(text).toContain('13 lines: 1 header, 12 keys or titles.');
  });

  test('no standing approval covers it', async () => {
    const { client, demo, archive, elsewhere } = await nightly((account) => fileOf([moveRule(account)]));
    const keys = [...demo.world.videos.values()].map(({ key }) => key);
    const asked = await client.callTool('move_videos', { targetProject: archive, fromProject: elsewhere, videoIds: keys });
    expect(JSON.stringify(asked.data?.preview)).toContain(
      'No standing approval covers a change with this warning: All 10 look like no ids',
    );
    expect(requestsOf(demo, MOVE)).toEqual([]);
  });

  test.each([
    [['5f0c1a2b3c4d5e6f7a8b9c0d'], '6a7b8c9d0e1f2a3b4c5d6e7f', true],
    [['5f0c1a2b3c4d5e6f7a8b9c0d'], 'aB3dE5fG7h', false],
    [['5f0c1a2b3c4d5e6f7a8b9c0d'], '6a7b8c9d0e1f2a3b4c5d6e7', false],
    [['12', '4711'], '815', true],
    [['12', '4711'], 'x15', false],
    [['12', '4711'], '123456789', false],
    [['aB3dE5fG7h'], 'Zz9yX8wV7u', true],
    [['aB3dE5fG7h'], 'two words', false],
  ])('beside %j, %s is like these: %s', (samples, text, is) => {
    expect(createLikeness(samples)?.(text)).toBe(is);
  });
});

describe('once it was agreed to', () => {
  test('of keys that all failed, the catalogue or ids are the only advice', async () => {
    const { list, client, demo, archive } = await withKeys(12);
    const { data, text } = await confirmPreview(client, await list());
    expect(idsIn(demo, archive)).toEqual([]);
    expect(data).toMatchObject({ failedCount: 12 });
    expect(text).toContain('13 lines: 1 header, 12 values.');
    expect(data?.next).toContain('Set VIDEO_HOSTING_VIDEO_CATALOGUE');
    expect(data?.next).not.toMatch(/retryFailed|notDoneFile|resume_change/);
  });

  test('a move of keys ends after 50 requests of one id each; the rest is not sent, told so, and can be carried on', async () => {
    const { list, client, demo, archive } = await withKeys(120);
    const asked = await list();
    const { data, text } = await confirmPreview(client, asked);
    expect(idsIn(demo, archive)).toEqual([]);
    expect(requestsOf(demo, MOVE)).toHaveLength(50);
    expect(data).toMatchObject({ status: 'failed', failedCount: 50, notSentCount: 70 });
    expect(text).toContain(
      'None of 50 could be moved that were tried one by one, spread over all 120. These look like no ids, so the rest was not tried.',
    );
    expect(text).toContain('VIDEO_HOSTING_VIDEO_CATALOGUE');
    expect(data?.next).toMatch(
      /^These look like keys or titles, .* or give it ids\. If they are ids all the same, resume_change carries it on: 70 not sent\.$/,
    );
    const { changeId } = data ?? {};
    const told = await client.callTool('get_change', { changeId });
    expect(told.text).toContain('None of 50 could be moved');
    const again = await client.callTool('resume_change', { changeId });
    expect(firstWarning(again)).toMatch(/^All 120 look like keys /);
    const { data: whole } = await confirmPreview(client, again);
    expect(whole).toMatchObject({ status: 'failed', failedCount: 120 });
  });

  test('a list of ids that are all wrong ends soon as well, though nothing was doubted', async () => {
    const { demo, client, ids } = await manyVideos(3_000, 3_000).then(async (account) => ({
      ...account,
      ...(await start({ demo: account.demo, env: UNASKED })),
    }));
    const { data, text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
    expect(requestsOf(demo, MOVE).length).toBeLessThanOrEqual(60);
    expect(data).toMatchObject({ status: 'failed', failedCount: 50 });
    expect(text).toContain('None of 50 could be moved');
  });

  test('with the key of another account, what was sent in one request counts as not known, with why, and is sent again', async () => {
    const { demo, ids } = await manyVideos(120);
    const other = await startService({ seed: 11, videos: 5, views: 0, channels: 3 });
    const { client } = await start({ demo: other, env: UNASKED });
    const { data, text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
    expect(data).toMatchObject({ status: 'failed', failedCount: 50, unknownCount: 70, notSentCount: 0 });
    expect(text).toContain('What of it was sent in requests of many counts as not known, since the service answers only that');
    const why = /of 50 that were tried one by one none could be moved, so it probably was not either\.$/;
    expect(data?.unknown).toContainEqual(expect.objectContaining({ reason: expect.stringMatching(why) }));
    expect(data?.next).toContain('resume_change carries it on: 70 not known, sent again');
    const again = await client.callTool('resume_change', { changeId: data?.changeId });
    expect(again.data).toMatchObject({ failedCount: 120, unknownCount: 0 });
    expect(demo.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('a broken project at the head of a list doesn’t end the move', async () => {
    const { demo, client, ids, archive } = await manyVideos(120).then(async (account) => ({
      ...account,
      ...(await start({ demo: account.demo, env: UNASKED })),
    }));
    for (const id of ids.slice(0, 100)) demo.world.poisonedVideoIds.add(id);
    const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
    expect(idsIn(demo, archive)).toHaveLength(20);
    expect(data).toMatchObject({ moved: 20, failedCount: 100 });
  });
});
