/** Servers of one account with several keys, as processes: they work in one folder, whoever comes first, and views stay with a key where it was sent along. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { DemoWorld } from '../../src/demo/world.ts';
import { idsIn, MOVE, manyVideos } from '../changes/kinds/videos/harness.ts';
import { agree, changeIdIn } from '../changes/support/confirm.ts';
import { changeFiles } from '../changes/support/journal-files.ts';
import { channelAt, contentOf, videoKeysOf } from '../changes/support/world.ts';
import { recordsIn, type TestClient } from '../harness/client.ts';
import { runCommand } from '../harness/run-command.ts';
import { type DemoService, hold, settingsFor, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';

const KEYS = ['sk_first-0001', 'sk_second-0002', 'sk_third-0003'];
const withKey = (key: string, env = {}) => ({ VIDEO_HOSTING_API_KEY: key, ...env });
const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };

async function severalKeys(options = {}): Promise<DemoService> {
  const demo = await startService({ channels: 3, projects: 2, videos: 60, ...options });
  for (const key of KEYS) demo.keys.set(key, { world: demo.world });
  demo.behaviour.channelRecordsShowContents = true;
  return demo;
}

const changesOf = async (client: TestClient) => recordsIn((await client.callTool('list_changes', { limit: 200 })).data, 'changes');

test.each(['nothing', 'a folder for each key'])(
  'servers that find %s and begin at once with different keys share one history, and overwrite nothing',
  async (found) => {
    const demo = await severalKeys();
    const home = freshHome();
    const { id } = channelAt(demo, 0);
    let before = 0;
    if (found !== 'nothing')
      for (const key of KEYS) {
        const own = freshHome();
        const { client, dataDir, stop } = await start({ demo, home: own, env: withKey(key, NEVER) });
        await client.callTool('update_channels', { changes: [{ channel: id, name: `Before ${key}` }] });
        await stop();
        before += 1;
        const there = join(home, 'data', 'accounts');
        mkdirSync(there, { recursive: true, mode: 0o700 });
        for (const name of readdirSync(join(dataDir, 'accounts'))) {
          renameSync(join(dataDir, 'accounts', name), join(there, name));
        }
        rmSync(dataDir, { recursive: true });
      }
    const sessions = await Promise.all([...KEYS, ...KEYS].map((key) => start({ demo, home, via: 'process', env: withKey(key, NEVER) })));
    const added = await Promise.all(
      sessions.map(async ({ client }, at) => {
        const keys: string[] = [];
        for (let round = 0; round < 3; round += 1) {
          const [key = ''] = videoKeysOf(demo, 1, 10 + at * 3 + round);
          const reply = await client.callTool('update_channels', { changes: [{ channel: id, addVideoKeys: [key] }] });
          if (reply.data?.status === 'applied') keys.push(key);
        }
        return keys;
      }),
    );
    const held = new Set<string>(contentOf(demo, id).videoKeys);
    expect(added.flat().filter((key) => !held.has(key))).toEqual([]);
    expect(added.flat().length).toBeGreaterThan(3);
    const ids = await Promise.all(sessions.map(async ({ client }) => (await changesOf(client)).map(({ changeId }) => String(changeId))));
    expect(new Set(ids.map((list) => list.toSorted().join(' '))).size).toBe(1);
    expect(ids[0]?.length).toBe(changeFiles(join(home, 'data')).length);
    expect(ids[0]?.length).toBeGreaterThanOrEqual(before + added.flat().length);
    expect(readdirSync(join(home, 'data', 'known-accounts')).filter((name) => name.endsWith('.json'))).toHaveLength(1);
  },
);

const BEARER = { VIDEO_HOSTING_STATS_AUTH: 'bearer' };
const QUESTION = { from: '2026-10-01', to: '2026-10-20' };
const readsOf = (demo: DemoService) => demo.requests.filter(({ api }) => api === 'stats').length;

test('stored views and reports are there with a renewed key', async () => {
  const demo = await severalKeys({ views: 500 });
  const home = freshHome();
  const one = await start({ demo, home, env: withKey('sk_first-0001') });
  const answer = await one.client.callTool('query_analytics', { ...QUESTION, groupBy: ['day'] });
  const reads = readsOf(demo);
  await one.stop();
  demo.keys.delete('sk_first-0001');
  const two = await start({ demo, home, env: withKey('sk_second-0002') });
  const again = await two.client.callTool('query_analytics', { ...QUESTION, groupBy: ['day'] });
  expect(again.data?.totals).toEqual(answer.data?.totals);
  expect(readsOf(demo)).toBe(reads);
  const drawn = await two.client.callTool('draw_chart', { report: answer.data?.report });
  expect(drawn.isError).toBe(false);
});

test('where the key is sent to the analytics API, each key has its own views and reports; its changes are shared', async () => {
  const demo = await severalKeys({ views: 500 });
  const home = freshHome();
  const one = await start({ demo, home, env: withKey('sk_first-0001', BEARER) });
  const answer = await one.client.callTool('query_analytics', { ...QUESTION, groupBy: ['day'] });
  await agree(one.client, 'update_channels', { changes: [{ channel: channelAt(demo, 0).id, name: 'Renamed' }] });
  for (const [key, env] of [
    ['sk_second-0002', BEARER],
    ['sk_third-0003', {}],
  ] as const) {
    const other = await start({ demo, home, env: withKey(key, env) });
    const reads = readsOf(demo);
    expect(await changesOf(other.client)).toHaveLength(1);
    expect((await other.client.callTool('draw_chart', { report: answer.data?.report })).isError).toBe(true);
    const own = await other.client.callTool('query_analytics', { ...QUESTION, groupBy: ['day'] });
    expect(own.data?.totals).toEqual(answer.data?.totals);
    expect(readsOf(demo)).toBeGreaterThan(reads);
  }
});

test('views that were read without the key are no cache of those that are read with it, nor the other way round', async () => {
  const demo = await severalKeys({ views: 500 });
  const home = freshHome();
  const asked = async (env: object) => {
    const { client, stop } = await start({ demo, home, env: withKey('sk_first-0001', env) });
    const before = readsOf(demo);
    const { data } = await client.callTool('query_analytics', { ...QUESTION, groupBy: ['day'] });
    await stop();
    return { reads: readsOf(demo) - before, report: data?.report };
  };
  const without = await asked({});
  expect(without.reads).toBeGreaterThan(0);
  expect((await asked(BEARER)).reads).toBe(without.reads);
  for (const env of [{}, BEARER]) expect((await asked(env)).reads).toBe(0);
  const { client } = await start({ demo, home, env: withKey('sk_first-0001', BEARER) });
  expect((await client.callTool('draw_chart', { report: without.report })).isError).toBe(true);
});

test('views that an earlier version kept as those of one key are read by no other, nor without the key', async () => {
  const demo = await severalKeys({ views: 500 });
  const home = freshHome();
  const asked = async (key: string, env = {}) => {
    const { client, stop } = await start({ demo, home, env: withKey(key, env) });
    const before = readsOf(demo);
    expect((await client.callTool('query_analytics', { ...QUESTION, groupBy: ['day'] })).isError).toBe(false);
    await stop();
    return readsOf(demo) - before;
  };
  await asked('sk_first-0001');
  const accounts = join(home, 'data', 'accounts');
  const [folder = ''] = readdirSync(accounts);
  writeFileSync(join(accounts, folder, 'views-of-one-key'), '');
  expect(await asked('sk_second-0002')).toBeGreaterThan(0);
  expect(await asked('sk_first-0001', BEARER)).toBe(0);
});

test('where a key of another account gets views that name channels which the account lacks, each answer says whose they may be', async () => {
  const demo = await severalKeys({ views: 500 });
  const home = freshHome();
  const first = await start({ demo, home, env: withKey('sk_first-0001') });
  const own = await first.client.callTool('query_analytics', { ...QUESTION, groupBy: ['day'] });
  expect(own.text).not.toContain('may be another account’s');
  await first.stop();
  const world = new DemoWorld({ seed: 7, now: '2026-11-01T00:00:00.000Z', views: 0, channels: 2, projects: 1, videos: 5 });
  demo.keys.set('sk_other', { world });
  const { client } = await start({ demo, home, env: withKey('sk_other') });
  const told = /of the \d+ channels that they name, this account has none.*VIDEO_HOSTING_STATS_AUTH/;
  for (const [tool, more] of [
    ['query_analytics', { groupBy: ['day'] }],
    ['explain_change', {}],
    ['run_analytics_sql', { sql: 'SELECT count(*) AS n FROM views' }],
  ] as const)
    expect((await client.callTool(tool, { ...QUESTION, ...more })).text).toMatch(told);
  const { data } = await client.callTool('check_setup');
  expect(JSON.stringify(data)).toMatch(/this account has none.*without the key.*VIDEO_HOSTING_STATS_AUTH.*forget --all/);
  // The views name channels of the first account alone, so it has nothing to clear.
  const back = await start({ demo, home, env: withKey('sk_first-0001') });
  const cleared = await back.client.callTool('check_setup');
  expect(cleared.data?.ok).toBe(true);
  expect(cleared.text).not.toMatch(/another account’s|VIDEO_HOSTING_STATS_AUTH/);
});

test('forget removes the views of the account whichever of its keys is set, and tells of a key that is new', async () => {
  const demo = await severalKeys({ views: 500 });
  const home = freshHome();
  const env = (key: string, more = {}) => ({
    ...settingsFor(demo),
    HOME: home,
    VIDEO_HOSTING_DATA_DIR: join(home, 'data'),
    ...withKey(key, more),
  });
  const sync = ['sync', '--from', '2026-10-01', '--to', '2026-10-20'];
  expect((await runCommand(sync, env('sk_first-0001', BEARER))).code).toBe(0);
  expect((await runCommand(sync, env('sk_second-0002', BEARER))).code).toBe(0);
  const asked = demo.requests.length;
  const stored = () => readdirSync(join(home, 'data'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.parquet'));
  const early = await runCommand(['forget', '--all'], env('sk_third-0003'));
  expect(early.stderr).toContain('This key is new here');
  expect(stored().length).toBeGreaterThan(0);
  const { stdout, stderr } = await runCommand(['forget', '--all'], env('sk_second-0002'));
  expect([stored(), stderr]).toEqual([[], '']);
  expect(stdout).toMatch(/^[\d,]+ views and all reports of this account were removed from this machine\.\n$/);
  expect(demo.requests).toHaveLength(asked);
  const elsewhere = await startService({ channels: 1 });
  const other = await runCommand(['sync', '--from', '2026-10-01', '--to', '2026-10-02'], { ...env('k'), ...settingsFor(elsewhere) });
  expect(other.code).toBe(0);
  const again = await runCommand(['forget', '--all'], env('sk_second-0002'));
  expect(again.stdout).toContain('What is kept of 1 other account stays. Run it with a key of each;');
});

test('what a killed server left under a key goes into the account with the next call of another one, and is carried on there', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(60);
  for (const key of KEYS) demo.keys.set(key, { world: demo.world });
  const channels = new Map(demo.world.channels);
  demo.world.channels.clear();
  const home = freshHome();
  const env = withKey('sk_second-0002');
  const one = await start({ demo, home, env, shortCalls: true, via: 'process' });
  const open = hold(demo, ({ path }) => path === MOVE.path);
  const move = { videoIds: ids, targetProject: archive, fromProject: elsewhere };
  const changeId = changeIdIn(await agree(one.client, 'move_videos', move));
  for (const [id, channel] of channels) demo.world.channels.set(id, channel);
  const other = await start({ demo, home, env: withKey('sk_first-0001') });
  await agree(other.client, 'create_project', { name: 'One', region: 'use-s', planType: 'standard' });
  const two = await start({ demo, home, env });
  expect(await changesOf(two.client)).toMatchObject([{ changeId, status: 'running' }]);
  one.server?.child.kill('SIGKILL');
  await one.server?.exit;
  open();
  await expect.poll(async () => (await changesOf(two.client)).length, { timeout: 20_000 }).toBe(2);
  expect((await changesOf(two.client)).find((change) => change.changeId === changeId)?.status).toBe('interrupted');
  expect((await agree(two.client, 'resume_change', { changeId })).data?.changeId).toBe(changeId);
  expect(idsIn(demo, archive)).toHaveLength(60);
  expect(new Set(changeFiles(two.dataDir).map((file) => dirname(file))).size).toBe(1);
});
