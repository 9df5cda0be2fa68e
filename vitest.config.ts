import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/build.ts'],
    setupFiles: ['test/harness/environment.ts', 'test/harness/seed.ts'],
    // Ten times what the longest take: it ends what hangs, and nothing that others on the machine slow down.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Processes are spawned, killed and raced here, on machines that others load too: what fails twice has failed.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
