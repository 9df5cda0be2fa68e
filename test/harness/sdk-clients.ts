/** {@link TestClient} on the two official SDKs: the v1 client, and the v2 client in either era. Used through `start`. */
import { type RequestOptions, type Transport, Client as V2Client } from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport as V1Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  type CallOptions,
  type ClientKind,
  completionSchema,
  type FormConduct,
  type FormHandler,
  formAnswers,
  promptResultSchema,
  readResultSchema,
  type ShownForm,
  type TestClient,
  toolReplyFrom,
} from './client.ts';
import { CLIENT_TIMEOUT_MS } from './service.ts';

const INFO = { name: 'test-client', version: '1.0.0' };

export type SdkKind = Exclude<ClientKind, `raw ${string}`>;

export async function connectSdk(kind: SdkKind, transport: Transport, conduct: FormConduct | FormHandler): Promise<TestClient> {
  const { forms, answer } = formAnswers(conduct);
  const capabilities = conduct === 'none' ? {} : { elicitation: { form: {} } };
  if (kind === 'v1 client') {
    const client = new V1Client(INFO, { capabilities });
    if (conduct !== 'none') client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
    // The two SDKs' transports differ only in the types of optional members.
    await client.connect(transport as V1Transport, requestOptions());
    return testClientOf(kind, client, forms, (params, options) => client.callTool(params, undefined, options));
  }
  const mode = kind === 'v2 client, modern' ? { pin: '2026-07-28' } : 'legacy';
  const client = new V2Client(INFO, { capabilities, versionNegotiation: { mode } });
  if (conduct !== 'none') client.setRequestHandler('elicitation/create', ({ params }) => answer(params));
  await client.connect(transport, requestOptions());
  return testClientOf(kind, client, forms, (params, options) => client.callTool(params, options));
}

type CallParams = { name: string; arguments: Record<string, unknown> };

function testClientOf(
  kind: ClientKind,
  client: V1Client | V2Client,
  forms: readonly ShownForm[],
  callTool: (params: CallParams, options: RequestOptions) => Promise<unknown>,
): TestClient {
  return {
    kind,
    forms,
    get instructions() {
      return client.getInstructions();
    },
    callTool: async (name, args = {}, options = {}) => toolReplyFrom(await callTool({ name, arguments: args }, requestOptions(options))),
    listTools: async () => (await client.listTools(undefined, requestOptions())).tools,
    listResources: async () => (await client.listResources(undefined, requestOptions())).resources,
    listResourceTemplates: async () => (await client.listResourceTemplates(undefined, requestOptions())).resourceTemplates,
    listPrompts: async () => (await client.listPrompts(undefined, requestOptions())).prompts,
    async readResource(uri, options = {}) {
      const { contents } = readResultSchema.parse(await client.readResource({ uri }, requestOptions(options)));
      return contents[0]?.text ?? '';
    },
    async getPrompt(name, args = {}) {
      const { messages } = promptResultSchema.parse(await client.getPrompt({ name, arguments: args }, requestOptions()));
      return messages[0]?.content.text ?? '';
    },
    async complete(of, name, value) {
      const ref =
        'prompt' in of ? ({ type: 'ref/prompt', name: of.prompt } as const) : ({ type: 'ref/resource', uri: of.template } as const);
      return completionSchema.parse(await client.complete({ ref, argument: { name, value } }, requestOptions())).completion.values;
    },
    close: () => client.close(),
  };
}

function requestOptions({ onProgress, signal, timeoutMs = CLIENT_TIMEOUT_MS }: CallOptions = {}): RequestOptions {
  return { ...(onProgress && { onprogress: onProgress }), ...(signal && { signal }), timeout: timeoutMs };
}
