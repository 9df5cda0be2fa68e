/**
 * Rows as lines of text, in the form in which they are sent to be inserted: `TabSeparated`. What comes back is read by
 * `rows.ts`.
 */
import { Readable } from 'node:stream';

/** Pieces of this many characters are sent at once. */
const PIECE = 64 * 1_024;

/** Lines as a stream of larger pieces. */
export function streamOf(lines: AsyncIterable<string>): Readable {
  return Readable.from(pieces(lines), { objectMode: false });
}

async function* pieces(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

/** Values as a line of tab-separated values, its end included. */
export const lineOf = (values: readonly (string | number | boolean | null)[]): string => `${values.map(field).join('\t')}\n`;

function field(value: string | number | boolean | null): string {
  if (value === null) return String.raw`\N`;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'number' ? String(value) : value.replace(/[\\\t\n\r\0\b\f]/g, (letter) => ESCAPES[letter] ?? '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\0': String.raw`\0`,
  '\b': String.raw`\b`,
  '\f': String.raw`\f`,
};
