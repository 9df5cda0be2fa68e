import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Connection } from './connect.ts';
import { send } from './driver-client.ts';

const ASK_USER = {
  name: 'ask_user',
  description: 'Asks the user a question and returns the reply. The user sees nothing else until your final answer.',
  inputSchema: { type: 'object' as const, properties: { question: { type: 'string' } }, required: ['question'] },
};

/** Serves the tools of a task that is being played to an MCP client over stdio, with a tool by which to ask the user. */
export async function bridge(folder: string): Promise<void> {
  // The driver sends what its own type says.
  const { instructions, tools } = JSON.parse(await send(folder, { do: 'listing' })) as Pick<Connection, 'instructions' | 'tools'>;
  const server = new Server({ name: 'video-hosting', version: '1.0.0' }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler('tools/list', () => ({
    // As the server itself listed it.
    tools: [...tools.map((tool) => ({ ...tool, inputSchema: tool.inputSchema as typeof ASK_USER.inputSchema })), ASK_USER],
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const request =
      name === ASK_USER.name
        ? ({ do: 'ask', question: String(args.question) } as const)
        : ({ do: 'call', tool: name, arguments: JSON.stringify(args) } as const);
    const text = await send(folder, request);
    const isError = text.startsWith('(error)\n');
    return { content: [{ type: 'text', text: isError ? text.slice(8) : text }], isError };
  });
  await server.connect(new StdioServerTransport());
}
