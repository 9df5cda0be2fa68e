import type { ClickHouseSettings } from '@clickhouse/client';
import { literal, parameter } from '../../sql/clickhouse-dialect.ts';
import type { Value } from '../../sql/dialect.ts';

/** What a ClickHouse server supports, by its version. */
export interface Server {
  readonly version: string;
  readonly major: number;
  readonly minor: number;
  /** Whether values are sent as query parameters; for older servers they are written into the statement. */
  readonly takesParameters: boolean;
  /** The placeholder of a value in a statement; values are numbered from 1. */
  readonly render: (number: number, value: Value) => string;
  /** Settings of every statement that reads. */
  readonly reading: ClickHouseSettings;
  /** Settings of every statement that changes something. */
  readonly writing: ClickHouseSettings;
}

type Release = Pick<Server, 'major' | 'minor'>;

/** The first version with query parameters, and one that certainly knows the newer settings. */
const PARAMETERS: Release = { major: 19, minor: 14 };
const NEWER: Release = { major: 24, minor: 3 };

export const isSince = ({ major, minor }: Release, first: Release): boolean =>
  major > first.major || (major === first.major && minor >= first.minor);

/** From the result of `version()`: `24.3.1.2672`. A version that can't be parsed counts as the oldest. */
export function serverOf(version: string): Server {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const release = { major, minor };
  const takesParameters = isSince(release, PARAMETERS);
  const settings = isSince(release, NEWER)
    ? { reading: COMPLETE_NEWER, writing: SYNCHRONOUS_NEWER }
    : { reading: COMPLETE, writing: SYNCHRONOUS };
  const render = takesParameters ? parameter : (_number: number, value: Value) => literal(value);
  return { version, ...release, takesParameters, render, ...settings };
}

/**
 * Settings that no profile may change, so that an answer is complete or there is none. With `wait_end_of_query` the server
 * sends nothing before the answer is complete, so that a late failure still has its HTTP status.
 */
const COMPLETE: ClickHouseSettings = {
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 1,
  skip_unavailable_shards: 0,
  max_parallel_replicas: '1',
  distributed_group_by_no_merge: '0',
  read_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  transfer_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  // The question and the count after it read the same replica of a shard.
  load_balancing: 'in_order',
  // A statement names the parts that it reads.
  max_query_size: '16777216',
  max_ast_elements: '1000000',
};

/** With settings that older servers don't know: no cached answer, and none that is cut off. */
const COMPLETE_NEWER: ClickHouseSettings = { ...COMPLETE, use_query_cache: 0, limit: '0', offset: '0' };

/** An insert is answered when its rows are on their shards. */
const SYNCHRONOUS: ClickHouseSettings = {
  wait_end_of_query: 1,
  insert_distributed_sync: 1,
  max_query_size: '16777216',
  max_ast_elements: '1000000',
};
const SYNCHRONOUS_NEWER: ClickHouseSettings = { ...SYNCHRONOUS, async_insert: 0 };
