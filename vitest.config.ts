import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const setupFiles = ['test/harness/environment.ts', 'test/harness/seed.ts'];
const globalSetup = ['test/harness/build.ts'];

/**
 * A file's suffix says its tier, and each suffix is in one project: `.test.ts` needs no build, `.smoke.test.ts` does the
 * main jobs with the built command, `.integration.test.ts` starts the built command or an engine, `.browser.test.ts` a real
 * browser with it, `.slow.test.ts` takes more than some seconds, `.isolated.test.ts` replaces modules. CONTRIBUTING.md says
 * which to choose.
 */
export default defineConfig({
  test: {
    // Above the longest test on a busy machine by far: they end what hangs, and nothing else.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
    // Files of one worker share their modules: to load them again for each would take a fifth of the time.
    isolate: false,
    // Tests also wait, for processes and time limits: two more than there are cores keep the cores busy.
    maxWorkers: availableParallelism() + 2,
    // Processes are spawned, killed and raced here on shared machines: a test that fails twice has failed.
    retry: process.env.CI === undefined ? 0 : 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{smoke,integration,browser,isolated,slow}.test.ts'],
          setupFiles,
        },
      },
      { extends: true, test: { name: 'smoke', include: ['test/**/*.smoke.test.ts'], setupFiles, globalSetup } },
      { extends: true, test: { name: 'built', include: ['test/**/*.{integration,browser,slow}.test.ts'], setupFiles, globalSetup } },
      { extends: true, test: { name: 'isolated', include: ['test/**/*.isolated.test.ts'], isolate: true, setupFiles, globalSetup } },
    ],
  },
});
