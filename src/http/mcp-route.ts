import type { IncomingMessage, ServerResponse } from 'node:http';
import { MCP_PATH } from '../config/http-address.ts';
import { introducedIn, type McpEndpoint } from '../mcp/serve-http.ts';
import type { Caller, Introduced } from '../mcp/server.ts';
import type { People, Person } from '../people/people.ts';
import { SECRET_PREFIXES } from '../people/secrets.ts';
import { bodyText } from '../platform/body-text.ts';
import { fieldsIn } from '../platform/is-object.ts';
import { entriesOfText, longPiece } from '../platform/long-work.ts';
import { requestJson } from '../platform/request-json.ts';
import { asWorkOf } from '../platform/whose-work.ts';
import { cleanText, withoutPersonal } from '../text/sanitize-text.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { challengeFor } from './check-request.ts';
import type { FailedCredentials } from './failed-credentials.ts';
import type { Route } from './http-server.ts';
import type { InFlight, PersonLimits } from './person-limits.ts';
import { HttpRefusal } from './refusal.ts';
import type { LogEntry } from './request-log.ts';
import { announcedBytes } from './request-size.ts';
import { rpcMessages } from './rpc-messages.ts';

export interface McpRouteOptions {
  readonly endpoint: McpEndpoint;
  readonly people: Pick<People, 'byClientToken'>;
  readonly limits: PersonLimits;
  readonly failed: FailedCredentials;
}

export const MAX_BODY_BYTES = 4 * 1_024 * 1_024;
const MAX_CLIENT = 60;
/** Of what clients said of themselves, the latest. */
const MAX_INTRODUCED = 2_000;

/** The protocol, for whoever sends the client token of a person. */
export function mcpRoute(options: McpRouteOptions): Route {
  /** By the token with which a client introduced itself. */
  const introduced = new Map<string, Introduced>();

  function introduce({ tokenId }: Person, messages: readonly unknown[]): Introduced | undefined {
    const now = messages.flatMap((message) => introducedIn(message) ?? []).at(-1);
    if (now !== undefined) {
      introduced.delete(tokenId);
      introduced.set(tokenId, now);
      const [oldest] = introduced.keys();
      if (introduced.size > MAX_INTRODUCED && oldest !== undefined) introduced.delete(oldest);
    }
    return introduced.get(tokenId);
  }

  return {
    path: MCP_PATH,
    async handle({ request, response, address, entry }) {
      const person = personOf(request, options);
      entry.person = person.name;
      limited(options.limits.take(person.id));
      if (request.method !== 'POST') throw new HttpRefusal(405, ONLY_POST, { allow: 'POST' });
      const begin = (added: InFlight): void => {
        const end = options.limits.begin(person.id, added);
        if (end === undefined) throw tooMany(1, IN_FLIGHT);
        response.once('close', end);
      };
      const isTold = request.headers['content-length'] !== undefined;
      const announced = announcedBytes(request, MAX_BODY_BYTES);
      // Before it is read: that takes time, and a body that is never whole takes memory, too.
      if (isTold) limited(options.limits.takeBytes(person.id, announced));
      begin({ requests: 1, bytes: announced });
      const text = await bodyText(request, MAX_BODY_BYTES);
      if (text === undefined) throw new HttpRefusal(413, TOO_LARGE);
      if (!isTold) limited(options.limits.takeBytes(person.id, text.length));
      const step = () => asWorkOf(person.id, () => longPiece(entriesOfText(text.length)));
      await step();
      // What is counted here is what is carried out: a text could be read in two ways.
      const body = requestJson(text);
      await step();
      if (body === undefined) return sendRpcError(response, 400, PARSE_ERROR, NOT_JSON);
      const { messages, rpc, tool, inFlight, hasLongId } = rpcMessages(body);
      Object.assign(entry, { rpc, tool });
      if (hasLongId) return sendRpcError(response, 400, INVALID_REQUEST, LONG_ID);
      if (messages.length > 1) limited(options.limits.take(person.id, messages.length - 1));
      const known = introduce(person, messages);
      entry.client = clientName(known);
      begin(inFlight);
      // Proxies pass events on as they come.
      response.setHeader('x-accel-buffering', 'no');
      response.setHeader('cache-control', 'no-store');
      const { authorization: _, cookie: __, ...headers } = request.headers;
      const onAnswer: Caller['onAnswer'] = (answer) => noteAnswer(entry, answer.structuredContent);
      const caller: Caller = { person, introduced: known, userAgent: headers['user-agent'], onAnswer };
      const answered = { method: 'POST', url: address.pathname, headers, body, caller };
      await asWorkOf(person.id, () => options.endpoint.serve(answered, response));
    },
  };
}

const NO_TOKEN: Sentence = sentence`A credential is needed: send your client token as "Authorization: Bearer vhm_…". Whoever runs this server gives one out (people add).`;
const WRONG_TOKEN: Sentence = sentence`That is no client token of anybody here: it was rotated, its person was removed, or it never was one.`;
const PAGE_KEY: Sentence = sentence`That is a page key, which signs a person in on the page and nothing else. Clients need the client token (vhm_…).`;

/** The person whose client token a request carries. Throws `HttpRefusal` with a challenge where it carries none. */
function personOf(request: IncomingMessage, { people, failed }: McpRouteOptions): Person {
  const given = request.headers.authorization;
  if (given === undefined) throw challenge(401, NO_TOKEN);
  const token = /^Bearer +([\w.~+/=-]{1,200})$/i.exec(given)?.[1];
  const person = token === undefined ? undefined : people.byClientToken(token);
  if (person !== undefined) return person;
  const waitS = failed.add(request.socket.remoteAddress ?? '');
  if (waitS !== undefined) throw tooMany(waitS, FAILED);
  throw challenge(401, token?.startsWith(SECRET_PREFIXES.pageKey) ? PAGE_KEY : WRONG_TOKEN, 'invalid_token');
}

const challenge = (status: number, message: Sentence, error?: string): HttpRefusal => new HttpRefusal(status, message, challengeFor(error));

const ONLY_POST: Sentence = sentence`Only POST is understood here: no session is kept, and no stream stays open beside the answers.`;
const NOT_JSON: Sentence = sentence`Parse error: the body is not JSON in UTF-8, or has more than 64 levels, 20,000 names or lists, or 150,000 entries.`;
const LONG_ID: Sentence = sentence`Invalid Request: an id has at most 256 characters.`;
/** As JSON-RPC has them. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

function sendRpcError(response: ServerResponse, status: number, code: number, message: Sentence): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}

const FAILED: Sentence = sentence`Too many wrong credentials came from this address. A right one is answered all the same.`;
const RATE: Sentence = sentence`Too many requests. Nothing was done for this one: send it again after the time in Retry-After.`;
const IN_FLIGHT: Sentence = sentence`Too many of your calls are in flight. Nothing was done for this one: send it again once some of them are answered.`;

const tooMany = (seconds: number, message: Sentence): HttpRefusal => new HttpRefusal(429, message, { 'retry-after': String(seconds) });

function limited(waitS: number | undefined): void {
  if (waitS !== undefined) throw tooMany(waitS, RATE);
}

const TOO_LARGE: Sentence = sentence`Refused: the body has more than 4 MiB. A list of 100,000 ids has room in it.`;

function clientName(known: Introduced | undefined): string | undefined {
  const { title, name } = fieldsIn(known?.info);
  const told = [title, name].find((text): text is string => typeof text === 'string' && text.trim() !== '');
  return told === undefined ? undefined : withoutPersonal(cleanText(told, MAX_CLIENT).trim());
}

/** What came of a change. */
function noteAnswer(entry: LogEntry, answer: unknown): void {
  const { status, changeId } = fieldsIn(answer);
  if (typeof status === 'string') entry.outcome = status;
  if (typeof changeId === 'string') entry.changeId = changeId;
}
