/** A client without an SDK, for JSON-RPC messages that the SDKs would not send. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { converse } from '../../scripts/raw-client.mjs';
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

const InputRequiredSchema = z.looseObject({
  resultType: z.literal('input_required'),
  inputRequests: z.record(z.string(), z.looseObject({ params: z.unknown() })),
  requestState: z.string().optional(),
});

export async function connectRaw(transport: Transport, options: RawOptions = {}): Promise<RawClient> {
  const { era = 'legacy', forms: conduct = 'none' } = options;
  const capabilities = options.capabilities ?? (conduct === 'none' ? {} : { elicitation: { form: {} } });
  const received: Values[] = [];
  const { forms, answer: fill } = formAnswers(conduct);
  // The message may be invalid; the server decides.
  const send = (message: unknown): void => void transport.send(message as JSONRPCMessage).catch(() => {});

  const { request, take, open } = converse(send, { era, capabilities });
  transport.onmessage = (message) => {
    const values: Values = { ...message };
    received.push(values);
    if (values.method !== 'elicitation/create') take(values);
    else
      fill(values.params).then(
        (result) => send({ jsonrpc: '2.0', id: values.id, result }),
        (error: unknown) => send({ jsonrpc: '2.0', id: values.id, error: { code: -32603, message: String(error) } }),
      );
  };
  await transport.start();

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

  const instructions = String((await open()).instructions);

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
