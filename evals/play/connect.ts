import { Client, type JsonSchemaType, type JsonSchemaValidator, type Transport } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { parseConfig } from '../../src/config/parse-config.ts';
import { serveInProcess } from '../../test/harness/serve.ts';
import { createLines } from '../../test/harness/transport.ts';
import { createWrapper } from '../wrapper/server.ts';
import type { ArrangedAccount } from './account.ts';
import type { Arguments, Era, Play } from './recording.ts';

/** Shows a form and returns the user's answer. */
export type OnForm = (message: string) => Promise<{ action: 'accept'; content: Record<string, string> }>;

export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly data: Arguments;
}

export interface Connection {
  readonly instructions: string;
  /** As a model is given them: without titles, annotations and output schemas. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
  call(tool: string, args: Arguments): Promise<Answer>;
  close(): Promise<void>;
}

interface Options {
  readonly settings?: Readonly<Record<string, string>> | undefined;
  readonly onForm?: OnForm | undefined;
}

/** Starts a server for this account, in this process, and connects a client of the official SDK to it. */
export async function connect(
  account: ArrangedAccount,
  play: Pick<Play, 'server' | 'era'>,
  { settings = {}, onForm }: Options,
): Promise<Connection> {
  const client = createClient(play.era, onForm);
  const server = play.server === 'ours' ? serveOurs(account, onForm !== undefined, settings) : await serveWrapper(account);
  await client.connect(server.clientEnd);
  const { tools } = await client.listTools();
  return {
    instructions: client.getInstructions() ?? '',
    tools: tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema })),
    call: (tool, args) => callTool(client, tool, args),
    async close() {
      await client.close();
      await server.close();
    },
  };
}

interface Served {
  readonly clientEnd: Transport;
  close(): Promise<void>;
}

function serveOurs({ demo, folders, catalogue }: ArrangedAccount, forms: boolean, settings: Options['settings']): Served {
  const env = {
    VIDEO_HOSTING_BASE_URL: demo.baseUrl,
    VIDEO_HOSTING_STATS_URL: demo.statsUrl,
    VIDEO_HOSTING_API_KEY: demo.apiKey,
    VIDEO_HOSTING_BROWSER: 'none',
    VIDEO_HOSTING_CONFIRM: forms ? 'form' : 'token',
    VIDEO_HOSTING_DATA_DIR: folders.data,
    VIDEO_HOSTING_FILES_DIR: folders.files,
    ...(catalogue === undefined ? {} : { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue }),
    ...settings,
  };
  return serveInProcess(parseConfig([], env, process.platform), () => {});
}

async function serveWrapper({ demo }: ArrangedAccount): Promise<Served> {
  const { clientEnd, serverEnd } = createLines(() => {});
  const server = createWrapper(demo);
  await server.connect(serverEnd);
  return { clientEnd, close: () => server.close() };
}

const ajv = new AjvJsonSchemaValidator();
const validators = new Map<string, JsonSchemaValidator<unknown>>();

/** To compile a schema takes longer than most calls, and each of a hundred clients has the same ones. */
function getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
  const text = JSON.stringify(schema);
  const validator = validators.get(text) ?? ajv.getValidator<unknown>(schema);
  validators.set(text, validator);
  // It is for this schema, whose type the caller knows.
  return validator as JsonSchemaValidator<T>;
}

function createClient(era: Era, onForm: OnForm | undefined): Client {
  const client = new Client(
    { name: 'evals', version: '1.0.0' },
    {
      jsonSchemaValidator: { getValidator },
      capabilities: onForm === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (onForm !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => onForm(params.message));
  return client;
}

/** Hosts cut longer answers, at about 25,000 tokens. */
const MAX_CHARACTERS = 100_000;

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)}\n(Cut off by the client: ${MAX_CHARACTERS} of ${text.length} characters.)`;
}

/** A call as a model meets it: an error of the protocol is an answer too. */
async function callTool(client: Client, tool: string, args: Arguments): Promise<Answer> {
  try {
    const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: { ...args } }, { timeout: 180_000 });
    const text = content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
    // Every output schema is an object's.
    return { text: cut(text), isError: isError === true, data: (structuredContent ?? {}) as Arguments };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true, data: {} };
  }
}
