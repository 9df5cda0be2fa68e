import type { Values } from '../../platform/is-object.ts';
import { structuredPart } from '../answer/answer-schema.ts';
import { renderAnswer } from '../answer/render-answer.ts';
import { sanitizeAnswer } from '../answer/sanitize-answer.ts';
import { truncateAnswer } from '../answer/truncate-answer.ts';
import type { ContentBlock, ToolReply } from '../app-contract.ts';
import { answerSchema, type PictureTool, type Tool } from '../define-tool.ts';

/** A tool's result as its answer: structured, and as text that says the same. */
export function toolReply(tool: Exclude<Tool, PictureTool>, result: Values, isError = false): ToolReply {
  const schema = answerSchema(tool);
  const whole = sanitizeAnswer(schema, result);
  // In the order of the whole, with what is left of it.
  const render = (left: Values) => renderAnswer(schema, { ...whole, ...left });
  const { answer, text } = truncateAnswer(structuredPart(schema, whole), tool.cuttable ?? [], render, undefined, tool.ifCut);
  return { kind: 'reply', content: [{ type: 'text', text }], structuredContent: answer, ...(isError ? { isError } : {}) };
}

export const pictureBlock = (png: Buffer): ContentBlock => ({ type: 'image', data: png.toString('base64'), mimeType: 'image/png' });
