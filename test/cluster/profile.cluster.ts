/** Settings of the store's own user may be anything: none of them changes an answer. */
import { describe, expect, test } from 'vitest';
import { createConnection } from '../../src/analytics/clickhouse/connection.ts';
import { ask } from '../analytics/support/ask.ts';
import { atEnd } from '../harness/cleanup.ts';
import { addressOf, freshDatabase, HAS_CHDB, startOwnChdb } from './servers/stores.ts';
import { codeOf, isRight, QUESTION, startOn } from './support.ts';

/** What would have it answer with what was asked before, cut answers off, count by half, or write some time later. */
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
  const store = HAS_CHDB ? await startOwnChdb(UNKIND) : undefined;

  test('a profile that would change answers changes none', async () => {
    if (store === undefined) throw new Error('There is no store.');
    const url = store.url(freshDatabase());
    const { client, demo, account } = await startOn(store, { url });
    await ask(client, QUESTION);
    isRight(await client.callTool('query_analytics', QUESTION), demo);
    const address = addressOf(url);
    const connection = await createConnection({ address, password: '', log: () => {} });
    atEnd(() => connection.close());
    // Counted a moment ago; what was counted then is not what is there now.
    await connection.run({ sql: () => `DELETE FROM ${address.database}.vh_views WHERE account = '${account}' AND country = 'DE'` });
    expect(codeOf(await client.callTool('query_analytics', QUESTION))).toBe('store_incomplete');
  });
});
