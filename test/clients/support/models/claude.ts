import * as z from 'zod';
import { type Dialect, events, type Given } from '../script.ts';

const Part = z.looseObject({ type: z.string(), text: z.string().optional(), source: z.looseObject({ data: z.string() }).optional() });
const Content = z.union([z.string(), z.array(Part)]);
const Block = z.looseObject({ type: z.string(), content: Content.optional() });
const Body = z.looseObject({
  system: Content.optional(),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  messages: z.array(z.looseObject({ content: z.union([z.string(), z.array(Block)]) })),
});

const textOf = (content: z.output<typeof Content> = ''): string =>
  typeof content === 'string' ? content : content.flatMap(({ text }) => text ?? []).join('\n');

const givenIn = (content: z.output<typeof Content> = ''): Given => ({
  text: textOf(content),
  pictures:
    typeof content === 'string' ? [] : content.flatMap(({ source }) => (source === undefined ? [] : Buffer.from(source.data, 'base64'))),
});

/** `POST /v1/messages`, as Claude Code asks. */
export const claudeDialect: Dialect = {
  read(path, body) {
    if (path !== '/v1/messages') return undefined;
    const { system, tools, messages } = Body.parse(body);
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    return {
      given: blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => givenIn(content)),
      tools: tools.map(({ name }) => name),
      instructions: [textOf(system), ...messages.slice(0, 2).map((message) => JSON.stringify(message))].join('\n'),
    };
  },
  call: ({ tool, args }, number) =>
    answer('tool_use', { type: 'tool_use', id: `toolu_${number}`, name: `mcp__video-hosting__${tool}`, input: {} }, [
      { type: 'input_json_delta', partial_json: JSON.stringify(args) },
    ]),
  say: (text) => answer('end_turn', { type: 'text', text: '' }, [{ type: 'text_delta', text }]),
};

const answer = (stopReason: string, block: object, deltas: readonly object[]): string =>
  events([
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [],
        stop_reason: null,
        usage: USAGE,
      },
    },
    { type: 'content_block_start', index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: USAGE },
    { type: 'message_stop' },
  ]);

const USAGE = { input_tokens: 1, output_tokens: 1 };
