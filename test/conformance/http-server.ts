/**
 * The server over Streamable HTTP on loopback, with the demo account: for the official conformance suite, which supports no
 * other transport. Only for tests; the published server supports only stdio. Prints its address, and exits when its input
 * ends. A client of the newer era gets an instance per request; a client of the older era keeps its own, as over stdio.
 */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createApp } from '../../src/mcp/app.ts';
import type { App } from '../../src/mcp/app-contract.ts';
import { confirmationWords } from '../../src/mcp/listing/confirmation-words.ts';
import { listing } from '../../src/mcp/listing/listing.ts';
import { createServer } from '../../src/mcp/server.ts';

const version = '0.0.0';
const log = (message: string): void => void process.stderr.write(`${message}\n`);
let app: Promise<App> | undefined;
const config = parseConfig(['--demo'], process.env, process.platform);
const load = (): Promise<App> => {
  app ??= Promise.resolve(createApp({ config, version, log }));
  return app;
};
const confirmation = confirmationWords(config.settings, undefined);
const serverOptions = { version, settings: config.settings, listing: listing(), app: load };

const modern = createMcpHandler(({ era }) => createServer(serverOptions, { era, confirmation }), {
  legacy: 'reject',
  onerror: (error) => log(error.message),
});
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

async function answer(request: Request): Promise<Response> {
  if (!(await isLegacyRequest(request))) return modern.fetch(request);
  const id = request.headers.get('mcp-session-id');
  const session = id === null ? await openSession() : sessions.get(id);
  return session?.handleRequest(request) ?? new Response('No such session.', { status: 404 });
}

/** The session is stored once it is initialized. Until then it refuses every other request. */
async function openSession(): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await createServer(serverOptions, { era: 'legacy', confirmation }).connect(transport);
  return transport;
}

const serve = toNodeHandler({ fetch: answer }, { onerror: (error) => log(error.message) });
const guards = [localhostHostValidation(), localhostOriginValidation()];
const http = createHttpServer((request, response) => {
  // The types differ in `method` only: optional here, possibly undefined in Node's type.
  if (guards.every((allows) => allows(request, response))) void serve(request as Parameters<typeof serve>[0], response);
});
http.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has an address of this kind.
  process.stdout.write(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp\n`);
});

process.stdin.resume().once('end', () => {
  http.closeAllConnections();
  http.close();
  void Promise.all([modern.close(), app?.then((loaded) => loaded.close())]).finally(() => process.exit(0));
});
