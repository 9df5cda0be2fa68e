/** Some videos of a move are undone by themselves; the others stay where the move put them, and can be undone later. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { recordsIn, type Values } from '../../../harness/client.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { agree, confirmPreview } from '../../support/confirm.ts';
import { idsIn, MOVE, manyVideos, requestsOf, sorted } from './harness.ts';

/** Thirty videos from two projects in turn, moved to Archive by a file; the last one failed. */
async function moved() {
  const account = await manyVideos(30);
  const { demo, ids, archive } = account;
  const others = [...demo.world.projects.values()].filter(({ id }) => id !== archive).slice(0, 2);
  const [even = '', odd = ''] = others.map(({ id }) => id);
  for (const [index, id] of ids.entries()) Object.assign(demo.world.videos.get(id) ?? {}, { projectId: index % 2 === 0 ? even : odd });
  demo.world.poisonedVideoIds.add(ids[29] ?? '');
  const home = freshHome();
  const write = (name: string, lines: readonly string[]) => writeFileSync(join(home, name), lines.join('\n'));
  write('old.csv', ['id,fromProject', ...ids.map((id, index) => `${id},${others[index % 2]?.name}`)]);
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_FILES_DIR: home, VIDEO_HOSTING_CONFIRM: 'token' } });
  const { data } = await agree(client, 'move_videos', { targetProject: 'Archive', videoIdsFile: 'old.csv' });
  const changeId = data?.changeId;
  const undo = (args: Values) => agree(client, 'undo_change', { changeId, ...args });
  return { ...account, client, changeId, undo, write, others, even, odd };
}

test('an undo of some videos of a move sends each back to its project and leaves the others, which can be undone after it', async () => {
  const { demo, client, ids, archive, even, odd, undo, changeId, write } = await moved();
  const first = await undo({ videoIds: ids.slice(0, 3) });
  expect(idsIn(demo, even)).toEqual([ids[0], ids[2]]);
  expect(idsIn(demo, archive)).toEqual(ids.slice(3, 29));
  const [intoEach, left] = ['move 3 of 29 videos back into the 2 projects that they were in', { status: 'applied', moved: 3, total: 3 }];
  expect(first.text).toContain(intoEach);
  expect(first.data).toMatchObject(left);
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ partlyUndoneBy: first.data?.changeId });
  write('back.txt', ids.slice(3, 5));
  await undo({ videoIdsFile: 'back.txt' });
  expect(idsIn(demo, archive)).toEqual(ids.slice(5, 29));
  const rest = await undo({});
  expect(idsIn(demo, archive)).toEqual([]);
  expect(sorted(idsIn(demo, odd))).toEqual(sorted(ids.filter((_, index) => index % 2 === 1)));
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ undoneBy: rest.data?.changeId });
});

test('ids that a move did not name or did not move are told at once, and nothing is sent', async () => {
  const { demo, client, ids, changeId, archive } = await moved();
  const sent = requestsOf(demo, MOVE).length;
  const before = idsIn(demo, archive);
  const reply = await client.callTool('undo_change', { changeId, videoIds: [ids[0], 'nowhere1', ids[29], 'nowhere2'] });
  expect(requestsOf(demo, MOVE)).toHaveLength(sent);
  expect(idsIn(demo, archive)).toEqual(before);
  expect(reply.text).toContain(`"nowhere1", "nowhere2" are not in ${String(changeId)}.`);
  expect(reply.text).toContain(`"${ids[29]}" is in ${String(changeId)}, but it was not moved there`);
});

test('a change of channels has no videos to undo by themselves', async () => {
  const { demo, client } = await moved();
  const [channel] = demo.world.channels.values();
  const named = { channel: channel?.id, name: 'Renamed', currentVideoKeys: channel?.videoKeys, currentProjectKeys: channel?.projectKeys };
  const { data } = await agree(client, 'update_channels', { changes: [named] });
  const reply = await client.callTool('undo_change', { changeId: data?.changeId, videoIds: ['x'] });
  expect(demo.world.channels.get(channel?.id ?? '')?.name).toBe('Renamed');
  expect(reply.data).toMatchObject({ error: { code: 'invalid_arguments' } });
  expect(reply.text).toContain(`videoIds: names videos, and ${String(data?.changeId)} changed channels: leave it out.`);
});

test('the list of what a move of several projects did names where each video was', async () => {
  const { client, changeId, ids, others } = await moved();
  const { data, text } = await client.callTool('get_change', { changeId, list: 'done' });
  const named = recordsIn(data, 'done').map(({ id, fromProject }) => [id, fromProject]);
  expect(named).toEqual(ids.slice(0, 29).map((id, index) => [id, `"${others[index % 2]?.name}" (${others[index % 2]?.id})`]));
  expect(text).toContain(`${ids[0]} | 2 | "${others[0]?.name}" (${others[0]?.id})`);
});

test('the preview of an undo of some videos says how many go to which project, and names them', async () => {
  const { demo, client, ids, archive, others, changeId } = await moved();
  const { data } = await client.callTool('undo_change', { changeId, videoIds: ids.slice(0, 5) });
  expect(idsIn(demo, archive)).toEqual(ids.slice(0, 29));
  const [even, odd] = others.map(({ id, name }) => `"${name}" (${id})`);
  expect(data?.preview).toMatchObject({
    lines: [`3 videos into ${even}: "${ids[0]}", "${ids[2]}", "${ids[4]}"`, `2 videos into ${odd}: "${ids[1]}", "${ids[3]}"`],
  });
});

test('the preview of an undo of many lists each id with the project that it goes into', async () => {
  const { client, ids, others, changeId } = await moved();
  const { data } = await client.callTool('undo_change', { changeId });
  expect(data?.preview).toMatchObject({ more: expect.stringContaining('all ids: get_change with page 1 of 1') });
  const page = await client.callTool('get_change', { changeId: data?.changeId, page: 1 });
  const { lines } = z.looseObject({ lines: z.array(z.string()) }).parse(page.data?.preview);
  const [even, odd] = others.map(({ id, name }) => `into "${name}" (${id})`);
  const inOrder = [...ids.slice(0, 29).filter((_, at) => at % 2 === 0), ...ids.slice(0, 29).filter((_, at) => at % 2 === 1)];
  expect(lines.slice(-29)).toEqual(inOrder.map((id) => `"${id}" ${ids.indexOf(id) % 2 === 0 ? even : odd}`));
});

test('what the file of an undo held is told before and after, and entries that look like no id are set aside', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(120);
  const home = freshHome();
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_FILES_DIR: home, VIDEO_HOSTING_CONFIRM: 'token' } });
  const moved = await agree(client, 'move_videos', { targetProject: archive, videoIds: ids, fromProject: elsewhere });
  writeFileSync(join(home, 'back.csv'), ['id', ...ids.slice(0, 110), ids[0], '110'].join('\n'));
  const asked = await client.callTool('undo_change', { changeId: moved.data?.changeId, videoIdsFile: 'back.csv' });
  const undone = await confirmPreview(client, asked);
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(ids.slice(110)));
  expect(asked.text).toContain('1 entry doesn’t look like the other ids, so it is set aside and not sent: "110" in line 113.');
  expect(asked.text).toContain('113 lines: 1 header, 1 set aside, 111 ids, of these 1 repeated (line 112).');
  const held = 'Of the file: 113 lines: 1 header, 1 set aside ("110" in line 113), 111 ids, of these 1 repeated (line 112).';
  expect(undone.data).toMatchObject({ moved: 110, fileRead: held });
});

test('what is wrong with a file of an undo is told of its argument, and names no other that there is not', async () => {
  const { demo, client, ids, changeId, write } = await moved();
  const sent = requestsOf(demo, MOVE).length;
  write('columns.csv', ['Asset,Note', ...ids.slice(0, 3).map((id) => `${id},x`)]);
  write('others.txt', [ids[0] ?? '', 'nowhere1']);
  const replies = await Promise.all(
    ['columns.csv', 'others.txt'].map((videoIdsFile) => client.callTool('undo_change', { changeId, videoIdsFile })),
  );
  expect(requestsOf(demo, MOVE)).toHaveLength(sent);
  const [columns = '', others = ''] = replies.map(({ text }) => text);
  expect(columns).toContain('Name the column of ids "id"');
  expect(columns).not.toContain('idColumn');
  expect(others).toContain(`videoIdsFile: "nowhere1" is not in ${String(changeId)}.`);
});

test('where nothing is left to be undone, an earlier undo of a part is called that', async () => {
  const { demo, client, ids, changeId, undo, archive } = await moved();
  const part = await undo({ videoIds: ids.slice(0, 3) });
  await agree(client, 'move_videos', { targetProject: 'Marketing', videoIds: ids.slice(3, 29) });
  expect(idsIn(demo, archive)).toEqual([]);
  const { text } = await undo({});
  expect(text).toContain(`Nothing of ${String(changeId)} can be undone. Part of it was undone before, by ${String(part.data?.changeId)}.`);
});
