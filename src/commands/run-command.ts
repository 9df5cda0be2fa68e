import '../app/zod-options.ts';
import type { ErrorCode } from '../errors/codes.ts';
import { diskError } from '../errors/disk-error.ts';
import { VideoHostingError } from '../errors.ts';
import { findOwnCommand } from '../platform/find-own-command.ts';
import { setOwnCommand, setToldIn } from '../text/own-command.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { withClientSettings } from './client-settings.ts';
import { doctor } from './doctor.ts';
import { forget } from './forget.ts';
import { install } from './install/install.ts';
import { installRemote } from './install/install-remote.ts';
import { uninstall } from './install/uninstall.ts';
import { page } from './page.ts';
import { people } from './people.ts';
import { store } from './store.ts';
import { EXIT, type ExitCode, type Surroundings } from './surroundings.ts';
import { sync } from './sync.ts';
import { waiting } from './waiting.ts';

const COMMANDS: Readonly<Record<string, (surroundings: Surroundings) => Promise<ExitCode>>> = {
  install: (surroundings) => {
    const { url } = surroundings.config.options;
    return url === undefined ? install(surroundings) : installRemote(surroundings, url);
  },
  ...{ sync, forget, uninstall, store, approvals, audit, waiting, people, page },
};

const ENDS: Partial<Record<ErrorCode, ExitCode>> = {
  cancelled: EXIT.interrupted,
  invalid_arguments: EXIT.usage,
  settings_missing: EXIT.usage,
};

/** Runs the command of the command line, unless it is to serve. Returns the exit code. */
export async function runCommand(surroundings: Surroundings): Promise<ExitCode> {
  const { config, log, signal } = surroundings;
  setOwnCommand(() => findOwnCommand(import.meta.dirname, config.settings.desktop));
  const told = config.command === 'doctor' ? 'server' : config.command === 'install' ? 'install' : 'command';
  setToldIn(() => told);
  const command = COMMANDS[config.command];
  try {
    // It reports the problems of the settings itself.
    if (config.command === 'doctor') return await doctor(surroundings);
    const isAboutEntries = config.command === 'install' || config.command === 'uninstall';
    const used = config.problems.length > 0 || isAboutEntries ? surroundings : await withClientSettings(surroundings);
    for (const problem of used.config.problems) log(problem);
    if (used.config.problems.length > 0 || command === undefined) return EXIT.usage;
    return await command(used);
  } catch (error) {
    // A question that was waited for says what became of it.
    const isAnswered = error instanceof VideoHostingError && error.cause === signal.reason;
    if (signal.aborted && !isAnswered) return EXIT.interrupted;
    const told = error instanceof VideoHostingError ? error : diskError(error);
    if (told === undefined) throw error;
    const { fields = [] } = told.facts;
    if (told.code === 'invalid_arguments') for (const { field, problem } of fields) log(`--${field}: ${problem}`);
    else log([told.message, told.code === 'cancelled' ? [] : (told.adviceAtTerminal ?? [])].flat().join(' '));
    return ENDS[told.code] ?? EXIT.failed;
  }
}
