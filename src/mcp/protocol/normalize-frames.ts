import { Transform, type Writable } from 'node:stream';
import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import { fieldsIn, isObject } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';

/** The ids of requests that are not answered yet. */
export type RequestsInFlight = Pick<Set<unknown>, 'add' | 'has' | 'delete'>;

/**
 * Between a client and the server: makes a message that is odd in form, and whose meaning is plain, one that the protocol's
 * schemas take, and answers a request that can't be one. Without it the SDK drops such a message unanswered, and the client
 * waits for ever. `null` and an empty list for an object stand for nothing (some languages write their empty map as `[]`),
 * and a batch is its messages one by one.
 */
export function normalizeFrames(output: Writable, inFlight: RequestsInFlight = new Set()): Transform {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let isSkipping = false;
  const refuse = (id: unknown, code: number, message: string): void => {
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  };
  const lineOf = (end: Buffer): Buffer => {
    const line = Buffer.concat([...begun, end]);
    [begun, begunBytes] = [[], 0];
    return line;
  };
  const linesFrom = (line: Buffer): readonly (Buffer | string)[] => {
    if (!isSkipping) return normalizedLine(line, refuse, inFlight);
    isSkipping = false;
    return [];
  };
  /** Keeps the beginning of a line; of one that never ends nothing. */
  const keep = (part: Buffer): void => {
    if (isSkipping) return;
    begun.push(part);
    begunBytes += part.length;
    if (begunBytes <= MAX_KEPT_BYTES) return;
    lineOf(Buffer.alloc(0));
    isSkipping = true;
    refuse(null, INVALID_REQUEST, TOO_LONG);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        for (const line of linesFrom(lineOf(chunk.subarray(from, end + 1)))) this.push(line);
        from = end + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
      done();
    },
    flush(done) {
      if (begun.length > 0) this.push(lineOf(Buffer.alloc(0)));
      done();
    },
  });
}

type Refuse = (id: unknown, code: number, message: string) => void;

const NEWLINE = 0x0a;
/** The SDK reads no longer line, and nothing more after one. */
const MAX_LINE_BYTES = 10 * 1_024 * 1_024;
/** A longer line is refused under its id, as long as it is kept to read that. */
const MAX_KEPT_BYTES = 4 * MAX_LINE_BYTES;
const TOO_LONG = `A message may have ${MAX_LINE_BYTES / 1_024 / 1_024} MiB, and this one is longer, so nothing of it was done. Give a long list as a file, such as videoIdsFile.`;

/** The first byte of a byte order mark in UTF-8. */
const BOM_START = 0xef;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;

/** The lines that the server reads in place of one. */
function normalizedLine(line: Buffer, refuse: Refuse, inFlight: RequestsInFlight): readonly (Buffer | string)[] {
  // Some programs begin what they write with a byte order mark.
  const text = line.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return [];
  const given = parseJsonOrUndefined(text);
  if (given === undefined) {
    if (line.length > MAX_LINE_BYTES) refuse(null, INVALID_REQUEST, TOO_LONG);
    else refuse(null, PARSE_ERROR, 'A line must be one message in JSON, and this one is none, so nothing of it was done.');
    return [];
  }
  if (Array.isArray(given) && given.length === 0) refuse(null, INVALID_REQUEST, 'A batch must hold a message.');
  const messages: readonly unknown[] = Array.isArray(given) ? given : [given];
  return messages.flatMap((message): readonly (Buffer | string)[] => {
    const normalized = normalizedMessage(message);
    const isAsGiven = normalized === given && line[0] !== BOM_START;
    const sent = isAsGiven ? line : Buffer.from(`${JSON.stringify(normalized)}\n`);
    const problem = problemOf(normalized, inFlight) ?? (sent.length > MAX_LINE_BYTES ? ([INVALID_REQUEST, TOO_LONG] as const) : undefined);
    if (problem !== undefined) {
      refuse(idOf(message), ...problem);
      return [];
    }
    noteRequest(normalized, inFlight);
    return [sent];
  });
}

/** Why a message can't be taken, with the code of the error; undefined where the server reads it. */
function problemOf(message: unknown, inFlight: RequestsInFlight): readonly [code: number, words: string] | undefined {
  if (!isObject(message)) return [INVALID_REQUEST, 'A message must be an object.'];
  const { id, method, params } = message;
  const isAnswer = 'result' in message || 'error' in message;
  if (isAnswer) return method === undefined ? undefined : [INVALID_REQUEST, 'A message is a request or an answer, and this one is both.'];
  // A notification is answered by nothing, also where it is wrong.
  if (!('id' in message) && typeof method === 'string') return undefined;
  if (message.jsonrpc !== '2.0') return [INVALID_REQUEST, 'jsonrpc must be "2.0".'];
  if (typeof method !== 'string') return [INVALID_REQUEST, 'method must be a text.'];
  if (!isId(id)) return [INVALID_REQUEST, 'id must be a text or a whole number with at most 15 digits.'];
  if (inFlight.has(id))
    return [
      INVALID_REQUEST,
      'A request with this id is not answered yet, so nothing was done for this one. Each request needs an id of its own.',
    ];
  if (params !== undefined && !isObject(params)) return [INVALID_PARAMS, 'params must be an object.'];
  const wrong = wrongField(method, params ?? {});
  if (wrong !== undefined) return [INVALID_PARAMS, `${wrong}.`];
  return isJSONRPCRequest(message) ? undefined : [INVALID_PARAMS, 'params are not as the protocol has them: see _meta.'];
}

/** What is wrong with a field of the params; else the SDK answers with the dump of its validator, as an internal error. */
function wrongField(method: string, { cursor, arguments: args, ref, argument }: Fields): string | undefined {
  if (cursor !== undefined && typeof cursor !== 'string') return 'cursor must be a text';
  if (method === 'prompts/get' && args !== undefined && !isObject(args)) return 'arguments must be an object';
  if (method !== 'completion/complete') return undefined;
  const { type, name, uri } = fieldsIn(ref);
  const isRef = (type === 'ref/prompt' && typeof name === 'string') || (type === 'ref/resource' && typeof uri === 'string');
  if (!isRef) return 'ref must name a prompt or the uri of a resource';
  const { name: argumentName, value } = fieldsIn(argument);
  const isArgument = typeof argumentName === 'string' && typeof value === 'string';
  return isArgument ? undefined : 'argument must have a name and a value, as texts';
}

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isSafeInteger(id);

/** The id as a client can find it in the answer: a number that JSON changed would be another one. */
function idOf(message: unknown): unknown {
  const { id } = fieldsIn(message);
  return isId(id) || typeof id === 'boolean' || (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER) ? id : null;
}

/** Whoever answers a request takes its id out; one that is cancelled has no answer. */
function noteRequest(message: unknown, inFlight: RequestsInFlight): void {
  const { id, method, params } = fieldsIn(message);
  if (method === 'notifications/cancelled') inFlight.delete(fieldsIn(params).requestId);
  else if (typeof method === 'string' && id !== undefined) inFlight.add(id);
}

type Fields = Readonly<Record<string, unknown>>;

/** The same object where nothing was to change. */
function normalizedMessage(given: unknown): unknown {
  if (!isObject(given)) return given;
  const message = withoutAbsent(given);
  const { method } = message;
  if (typeof method !== 'string') return 'result' in message ? withField(message, 'result', (result) => normalizedResult(result)) : message;
  const params = normalizedParams(method, message.params);
  return params === message.params ? message : withField(message, 'params', () => params);
}

/** Some libraries write the fields of all kinds of messages, those that a message lacks as null. */
function withoutAbsent(message: Fields): Fields {
  const isNotification = typeof message.method === 'string' && message.method.startsWith('notifications/');
  const hasError = isObject(message.error);
  const absent = [
    ...(typeof message.method === 'string' ? ['result', 'error'] : ['method', 'params', hasError ? 'result' : 'error']),
    ...(isNotification ? ['id'] : []),
  ];
  return absent.reduce((fields, name) => withField(fields, name, (value) => value ?? undefined), message);
}

function normalizedParams(method: string, given: unknown): unknown {
  if (isNothing(given)) return undefined;
  if (!isObject(given)) return given;
  let params = withMeta(withoutNulls(given));
  for (const field of ['cursor', 'task']) params = withField(params, field, (value) => (isEmpty(value) ? undefined : value));
  for (const field of OBJECTS.get(method) ?? []) params = withField(params, field, objectFrom);
  if (method === 'initialize') params = withField(params, 'capabilities', capabilitiesFrom);
  return params;
}

/** The params of a method that have to be objects. */
const OBJECTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['tools/call', ['arguments']],
  ['prompts/get', ['arguments']],
  ['completion/complete', ['context']],
  ['initialize', ['capabilities', 'clientInfo']],
]);

/** An answer of the client, of which a form's has `content`. */
function normalizedResult(given: unknown): unknown {
  if (isNothing(given)) return {};
  if (!isObject(given)) return given;
  return withField(withMeta(withoutNulls(given)), 'content', contentFrom);
}

/** What a person filled in. Its fields hold no objects: an empty one is a field that was left empty. */
function contentFrom(given: unknown): unknown {
  const content = objectFrom(given);
  if (!isObject(content)) return content;
  return Object.keys(content).reduce<Fields>(
    (fields, name) => withField(fields, name, (value) => (isEmpty(value) ? undefined : value)),
    content,
  );
}

function capabilitiesFrom(given: unknown): unknown {
  if (!isObject(given)) return given;
  return Object.keys(given).reduce<Fields>((fields, name) => withField(fields, name, objectFrom), given);
}

const withMeta = (fields: Fields): Fields =>
  withField(fields, '_meta', (meta) =>
    isObject(meta) ? withField(withoutNulls(meta), 'progressToken', (token) => (isId(token) ? token : undefined)) : undefined,
  );

const isNothing = (value: unknown): boolean => (value ?? undefined) === undefined || (Array.isArray(value) && value.length === 0);

const isEmpty = (value: unknown): boolean => isNothing(value) || (isObject(value) && Object.keys(value).length === 0);

/** An empty list or text for an object, and an object in a JSON text. A field that is null is none. */
function objectFrom(given: unknown): unknown {
  if ((Array.isArray(given) && given.length === 0) || (typeof given === 'string' && given.trim() === '')) return {};
  const value = typeof given === 'string' ? parseJsonOrUndefined(given) : given;
  return isObject(value) ? withoutNulls(value) : given;
}

function withoutNulls(fields: Fields): Fields {
  const entries = Object.entries(fields);
  const kept = entries.filter(([, value]) => value !== null);
  return kept.length === entries.length ? fields : Object.fromEntries(kept);
}

/** With another value of a field that is there; without the field where there is none. */
function withField(fields: Fields, name: string, convert: (value: unknown) => unknown): Fields {
  if (!(name in fields)) return fields;
  const value = convert(fields[name]);
  if (value === fields[name]) return fields;
  if (value !== undefined) return { ...fields, [name]: value };
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}
