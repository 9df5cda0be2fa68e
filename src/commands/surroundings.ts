import type { ParsedConfig } from '../config/parse-config.ts';

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** What decides where programs keep their files. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Without this server's own settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
}

/** Where a command is run, as far as it needs to know. */
export interface Surroundings {
  readonly config: ParsedConfig;
  readonly version: string;
  readonly log: (message: string) => void;
  /** What is asked for: the result. */
  readonly print: (text: string) => void;
  /** What happens meanwhile; `columns` where that is a terminal. */
  readonly status: { readonly write: (text: string) => void; readonly columns: number | undefined };
  /** Whether `print` writes to a terminal. */
  readonly isTerminal: boolean;
  /** Where a person can be asked; undefined where nobody sits. */
  readonly terminal: Terminal | undefined;
  readonly machine: Machine;
  /** Aborts when the user has had enough. */
  readonly signal: AbortSignal;
}

/** What helps where a command lacks a setting. */
export const SET_HERE = 'Set them in the environment of this command: it knows nothing of what clients’ configurations hold.';

export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
