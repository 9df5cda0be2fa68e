import type { IncomingMessage } from 'node:http';

/** How many bytes a body may get, as its head tells: as many as it may have where it doesn’t say. Of more than that it is refused. */
export function announcedBytes({ headers }: Pick<IncomingMessage, 'headers'>, maxBytes: number): number {
  if (headers['transfer-encoding'] !== undefined) return maxBytes;
  return Math.min(Number(headers['content-length'] ?? 0), maxBytes);
}
