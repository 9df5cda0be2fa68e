import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** The tests in the clients that people use: `npm run test:clients` brings them, and takes the network away. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/clients/*.clients.ts'],
    globalSetup: ['test/clients/support/loopback-alone.ts', 'test/harness/build.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // The file with the long calls waits for most of its time, beside the others.
    maxWorkers: 4,
    maxConcurrency: 6,
  },
});
