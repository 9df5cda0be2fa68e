import '../mcp/jitless.ts';
import { VideoHostingError } from '../errors.ts';
import { doctor } from './doctor.ts';
import { forget } from './forget.ts';
import { install } from './install/install.ts';
import { uninstall } from './install/uninstall.ts';
import { store } from './store.ts';
import { EXIT, type ExitCode, type Surroundings } from './surroundings.ts';
import { sync } from './sync.ts';

const COMMANDS: Readonly<Record<string, (surroundings: Surroundings) => Promise<ExitCode>>> = { sync, forget, install, uninstall, store };

/** Does what the command line says, other than serving. Answers the exit code. */
export async function runCommand(surroundings: Surroundings): Promise<ExitCode> {
  const { config, log, signal } = surroundings;
  const command = COMMANDS[config.command];
  try {
    if (config.command === 'doctor') return await doctor(surroundings);
    for (const problem of config.problems) log(problem);
    if (config.problems.length > 0 || command === undefined) return EXIT.usage;
    return await command(surroundings);
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    if (!(error instanceof VideoHostingError)) throw error;
    if (error.code === 'cancelled') return EXIT.interrupted;
    log(`${error.message} ${error.hint}`);
    const { fields = [] } = error.facts;
    if (fields.length > 1) for (const { field, problem } of fields) log(`--${field}: ${problem}`);
    return error.code === 'settings_missing' || error.code === 'invalid_arguments' ? EXIT.usage : EXIT.failed;
  }
}
