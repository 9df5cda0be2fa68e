import * as z from 'zod';
import { type Dialect, events, type Given } from '../script.ts';

const Part = z.looseObject({ type: z.string(), text: z.string().optional(), image_url: z.string().optional() });
const Output = z.union([z.string(), z.array(Part)]);
const Body = z.looseObject({
  instructions: z.string().default(''),
  tools: z
    .array(z.looseObject({ name: z.string().optional(), tools: z.array(z.looseObject({ name: z.string() })).optional() }))
    .default([]),
  input: z.array(z.looseObject({ type: z.string().optional(), output: Output.optional() })),
});

const PICTURE = /^data:image\/\w+;base64,/;

const givenIn = (output: z.output<typeof Output> = ''): Given =>
  typeof output === 'string'
    ? { text: output, pictures: [] }
    : {
        text: output.flatMap(({ text }) => text ?? []).join('\n'),
        pictures: output.flatMap(({ image_url: url }) => (url === undefined ? [] : Buffer.from(url.replace(PICTURE, ''), 'base64'))),
      };

/** `POST /v1/responses`, as Codex asks. Our tools are in a namespace whose description is our instructions. */
export const codexDialect: Dialect = {
  read(path, body) {
    if (path !== '/v1/responses') return undefined;
    const { instructions, tools, input } = Body.parse(body);
    return {
      given: input.filter(({ type }) => type === 'function_call_output').map(({ output }) => givenIn(output)),
      tools: tools.flatMap(({ name = '', tools: inside }) => inside?.map((tool) => `${name}.${tool.name}`) ?? [name]),
      instructions: [instructions, JSON.stringify(tools), JSON.stringify(input.slice(0, 3))].join('\n'),
    };
  },
  call: ({ tool, args }, number) =>
    answer({
      type: 'function_call',
      id: `fc_${number}`,
      call_id: `call_${number}`,
      namespace: 'mcp__video_hosting',
      name: tool,
      arguments: JSON.stringify(args),
    }),
  say: (text) => answer({ type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text }] }),
};

const answer = (item: object): string =>
  events([
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    {
      type: 'response.completed',
      response: {
        id: 'resp_1',
        usage: { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 },
      },
    },
  ]);
