import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transform, type Writable } from 'node:stream';
import { fieldsIn, isObject } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { CAPABILITIES, confirmationWords, declaredIn, type WordsSettings } from '../listing/confirmation-words.ts';
import { CONDITIONAL_TOOLS, type OfferSettings, offeredTools } from '../listing/offered.ts';

/**
 * The server's results of the requests that nearly every connection begins with, and the tools that `tools/list` has only with some settings.
 * Each is a line: its key (`responseKey`, `toolKey`), a tab, and JSON in ASCII; `record-responses.ts` records them. So nothing is parsed
 * to send one of them.
 */
export type RecordedResponses = string;

export type Era = 'legacy' | 'modern';

/** `version` is the protocol's: each request of the newer era names one, and of the older era only `initialize`. */
export const responseKey = (era: Era, method: string, version = ''): string => `${era} ${method} ${version}`;

export const toolKey = (name: string): string => `tool ${name}`;

/** Stands in the recorded instructions for the words that depend on the client and the settings. */
export const CONFIRMATION_MARK = '<how changes are confirmed>';

/** Reads those that the build recorded. None where the program runs from its source, so that the server answers everything itself. */
export function recordedResponses({ readOnly }: Pick<OfferSettings, 'readOnly'>): RecordedResponses {
  const file = join(import.meta.dirname, readOnly ? 'responses-read-only.tsv' : 'responses.tsv');
  return existsSync(file) ? readFileSync(file, 'latin1') : '';
}

/** What is under a key; with an empty `end`, under the first that begins so. */
export function recordedUnder(responses: RecordedResponses, key: string, end = '\t'): string | undefined {
  // What a client calls its method may have a line's parts in it.
  if (/[\t\n]/.test(key)) return undefined;
  const start = `${key}${end}`;
  const line = responses.startsWith(start) ? 0 : responses.indexOf(`\n${start}`);
  if (line === -1) return undefined;
  const from = responses.indexOf('\t', line) + 1;
  return responses.slice(from, responses.indexOf('\n', from));
}

/** Leaves out of the recorded tools, which are those for `readOnly`, what other settings don’t offer. To parse all of them would take longer. */
function withOffered(response: string, responses: RecordedResponses, settings: OfferSettings): string {
  return CONDITIONAL_TOOLS.reduce((text, name) => {
    const recorded = recordedUnder(responses, toolKey(name));
    if (recorded === undefined) return text;
    const [tool] = offeredTools([JSON.parse(recorded)], {}, settings);
    // None of them is the first.
    return tool === undefined ? text.replace(`,${recorded}`, '') : text.replace(recorded, () => JSON.stringify(tool));
  }, response);
}

export interface HandshakeOptions {
  readonly output: Writable;
  readonly responses: RecordedResponses;
  readonly settings: WordsSettings & OfferSettings;
  /** Called once, by the first message without a recorded response. Resolves when the server reads from the handshake. */
  readonly loadServer: () => Promise<unknown>;
}

/** The id of the replayed `initialize`. The client has its response already, so the server sends none. */
export const REPLAYED_ID = 'video-hosting-mcp: replayed initialize';

/** A line that is longer has no recorded response. */
const MAX_LINE_BYTES = 16_384;

/**
 * The stream between the client and the server. It answers the requests that a connection begins with from recorded
 * responses, so that neither the SDK nor anything else is loaded before the first call. With the first other message it
 * detaches: the server reads the client's `initialize` under another id, then that message and all that follows.
 */
export function createHandshake({ output, responses, settings, loadServer }: HandshakeOptions): Transform {
  let unread: Buffer = Buffer.alloc(0);
  let initialize: Message | undefined;
  let detached = false;

  /** The line that answers a line; '' for a notification, undefined where the server has to answer. */
  function respond(line: string): string | undefined {
    const message = parse(line);
    if (message === undefined) return undefined;
    const { id, method, params } = message;
    if (method === 'notifications/initialized' && id === undefined) return initialize && '';
    const { era, version } = protocolOf(message);
    // Where a client changes its era, the server answers. In the older one, `initialize` comes first.
    const isAfterInitialize = era === 'legacy' && method !== 'initialize';
    if (era === undefined || isAfterInitialize !== (initialize !== undefined)) return undefined;
    const recorded = isId(id) ? recordedUnder(responses, responseKey(era, method, version)) : undefined;
    if (recorded === undefined) return undefined;
    if (method === 'initialize') initialize = message;
    const response = method === 'tools/list' ? withOffered(recorded, responses, settings) : recorded;
    // As JSON without its quotes, for a text in JSON.
    const words = () => JSON.stringify(confirmationWords(settings, declaredIn(params))).slice(1, -1);
    return `{"result":${response.replace(CONFIRMATION_MARK, words)},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`;
  }

  /** Answers whole lines up to the first one without a recorded response; false if there is one. */
  function answerLines(): boolean {
    for (let end = unread.indexOf('\n'); end !== -1; end = unread.indexOf('\n')) {
      const response = respond(unread.toString('utf8', 0, end));
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
      if (initialize !== undefined) this.push(`${JSON.stringify({ jsonrpc: '2.0', ...initialize, id: REPLAYED_ID })}\n`);
      this.push(unread);
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

interface Message {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
}

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isSafeInteger(id);

function parse(line: string): Message | undefined {
  const { jsonrpc, id, method, params } = fieldsIn(parseJsonOrUndefined(line));
  return jsonrpc === '2.0' && typeof method === 'string' ? { id, method, params } : undefined;
}

/** Where a request of the newer era names its version, in its `_meta`. */
export const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The era of a request, and the protocol version that it names. Nothing where it lacks what the server demands beside that. */
function protocolOf({ method, params }: Message): { readonly era?: Era; readonly version?: string } {
  const { protocolVersion, capabilities, clientInfo, _meta } = fieldsIn(params);
  const { [VERSION]: claimed, [CAPABILITIES]: declared } = fieldsIn(_meta);
  if (claimed !== undefined) return isObject(declared) ? { era: 'modern', version: String(claimed) } : {};
  if (method !== 'initialize') return { era: 'legacy' };
  const { name, version } = fieldsIn(clientInfo);
  const isComplete = isObject(capabilities) && typeof name === 'string' && typeof version === 'string';
  return isComplete ? { era: 'legacy', version: String(protocolVersion) } : {};
}
