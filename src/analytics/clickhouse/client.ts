/** The client's package, in a file of its own that is loaded by who has such a store. */
export { ClickHouseLogLevel, createClient } from '@clickhouse/client';
