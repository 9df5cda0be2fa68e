import type { IncomingMessage } from 'node:http';
import { bodyText } from '../../platform/body-text.ts';
import { isObject, type Values } from '../../platform/is-object.ts';
import { entriesOfText, longPiece } from '../../platform/long-work.ts';
import { requestJson } from '../../platform/request-json.ts';
import { sentence } from '../../text/sentence.ts';
import { PageProblem } from '../page-problem.ts';

/** A list of 100,000 keys, with room. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A file of 20 MB as a JSON text. */
export const MAX_FILE_BODY_BYTES = 32 * 1024 * 1024;

/** The JSON object in a request's body. Throws `PageProblem` where it is too long or none. */
export async function readBody(request: IncomingMessage, maxBytes = MAX_BODY_BYTES): Promise<Values> {
  const text = await bodyText(request, maxBytes);
  if (text === undefined) throw new PageProblem(413, sentence`That is too long. Nothing was changed.`);
  const step = () => longPiece(entriesOfText(text.length));
  await step();
  const value = text === '' ? {} : requestJson(text);
  await step();
  if (!isObject(value)) throw new PageProblem(400, sentence`The body must be a JSON object.`);
  return { ...value };
}
