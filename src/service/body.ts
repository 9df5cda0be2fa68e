import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type Sentence, sentence } from '../text/sentence.ts';

/** Why a body can't be used. The message holds nothing of the body. */
export class BodyProblem extends Error {
  override readonly name = 'BodyProblem';
  declare readonly message: Sentence;
  readonly code: 'response_too_large' | 'unexpected_body';

  constructor(code: 'response_too_large' | 'unexpected_body', message: Sentence) {
    super(message);
    this.code = code;
  }
}

export const ACCEPTED_ENCODINGS = 'gzip, br';

/** The body, decompressed, in pieces: at most `maxBytes` in all. Throws {@link BodyProblem} or the transport's error. */
export async function* eachBodyChunk(response: Dispatcher.ResponseData, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of decompressed(response)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BodyProblem('response_too_large', sentence`The answer is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}

export async function readBytes(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}

function decompressed({ headers, body }: Dispatcher.ResponseData): AsyncIterable<Buffer> {
  const encoding = String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  if (encoding === '' || encoding === 'identity') return body;
  const decoder = decoderOf(encoding);
  if (decoder === undefined) throw new BodyProblem('unexpected_body', sentence`The body is in a content encoding that was not asked for`);
  return pipeline(body, decoder, () => {});
}

function decoderOf(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  return encoding === 'br' ? createBrotliDecompress() : undefined;
}

/** The JSON of a whole body, after `scrub`; undefined for an empty one. Throws {@link BodyProblem}. */
export function parseJson(bytes: Buffer, scrub: (text: string) => string): unknown {
  const text = scrub(decode(bytes));
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text, /__proto__|\\u005f/i.test(text) ? withoutProto : undefined);
  } catch {
    throw new BodyProblem('unexpected_body', text.trimStart().startsWith('<') ? sentence`The body is an HTML page` : notJson(text));
  }
}

/** Shared: creating one takes longer than decoding a short response. */
const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new BodyProblem('unexpected_body', sentence`The body is not UTF-8 text`);
  }
}

function notJson(text: string): Sentence {
  const cutOff = /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text);
  return cutOff ? sentence`The body is JSON that breaks off` : sentence`The body is not JSON`;
}

/** A key `__proto__` in a record would change its prototype when it is copied. */
function withoutProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}
