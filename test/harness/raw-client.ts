/** A client without an SDK, for JSON-RPC messages that the SDKs would not send. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import * as z from 'zod';
import {
  type CallOptions,
  completionSchema,
  type FormConduct,
  type FormHandler,
  formAnswers,
  promptResultSchema,
  readResultSchema,
  type TestClient,
  toolReplyFrom,
  type Values,
} from './client.ts';

class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface RawClient extends TestClient {
  /** The bare result. */
  request(method: string, params?: Values, options?: CallOptions): Promise<Values>;
  send(message: unknown): void;
  readonly received: readonly Values[];
}

export interface RawOptions {
  readonly era?: 'legacy' | 'modern';
  readonly forms?: FormConduct | FormHandler;
  /** The declared capabilities; by default elicitation, unless `forms` is `none`. */
  readonly capabilities?: Values;
}

const INFO = { name: 'raw-client', version: '1.0.0' };
const ErrorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
const InputRequiredSchema = z.looseObject({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), z.looseObject({ params: z.unknown() })),
  requestState: z.string().optional(),
});

interface Waiting {
  readonly done: (message: Values) => void;
  readonly onProgress: CallOptions['onProgress'];
}

export async function connectRaw(transport: Transport, options: RawOptions = {}): Promise<RawClient> {
  const { era = 'legacy', forms: conduct = 'none' } = options;
  const capabilities = options.capabilities ?? (conduct === 'none' ? {} : { elicitation: { form: {} } });
  const received: Values[] = [];
  const { forms, answer: fill } = formAnswers(conduct);
  const waiting = new Map<unknown, Waiting>();
  let lastId = 0;
  let instructions: string | undefined;

  // The message may be invalid; the server decides.
  const send = (message: unknown): void => void transport.send(message as JSONRPCMessage).catch(() => {});

  transport.onmessage = (message) => {
    const values: Values = { ...message };
    received.push(values);
    if (values.method === 'elicitation/create') {
      fill(values.params).then(
        (result) => send({ jsonrpc: '2.0', id: values.id, result }),
        (error: unknown) => send({ jsonrpc: '2.0', id: values.id, error: { code: -32603, message: String(error) } }),
      );
    } else if (values.method === 'notifications/progress') {
      const { progressToken, ...progress } = z.looseObject({ progressToken: z.unknown(), progress: z.number() }).parse(values.params);
      waiting.get(progressToken)?.onProgress?.(progress);
    } else if (values.method === undefined) waiting.get(values.id)?.done(values);
  };
  await transport.start();

  async function request(method: string, params: Values = {}, { onProgress, signal }: CallOptions = {}): Promise<Values> {
    lastId += 1;
    const id = lastId;
    const meta = { ...(onProgress && { progressToken: id }), ...(era === 'modern' ? envelope(capabilities) : {}) };
    const answer = await new Promise<Values>((resolve, reject) => {
      waiting.set(id, { done: resolve, onProgress });
      signal?.addEventListener('abort', () => {
        send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'Cancelled by the user.' } });
        reject(new RpcError({ code: 0, message: 'Cancelled.' }));
      });
      send({ jsonrpc: '2.0', id, method, params: { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) } });
    }).finally(() => waiting.delete(id));
    if (answer.error !== undefined) throw new RpcError(ErrorSchema.parse(answer.error));
    return z.record(z.string(), z.unknown()).parse(answer.result);
  }

  /** In the newer era a result may request input; the call is repeated with the answers, as the SDKs do. */
  async function call(params: Values, callOptions: CallOptions = {}): Promise<Values> {
    const result = await request('tools/call', params, callOptions);
    const wanted = InputRequiredSchema.safeParse(result);
    if (!wanted.success) return result;
    const { inputRequests, requestState } = wanted.data;
    const answers = await Promise.all(Object.entries(inputRequests).map(async ([name, { params }]) => [name, await fill(params)]));
    return call({ ...params, inputResponses: Object.fromEntries(answers), requestState }, callOptions);
  }

  const list = async (method: string, name: string) =>
    z.looseObject({ [name]: z.array(z.record(z.string(), z.unknown())) }).parse(await request(method))[name] as Values[]; // as parsed

  if (era === 'legacy') {
    const result = await request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo: INFO });
    instructions = String(result.instructions);
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  } else instructions = String((await request('server/discover')).instructions);

  return {
    kind: era === 'legacy' ? 'raw lines' : 'raw lines, modern',
    forms,
    received,
    instructions,
    request,
    send,
    callTool: async (name, args = {}, callOptions) => toolReplyFrom(await call({ name, arguments: args }, callOptions)),
    listTools: () => list('tools/list', 'tools'),
    listResources: () => list('resources/list', 'resources'),
    listResourceTemplates: () => list('resources/templates/list', 'resourceTemplates'),
    listPrompts: () => list('prompts/list', 'prompts'),
    async readResource(uri, callOptions) {
      return readResultSchema.parse(await request('resources/read', { uri }, callOptions)).contents[0]?.text ?? '';
    },
    async getPrompt(name, args = {}) {
      return promptResultSchema.parse(await request('prompts/get', { name, arguments: args })).messages[0]?.content.text ?? '';
    },
    async complete(of, name, value) {
      const ref = 'prompt' in of ? { type: 'ref/prompt', name: of.prompt } : { type: 'ref/resource', uri: of.template };
      return completionSchema.parse(await request('completion/complete', { ref, argument: { name, value } })).completion.values;
    },
    close: () => transport.close(),
  };
}

function envelope(capabilities: Values): Values {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': INFO,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}
