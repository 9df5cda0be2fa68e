/** A file that names the current project of each video: one move from several projects, and its undo returns each video to its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Values } from '../../../harness/client.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { agree, confirmPreview } from '../../support/confirm.ts';
import { type Account, changesFolder, idsIn, MOVE, manyVideos, requestsOf, UNASKED } from './harness.ts';

/** An account whose videos are in three projects in turn, and a file that names these by id, key and name. */
async function inThreeProjects(videos: number, env: Values = {}) {
  const account = await manyVideos(videos);
  const { world } = account.demo;
  const others = [...world.projects.values()].filter(({ id }) => id !== account.archive).slice(0, 3);
  const [one, two, three] = others;
  const names = [one?.id, two?.key, three?.name].map(String);
  const wanted = new Map(account.ids.map((id, index) => [id, String(others[index % 3]?.id)]));
  for (const [id, projectId] of wanted) Object.assign(world.videos.get(id) ?? {}, { projectId });
  const home = freshHome();
  const write = (rows: readonly (readonly unknown[])[], header = 'title,id,fromProject') =>
    writeFileSync(join(home, 'ids.csv'), [header, ...rows.map((row) => row.join(','))].join('\n'));
  const rows = account.ids.map((id, index) => [`"Title, ${index}"`, id, `"${names[index % 3]}"`] as const);
  write(rows);
  const session = await start({ demo: account.demo, home, env: { VIDEO_HOSTING_FILES_DIR: home, ...env } });
  const args = { targetProject: 'Archive', videoIdsFile: 'ids.csv' };
  return { ...session, ...account, account, home, others, wanted, rows, write, args };
}

/** The project of each video. */
const placesIn = ({ demo }: Account) => new Map([...demo.world.videos.values()].map(({ id, projectId }) => [id, projectId]));

describe.each(['v2 client, legacy', 'v2 client, modern'] as const)('%s', (kind) => {
  test('a move from three projects is one change, and its undo returns each video to its project', async () => {
    const { account, home, others, wanted, args, archive, demo } = await inThreeProjects(3_100);
    const { client } = await start({ client: kind, demo, home, env: { VIDEO_HOSTING_FILES_DIR: home } });
    const asked = await client.callTool('move_videos', args);
    for (const { name } of others) expect(asked.text).toMatch(new RegExp(`1,03[34] videos from "${name}"`));
    expect(asked.data?.preview).toMatchObject({
      undo: { possible: 'yes', how: expect.stringContaining('back to where the file says that each was') },
    });
    const moved = await confirmPreview(client, asked);
    expect(idsIn(demo, archive)).toHaveLength(3_100);
    expect(moved.data).toMatchObject({ status: 'applied', moved: 3_100, undo: { possible: 'yes' } });
    expect(moved.data?.before).toEqual(others.map(({ id }) => expect.objectContaining({ id, count: expect.any(Number) })));
    const sent = requestsOf(demo, MOVE).length;
    const undone = await agree(client, 'undo_change', { changeId: moved.data?.changeId });
    expect(placesIn(account)).toEqual(wanted);
    // Two requests for each project, although the file mixes them.
    expect(requestsOf(demo, MOVE)).toHaveLength(sent + 6);
    expect(undone.data).toMatchObject({ status: 'applied', moved: 3_100, before: [{ id: archive }], undo: { possible: 'yes' } });
    const again = await agree(client, 'undo_change', { changeId: undone.data?.changeId });
    expect(idsIn(demo, archive)).toHaveLength(3_100);
    await agree(client, 'undo_change', { changeId: again.data?.changeId });
    expect(placesIn(account)).toEqual(wanted);
  });
});

test('an open preview lists each id with the project that it comes from', async () => {
  const { client, args, ids, others, demo } = await inThreeProjects(30, { VIDEO_HOSTING_CONFIRM: 'token' });
  const asked = await client.callTool('move_videos', args);
  expect(requestsOf(demo, MOVE)).toEqual([]);
  const { data } = await client.callTool('get_change', { changeId: asked.data?.changeId, page: 1 });
  const from = others.map(({ id, name }) => `from "${name}" (${id})`);
  expect(data?.preview).toMatchObject({ lines: expect.arrayContaining(ids.map((id, at) => `"${id}" ${from[at % 3]}`)) });
});

test('each project is looked up once', async () => {
  const { client, args, demo, others } = await inThreeProjects(60);
  await client.callTool('move_videos', args);
  const reads = demo.requests.filter(({ path }) => path.startsWith('/v1/projects'));
  expect(reads.length).toBeLessThanOrEqual(others.length + 2);
});

test.each([
  [
    'JSON',
    (ids: readonly string[], [a, b]: readonly string[]) => JSON.stringify(ids.map((id, at) => ({ id, fromProject: at < 2 ? a : b }))),
  ],
  [
    'JSON by project',
    (ids: readonly string[], [a, b]: readonly string[]) =>
      JSON.stringify([
        { fromProject: a, videoIds: ids.slice(0, 2) },
        { fromProject: b, ids: ids.slice(2) },
      ]),
  ],
  [
    'JSON Lines',
    (ids: readonly string[], [a, b]: readonly string[]) =>
      ids.map((videoId, at) => JSON.stringify({ videoId, 'From Project': at < 2 ? a : b })).join('\n'),
  ],
])('%s can name the projects too', async (_, text) => {
  const { client, ids, others, demo, home, archive } = await inThreeProjects(6, UNASKED);
  const [one, two] = others.map(({ name }) => String(name));
  writeFileSync(join(home, 'ids.json'), text(ids, [String(one), String(two)]));
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: 'ids.json' });
  expect(idsIn(demo, archive)).toHaveLength(6);
  await client.callTool('undo_change', { changeId: data?.changeId });
  expect(idsIn(demo, String(others[0]?.id))).toEqual(ids.slice(0, 2));
  expect(idsIn(demo, String(others[1]?.id))).toEqual(ids.slice(2));
});

test('a file that contradicts the fromProject argument is refused, and the error names its lines', async () => {
  const { client, args, others, demo } = await inThreeProjects(30);
  const { data, text } = await client.callTool('move_videos', { ...args, fromProject: others[0]?.name });
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect(data).toMatchObject({ status: 'failed', error: { code: 'invalid_arguments' } });
  expect(text).toContain(`"${others[1]?.name}" (${others[1]?.id}) in lines 3, 6, 9, 12, 15 and 5 more`);
  expect(text).toContain(`"${others[2]?.name}" (${others[2]?.id}) in lines 4, 7,`);
});

test('a file is accepted if it agrees with the fromProject argument or names a single project', async () => {
  const { client, args, others, write, ids, demo, archive } = await inThreeProjects(4, UNASKED);
  const from = others[0];
  write(ids.map((id, at) => ['', id, at % 2 === 0 ? from?.name : '']));
  const { data } = await client.callTool('move_videos', { ...args, fromProject: from?.id });
  expect(idsIn(demo, archive)).toEqual(ids);
  expect(data).toMatchObject({ before: [{ id: from?.id }], undo: { possible: 'yes' } });
  await client.callTool('undo_change', { changeId: data?.changeId });
  expect(idsIn(demo, String(from?.id))).toEqual(ids);
  write(ids.map((id) => ['', id, from?.key]));
  expect((await client.callTool('move_videos', args)).data).toMatchObject({ before: [{ id: from?.id }], undo: { possible: 'yes' } });
});

test('an unknown project and a video with two projects are refused, and the error names their lines', async () => {
  const { client, args, write, ids, demo, others } = await inThreeProjects(4, UNASKED);
  const [a = '', b = '', c = ''] = ids;
  write([
    ['', a, 'Archiv'],
    ['', b, 'Nowhere'],
    ['', c, 'Archiv'],
  ]);
  const { text } = await client.callTool('move_videos', args);
  expect(text).toContain(
    'videoIdsFile, fromProject in lines 2, 4: No project has the id, key or exact name "Archiv". The nearest: "Archive"',
  );
  expect(text).toContain('videoIdsFile, fromProject in line 3: No project');
  write([
    ['', a, others[0]?.name],
    ['', b, others[0]?.name],
    ['', a, others[0]?.key],
    ['', a, others[1]?.name],
  ]);
  expect((await client.callTool('move_videos', args)).text).toContain(`names two projects for "${a}": in line 2 and in line 5.`);
  expect(requestsOf(demo, MOVE)).toEqual([]);
});

test('undo does not move videos without a named project, nor those that were in the target before', async () => {
  const { client, args, write, ids, demo, archive, others } = await inThreeProjects(4);
  const [a = '', b = '', c = ''] = ids;
  Object.assign(demo.world.videos.get(c) ?? {}, { projectId: archive });
  write([
    ['', a, others[0]?.name],
    ['', b, ''],
    ['', c, 'Archive'],
  ]);
  const asked = await client.callTool('move_videos', args);
  expect(asked.text).toContain('Where 1 video is now is not said, so it can’t be moved back.');
  expect(asked.text).toContain('By the file, 1 video was in the target before');
  expect(asked.data?.preview).toMatchObject({ undo: { possible: 'partly' } });
  const { data } = await agree(client, 'move_videos', args);
  expect(idsIn(demo, archive)).toEqual([a, b, c]);
  const undone = await agree(client, 'undo_change', { changeId: data?.changeId });
  expect(idsIn(demo, archive)).toEqual([b, c]);
  expect(demo.world.videos.get(a)?.projectId).toBe(others[0]?.id);
  expect(undone.data).toMatchObject({ status: 'applied', total: 1 });
});

test('a file whose projects change after the preview is refused', async () => {
  const { client, args, write, rows, demo, others } = await inThreeProjects(6);
  const asked = await client.callTool('move_videos', args);
  write(rows.map(([title, id], at) => [title, id, others[(at + 1) % 3]?.id]));
  const { text } = await confirmPreview(client, asked);
  expect(requestsOf(demo, MOVE)).toEqual([]);
  expect(text).toContain('not as it was');
});

test('undo moves nothing if the stored projects of the ids are damaged', async () => {
  const { client, args, demo, archive, dataDir } = await inThreeProjects(6, UNASKED);
  const { data } = await client.callTool('move_videos', args);
  const file = join(changesFolder({ dataDir }), `${String(data?.changeId)}.rows`);
  const bytes = readFileSync(file);
  bytes[bytes.length - 2] = 1;
  writeFileSync(file, bytes);
  const refused = await client.callTool('undo_change', { changeId: data?.changeId });
  expect(idsIn(demo, archive)).toHaveLength(6);
  expect(refused.data).toMatchObject({ error: { code: 'not_resumable' } });
});

test('undo returns the videos of the other projects if one of three projects is deleted', async () => {
  const { client, args, demo, archive, others, ids } = await inThreeProjects(30, UNASKED);
  const { data } = await client.callTool('move_videos', args);
  demo.world.projects.delete(String(others[0]?.id));
  const undone = await client.callTool('undo_change', { changeId: data?.changeId });
  expect(idsIn(demo, archive)).toEqual(ids.filter((_, at) => at % 3 === 0));
  expect(undone.data).toMatchObject({ status: 'partly_applied', moved: 20, failedCount: 10 });
  expect(undone.text).toContain('The target project could not be resolved.');
});
