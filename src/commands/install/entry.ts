import type { Client } from './clients.ts';
import { type Launch, PACKAGE } from './launch.ts';

/** The name under which this server stands in a client's configuration. */
export const SERVER = 'video-hosting';

/** A server in a client's configuration. */
export type Entry = Readonly<Record<string, unknown>>;

/** What the server is to be told by the client. */
export interface Told {
  readonly demo: boolean;
  /** Variables and what stands in the file for each: its value, or what the client puts a value for. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that the client hands on from its own environment. */
  readonly forwarded: readonly string[];
}

/** The entry as it should be, with what people added to the one that is there. */
export function entryFor(client: Client, launch: Launch, told: Told, existing: Entry = {}): Entry {
  const before = isRecord(existing.env) ? existing.env : {};
  const kept = Object.entries(before).filter(([variable]) => !told.forwarded.includes(variable));
  const env = { ...Object.fromEntries(kept), ...told.env };
  const listed = Array.isArray(existing.env_vars) ? existing.env_vars : [];
  const forwarded = [...new Set([...listed.filter((name) => !(String(name) in told.env)), ...told.forwarded])];
  const { command: _command, args: _args, env: _env, env_vars: _forwarded, ...others } = existing;
  const { type, ...fields } = { ...client.fields, ...others };
  return {
    ...(type === undefined ? {} : { type }),
    command: launch.command,
    args: [...launch.args, ...(told.demo ? ['--demo'] : []), ...ownFlags(existing.args)],
    ...fields,
    ...(forwarded.length === 0 ? {} : { env_vars: forwarded }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

/** Flags that somebody wrote behind the command; `--read-only` must not get lost. */
function ownFlags(args: unknown): string[] {
  if (!Array.isArray(args)) return [];
  const words = args.map(String);
  const start = words.findIndex((word) => word.startsWith(PACKAGE) || /[\\/]main\.cjs$/.test(word));
  return start < 0 ? [] : words.slice(start + 1).filter((word) => word !== '--demo');
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
