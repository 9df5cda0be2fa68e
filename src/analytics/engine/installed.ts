import { hasNativePart, MACHINE } from '../native-part.ts';

/** Whether DuckDB is there for this machine. Loads nothing; whether it also runs shows in the engine's process. */
export const isDuckInstalled = (): boolean =>
  hasNativePart({
    chain: ['@duckdb/node-api', '@duckdb/node-bindings'],
    parts: ['', '-musl'].map((libc) => `@duckdb/node-bindings-${MACHINE}${libc}/duckdb.node`),
  });
