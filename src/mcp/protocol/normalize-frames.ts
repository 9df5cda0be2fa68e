import { Transform, type Writable } from 'node:stream';
import { fieldsIn, isObject } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';

/**
 * Between a client and the server: makes a message that is odd in form, and whose meaning is plain, one that the protocol's
 * schemas take, and answers a request that can't be one. Without it the SDK drops such a message unanswered, and the client
 * waits for ever. `null` and an empty list for an object stand for nothing (some languages write their empty map as `[]`),
 * and a batch is its messages one by one.
 */
export function normalizeFrames(output: Writable): Transform {
  let begun: Buffer[] = [];
  const lineOf = (end: Buffer) => Buffer.concat([...begun.splice(0), end]);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        for (const line of normalizedLine(lineOf(chunk.subarray(from, end + 1)), output)) this.push(line);
        from = end + 1;
      }
      if (from < chunk.length) begun.push(chunk.subarray(from));
      done();
    },
    flush(done) {
      if (begun.length > 0) this.push(lineOf(Buffer.alloc(0)));
      begun = [];
      done();
    },
  });
}

const NEWLINE = 0x0a;
/** The SDK reads no longer line, and nothing more after one. */
const MAX_LINE_BYTES = 10 * 1_024 * 1_024;
const TOO_LONG = `A message may have ${MAX_LINE_BYTES / 1_024 / 1_024} MiB, and this one is longer, so nothing of it was done. Give a long list as a file, such as videoIdsFile.`;

/** The lines that the server reads in place of one. What is no JSON passes: the SDK tells of it. */
function normalizedLine(line: Buffer, output: Writable): readonly (Buffer | string)[] {
  const given = parseJsonOrUndefined(line.toString('utf8'));
  if (given === undefined) return line.length > MAX_LINE_BYTES ? refusedLine(null, output) : [line];
  const messages: readonly unknown[] = Array.isArray(given) ? given : [given];
  return messages.flatMap((message): readonly (Buffer | string)[] => {
    const problem = problemOf(message);
    if (problem !== undefined) {
      output.write(`${JSON.stringify(problem)}\n`);
      return [];
    }
    const normalized = normalizedMessage(message);
    const sent = normalized === given ? line : Buffer.from(`${JSON.stringify(normalized)}\n`);
    return sent.length > MAX_LINE_BYTES ? refusedLine(fieldsIn(message).id ?? null, output) : [sent];
  });
}

function refusedLine(id: unknown, output: Writable): readonly [] {
  output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_600, message: TOO_LONG } })}\n`);
  return [];
}

/** The answer to a request that no server can take; undefined for every other message. */
function problemOf(message: unknown): object | undefined {
  if (!isObject(message)) return undefined;
  const { id, method, params } = message;
  if (!isId(id) || 'result' in message || 'error' in message) return undefined;
  const error = (code: number, text: string) => ({ jsonrpc: '2.0', id, error: { code, message: text } });
  if (message.jsonrpc !== '2.0') return error(-32_600, 'jsonrpc must be "2.0".');
  if (typeof method !== 'string') return error(-32_600, 'method must be a text.');
  return isNothing(params) || isObject(params) ? undefined : error(-32_602, 'params must be an object.');
}

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isSafeInteger(id);

type Fields = Readonly<Record<string, unknown>>;

/** The same object where nothing was to change. */
function normalizedMessage(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { method } = message;
  if (typeof method !== 'string') return 'result' in message ? withField(message, 'result', (result) => normalizedResult(result)) : message;
  const params = normalizedParams(method, message.params);
  return params === message.params ? message : withField(message, 'params', () => params);
}

function normalizedParams(method: string, given: unknown): unknown {
  if (isNothing(given)) return undefined;
  if (!isObject(given)) return given;
  let params = withMeta(withoutNulls(given));
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
  return withField(withMeta(withoutNulls(given)), 'content', objectFrom);
}

function capabilitiesFrom(given: unknown): unknown {
  if (!isObject(given)) return given;
  return Object.keys(given).reduce<Fields>((fields, name) => withField(fields, name, objectFrom), given);
}

const withMeta = (fields: Fields): Fields => withField(fields, '_meta', (meta) => (isObject(meta) ? withoutNulls(meta) : undefined));

const isNothing = (value: unknown): boolean => value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** An empty list for an object, and an object in a JSON text. A field that is null is none. */
function objectFrom(given: unknown): unknown {
  if (Array.isArray(given) && given.length === 0) return {};
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
