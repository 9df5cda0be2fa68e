/** If the journal can't be written, nothing is sent that it does not record, and the answer says what is wrong. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { changeFiles } from '../changes/support/journal-files.ts';
import { argsFor, FORTY, reorganisation, startForty } from '../changes/support/reorganisation.ts';
import { channelIdIn, writesOf } from '../changes/support/world.ts';
import { recordsIn } from '../harness/client.ts';
import { freshHome, start } from '../harness/start.ts';

const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };
const LIMITS = '/usr/bin/prlimit';

/** Limits the size of every file that the process writes, so that the disk looks full to it. */
const limitFiles = (pid: number | undefined, bytes: number): void => void execFileSync(LIMITS, ['--pid', String(pid), `--fsize=${bytes}`]);

test.each(['data', join('data', 'accounts')])('nothing is sent if a file is in the place of %s', async (folder) => {
  const demo = await startForty();
  const home = freshHome();
  mkdirSync(dirname(join(home, folder)), { recursive: true });
  writeFileSync(join(home, folder), 'a file is in its place');
  const { client, log } = await start({ demo, home, env: NEVER });
  const reply = await client.callTool('update_channels', argsFor(reorganisation(demo)));
  expect(writesOf(demo)).toEqual([]);
  expect(reply).toMatchObject({ isError: true, data: { status: 'failed' } });
  expect(reply.text).toContain('VIDEO_HOSTING_DATA_DIR');
  expect(reply.text).not.toContain('defect');
  expect(log()).toBe('');
  // Tools that only read name the setting to correct, too.
  for (const [tool, args] of [
    ['query_analytics', { from: '2026-03-01', to: '2026-03-02' }],
    ['run_analytics_sql', { sql: 'SELECT count(*) FROM views', from: '2026-03-01', to: '2026-03-02' }],
  ] as const) {
    const { isError, text } = await client.callTool(tool, args);
    expect(isError).toBe(true);
    expect(text).toContain('VIDEO_HOSTING_DATA_DIR');
    expect(text).not.toContain('defect');
    expect(text).toContain(JSON.stringify(join(home, folder)).slice(0, -1));
  }
});

test.skipIf(!existsSync(LIMITS))('nothing more is sent if the disk fills up, and the next server reports each outcome', async () => {
  const demo = await startForty();
  const home = freshHome();
  const { client, server, dataDir } = await start({ demo, home, via: 'process', client: 'raw lines', env: NEVER });
  let puts = 0;
  demo.behaviour.onRequest = ({ method }) => {
    if (method === 'PUT') puts += 1;
    if (method === 'PUT' && puts === 10) limitFiles(server?.child.pid, statSync(String(changeFiles(dataDir)[0])).size);
  };
  const reply = await client.callTool('update_channels', argsFor(reorganisation(demo)));
  delete demo.behaviour.onRequest;
  // At most the updates that the journal announced before the disk was full.
  expect(writesOf(demo).length).toBeLessThanOrEqual(12);
  expect(reply).toMatchObject({ isError: true, data: { status: 'stopped' } });
  expect(reply.text).toContain('VIDEO_HOSTING_DATA_DIR');
  server?.child.kill('SIGKILL');
  await server?.exit;
  const next = await start({ demo, home });
  const [listed] = recordsIn((await next.client.callTool('list_changes')).data, 'changes');
  const { data } = await next.client.callTool('get_change', { changeId: listed?.changeId });
  const sent = new Set(
    writesOf(demo)
      .filter(({ applied }) => applied)
      .map(channelIdIn),
  );
  // Channels in doubt were read again: the service shows their contents.
  const unknown = new Set((data?.unknown === undefined ? [] : recordsIn(data, 'unknown')).map(({ id }) => id));
  for (const { id } of recordsIn(data, 'notDone')) expect(sent).not.toContain(id);
  for (const { id } of recordsIn(data, 'after')) if (!unknown.has(id)) expect(sent).toContain(id);
  expect(recordsIn(data, 'notDone').length + recordsIn(data, 'after').length).toBe(FORTY);
});

test('nothing more is sent if the data folder is removed, and the answer says so', async () => {
  const demo = await startForty();
  const { client, dataDir } = await start({ demo, env: NEVER });
  let puts = 0;
  demo.behaviour.onRequest = ({ method }) => {
    if (method !== 'PUT') return;
    puts += 1;
    if (puts === 5) rmSync(dataDir, { recursive: true, force: true });
  };
  const reply = await client.callTool('update_channels', argsFor(reorganisation(demo)));
  expect(writesOf(demo).length).toBeLessThanOrEqual(8);
  expect(reply.isError).toBe(true);
  expect(reply.text).toContain('journal');
  expect(reply.text).not.toContain('defect');
});
