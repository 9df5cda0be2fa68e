/** Functions of the engine that a stranger’s SQL must never call. The allow-list has none of them; what it lacks is refused (sql-attacks.ts). */
import { expect, test } from 'vitest';
import { FUNCTIONS, NODES } from '../../src/analytics/engine/sql-allowed.ts';

const NEVER: Readonly<Record<string, string>> = {
  'reads or writes files': `
    read_csv read_csv_auto read_text read_blob read_json read_json_auto read_json_objects read_ndjson read_ndjson_auto read_parquet
    read_duckdb parquet_scan parquet_metadata parquet_schema parquet_kv_metadata parquet_file_metadata parquet_bloom_probe
    sniff_csv glob arrow_scan seq_scan which_secret write_log checkpoint force_checkpoint`,
  'tells or changes settings, the catalogue or other sessions': `
    getenv current_setting set_config getvariable version current_query current_schema current_schemas current_database
    in_search_path txid_current pg_typeof nextval currval duckdb_settings duckdb_views duckdb_tables duckdb_columns duckdb_secrets
    duckdb_extensions duckdb_temporary_files duckdb_memory duckdb_databases duckdb_logs pragma_table_info pragma_storage_info
    pragma_database_list enable_logging disable_logging enable_profiling`,
  'runs SQL that is given as text': 'query query_table json_serialize_sql json_execute_serialized_sql sql_auto_complete',
  'makes much out of little': `
    repeat lpad rpad printf format bar range generate_series test_all_types list array_agg list_sort list_transform histogram
    bitstring levenshtein string_split to_json error`,
};

test.each(Object.entries(NEVER))('no function that %s is allowed', (_what, names) => {
  expect(
    names
      .trim()
      .split(/\s+/)
      .filter((name) => FUNCTIONS.has(name)),
  ).toEqual([]);
});

test('no function may stand in the place of a table', () => {
  expect(NODES.has('TABLE_FUNCTION')).toBe(false);
});
