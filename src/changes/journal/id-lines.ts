import { createHash } from 'node:crypto';

/** Longer texts would take V8 twice the time. */
const IDS_PER_CHUNK = 4_000;

/** The file of a list of ids: one a line, without a line break at the end. */
export function* eachChunk(ids: readonly string[]): Generator<Buffer> {
  for (let index = 0; index < ids.length; index += IDS_PER_CHUNK)
    yield Buffer.from((index === 0 ? '' : '\n') + ids.slice(index, index + IDS_PER_CHUNK).join('\n'));
}

/** SHA-256, in hexadecimal, of that file with a line break at the end. */
export function digestOfIds(ids: readonly string[]): string {
  const digest = createHash('sha256');
  for (const chunk of eachChunk(ids)) digest.update(chunk);
  return digest.update('\n').digest('hex');
}
