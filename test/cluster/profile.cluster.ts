/** The store's own user: the documented rights are enough, and no setting of its profile changes an answer. */
import { describe, expect, test } from 'vitest';
import { createConnection } from '../../src/analytics/storage/clickhouse/connection.ts';
import { initStore } from '../../src/analytics/storage/clickhouse/init.ts';
import { ask } from '../analytics/support/ask.ts';
import { atEnd } from '../harness/cleanup.ts';
import { runCommand } from '../harness/run-command.ts';
import { settingsFor, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { textOf } from '../scripts/project.ts';
import { addressOf, freshDatabase, HAS_CHDB, startOwnChdb } from './servers/stores.ts';
import { codeOf, isRight, QUESTION, startOn } from './support.ts';

/** Settings that would answer from a cache, cut answers off, count approximately, or write later. */
const UNKIND = {
  use_query_cache: 1,
  query_cache_nondeterministic_function_handling: 'save',
  query_cache_ttl: 3_600,
  query_cache_share_between_users: 1,
  limit: 3,
  async_insert: 1,
  wait_for_async_insert: 0,
  count_distinct_implementation: 'uniq',
  join_use_nulls: 1,
  output_format_json_quote_64bit_integers: 0,
};

describe.runIf(HAS_CHDB)('on embedded ClickHouse 26', async () => {
  const store = HAS_CHDB ? await startOwnChdb({ profile: UNKIND }) : undefined;

  test('profile settings that could change answers change none', async () => {
    if (store === undefined) throw new Error('There is no store.');
    const url = store.url(freshDatabase());
    const { client, demo, account } = await startOn(store, { url });
    await ask(client, QUESTION);
    isRight(await client.callTool('query_analytics', QUESTION), demo);
    const address = addressOf(url);
    const connection = await createConnection({ address, password: '', log: () => {} });
    atEnd(() => connection.close());
    // A cached count of a moment ago would hide that rows are missing now.
    await connection.run(`DELETE FROM ${address.database}.vh_views WHERE account = '${account}' AND country = 'DE'`);
    expect(codeOf(await client.callTool('query_analytics', QUESTION))).toBe('store_incomplete');
  });
});

/** The grants of docs/scale.md for the store's user, for a database of another name. */
const grantsFor = (database: string): string[] =>
  [...textOf('docs/scale.md').matchAll(/GRANT ([^;`…]+) TO videos\b(?!_)/g)].map(
    ([, rights = '']) => `GRANT ${rights.replace(/\bvideos(?=\.|_)/, database)}`,
  );

describe.runIf(HAS_CHDB)('on embedded ClickHouse 26 with the documented rights', async () => {
  const database = freshDatabase();
  const grants = grantsFor(database);
  const store = HAS_CHDB ? await startOwnChdb({ grants }) : undefined;

  test('a store can be created, filled, queried and emptied, and another database is refused', async () => {
    if (store === undefined) throw new Error('There is no store.');
    expect(grants).toEqual([
      `GRANT ALL ON ${database}.*`,
      'GRANT SELECT ON system.*',
      'GRANT CLUSTER, REMOTE ON *.*',
      `GRANT ALL ON ${database}_*.*`,
    ]);
    const demo = await startService({ views: 3_000 });
    const url = store.url(database).replace('writer@', 'default@');
    const settings = { VIDEO_HOSTING_ANALYTICS_STORE: url, VIDEO_HOSTING_ANALYTICS_SQL_USER: 'reader' };
    const env = { HOME: freshHome(), ...settingsFor(demo), ...settings };
    expect(await runCommand(['store', 'init'], env)).toMatchObject({ code: 0, stderr: '' });
    const { client } = await start({ demo, env: settings });
    await ask(client, QUESTION);
    isRight(await client.callTool('query_analytics', QUESTION), demo);
    expect(await runCommand(['forget', '--to', '2026-11-30'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await runCommand(['forget', '--all'], env)).toMatchObject({ code: 0, stderr: '' });
    const other = createConnection({ address: addressOf(url.replace(database, 'others')), password: '', log: () => {} });
    atEnd(async () => (await other).close());
    await expect(initStore(await other, new AbortController().signal)).rejects.toMatchObject({ code: 'store_refused' });
  });
});
