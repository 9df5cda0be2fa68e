import '../app/zod-options.ts';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  createMcpHandler,
} from '@modelcontextprotocol/server';
import type { ParsedConfig } from '../config/parse-config.ts';
import { fieldsIn, isObject } from '../platform/is-object.ts';
import type { App } from './app-contract.ts';
import { confirmationWords } from './listing/confirmation-words.ts';
import { listing } from './listing/listing.ts';
import { offeredBy } from './listing/offered.ts';
import { type Caller, createServer, type Introduced } from './server.ts';

export interface McpRequest {
  readonly method: string;
  /** Without credentials: nothing behind this needs them. */
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
  /** The JSON value that was sent. */
  readonly body: unknown;
  readonly caller: Caller;
}

export interface McpEndpoint {
  readonly app: App;
  /** Answers one request, of either era of the protocol. Each is whole by itself: there are no sessions. */
  serve(request: McpRequest, response: ServerResponse): Promise<void>;
  /** Ends what is in flight. */
  close(): Promise<void>;
}

export interface McpEndpointOptions {
  readonly config: ParsedConfig;
  readonly version: string;
  readonly log: (message: string) => void;
  readonly app: App;
}

/** The protocol over HTTP, for requests of which it is known who makes them. */
export function createMcpEndpoint({ config, version, log, app }: McpEndpointOptions): McpEndpoint {
  const { settings } = config;
  const lists = listing();
  const options = { version, settings, listing: lists, offered: offeredBy(lists, settings), app: async () => app };
  const onerror = (error: Error): void => log(refusedText(error));
  const handler = createMcpHandler(
    ({ era, authInfo }) => {
      const { caller, isOpening } = extraIn(authInfo?.extra);
      const wordsOf = () => confirmationWords({ ...settings, agent: caller.person.name }, caller.introduced?.capabilities);
      return createServer(options, { era, caller, confirmation: isOpening ? wordsOf() : '' });
    },
    { onerror },
  );
  const serve = toNodeHandler(handler, { onerror });
  return {
    app,
    serve({ method, headers, url, body, caller }, response) {
      const extra: Extra = { caller, isOpening: [body].flat().some((message) => OPENING.has(String(fieldsIn(message).method))) };
      // The credential itself goes no further.
      const auth = { token: '', clientId: caller.person.id, scopes: [], extra: { ...extra } };
      return serve({ method, headers, url, auth, [Symbol.asyncIterator]: nothingMore }, response, body);
    },
    close: () => handler.close(),
  };
}

const CODE = /^Rejected inbound request \(([a-z-]{1,60})\)/;

/** The SDK’s own messages repeat what a caller sent, which no log has. */
const refusedText = ({ name, message }: Error): string =>
  `The protocol’s library refused a message, or could not answer it (${CODE.exec(message)?.[1] ?? name}).`;

/** What is left to be read of a body that was read. */
async function* nothingMore(): AsyncGenerator<never> {}

/** What goes through the SDK with a request. */
interface Extra {
  readonly caller: Caller;
  /** Whether it is answered with the instructions, for whose words folders are looked at. */
  readonly isOpening: boolean;
}

const OPENING: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Of a request that `serve` was given. */
const extraIn = (extra: Readonly<Record<string, unknown>> | undefined): Extra => {
  if (extra === undefined) throw new Error('A request without a caller.');
  return extra as unknown as Extra; // put there by `serve`
};

/** What a client says of itself in a message: in `initialize`, or of the newer era in any request. */
export function introducedIn(message: unknown): Introduced | undefined {
  const { method, params } = fieldsIn(message);
  const { clientInfo, capabilities, _meta } = fieldsIn(params);
  const { [CLIENT_INFO_META_KEY]: info, [CLIENT_CAPABILITIES_META_KEY]: declared } = fieldsIn(_meta);
  if (isObject(info)) return { info, ...capabilitiesIn(declared) };
  return method === 'initialize' && isObject(clientInfo) ? { info: clientInfo, ...capabilitiesIn(capabilities) } : undefined;
}

/** The protocol’s, as far as it is one: each part is looked at where it is used. */
const capabilitiesIn = (declared: unknown): Pick<Introduced, 'capabilities'> =>
  isObject(declared) ? { capabilities: declared as ClientCapabilities } : {};
