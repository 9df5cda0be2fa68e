import type { ClickHouseSettings } from '@clickhouse/client';

/** The first version with views that have parameters and the rights of their definer, which SQL needs. */
export const SQL_SINCE = '24.3';

export interface Server {
  readonly version: string;
  /** Since 20.1: codecs, LowCardinality and synchronous deletions. */
  readonly isSince20: boolean;
  /** `SQL_SINCE`. */
  readonly isSince24: boolean;
  readonly reading: ClickHouseSettings;
  readonly writing: ClickHouseSettings;
}

/** From the result of `version()`: `24.3.1.2672`. A version that can't be parsed counts as the oldest. */
export function serverOf(version: string): Server {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const isSince24 = major > 24 || (major === 24 && minor >= 3);
  return {
    version,
    isSince20: major >= 20,
    isSince24,
    reading: isSince24 ? { ...READING, use_query_cache: 0, limit: '0', offset: '0' } : READING,
    writing: isSince24 ? { ...WRITING, async_insert: 0 } : WRITING,
  };
}

/** Every limit that could shorten an answer causes an error instead. */
export const OVERFLOW_MODES = Object.fromEntries(
  ['read', 'group_by', 'sort', 'result', 'distinct', 'set', 'join', 'transfer', 'timeout'].map((what) => [
    `${what}_overflow_mode`,
    'throw',
  ]),
);

/**
 * Settings that override the profile's, so that an answer is complete or there is none. With `wait_end_of_query` the server
 * sends nothing before the answer is complete, so that a late failure still has its HTTP status.
 */
const READING: ClickHouseSettings = {
  ...OVERFLOW_MODES,
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 1,
  skip_unavailable_shards: 0,
  max_parallel_replicas: '1',
  distributed_group_by_no_merge: '0',
  // The question and the count after it read the same replica of a shard.
  load_balancing: 'in_order',
  max_query_size: '16777216',
  max_ast_elements: '1000000',
};

const WRITING: ClickHouseSettings = {
  wait_end_of_query: 1,
  insert_distributed_sync: 1,
  max_query_size: '16777216',
  max_ast_elements: '1000000',
};
