/** `waiting`, as a person types it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manyVideos } from '../changes/kinds/videos/harness.ts';
import { waitingAgent } from '../changes/proposals/harness.ts';
import { channelAt } from '../changes/support/world.ts';
import { runInProcess } from '../harness/run-command.ts';
import { API_KEY } from '../harness/service.ts';
import { freshHome } from '../harness/start.ts';

type Person = Awaited<ReturnType<typeof waitingAgent>>['person'];

const waiting = (person: Person, ...argv: readonly string[]) => runInProcess(['waiting', ...argv], person);

test('where nothing was ever done from a data folder, it says so, and of a made-up account it tells nothing', async () => {
  const { move, person } = await waitingAgent();
  const nowhere = { ...person, VIDEO_HOSTING_DATA_DIR: freshHome() };
  await move(2);
  expect((await waiting(person)).stderr).toBe('');
  const { code, stdout, stderr } = await waiting(nowhere);
  expect([code, stdout]).toEqual([0, 'Nothing waits.\n']);
  expect(stderr).toContain(`from the data folder ${nowhere.VIDEO_HOSTING_DATA_DIR}`);
  const demo = await waiting(nowhere, '--demo');
  expect([demo.code, demo.stdout, demo.stderr]).toEqual([2, '', expect.stringContaining('No real account is set')]);
});

test.each([[], ['show', 'chg-1'], ['--exit-code']])(
  'without an account, waiting %s says where this command takes its settings from',
  async (...argv) => {
    const { code, stdout, stderr } = await runInProcess(['waiting', ...argv], { HOME: freshHome(), VIDEO_HOSTING_API_KEY: API_KEY });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/Not set: VIDEO_HOSTING_BASE_URL\. .* Set it in the environment of this command/);
    expect(stderr).not.toContain('restart');
  },
);

test('with the name of a client, what waits is listed by the settings of its entry, where the environment has none', async () => {
  const { move, person } = await waitingAgent();
  await move(2);
  const HOME = freshHome();
  const own = Object.entries(person).filter(([name]) => name.startsWith('VIDEO_HOSTING_'));
  const entry = { command: 'node', args: ['main.cjs'], env: Object.fromEntries(own) };
  mkdirSync(join(HOME, '.cursor'));
  writeFileSync(join(HOME, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: { 'video-hosting': entry } }));
  const { code, stdout, stderr } = await runInProcess(['waiting', '--client', 'cursor'], { HOME });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Move 2 videos');
  const none = await runInProcess(['waiting', '--client', 'windsurf'], { HOME });
  expect([none.code, none.stdout]).toEqual([1, '']);
  expect(none.stderr).toMatch(/Windsurf has no "video-hosting" in .*install --client windsurf/);
});

test.each([3, 230])('each of %i ids is printed once, a line each', async (count) => {
  const { demo, ids, ...account } = await manyVideos(count);
  const { client, person } = await waitingAgent({}, { demo, ids, ...account });
  const asked = await client.callTool('move_videos', { videoIds: ids, targetProject: account.archive, fromProject: account.elsewhere });
  const { stdout } = await waiting(person, 'show', String(asked.data?.changeId));
  expect(stdout.split('\n').filter((line) => /^- "[0-9a-f]{24}"$/.test(line))).toEqual(ids.map((id) => `- "${id}"`));
  for (const id of ids) expect(stdout.split(id)).toHaveLength(2);
});

test('what can’t be planned any more is shown as it was asked for, with why', async () => {
  const { client, demo, person } = await waitingAgent();
  const { id, name, videoKeys } = channelAt(demo, 0);
  const changes = [{ channel: id, name: 'Summer', currentVideoKeys: videoKeys, currentProjectKeys: [] }];
  const changeId = String((await client.callTool('update_channels', { changes })).data?.changeId);
  demo.world.channels.delete(id);
  const { code, stdout } = await waiting(person, 'show', changeId);
  expect(code).toBe(0);
  expect(stdout).toContain(`name "${name}" → "Summer"`);
  expect(stdout).toMatch(/It can’t be carried out now, and still waits\. It can be declined\. .*channel/);
});

test('an id of none that waits is refused, with where those that wait are listed', async () => {
  const { person } = await waitingAgent();
  const { code, stderr } = await waiting(person, 'show', 'chg-1');
  expect(code).toBe(1);
  expect(stderr).toMatch(/No change "chg-1" waits in this account\. .*listed by: video-hosting-mcp waiting$/m);
});

test('a damaged file is explained and needs a person', async () => {
  const { move, person, home } = await waitingAgent();
  const changeId = String((await move(4)).data?.changeId);
  const accounts = join(home, 'data', 'accounts');
  const path = join(accounts, readdirSync(accounts)[0] ?? '', 'kept', `${changeId}.json`);
  writeFileSync(path, readFileSync(path, 'utf8').replace('Archive', 'Trash'));
  const { code, stdout, stderr } = await waiting(person, '--exit-code');
  expect([code, stdout]).toEqual([3, 'Nothing waits.\n']);
  expect(stderr).toContain(`${changeId} waited for a person, and its file can’t be relied on`);
  expect((await waiting(person, 'show', changeId)).code).toBe(1);
});
