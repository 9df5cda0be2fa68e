import { createInterface } from 'node:readline';
import { fieldsIn, type Values } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { type RecordedResponses, recordedResponses, recordedUnder, responseKey, VERSION } from './handshake.ts';

export interface RefusalOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly reason: string;
}

/** Answers each request with the reason why nothing works. It needs nothing that an old Node lacks. */
export function refuseEverything({ input, output, reason }: RefusalOptions): void {
  // Tools are listed as ever, so that one is called and the reason read.
  const recorded = recordedResponses({ readOnly: false });
  createInterface({ input }).on('line', (line) => {
    const message = parseJsonOrUndefined(line);
    for (const request of Array.isArray(message) ? message : [message]) {
      const { id, method, params } = fieldsIn(request);
      if (id === undefined || id === null || typeof method !== 'string') continue;
      output.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...replyTo(method, fieldsIn(params), recorded, reason) })}\n`);
    }
  });
}

/** What a tool answers is an error, and the first message of a connection carries the reason as the server's instructions. */
function replyTo(method: string, params: Values, recorded: RecordedResponses, reason: string) {
  const era = fieldsIn(params._meta)[VERSION] === undefined ? 'legacy' : 'modern';
  if (method === 'tools/call') {
    const result = { content: [{ type: 'text', text: reason }], isError: true };
    return { result: era === 'modern' ? { resultType: 'complete', ...result } : result };
  }
  const text = recordedUnder(recorded, responseKey(era, method), '');
  if (text === undefined) return { error: { code: INTERNAL_ERROR, message: reason } };
  const result = fieldsIn(JSON.parse(text));
  const instructions = 'instructions' in result ? { instructions: reason } : {};
  return { result: { ...result, ...instructions, ...(method === 'initialize' ? { protocolVersion: params.protocolVersion } : {}) } };
}

const INTERNAL_ERROR = -32_603;
