import type { ParsedConfig } from '../config/parse-config.ts';
import { VideoHostingError } from '../errors.ts';
import { joined, type Sentence, sentence, wordList } from '../text/sentence.ts';
import { wrapLines } from '../text/text-columns.ts';

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** The system, the environment and the home folder: they decide where programs keep their files. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Without this server's own settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export interface Surroundings {
  readonly config: ParsedConfig;
  readonly version: string;
  readonly log: (message: string) => void;
  /** Writes the result, to stdout. */
  readonly print: (text: string) => void;
  /** Progress, on stderr; `columns` where that is a terminal. */
  readonly status: { readonly write: (text: string) => void; readonly columns: number | undefined };
  /** Whether `print` writes to a terminal. */
  readonly isTerminal: boolean;
  /** Undefined where nobody can be asked. */
  readonly terminal: Terminal | undefined;
  readonly machine: Machine;
  readonly signal: AbortSignal;
}

export const TELLS_ACCOUNT = sentence`Address and key tell which account is meant.`;

/** What is not set, as a command says it. `why` says what it is needed for. */
export function notSet(missing: readonly string[], why = sentence`Nothing was sent.`, next: readonly Sentence[] = []): VideoHostingError {
  const set = sentence`Set ${missing.length === 1 ? 'it' : 'them'} in the environment of this command, or name the client whose entry has ${missing.length === 1 ? 'it' : 'them'}, with --client NAME.`;
  return new VideoHostingError('settings_missing', sentence`Not set: ${wordList(missing)}. ${why}`, { hint: joined([set, ...next]) });
}

/** The demo account ends with the server that started it. */
export function assertNoDemo({ demo }: ParsedConfig['settings']): void {
  if (demo)
    throw new VideoHostingError(
      'settings_missing',
      'No real account is set, since --demo is given: of the demo account nothing is kept that could be shown, decided or revoked.',
      { hint: 'Leave it out, and set in the environment of this command what the agent’s server has.' },
    );
}

export const EXIT = { done: 0, failed: 1, usage: 2, waiting: 3, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Prints in rows of the terminal; into a pipe, each line as it is. */
export function wrapping({ print, isTerminal, status: { columns } }: Surroundings): Surroundings['print'] {
  return isTerminal && columns !== undefined ? (text) => print(wrapLines(text, columns)) : print;
}
