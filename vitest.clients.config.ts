import { defineConfig } from 'vitest/config';

/** The tests in the clients that people use: `npm run test:clients` brings them, and takes the network away. */
export default defineConfig({
  test: {
    include: ['test/clients/*.clients.ts'],
    setupFiles: ['test/harness/environment.ts', 'test/harness/seed.ts'],
    globalSetup: ['test/clients/support/loopback-alone.ts', 'test/harness/build.ts'],
    // What waits for a screen or a client gives up sooner, and tells what there was to be seen.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
    // The file with the long calls waits for most of its time, beside the others.
    maxWorkers: 4,
    // Its calls, all at once: two each of four clients.
    maxConcurrency: 8,
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
