/** Where the ids of a move or a copy come from: the call, a file or both. */
import { readdirSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Values } from '../../../harness/client.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { confirmPreview } from '../../support/confirm.ts';
import { COPY, copiedIds, doubled, idsIn, MOVE, manyVideos, requestsOf, sorted, UNASKED } from './harness.ts';

/** An account, a folder with a file of ids, and a client that must confirm the move. */
async function withFile(lines: (ids: readonly string[]) => readonly string[], env: Values = {}) {
  const account = await manyVideos(12);
  const home = freshHome();
  const file = join(home, 'ids.txt');
  writeFileSync(file, lines(account.ids).join('\n'));
  const session = await start({ demo: account.demo, home, env: { VIDEO_HOSTING_FILES_DIR: home, ...env } });
  const ask = (args: Values = {}) => session.client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: 'ids.txt', ...args });
  return { ...session, ...account, home, file, ask };
}

describe('a file that is read for the preview and again for the change', () => {
  test('is refused if it was overwritten meanwhile, even with the same length and modification time', async () => {
    const { ask, client, file, demo, archive, ids } = await withFile(([a = '', b = '']) => [a, b]);
    utimesSync(file, 1_000_000_000, 1_000_000_000);
    const asked = await ask();
    writeFileSync(file, ids.slice(5, 7).join('\n'));
    utimesSync(file, 1_000_000_000, 1_000_000_000);
    const { data, text } = await confirmPreview(client, asked);
    expect(requestsOf(demo, MOVE)).toEqual([]);
    expect(idsIn(demo, archive)).toEqual([]);
    expect(data?.status).not.toBe('applied');
    expect(text).toContain('not as it was');
  });

  test('is refused if its keys mean other videos meanwhile', async () => {
    const home = freshHome();
    const catalogue = join(home, 'videos.csv');
    writeFileSync(catalogue, 'id,key\nnobody,K0\n');
    const { ask, client, demo, ids, archive } = await withFile(() => ['K1'], { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue });
    const [first = '', second = ''] = ids;
    writeFileSync(catalogue, `id,key\n${first},K1\n`);
    const asked = await ask();
    writeFileSync(catalogue, `id,key\n${second},K1\nnobody,K0\n`);
    const refused = await confirmPreview(client, asked);
    expect(requestsOf(demo, MOVE)).toEqual([]);
    expect(refused.text).toContain('not as it was');
    const { data } = await confirmPreview(client, await ask());
    expect(idsIn(demo, archive)).toEqual([second]);
    expect(data).toMatchObject({ status: 'applied', moved: 1 });
  });

  test('is closed afterwards, even if it is refused', async (context) => {
    if (process.platform !== 'linux') return context.skip();
    const { ask, file } = await withFile(([a = '']) => [a, 'b\u200b2']);
    const isOpen = () =>
      readdirSync('/proc/self/fd').some((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === file;
        } catch {
          return false; // closed meanwhile
        }
      });
    expect((await ask()).isError).toBe(true);
    expect(isOpen()).toBe(false);
    writeFileSync(file, 'b1');
    expect((await ask()).isError).toBe(false);
    expect(isOpen()).toBe(false);
  });
});

test('a line with other cells and no id is told apart from blank lines', async () => {
  const { ask, demo, ids, archive } = await withFile(([a, b]) => ['id,title', `${a},A`, ',B', ',', `${b},C`], UNASKED);
  const { text } = await ask();
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(ids.slice(0, 2)));
  expect(text).toContain('5 lines: 1 header, 2 blank (line 3 has other cells, and no id), 2 ids.');
});

describe('a text that can’t be an id', () => {
  test.each([
    [
      'among ids',
      ['b1', 'b\u200b2', 'x'.repeat(201), 'b\u20282', '\u202e2b', 'b\ufffd2', 'b\u00073'],
      'videoIdsFile',
      '6 of them can’t be ids',
    ],
    ['alone', ['x'.repeat(201)], 'videoIdsFile', '1 of them can’t be an id'],
    ['blank', [' ', ''], 'videoIdsFile', 'holds no ids'],
  ])('is refused, and the error names videoIdsFile (%s)', async (_, lines, field, problem) => {
    const { ask, demo } = await withFile(() => lines);
    const { text, data } = await ask();
    expect(requestsOf(demo, MOVE)).toEqual([]);
    expect(data).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(/^(invalid_arguments|file_refused)$/) } });
    expect(text).toContain(field);
    expect(text).toContain(problem);
  });

  test.each(['b\u00002', 'b\ud8002', '\u202e2b'])('is refused among the videoIds of the call (%j)', async (odd) => {
    const { ask, demo } = await withFile(() => ['b1']);
    const { data, text } = await ask({ videoIds: ['b1', odd], videoIdsFile: undefined });
    expect(requestsOf(demo, MOVE)).toEqual([]);
    expect(data).toMatchObject({ status: 'failed', error: { code: 'invalid_arguments' } });
    expect(text).toContain('can’t be an id');
  });

  test('has more than 200 characters: exactly 200 are accepted', async () => {
    const { ask } = await withFile(() => ['x'.repeat(200)]);
    expect((await ask()).data).toMatchObject({ status: 'confirmation_required' });
  });
});

test('a copy takes its targets from a list and a file, each once', async () => {
  const account = await manyVideos(5);
  const [source = '', first = '', ...others] = account.ids;
  const home = freshHome();
  writeFileSync(join(home, 'ids.txt'), others.join('\n'));
  const { client } = await start({ demo: account.demo, home, env: { ...UNASKED, VIDEO_HOSTING_FILES_DIR: home } });
  const { data } = await client.callTool('copy_cta', {
    sourceVideoId: source,
    targetVideoIds: [first, ` ${first} `, others[0]],
    targetVideoIdsFile: 'ids.txt',
  });
  expect(sorted(copiedIds(account.demo))).toEqual(sorted([first, ...others]));
  expect(doubled(account.demo)).toEqual([]);
  expect(data).toMatchObject({ status: 'applied', copied: 4 });
  const sent = requestsOf(account.demo, COPY).length;
  const self = await client.callTool('copy_cta', { sourceVideoId: others[1], targetVideoIdsFile: 'ids.txt' });
  expect(self.text).toContain('hold the source itself');
  expect(requestsOf(account.demo, COPY)).toHaveLength(sent);
});
