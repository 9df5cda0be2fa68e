import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { definedFields } from '../../platform/defined-fields.ts';
import { isObject } from '../../platform/is-object.ts';
import type { Sentence } from '../../text/sentence.ts';
import type { AiClient } from './clients.ts';
import type { ServerEntry } from './document.ts';
import { entryCommand, type Launch, withoutFlagsOf } from './entry-command.ts';
import { OF_ADDRESS, remoteIn, withoutFields } from './remote-entry.ts';

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

export interface WantedEntry {
  readonly entry: ServerEntry;
  /** What a person has to know of its command. */
  readonly told?: Sentence;
}

/** The entry as it should be, with what people added to the existing one. */
export function entryFor(client: AiClient, launch: Launch, options: EntryOptions, existing: ServerEntry = {}): WantedEntry {
  const { command: _command, args: _args, env: oldEnv, env_vars: oldForwarded, ...fieldsBefore } = existing;
  const others = remoteIn(existing) === undefined ? fieldsBefore : withoutFields(fieldsBefore, OF_ADDRESS);
  const kept = Object.entries(isObject(oldEnv) ? oldEnv : {}).filter(([variable]) => !options.forwarded.includes(variable));
  const env = { ...Object.fromEntries(kept), ...options.env };
  const listed = Array.isArray(oldForwarded) ? oldForwarded.filter((variable) => !(String(variable) in options.env)) : [];
  const forwarded = [...new Set([...listed, ...options.forwarded])];
  const { type, ...fields } = { ...client.fields, ...others };
  const { command, args, flags, told } = entryCommand(existing, launch, options.demo);
  const ownFlags = withoutFlagsOf(flags, new Set(Object.keys(options.env))).filter((word) => word !== '--demo');
  const entry = {
    ...(type === undefined ? {} : { type }),
    command,
    args: [...args, ...(options.demo ? ['--demo'] : []), ...ownFlags],
    ...fields,
    ...(forwarded.length === 0 ? {} : { env_vars: forwarded }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
  return definedFields({ entry, told });
}
