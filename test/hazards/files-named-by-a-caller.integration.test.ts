/** Files that an assistant names, perhaps because of injected instructions: no file outside the folder is read or sent. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { idsIn, MOVE, manyVideos, requestsOf, UNASKED } from '../changes/bulk/harness.ts';
import { confirmPreview } from '../changes/support/confirm.ts';
import { CLIENT_KINDS } from '../harness/client.ts';
import { freshHome, start } from '../harness/start.ts';

const SECRET = 'passphrase-that-must-not-come-out';

async function withFolder() {
  const account = await manyVideos(5);
  const home = freshHome();
  const folder = join(home, 'files');
  mkdirSync(folder);
  writeFileSync(join(home, 'secret.txt'), `${SECRET}\n`);
  writeFileSync(join(folder, 'ids.csv'), `title,id\n${account.ids.map((id, at) => `${at},${id}`).join('\n')}`);
  symlinkSync(join(home, 'secret.txt'), join(folder, 'link.txt'));
  symlinkSync(home, join(folder, 'out'));
  linkSync(join(home, 'secret.txt'), join(folder, 'hard.txt'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  writeFileSync(join(folder, 'sparse.txt'), 'b1\n');
  truncateSync(join(folder, 'sparse.txt'), 1_000_000_000);
  writeFileSync(join(folder, 'broken.csv'), 'id,title\nb1,"A\nb2,B\n');
  return { account, home, folder, env: { ...UNASKED, VIDEO_HOSTING_FILES_DIR: folder } };
}

const tools = [
  ['move_videos', (file: string) => ({ targetProject: 'Archive', videoIdsFile: file })],
  ['copy_cta', (file: string) => ({ sourceVideoId: 'b1', targetVideoIdsFile: file })],
] as const;

describe.each(tools)('%s', (tool, args) => {
  test('refuses a path outside the folder and a file that can’t be read, and sends nothing', async () => {
    const { account, home, folder, env } = await withFolder();
    const session = await start({ demo: account.demo, home, env });
    const names = [
      '../secret.txt',
      join(home, 'secret.txt'),
      'link.txt',
      'out/secret.txt',
      'hard.txt',
      'pipe',
      '.',
      '..',
      'sparse.txt',
      'broken.csv',
      'nothing.txt',
      '/dev/zero',
      '/etc/passwd',
      'a\u0000b',
      '\u001b]0;x\u0007',
      folder,
    ];
    for (const name of names) {
      const { isError, data, text } = await session.client.callTool(tool, args(name));
      expect(isError).toBe(true);
      expect(data).toMatchObject({ status: 'failed', error: { code: 'file_refused' } });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the answer may contain none of them
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    }
    expect(account.demo.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(session.output()).not.toContain(SECRET);
    expect(session.log()).toBe('');
  });

  test('names the setting if no folder is set', async () => {
    const { account, home } = await withFolder();
    const { client } = await start({ demo: account.demo, home, env: UNASKED });
    const { data, text } = await client.callTool(tool, args('ids.csv'));
    expect(data).toMatchObject({ status: 'failed', error: { code: 'file_refused' } });
    expect(text).toContain('VIDEO_HOSTING_FILES_DIR');
    expect(account.demo.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

test('a file that is no list of ids moves no video, and the answer quotes at most 40 characters of a line', async () => {
  const { account, home, folder, env } = await withFolder();
  const long = Array.from({ length: 60 }, (_, at) => `part${at}`).join('.');
  writeFileSync(join(folder, 'key.pem'), `-----BEGIN KEY-----\n${long}\n-----END KEY-----\n`);
  const session = await start({ demo: account.demo, home, env });
  const reply = await session.client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: 'key.pem' });
  expect(requestsOf(account.demo, MOVE)).toEqual([]);
  expect(reply).toMatchObject({ isError: true, data: { status: 'failed', error: { code: 'invalid_arguments' } } });
  expect(session.output()).not.toContain(long.slice(0, 41));
  expect(session.log()).toBe('');
});

test.each(CLIENT_KINDS)('a file in the folder is read by its relative and its absolute path (%s)', async (kind) => {
  const { account, home, folder, env } = await withFolder();
  const { client } = await start({ client: kind, demo: account.demo, home, env });
  for (const name of ['ids.csv', join(folder, 'ids.csv')]) {
    const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: name });
    expect(data).toMatchObject({ status: 'applied', moved: 5 });
    expect(idsIn(account.demo, account.archive)).toHaveLength(5);
  }
});

test('files are read from each of several folders', async () => {
  const { account, home, folder } = await withFolder();
  const second = join(home, 'second');
  mkdirSync(second);
  writeFileSync(join(second, 'more.txt'), account.ids.join('\n'));
  const { client } = await start({ demo: account.demo, home, env: { ...UNASKED, VIDEO_HOSTING_FILES_DIR: `${folder}:${second}` } });
  for (const name of ['ids.csv', 'more.txt', join(second, 'more.txt')]) {
    const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: name });
    expect(data).toMatchObject({ status: 'applied', moved: 5 });
  }
});

test('the preview says which column of the file was read, and how many ids were repeated or blank', async () => {
  const { account, home, folder, env } = await withFolder();
  writeFileSync(
    join(folder, 'messy.csv'),
    `\uFEFFtitle;Video ID\r\n"A;B";${account.ids[0]}\r\n;\r\nC;${account.ids[0]}\r\nD;${account.ids[1]}\r\n`,
  );
  const { client } = await start({ demo: account.demo, home, env: { ...env, VIDEO_HOSTING_CONFIRM: 'token' } });
  const { data } = await client.callTool('move_videos', {
    targetProject: 'Archive',
    videoIdsFile: 'messy.csv',
    videoIds: [account.ids[2]],
  });
  const { preview } = data as { preview: { summary: string; warnings: string[] } }; // as advertised
  expect(preview.summary).toContain('Move 3 videos');
  expect(preview.warnings).toContain('Read from the file: column "Video ID". 4 read, 1 repeated, 1 blank.');
});

test('a file that changed between the preview and the confirmation is previewed again', async () => {
  const { account, home, folder, env } = await withFolder();
  writeFileSync(join(folder, 'list.txt'), account.ids.slice(0, 2).join('\n'));
  const { client } = await start({ demo: account.demo, home, env: { ...env, VIDEO_HOSTING_CONFIRM: 'token' } });
  const args = { targetProject: 'Archive', videoIdsFile: 'list.txt' };
  const asked = await client.callTool('move_videos', args);
  writeFileSync(join(folder, 'list.txt'), account.ids.slice(1, 3).join('\n'));
  const { data } = await confirmPreview(client, asked);
  expect(requestsOf(account.demo, MOVE)).toEqual([]);
  expect(data).toMatchObject({ status: 'failed', preview: { summary: expect.stringContaining('Move 2 videos') } });
});
