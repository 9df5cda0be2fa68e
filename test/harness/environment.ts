/** The set-up of every test file. The files of one worker may share their modules, but this is run for each. */
import { aroundEach, vi } from 'vitest';
import { setToldIn } from '../../src/text/own-command.ts';
import { closingAtEnd } from './cleanup.ts';

// The programs that tests start must not inherit the colour settings of a terminal.
for (const name of ['FORCE_COLOR', 'NO_COLOR']) delete process.env[name];

/** As long as `expect.poll` waits by the configuration, which has no such setting for this: by itself it gives up after a second. */
const PATIENCE_MS = 300_000;
const { waitFor } = vi;
if (waitFor.name !== 'waitPatiently')
  vi.waitFor = function waitPatiently(check, options) {
    return waitFor(check, typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options });
  };

aroundEach((runTest) => {
  // A process is a server or runs a command; a worker of tests is one after the other.
  setToldIn(() => 'server');
  return closingAtEnd(runTest);
});
