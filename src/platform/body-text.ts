import type { IncomingMessage } from 'node:http';

/**
 * The body of a request as UTF-8; undefined where it has more than so many bytes, of which no more is read then. That is no end of the
 * request: what is refused is answered, which takes its connection.
 */
export function bodyText(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(undefined);
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const add = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= maxBytes) return void chunks.push(chunk);
      request.off('data', add).pause();
      resolve(undefined);
    };
    request.on('data', add);
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('error', reject).once('close', () => reject(new Error('The client went before all of its request was there.')));
  });
}
