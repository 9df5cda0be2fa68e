import { fieldsIn } from '../platform/is-object.ts';
import type { InFlight } from './person-limits.ts';

/** What a body asks for, as far as limits and the log need it. */
export interface RpcMessages {
  readonly messages: readonly unknown[];
  /** The method, or `batch`. */
  readonly rpc: string | undefined;
  readonly tool: string | undefined;
  readonly inFlight: InFlight;
  /** Whether an id, which its answer repeats, is longer than any that a client would make. */
  readonly hasLongId: boolean;
}

/** The tool that waits for a change. */
const WAITING_TOOL = 'get_change';
const MAX_NAME = 64;
const MAX_ID = 256;

const nameIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[a-z_]+(?:\/[a-z_]+)*$/i.test(value) ? value.slice(0, MAX_NAME) : undefined;

/** A batch, which only older revisions of the protocol have, counts as what is in it. */
export function rpcMessages(body: unknown): RpcMessages {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const calls = messages.map(fieldsIn).filter(({ method }) => method === 'tools/call');
  const waits = calls.filter(({ params }) => fieldsIn(params).name === WAITING_TOOL).length;
  const { method, params } = fieldsIn(body);
  return {
    messages,
    rpc: Array.isArray(body) ? 'batch' : nameIn(method),
    tool: method === 'tools/call' ? nameIn(fieldsIn(params).name) : undefined,
    inFlight: { calls: calls.length - waits, waits },
    hasLongId: messages.some((message) => String(fieldsIn(message).id ?? '').length > MAX_ID),
  };
}
