import { defineConfig } from 'vitest/config';

/** The tests that need ClickHouse servers: `npm run test:cluster` says where they are. */
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.cluster.ts'],
    setupFiles: ['test/harness/environment.ts', 'test/harness/seed.ts'],
    globalSetup: ['test/harness/build.ts'],
    // Above the longest test beside everything else that runs then: they end what hangs, and nothing else.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    pool: 'forks',
    fileParallelism: false,
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
