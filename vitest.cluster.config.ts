import { defineConfig } from 'vitest/config';

/** The tests that need ClickHouse servers: `npm run test:cluster` says where they are. */
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.cluster.ts'],
    setupFiles: ['test/harness/environment.ts', 'test/harness/seed.ts'],
    globalSetup: ['test/harness/build.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    fileParallelism: false,
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
