import { definedFields } from '../platform/defined-fields.ts';
import { pathForLog, withoutCredentials } from './credentials-in-text.ts';

/** What is logged of a request: who, what and what came of it, never its arguments, its query or a credential. */
export interface LogEntry {
  person?: string | undefined;
  client?: string | undefined;
  method: string;
  /** Without its query. */
  path: string;
  /** The method of the protocol, and the tool. */
  rpc?: string | undefined;
  tool?: string | undefined;
  /** Of a change. */
  outcome?: string | undefined;
  changeId?: string | undefined;
}

const MAX_PATH = 200;

/** One line of JSON. */
export const logLine = ({ method, path, ...rest }: LogEntry, { status, ms }: { readonly status: number; readonly ms: number }): string => {
  const { person, client, rpc, tool, outcome, changeId } = rest;
  const fields = {
    person,
    client,
    method,
    path: pathForLog(path).slice(0, MAX_PATH),
    rpc,
    tool,
    status,
    outcome,
    ms: Math.round(ms),
    changeId,
  };
  return withoutCredentials(JSON.stringify({ time: new Date().toISOString(), ...definedFields(fields) }));
};
