import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../platform/is-object.ts';
import type { AiClient } from './clients.ts';
import type { ServerEntry } from './document.ts';

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The built file in `folder`, by its absolute path and through links. Never a name that a package registry looks up:
 * the package of that name there may be somebody else's, and a later release must not run unasked.
 */
export function launchOf(folder: string): Launch {
  return { command: 'node', args: [join(realpathSync(folder), 'main.cjs')] };
}

export interface EntryOptions {
  readonly demo: boolean;
  /** Variables with their value, or with the client's reference to one. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that the client passes on from its own environment. */
  readonly forwarded: readonly string[];
}

/** The entry as it should be, with what people added to the existing one. */
export function entryFor(client: AiClient, launch: Launch, options: EntryOptions, existing: ServerEntry = {}): ServerEntry {
  const { command: _command, args: oldArgs, env: oldEnv, env_vars: oldForwarded, ...others } = existing;
  const kept = Object.entries(isObject(oldEnv) ? oldEnv : {}).filter(([variable]) => !options.forwarded.includes(variable));
  const env = { ...Object.fromEntries(kept), ...options.env };
  const listed = Array.isArray(oldForwarded) ? oldForwarded.filter((variable) => !(String(variable) in options.env)) : [];
  const forwarded = [...new Set([...listed, ...options.forwarded])];
  const { type, ...fields } = { ...client.fields, ...others };
  return {
    ...(type === undefined ? {} : { type }),
    command: launch.command,
    args: [...launch.args, ...(options.demo ? ['--demo'] : []), ...addedFlags(oldArgs)],
    ...fields,
    ...(forwarded.length === 0 ? {} : { env_vars: forwarded }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

/** Flags that somebody wrote behind the command; `--read-only` must not get lost. */
function addedFlags(args: unknown): string[] {
  if (!Array.isArray(args)) return [];
  const words = args.map(String);
  const start = words.findIndex((word) => word.startsWith('video-hosting-mcp') || /[\\/]main\.cjs$/.test(word));
  return start < 0 ? [] : words.slice(start + 1).filter((word) => word !== '--demo');
}
