/**
 * What a ClickHouse server can do, by its version, and the settings that go with every statement of ours (`connection.ts`).
 */
import type { ClickHouseSettings } from '@clickhouse/client';
import { literal, parameter } from '../../sql/clickhouse-dialect.ts';
import type { Value } from '../../sql/dialect.ts';

/** What a server can do. */
export interface Server {
  readonly version: string;
  readonly major: number;
  readonly minor: number;
  /** Whether values go beside a statement; in older servers they stand in its text. */
  readonly takesParameters: boolean;
  /** What stands for a value in a statement; values are numbered from 1. */
  readonly render: (number: number, value: Value) => string;
  /** Settings of every statement that reads. */
  readonly reading: ClickHouseSettings;
  /** Settings of every statement that changes something. */
  readonly writing: ClickHouseSettings;
}

type Release = Pick<Server, 'major' | 'minor'>;

/** The first with parameters, and one that surely knows the newer settings. */
const PARAMETERS: Release = { major: 19, minor: 14 };
const NEWER: Release = { major: 24, minor: 3 };

export const isSince = ({ major, minor }: Release, first: Release): boolean =>
  major > first.major || (major === first.major && minor >= first.minor);

/** By what `version()` answers: `24.3.1.2672`. One that can't be read counts as the oldest. */
export function serverOf(version: string): Server {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const release = { major, minor };
  const takesParameters = isSince(release, PARAMETERS);
  const settings = isSince(release, NEWER) ? { reading: WHOLE_NOW, writing: SETTLED_NOW } : { reading: WHOLE, writing: SETTLED };
  const render = takesParameters ? parameter : (_number: number, value: Value) => literal(value);
  return { version, ...release, takesParameters, render, ...settings };
}

/**
 * What no profile of a server may change: an answer is whole or there is none. `wait_end_of_query` has the server hold the
 * answer back until it is complete, so that what fails late still fails with its status.
 */
const WHOLE: ClickHouseSettings = {
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
  // Of a shard's replicas the same one for the question and for what is counted around it.
  load_balancing: 'in_order',
  // The spans that a question is about are named in it.
  max_query_size: '16777216',
  max_ast_elements: '1000000',
};

/** The same of what older servers don't know: no answer of some time ago, and none that is cut off. */
const WHOLE_NOW: ClickHouseSettings = { ...WHOLE, use_query_cache: 0, limit: '0', offset: '0' };

/** What is written is on its shards, and not on its way, when it is answered. */
const SETTLED: ClickHouseSettings = {
  wait_end_of_query: 1,
  insert_distributed_sync: 1,
  max_query_size: '16777216',
  max_ast_elements: '1000000',
};
const SETTLED_NOW: ClickHouseSettings = { ...SETTLED, async_insert: 0 };
