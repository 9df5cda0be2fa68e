import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transform, type Writable } from 'node:stream';
import {
  CONFIRMATION_MARK,
  confirmationWords,
  type DeclaredCapabilities,
  declaresForms,
  type WordsSettings,
} from './confirmation-words.ts';

/** The server's results, in JSON, of the requests that nearly every connection begins with, by `responseKey`; `record-responses.ts` records them. */
export type RecordedResponses = ReadonlyMap<string, string>;

/** `initialize` is told apart by the protocol version that a client asks for; each request of the newer era names its own. */
export const responseKey = (era: 'legacy' | 'modern', method: string, version = ''): string => JSON.stringify([era, method, version]);

/** Reads those that the build recorded: a key, a tab and a result in each line. None where the program runs from its source, so that the server answers everything itself. */
export function recordedResponses({ readOnly }: { readonly readOnly: boolean }): RecordedResponses {
  const file = join(import.meta.dirname, readOnly ? 'responses-read-only.tsv' : 'responses.tsv');
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)]));
}

export interface HandshakeOptions {
  readonly output: Writable;
  readonly responses: RecordedResponses;
  readonly settings: WordsSettings;
  /** Called once, by the first message without a recorded response. Resolves when the server reads from the handshake. */
  readonly loadServer: () => Promise<unknown>;
}

/** What the ids of replayed requests begin with. The client has their responses already, so the server sends none. */
export const REPLAYED = 'video-hosting-mcp: replayed ';

/** A line that is longer has no recorded response. */
const MAX_LINE_BYTES = 16_384;

/**
 * The stream between the client and the server. It answers the requests that a connection begins with from recorded
 * responses, so that neither the SDK nor anything else is loaded before the first call. With the first other message it
 * detaches: the server reads the conversation so far, replayed under new ids, then that message and all that follows.
 */
export function createHandshake({ output, responses, settings, loadServer }: HandshakeOptions): Transform {
  const conversation = createConversation(responses, settings);
  let unread: Buffer = Buffer.alloc(0);
  let detached = false;

  /** Answers whole lines up to the first one without a recorded response; false if there is one. */
  function answerLines(): boolean {
    for (let end = unread.indexOf('\n'); end !== -1; end = unread.indexOf('\n')) {
      const response = conversation.respond(unread.toString('utf8', 0, end));
      if (response === undefined) return false;
      if (response !== '') output.write(response);
      unread = unread.subarray(end + 1);
    }
    return unread.length <= MAX_LINE_BYTES;
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (detached) return done(null, chunk);
      unread = Buffer.concat([unread, chunk]);
      if (answerLines()) return done();
      detached = true;
      this.push(Buffer.concat([Buffer.from(conversation.replay()), unread]));
      loadServer().then(() => done(), done);
    },
    flush(done) {
      // A stream ends only if it is read, and without a server nobody reads this one.
      if (!detached) this.resume();
      // When its input ends, the server drops what it has not answered yet: give it the time to answer.
      setImmediate(done);
    },
  });
}

/** The state of a connection, as far as responses depend on it. */
function createConversation(responses: RecordedResponses, settings: HandshakeOptions['settings']) {
  /** Undefined also after `server/discover`, which a handshake of the older era may follow. */
  let era: 'legacy' | 'modern' | undefined;
  /** The first message of each method: a client may send any number of pings. */
  const messages = new Map<string, Message>();

  /** A result with the words in its instructions that depend on the client and the settings. */
  function instructed(result: string | undefined, capabilities: DeclaredCapabilities | undefined): string | undefined {
    const words = JSON.stringify(confirmationWords(settings, declaresForms(capabilities)));
    return result?.replace(CONFIRMATION_MARK, words.slice(1, -1));
  }

  function resultOf(message: Message): string | undefined {
    if (isInitialize(message)) {
      const result = era === undefined ? responses.get(responseKey('legacy', message.method, message.params?.protocolVersion)) : undefined;
      if (result !== undefined) era = 'legacy';
      return instructed(result, message.params?.capabilities);
    }
    if (isModernRequest(message)) {
      const result = era === 'legacy' ? undefined : responses.get(responseKey('modern', message.method, message.params?._meta?.[VERSION]));
      if (message.method === 'server/discover') return instructed(result, message.params?._meta?.[CAPABILITIES]);
      if (result !== undefined) era = 'modern';
      return result;
    }
    if (era !== 'legacy') return undefined;
    if (isInitialized(message)) return '';
    return isLegacyRequest(message) ? responses.get(responseKey('legacy', message.method)) : undefined;
  }

  return {
    /** The line that answers a line; '' for a notification, undefined where the server has to answer. */
    respond(line: string): string | undefined {
      const message = parse(line);
      const result = message && resultOf(message);
      if (message === undefined || result === undefined) return undefined;
      if (!messages.has(message.method)) messages.set(message.method, message);
      return result && `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(message.id)}}\n`;
    },
    /** What the server has to read to reach the same state. */
    replay(): string {
      const replayed = [...messages.values()].map((message) =>
        message.id === undefined ? message : { ...message, id: `${REPLAYED}${message.method}` },
      );
      return replayed.map((message) => `${JSON.stringify(message)}\n`).join('');
    },
  };
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

interface Message {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly capabilities?: DeclaredCapabilities;
    readonly _meta?: { readonly [VERSION]?: string; readonly [CAPABILITIES]?: DeclaredCapabilities };
  };
}

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string';
const isId: Check = (value) => isString(value) || Number.isSafeInteger(value);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const optional = (check: Check): Check => {
  return (value) => value === undefined || check(value);
};
/** An object with these fields and no other. */
const object = (checks: Readonly<Record<string, Check>>): Check => {
  return (value) => isObject(value) && Object.keys({ ...checks, ...value }).every((name) => own(checks, name)?.(value[name]));
};

// Of what a client says of itself, only whether it shows forms changes a response here; the server reads the rest when it is replayed.
const isClientInfo: Check = (value) => isObject(value) && isString(value.name) && isString(value.version);
const isCapabilities: Check = (value) => isObject(value) && Object.values(value).every(isObject);
const isMeta = object({ progressToken: optional(isId) });
const isEnvelope = object({
  [VERSION]: isString,
  [CAPABILITIES]: isCapabilities,
  'io.modelcontextprotocol/clientInfo': optional(isClientInfo),
  progressToken: optional(isId),
});

const messageWith = (checks: Readonly<Record<string, Check>>): Check => object({ jsonrpc: (value) => value === '2.0', ...checks });
const isInitialize = messageWith({
  id: isId,
  method: (method) => method === 'initialize',
  params: object({ protocolVersion: isString, capabilities: isCapabilities, clientInfo: isClientInfo, _meta: optional(isMeta) }),
});
const isInitialized = messageWith({ method: (method) => method === 'notifications/initialized', params: optional(object({})) });
const isModernRequest = messageWith({ id: isId, method: isString, params: object({ _meta: isEnvelope }) });
const isLegacyRequest = messageWith({ id: isId, method: isString, params: optional(object({ _meta: optional(isMeta) })) });

function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // Its form is checked before any of it is read.
    return isObject(value) ? (value as unknown as Message) : undefined;
  } catch {
    return undefined;
  }
}

function own<Value>(record: Readonly<Record<string, Value>> | undefined, name: string | undefined): Value | undefined {
  return record !== undefined && name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
