/** Files that an assistant names, perhaps because of injected instructions: no file outside the folder is read or sent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MOVE, manyVideos, requestsOf, UNASKED } from '../changes/kinds/videos/harness.ts';
import { homeWithFiles, start } from '../harness/start.ts';

async function withFolder() {
  const account = await manyVideos(5);
  return { account, ...homeWithFiles(UNASKED) };
}

// What else is refused: test/files/named-files.integration.test.ts.
test.each([
  ['move_videos', { targetProject: 'Archive', videoIdsFile: '../secret.txt' }],
  ['copy_cta', { sourceVideoId: 'b1', targetVideoIdsFile: '../secret.txt' }],
])('%s refuses a path outside the folder, and sends nothing', async (tool, args) => {
  const { account, home, env } = await withFolder();
  writeFileSync(join(home, 'secret.txt'), 'passphrase-that-must-not-come-out\n');
  const session = await start({ demo: account.demo, home, env });
  const reply = await session.client.callTool(tool, args);
  expect(account.demo.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(reply).toMatchObject({ isError: true, data: { status: 'failed', error: { code: 'file_refused' } } });
  expect(session.output()).not.toContain('passphrase');
  expect(session.log()).toBe('');
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
