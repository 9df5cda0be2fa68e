/** A copy of the data folder, made while a server works on it, is what docs/team.md says of a backup. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browse } from '../harness/browse.ts';
import { freshHome } from '../harness/cleanup.ts';
import { startHttp } from '../harness/http.ts';
import { runInProcess } from '../harness/run-command.ts';
import { pathsOf, settingsFor } from '../harness/service.ts';

test('what waited when it was made waits again, people get in, and a line that was noted later tells that it is older', async () => {
  const server = await startHttp();
  const { people, demo, dataDir } = server;
  const bob = await server.connect(people.bob);
  const { data } = await bob.callTool('create_project', { name: 'Archive', region: 'use-s' });
  const home = freshHome();
  cpSync(dataDir, join(home, 'data'), { recursive: true, filter: (path) => !/\.lock$|[\\/](?:emails|views)$/.test(path) });

  const audit = async (folder: string, ...argv: readonly string[]) =>
    runInProcess(['audit', ...argv], { HOME: freshHome(), ...settingsFor(demo), VIDEO_HOSTING_DATA_DIR: folder });
  const ann = await browse(server, people.ann.secrets.pageKey);
  expect((await ann.decide(data?.changeId, 'decline')).status).toBe(200);
  const head = (await audit(dataDir, 'head')).stdout.trim();
  expect(await audit(dataDir, 'verify', '--head', head)).toMatchObject({ code: 0 });
  await server.stop();

  const restored = await startHttp({ demo, home, people });
  const later = await restored.connect(people.bob);
  expect((await later.callTool('get_change', { changeId: data?.changeId })).data?.status).toBe('waiting');
  expect(await audit(restored.dataDir, 'verify', '--head', head)).toMatchObject({ code: 1 });
  expect(pathsOf(demo).filter((path) => path.startsWith('POST'))).toEqual([]);
});
