import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from '../root.ts';
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

/** Starts a server for this account, in a process of its own, and connects a client of the official SDK to it. */
export async function connect(
  account: ArrangedAccount,
  play: Pick<Play, 'server' | 'era'>,
  { settings = {}, onForm }: Options,
): Promise<Connection> {
  const client = createClient(play.era, onForm);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--require', join(root, 'scripts', 'tour', 'clock.cjs'), commandOf(play.server)],
      env: { ...environment(account), ...(play.server === 'ours' ? { ...ownSettings(account, onForm !== undefined), ...settings } : {}) },
      stderr: 'ignore',
    }),
  );
  const { tools } = await client.listTools();
  return {
    instructions: client.getInstructions() ?? '',
    tools: tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema })),
    call: (tool, args) => callTool(client, tool, args),
    close: () => client.close(),
  };
}

function createClient(era: Era, onForm: OnForm | undefined): Client {
  const client = new Client(
    { name: 'evals', version: '1.0.0' },
    {
      capabilities: onForm === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (onForm !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => onForm(params.message));
  return client;
}

function commandOf(server: Play['server']): string {
  return server === 'ours' ? join(root, 'dist', 'main.cjs') : join(root, 'evals', 'wrapper', 'server.mjs');
}

function environment({ demo, now }: ArrangedAccount): Record<string, string> {
  return {
    // The server's clock shows the account's day, so that its answers are the same on every day.
    TOUR_CLOCK_OFFSET_MS: String(now - Date.now()),
    VIDEO_HOSTING_BASE_URL: demo.baseUrl,
    VIDEO_HOSTING_STATS_URL: demo.statsUrl,
    VIDEO_HOSTING_API_KEY: demo.apiKey,
  };
}

function ownSettings({ folders, catalogue }: ArrangedAccount, forms: boolean): Record<string, string> {
  return {
    VIDEO_HOSTING_CONFIRM: forms ? 'form' : 'token',
    VIDEO_HOSTING_DATA_DIR: folders.data,
    VIDEO_HOSTING_FILES_DIR: folders.files,
    ...(catalogue === undefined ? {} : { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue }),
  };
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
