import * as z from 'zod';
import { type Dialect, events, type Given } from '../script.ts';

const Part = z.looseObject({
  text: z.string().optional(),
  functionResponse: z.looseObject({ response: z.record(z.string(), z.unknown()), parts: z.array(z.unknown()).optional() }).optional(),
  inlineData: z.looseObject({ mimeType: z.string(), data: z.string() }).optional(),
});
type Part = z.output<typeof Part>;
const Body = z.looseObject({
  systemInstruction: z.looseObject({ parts: z.array(Part) }).optional(),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]) })).default([]),
  contents: z.array(z.looseObject({ parts: z.array(Part).default([]) })),
});

/** A picture is next to the response that it belongs to, or inside it. */
function givenIn(parts: readonly Part[]): Given[] {
  const given: { text: string; pictures: Buffer[] }[] = [];
  for (const { functionResponse, inlineData } of parts) {
    if (functionResponse !== undefined) {
      const { response, parts: inside = [] } = functionResponse;
      const text = Object.values(response).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
      given.push({ text: text.join('\n'), pictures: z.array(Part).parse(inside).flatMap(pictureIn) });
    } else if (inlineData !== undefined) given.at(-1)?.pictures.push(...pictureIn({ inlineData }));
  }
  return given;
}

const pictureIn = ({ inlineData }: Part): Buffer[] =>
  inlineData?.mimeType.startsWith('image/') ? [Buffer.from(inlineData.data, 'base64')] : [];

/** `POST /v1beta/models/…:streamGenerateContent`, as Gemini CLI asks. */
export const geminiDialect: Dialect = {
  read(path, body) {
    if (!path.endsWith(':streamGenerateContent')) return undefined;
    const { systemInstruction, tools, contents } = Body.parse(body);
    return {
      given: givenIn(contents.flatMap(({ parts }) => parts)),
      tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
      instructions: JSON.stringify([systemInstruction, contents[0]]),
    };
  },
  call: ({ tool, args }) => answer([{ functionCall: { name: `mcp_video-hosting_${tool}`, args } }]),
  say: (text) => answer([{ text }]),
};

const answer = (parts: readonly object[]): string =>
  events([
    {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    },
  ]);
