/** SQL that a stranger wrote, on a store: only the rights of its user restrict it, so these are checked. */
import { describe, expect, test } from 'vitest';
import { credentialFingerprint } from '../../src/account/identity.ts';
import type { DemoView } from '../../src/demo/records.ts';
import { ask } from '../analytics/support/ask.ts';
import type { TestClient, ToolReply } from '../harness/client.ts';
import { runCommand } from '../harness/run-command.ts';
import { API_KEY, type DemoService, settingsFor, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import type { Chdb, Reader } from './servers/chdb.ts';
import { PASSWORD } from './servers/password.ts';
import { freshDatabase, HAS_CHDB, HAS_SHARDS, madeStore, startOwnChdb, startOwnShards } from './servers/stores.ts';
import { QUESTION, SPAN } from './support.ts';

const LIMITS = { readonly: 1, max_memory_usage: 1_000_000_000, max_execution_time: 10 };
const asReader = { VIDEO_HOSTING_ANALYTICS_SQL_USER: 'reader', VIDEO_HOSTING_ANALYTICS_SQL_PASSWORD: PASSWORD };

/** SQL that could reveal viewers instead of counting them, or reach the view behind `views`. */
const attacksOn = (own: string): readonly string[] => [
  `SELECT count() FROM ${own}.views_of(parts = [1], from_ms = 0, to_ms = 1)`,
  `SELECT count() FROM views_of(parts = [1], from_ms = 0, to_ms = 1)`,
  `SELECT 1 IN ${own}.views_of(parts = [1], from_ms = 0, to_ms = 1)`,
  `SELECT count() FROM \`${own}\`.\`views\\x5fof\`(parts = [1], from_ms = 0, to_ms = 1)`,
  `SELECT count() FROM merge('${own}', 'views.*')`,
  `SELECT count() FROM loop('${own}', 'views_of')`,
  'SELECT viewer, count(DISTINCT viewer) FROM views GROUP BY viewer',
  'SELECT count(DISTINCT viewer) FROM views GROUP BY viewer',
  'SELECT count(DISTINCT viewer) FROM views GROUP BY GROUPING SETS ((viewer), ())',
  'SELECT count(DISTINCT viewer), max(viewer) FROM views',
  'SELECT count(DISTINCT viewer), groupArray(viewer) FROM views',
  'SELECT count(DISTINCT viewer AS x), any(x) FROM views',
  'SELECT count(DISTINCT viewer, id) FROM views',
  'SELECT count(DISTINCT toString(viewer)) FROM views',
  'SELECT uniqExact(viewer) FROM views',
  'SELECT count(DISTINCT viewer) FILTER (WHERE viewer > 5) FROM views',
  'SELECT count(DISTINCT viewer) FILTER (WHERE started), count(DISTINCT viewer) FROM views',
  'SELECT country, count(DISTINCT viewer) FROM views GROUP BY ROLLUP(country)',
  'SELECT country, count(DISTINCT viewer) FROM views GROUP BY country WITH ROLLUP',
  'SELECT country, count(DISTINCT viewer) FROM views GROUP BY country WITH TOTALS',
  'SELECT country, city, count(DISTINCT viewer) FROM views GROUP BY country, city WITH CUBE',
  'SELECT country, count(DISTINCT viewer) FROM views GROUP BY GROUPING SETS ((country), ())',
  "SELECT arrayJoin([1, if(country = 'DE', 2, 3)]) AS x, count(DISTINCT viewer) FROM views GROUP BY x",
  'SELECT count(DISTINCT viewer) OVER (PARTITION BY country) FROM views',
  'SELECT sum(1) OVER (PARTITION BY country ORDER BY viewer), (SELECT count(DISTINCT viewer) FROM views) FROM views',
  'SELECT sum(1) OVER w, (SELECT count(DISTINCT viewer) FROM views) FROM views WINDOW w AS (ORDER BY viewer)',
  'SELECT *, (SELECT count(DISTINCT viewer) FROM views) FROM views',
  'SELECT v.*, (SELECT count(DISTINCT viewer) FROM views) FROM views AS v',
  'SELECT * EXCEPT (id), (SELECT count(DISTINCT viewer) FROM views) FROM views',
  "SELECT COLUMNS('viewer'), (SELECT count(DISTINCT viewer) FROM views) FROM views",
  "SELECT v.COLUMNS('view'), (SELECT count(DISTINCT viewer) FROM views) FROM views AS v",
  'SELECT count(DISTINCT viewer), max(COLUMNS(*)) FROM views',
  'SELECT tuple(*), (SELECT count(DISTINCT viewer) FROM views) FROM views',
  'SELECT * APPLY(toString), (SELECT count(DISTINCT viewer) FROM views) FROM views',
  'SELECT count(* EXCEPT (id)), count(DISTINCT viewer) FROM views',
  'WITH v AS (SELECT * FROM views) SELECT v.*, (SELECT count(DISTINCT viewer) FROM views) FROM v',
  'SELECT a.id, (SELECT count(DISTINCT viewer) FROM views) FROM views AS a JOIN views AS b USING (viewer)',
  'SELECT a.id, (SELECT count(DISTINCT viewer) FROM views) FROM views AS a NATURAL JOIN views AS b',
  'SELECT a.id, (SELECT count(DISTINCT viewer) FROM views) FROM views AS a JOIN views AS b ON a.viewer = b.viewer',
  'SELECT id FROM views WHERE viewer > 1 AND (SELECT count(DISTINCT viewer) FROM views) > 0',
  'SELECT id FROM views PREWHERE viewer > 1 WHERE (SELECT count(DISTINCT viewer) FROM views) > 0',
  'SELECT id FROM views WHERE (SELECT count(DISTINCT viewer) FROM views) > 0 ORDER BY viewer LIMIT 1 BY viewer',
  'SELECT DISTINCT ON (viewer) id FROM views WHERE (SELECT count(DISTINCT viewer) FROM views) > 0',
  'SELECT tuple(1) IN views, (SELECT count(DISTINCT viewer) FROM views)',
  'SELECT tuple(1) IN v, (SELECT count(DISTINCT viewer) FROM views AS v)',
  'SELECT arrayMap(x -> viewer, [1]), (SELECT count(DISTINCT viewer) FROM views) FROM views',
  'SELECT id FROM views ARRAY JOIN [viewer] AS x WHERE (SELECT count(DISTINCT viewer) FROM views) > 0',
  'SELECT y, (SELECT count(DISTINCT viewer) FROM views) FROM views AS w (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y)',
  'SELECT count(DISTINCT viewer) FROM view(SELECT * FROM views)',
  'SELECT count(DISTINCT viewer) FROM views UNION ALL SELECT viewer FROM views',
  // Groups of chosen views.
  "SELECT count(DISTINCT viewer) FROM views WHERE id IN ('a', 'b')",
  'SELECT o.id FROM (SELECT id FROM views) AS o JOIN views AS v ON v.id = o.id GROUP BY o.id HAVING count(DISTINCT v.viewer) = 1',
  'SELECT c.key, count(DISTINCT v.viewer) FROM views AS v JOIN channels AS c ON c.key > v.channel_key GROUP BY c.key',
  'SELECT (SELECT count(DISTINCT viewer) FROM views WHERE ts > c.created) FROM channels AS c',
  'WITH channels AS (SELECT 1 AS key) SELECT count(DISTINCT v.viewer) FROM views AS v JOIN channels AS c ON c.key = v.channel_key',
  'SELECT count(*) FROM views WHERE ts > now()',
  'SELECT count(*) FROM views WHERE toDate(ts) = today()',
  'SELECT count(DISTINCT viewer) FROM views INTERSECT SELECT viewer FROM views',
  // Names with lines of a syntax tree in which the next column seems to be counted.
  'SELECT `a\n  Function countDistinct (children 1)\n   ExpressionList (children 1)`, viewer, (SELECT count(DISTINCT viewer) FROM views) FROM views',
  'SELECT 1 AS `a)\n    Function countDistinct (children 1)\n     ExpressionList (children 1)`, viewer FROM views',
  'EXPLAIN SELECT viewer FROM views',
  'graph = 1 SELECT viewer FROM views',
];

const query = (client: TestClient, sql: string): Promise<ToolReply> => client.callTool('run_analytics_sql', { sql, ...SPAN });

interface Laid {
  readonly demo: DemoService;
  readonly client: TestClient;
  readonly database: string;
  readonly account: string;
  readonly views: number;
}

/** A store with the views of two accounts, and a server for the first that asks SQL as `reader`. */
async function lay(store: Chdb): Promise<Laid> {
  const database = freshDatabase();
  const settings = { VIDEO_HOSTING_ANALYTICS_STORE: store.url(database), VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD: PASSWORD };
  const [demo, others] = [await startService({ views: 3_000 }), await startService({ views: 4_000, seed: 9, apiKey: 'sk_another/one-9' })];
  for (const one of [demo, others]) {
    const env = { HOME: freshHome(), ...settingsFor(one), ...settings, ...asReader };
    const made = await runCommand(['store', 'init'], env);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain('GRANT SELECT ON');
  }
  const { client } = await start({ demo, env: { ...settings, ...asReader } });
  await ask((await start({ demo: others, env: settings })).client, QUESTION);
  const { totals } = await ask(client, QUESTION);
  return { demo, client, database, account: credentialFingerprint(demo.baseUrl, API_KEY), views: Number(totals.views) };
}

describe.runIf(HAS_CHDB)('on embedded ClickHouse 26', async () => {
  const store = HAS_CHDB ? await startOwnChdb() : undefined;
  const laid = async (reader: (laid: Laid) => Reader): Promise<Laid> => {
    if (store === undefined) throw new Error('There is no store.');
    const found = await lay(store);
    await store.setReader(reader(found));
    return found;
  };
  const own = ({ database, account }: Laid): string => `GRANT SELECT ON ${database}_${account}.*`;

  test('a user who may read one account’s views can read them, and nothing else', async () => {
    const { client, views, database, account, demo } = await laid((found) => ({ grants: [own(found)], profile: LIMITS }));
    const counted = await query(client, 'SELECT count() AS n, countIf(started) > 0 AS some FROM views');
    expect(counted.data).toMatchObject({ columns: [{ name: 'n' }, { name: 'some' }], rows: [[views, 1]], truncated: false });
    const grouped = await query(
      client,
      '-- by country\nWITH by_country AS (SELECT country, count() AS n FROM views GROUP BY country) SELECT sum(n) FROM by_country',
    );
    expect(grouped.data).toMatchObject({ rows: [[views]] });
    expect((await query(client, 'SELECT count() > 0 FROM channels')).data).toMatchObject({ rows: [[1]] });
    const records = ([...demo.world.views.each()] as DemoView[]).filter(({ date }) => date.startsWith('2026-09')); // nothing was added by hand
    const viewersOf = (some: readonly DemoView[]) => new Set(some.map(({ viewerId }) => viewerId)).size;
    const started = viewersOf(records.filter((record) => record.started));
    expect((await query(client, 'SELECT count(DISTINCT v.viewer), count(*) FROM views AS v')).data).toMatchObject({
      rows: [[viewersOf(records), views]],
    });
    const ofStarted = 'SELECT countDistinct(viewer) FROM views WHERE started';
    expect((await query(client, ofStarted)).data).toMatchObject({ rows: [[started]] });
    const largest =
      'WITH d AS (SELECT country, count(DISTINCT viewer) AS n FROM views GROUP BY country) SELECT * FROM d ORDER BY n DESC LIMIT 1';
    const of = (code: string) => viewersOf(records.filter(({ geo }) => geo.country === code));
    const [first] = [...new Set(records.map(({ geo }) => geo.country))].sort((a, b) => of(b) - of(a));
    expect((await query(client, largest)).data).toMatchObject({ rows: [[first, of(first ?? '')]] });
    const local = { sql: 'SELECT min(ts), max(ts) FROM views', from: '2026-09-15', to: '2026-09-15', timezone: 'Asia/Kolkata' };
    const days = (await client.callTool('run_analytics_sql', local)).data?.rows;
    expect(JSON.stringify(days)).toMatch(/^\[\["2026-09-15T0[\d:.]+","2026-09-15T2[\d:.]+"\]\]$/);
    for (const sql of [
      `SELECT count() FROM ${database}.vh_views`,
      `SELECT * FROM ${database}.vh_log`,
      'SELECT viewer FROM views',
      ...attacksOn(`${database}_${account}`),
      'SELECT account FROM views',
      'INSERT INTO views VALUES (1)',
      `DROP TABLE ${database}.vh_views`,
      "SELECT * FROM url('http://127.0.0.1:1/', 'TSV', 'a String')",
      "SELECT * FROM file('/etc/passwd', 'TSV', 'a String')",
      "SELECT * FROM remote('127.0.0.1', system.one)",
      'SELECT 1 SETTINGS max_execution_time = 0',
      'SELECT count() FROM system.query_log',
      'CREATE TABLE t (a Int8) ENGINE = Memory',
      'SYSTEM SHUTDOWN',
    ]) {
      const reply = await query(client, sql);
      expect({ sql, isError: reply.isError }).toEqual({ sql, isError: true });
      expect(reply.text).not.toMatch(/root:|account =/);
    }
    expect((await query(client, 'SELECT count() AS n FROM views')).data).toMatchObject({ rows: [[views]] });
  });

  test.each<[string, (laid: Laid) => Reader, RegExp]>([
    ['may write', (found) => ({ grants: [own(found), `GRANT INSERT ON ${found.database}.*`], profile: LIMITS }), /may do more than read/],
    ['may read all accounts', (found) => ({ grants: [`GRANT SELECT ON ${found.database}.*`], profile: LIMITS }), /may do more than read/],
    ['may read files', (found) => ({ grants: [own(found), 'GRANT READ ON FILE'], profile: LIMITS }), /may do more than read/],
    ['may change settings', (found) => ({ grants: [own(found)], profile: { ...LIMITS, readonly: 2 } }), /readonly = 1/],
    [
      'may get partial answers',
      (found) => ({ grants: [own(found)], profile: { ...LIMITS, timeout_overflow_mode: 'break', skip_unavailable_shards: 1 } }),
      /timeout_overflow_mode = break, not throw; skip_unavailable_shards = 1, not 0/,
    ],
    ['has no limits', (found) => ({ grants: [own(found)], profile: { readonly: 1 } }), /no limits/],
  ])('a user who %s is refused, and the answer says why', async (_, reader, words) => {
    const { client } = await laid(reader);
    const reply = await query(client, 'SELECT count() FROM views');
    expect(reply.isError).toBe(true);
    expect(reply.text).toMatch(words);
  });

  test('SQL is refused if no SQL user is set', async () => {
    if (store === undefined) throw new Error('There is no store.');
    const { client } = await start({ demo: await startService(), env: await madeStore(store) });
    const reply = await query(client, 'SELECT count() FROM views');
    expect(reply.isError).toBe(true);
    expect(reply.text).toContain('VIDEO_HOSTING_ANALYTICS_SQL_USER');
  });
});

describe.runIf(HAS_SHARDS)('on servers that can’t show the rights of a user', async () => {
  const shards = HAS_SHARDS ? await startOwnShards() : undefined;

  test('SQL is refused, and the answer says why', async () => {
    if (shards === undefined) throw new Error('There are no shards.');
    const { client } = await start({ demo: await startService(), env: { ...(await madeStore(shards)), ...asReader } });
    const reply = await query(client, 'SELECT count() FROM views');
    expect(reply.isError).toBe(true);
    expect(reply.text).toMatch(/18\.16\.1 can’t show what a user may do/);
  });
});
