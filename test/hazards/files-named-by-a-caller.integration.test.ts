/** Files that an assistant names, perhaps because of injected instructions: no file outside the folder is read or sent. */
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MOVE, manyVideos, requestsOf, UNASKED } from '../changes/bulk/harness.ts';
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
