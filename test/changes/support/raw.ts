/** Calls with any envelope and any params beside their arguments, also those that no correct client sends. */
import type { Values } from '../../harness/client.ts';
import type { RawClient } from '../../harness/raw-client.ts';

export const FORMS = { elicitation: { form: {} } } as const;
export const NO_FORMS = {} as const;

let lastId = 0;

/** One `tools/call` with these very params; the whole answer, an error too. */
export async function callWith(client: RawClient, params: Values): Promise<Values> {
  lastId += 1;
  const id = `own-${lastId}`;
  client.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
  for (;;) {
    const answer = client.received.find((message) => message.id === id && message.method === undefined);
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** A value deep in an answer, or undefined. */
export function at(answer: unknown, ...path: readonly string[]): unknown {
  let current: unknown = answer;
  for (const step of path) current = isValues(current) ? current[step] : undefined;
  return current;
}

export const ACCEPTED = { confirm: { action: 'accept', content: { decision: 'apply' } } } as const;
