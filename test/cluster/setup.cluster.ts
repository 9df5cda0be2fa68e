/** A store that is not set up correctly: what `doctor`, `check_setup` and `store init` report, and whether the remedy works. */
import { describe, expect, test } from 'vitest';
import { runCommand } from '../harness/run-command.ts';
import { type DemoService, settingsFor, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { PASSWORD } from './servers/password.ts';
import { freshDatabase, HAS_SHARDS, STORE_KINDS, startOwnShards, startStore } from './servers/stores.ts';

const settingsOf = (url: string, password = PASSWORD): Record<string, string> => ({
  VIDEO_HOSTING_ANALYTICS_STORE: url,
  VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD: password,
});

interface Finding {
  readonly level: string;
  readonly about: string;
  readonly detail: string;
  readonly remedy?: string;
}

/** What `doctor` finds about the store. `check_setup` must report the same problems. */
async function findings(demo: DemoService, settings: Record<string, string>): Promise<Finding[]> {
  const [{ stdout, stderr }, { client }] = [
    await runCommand(['doctor', '--json'], { HOME: freshHome(), ...settingsFor(demo), ...settings }),
    await start({ demo, env: settings }),
  ];
  // The shape is what is tested here.
  const all = (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(({ about }) => / store/.test(about));
  const { text } = await client.callTool('check_setup', {});
  for (const { level, detail } of all) expect(text.includes(detail)).toBe(level !== 'fine');
  expect(`${stdout}${stderr}${text}`).not.toContain(PASSWORD);
  return all;
}

const init = (demo: DemoService, settings: Record<string, string>) =>
  runCommand(['store', 'init'], { HOME: freshHome(), ...settingsFor(demo), ...settings });

describe.each(STORE_KINDS)('on %s', async (kind) => {
  const store = await startStore(kind);

  test('the store is reported as missing before `store init`, and as ready after it', async () => {
    const demo = await startService();
    const settings = settingsOf(store.url(freshDatabase()));
    expect(await findings(demo, settings)).toEqual([
      expect.objectContaining({ level: 'wrong', about: 'Analytics store', remedy: expect.stringContaining('store init') }),
    ]);
    // Several people set the same store up at once.
    const inits = await Promise.all([1, 2, 3].map(() => init(demo, settings)));
    expect(inits.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await findings(demo, settings)).toEqual([
      { level: 'fine', about: 'Analytics store', detail: expect.stringMatching(/\(ClickHouse \d+\.\d+.*\) answers; its tables are there/) },
    ]);
  });
});

describe.runIf(HAS_SHARDS)('on a cluster', async () => {
  const started = HAS_SHARDS ? await startOwnShards() : undefined;
  const shards = () => {
    if (started === undefined) throw new Error('There are no shards.');
    return started;
  };

  test.each<[string, (url: string) => Record<string, string>, RegExp, RegExp]>([
    ['a wrong password', (url) => settingsOf(url, 'another'), /refused/, /STORE_PASSWORD/],
    ['an unknown cluster', (url) => settingsOf(url.replace('=shards', '=others')), /has no cluster "others"/, /system\.clusters/],
    [
      'a cluster with a node that is not named',
      (url) => settingsOf(url.replace('=shards', '=three')),
      /has 3 nodes, and 2 are named/,
      /every node/,
    ],
    ['a user who can only read', (url) => settingsOf(url.replace('writer@', 'reader@')), /refused/, /what the user may do/],
  ])('%s is reported with its remedy', async (_, change, what, next) => {
    const demo = await startService();
    const settings = change(shards().url(freshDatabase()));
    const [found] = await findings(demo, settings);
    expect(found).toMatchObject({ level: 'wrong', detail: expect.stringMatching(what), remedy: expect.stringMatching(next) });
    const { code, stdout, stderr } = await init(demo, settings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(what);
    expect(stderr).toMatch(next);
    expect(stderr).not.toContain(PASSWORD);
  });

  test('store init on one host of a cluster without a Keeper says to name every node', async () => {
    const demo = await startService();
    const { code, stderr } = await init(
      demo,
      settingsOf(
        shards()
          .url(freshDatabase())
          .replace(/,[^/]*/, ''),
      ),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/The cluster has no Keeper.*Name every node/);
  });

  test('tables of another version are reported, and the remedy works', async () => {
    const demo = await startService();
    const url = shards().url('another_version');
    for (const shard of shards().shards) {
      await shard.query('CREATE DATABASE another_version');
      await shard.query(
        'CREATE TABLE another_version.vh_log_local (account String, id String) ENGINE = MergeTree() ORDER BY (account, id)',
      );
    }
    expect(await findings(demo, settingsOf(url))).toMatchObject([
      { level: 'wrong', about: 'Analytics store', remedy: expect.stringContaining('drop them on every node') },
    ]);
    const { code, stderr } = await init(demo, settingsOf(url));
    expect(code).toBe(1);
    expect(stderr).toMatch(/lacks vh_log_local\.kind, vh_log_local\.at, vh_log_local\.body on at least one/);
    expect(stderr).toContain('drop them on every node');
    for (const shard of shards().shards)
      for (const table of ['vh_log_local', 'vh_log']) await shard.query(`DROP TABLE another_version.${table}`);
    expect(await init(demo, settingsOf(url))).toMatchObject({ code: 0, stderr: '' });
  });

  test('an SQL user whose rights the server can’t show is reported', async () => {
    const demo = await startService();
    const settings = {
      ...settingsOf(shards().url(freshDatabase())),
      VIDEO_HOSTING_ANALYTICS_SQL_USER: 'reader',
      VIDEO_HOSTING_ANALYTICS_SQL_PASSWORD: PASSWORD,
    };
    expect(await init(demo, settings)).toMatchObject({ code: 0 });
    const found = await findings(demo, settings);
    expect(found.map(({ level, about }) => `${level} ${about}`)).toEqual(['fine Analytics store', 'wrong SQL on the store']);
    expect(found[1]?.detail).toContain('18.16.1');
  });
});
