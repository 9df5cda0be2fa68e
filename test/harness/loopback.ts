/** Servers of tests: on loopback, at any free port. */
import { once } from 'node:events';
import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';
import { atEnd } from './cleanup.ts';

/** Resolves to the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It listens on no port.');
  return address.port;
}

/** Closes open connections too. */
export function endServer(server: Server): void {
  if (server instanceof HttpServer) server.closeAllConnections();
  server.close();
}

/** A service of our own that answers like this until the test ends; resolves to its address. */
export async function answerWith(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  atEnd(() => endServer(server));
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}
