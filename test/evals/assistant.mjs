// An assistant for a test: connects to the server that an MCP configuration names, calls a tool, asks the user, and prints a
// final answer.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { command, args } = JSON.parse(readFileSync(process.argv[2], 'utf8')).mcpServers['video-hosting'];
const prompt = readFileSync(0, 'utf8');
if (!prompt.includes('likes')) throw new Error('The task was not given.');
const client = new Client({ name: 'assistant', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args }));
await client.callTool({ name: 'list_channels', arguments: {} });
await client.callTool({ name: 'ask_user', arguments: { question: 'Which videos?' } });
await client.close();
process.stdout.write('There are no likes in the data.\n');
