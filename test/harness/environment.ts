/** The set-up of every test file. The files of one worker may share their modules, but this is run for each. */
import { aroundEach } from 'vitest';
import { setToldIn } from '../../src/text/own-command.ts';
import { closingAtEnd } from './cleanup.ts';

// The programs that tests start must not inherit the colour settings of a terminal.
for (const name of ['FORCE_COLOR', 'NO_COLOR']) delete process.env[name];

aroundEach((runTest) => {
  // A process is a server or runs a command; a worker of tests is one after the other.
  setToldIn(() => 'server');
  return closingAtEnd(runTest);
});
