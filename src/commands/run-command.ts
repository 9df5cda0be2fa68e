import { VideoHostingError } from '../errors.ts';
import { doctor } from './doctor.ts';
import { forget } from './forget.ts';
import { EXIT, type ExitCode, type Surroundings } from './surroundings.ts';
import { sync } from './sync.ts';

/** Does what the command line says, other than serving. Answers the exit code. */
export async function runCommand(surroundings: Surroundings): Promise<ExitCode> {
  const { config, log, signal } = surroundings;
  try {
    if (config.command === 'doctor') return await doctor(surroundings);
    for (const problem of config.problems) log(problem);
    if (config.problems.length > 0) return EXIT.usage;
    return await (config.command === 'sync' ? sync(surroundings) : forget(surroundings));
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    if (!(error instanceof VideoHostingError)) throw error;
    log(`${error.message} ${error.hint}`);
    const { fields = [] } = error.facts;
    if (fields.length > 1) for (const { field, problem } of fields) log(`--${field}: ${problem}`);
    return error.code === 'settings_missing' || error.code === 'invalid_arguments' ? EXIT.usage : EXIT.failed;
  }
}
