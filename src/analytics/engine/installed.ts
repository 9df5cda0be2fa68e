import { hasNativePart, MACHINE } from '../native-part.ts';

/** Whether DuckDB for this machine is installed. Loads nothing, so it may still fail to load. */
export const isDuckInstalled = (): boolean =>
  hasNativePart(
    ['@duckdb/node-api', '@duckdb/node-bindings'],
    ['', '-musl'].map((libc) => `@duckdb/node-bindings-${MACHINE}${libc}/duckdb.node`),
  );
