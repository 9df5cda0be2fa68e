import { hasNativePart, MACHINE } from '../workers/native-part.ts';

export const isDuckInstalled = (): boolean =>
  hasNativePart(
    ['@duckdb/node-api', '@duckdb/node-bindings'],
    ['', '-musl'].map((libc) => `@duckdb/node-bindings-${MACHINE}${libc}/duckdb.node`),
  );
