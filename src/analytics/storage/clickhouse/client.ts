/** The client's package, in a file of its own: `connection.ts` loads it when a store is opened, and the build makes a bundle of it. */
export { ClickHouseLogLevel, createClient } from '@clickhouse/client';
