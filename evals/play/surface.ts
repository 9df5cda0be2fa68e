import { createHash } from 'node:crypto';
import type { Connection } from './connect.ts';

/** What a model knows of a server before the first call. */
export type Surface = Pick<Connection, 'instructions' | 'tools'>;

/** Names a surface by its content, so that recordings made with the same one share a file. */
export function surfaceDigest(surface: Surface): string {
  return createHash('sha256').update(stringifySurface(surface)).digest('hex').slice(0, 12);
}

export function stringifySurface({ instructions, tools }: Surface): string {
  return `${JSON.stringify({ instructions: instructions.split('\n'), tools }, null, 1)}\n`;
}
