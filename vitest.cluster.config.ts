import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The tests that need ClickHouse servers: `npm run test:cluster` says where they are. */
export default defineConfig({
  test: { ...base.test, include: ['test/cluster/**/*.cluster.ts'], testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false },
});
