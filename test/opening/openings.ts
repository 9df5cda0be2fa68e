/** What a client may begin with, as fast-check makes it: usual messages, such with one thing wrong, lines that are none. */
import fc from 'fast-check';
import type { Arrival } from './two-ways.ts';

const CLIENT = { name: 'client', version: '1' };
const TALKATIVE_CLIENT = {
  ...CLIENT,
  title: 'A client',
  description: '',
  websiteUrl: 'https://example.com',
  icons: [{ src: 'data:,', mimeType: 'image/png', sizes: ['48x48', 'any'], theme: 'dark' }],
};
const CAPABILITIES = {
  roots: { listChanged: true },
  sampling: { context: {}, tools: { deep: [1, null, { x: 'y' }] } },
  elicitation: { form: { applyDefaults: true }, url: {} },
  tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
  experimental: { 'x/y': { z: 1.5 } },
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};
const envelope = (clientCapabilities: object, clientInfo?: object) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
  ...(clientInfo && { 'io.modelcontextprotocol/clientInfo': clientInfo }),
});

type Fields = Readonly<Record<string, unknown>>;

const HANDSHAKES: Fields[] = [
  ...['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '1999-01-01', 'constructor', ''].map(
    (protocolVersion) => ({ protocolVersion, capabilities: { elicitation: {} }, clientInfo: CLIENT }),
  ),
  { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, clientInfo: TALKATIVE_CLIENT, _meta: { progressToken: 0 } },
  { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT, _meta: envelope({}, CLIENT) },
].map((params) => ({ method: 'initialize', params }));

const INITIALIZED: Fields = { method: 'notifications/initialized' };
const METHODS = ['ping', 'tools/list', 'resources/list', 'resources/templates/list', 'prompts/list', 'server/discover'];
const LEGACY: Fields[] = METHODS.flatMap((method) => [
  { method },
  { method, params: {} },
  { method, params: { _meta: { progressToken: 'x' } } },
]);
const MODERN: Fields[] = METHODS.flatMap((method) => [
  { method, params: { _meta: envelope({}, CLIENT) } },
  { method, params: { _meta: { ...envelope(CAPABILITIES), progressToken: 1 } } },
]);
const DISCOVER: Fields = { method: 'server/discover', params: { _meta: envelope({}, TALKATIVE_CLIENT) } };

/** What the server itself answers, at once, or not at all. */
const OTHERS: Fields[] = [
  { method: 'tools/call', params: { name: 'nope', arguments: {} } },
  { method: 'tools/call', params: { name: 'nope', arguments: {}, _meta: envelope({}, CLIENT) } },
  { method: 'resources/read', params: { uri: 'nope://x' } },
  { method: 'prompts/get', params: { name: 'bulk-move' } },
  { method: 'subscriptions/listen', params: { _meta: envelope({}, CLIENT) } },
  { method: 'logging/setLevel', params: { level: 'debug' } },
  { method: 'nope' },
  // Of no request of this conversation: one that is taken back just when it is answered may be answered or not.
  { method: 'notifications/cancelled', params: { requestId: 'another' } },
  { method: 'notifications/roots/list_changed' },
  { result: {} },
  { error: { code: 1, message: 'x' } },
];

/** As text, since some of them can't be written. */
const WRONG_VALUES = [
  ...['null', 'true', '0', '-1', '1.5', '1e999', '9007199254740992', '""', '"x"', '"constructor"', '"__proto__"', '"ping"', '"2.0"'],
  ...['[]', '{}', '[{}]', '{"a":1}', '{"a":1e999}', '{"__proto__":{}}', '{"__proto__":1}', '{"constructor":{}}'],
  `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`,
].map((json): unknown => JSON.parse(json));
const id = fc.oneof({ weight: 4, arbitrary: fc.nat(5) }, fc.string(), fc.string({ unit: 'binary' }));
const WRONG_NAMES = [
  'more',
  'id',
  'params',
  '_meta',
  'cursor',
  'progressToken',
  'listChanged',
  'form',
  'constructor',
  'io.modelcontextprotocol/logLevel',
];

const isNotification = ({ method }: Fields): boolean => String(method).startsWith('notifications/');
const message = (...usual: Fields[]) =>
  fc
    .tuple(fc.constantFrom(...usual), id)
    .map(([fields, id]): Fields => ({ jsonrpc: '2.0', ...(isNotification(fields) ? {} : { id }), ...fields }));

interface Fault {
  /** Which of the message's places, counted around. */
  readonly place: number;
  readonly how: 'without' | 'instead' | 'more';
  readonly value: unknown;
  readonly name: string;
}

/** The message with one thing in it taken out, made into something else, or added. */
function faulty(usual: Fields, { place, how, value, name }: Fault): Fields {
  const copy = structuredClone(usual);
  const places = placesIn(copy);
  const [holder, key] = places[place % places.length] ?? [{}, ''];
  if (how === 'without') delete holder[key];
  else if (how === 'instead') holder[key] = value;
  else holder[name] = value;
  return copy;
}

const fault: fc.Arbitrary<Fault> = fc.record({
  place: fc.nat(),
  how: fc.constantFrom('without', 'instead', 'more'),
  value: fc.constantFrom(...WRONG_VALUES),
  name: fc.constantFrom(...WRONG_NAMES),
});
const wrong = (messages: fc.Arbitrary<Fields>) => fc.tuple(messages, fault).map(([usual, fault]) => faulty(usual, fault));

type Holder = Record<string, unknown>;

function placesIn(holder: object): [Holder, string][] {
  // An array is held by its indexes.
  const fields = holder as Holder;
  return Object.entries(fields).flatMap(([key, value]): [Holder, string][] => [
    [fields, key],
    ...(typeof value === 'object' && value !== null ? placesIn(value) : []),
  ]);
}

/** JSON has no number that is too large, but its texts may. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (field === Number.POSITIVE_INFINITY ? 'too large' : field)).replaceAll(
    '"too large"',
    '1e999',
  );
const written = (messages: fc.Arbitrary<Fields>) => messages.map(textOf);
const begin = fc.oneof({ weight: 2, arbitrary: message(...HANDSHAKES) }, message(DISCOVER));
const goOn = fc.oneof(
  { weight: 3, arbitrary: message(...LEGACY) },
  message(...MODERN),
  message(...OTHERS),
  message(...HANDSHAKES),
  message(INITIALIZED),
);
const known = fc.oneof(begin, goOn);
const line = fc.oneof(
  { weight: 4, arbitrary: written(goOn) },
  { weight: 3, arbitrary: written(wrong(goOn)) },
  fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'hello',
      '[]',
      '{',
      'null',
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"\\u0070ing"}',
    ),
    fc.string(),
    fc.tuple(written(known), written(known)).map((batch) => `[${batch.join(',')}]`),
    written(known).map((text) => `\ufeff${text}`),
    written(known).map((text) => ` ${text}\t`),
    written(known).map((text) => text.slice(0, -1)),
  ),
);
const opening = fc.oneof(
  fc.tuple(written(begin)),
  fc.tuple(written(begin), written(message(INITIALIZED))),
  fc.tuple(written(wrong(begin))),
  fc.constant([]),
);
const end = fc.constantFrom('\n', '\n', '\r\n');

/** A conversation in one direction: its lines in the pieces in which they arrive, what is left open, and perhaps the end. */
export const conversation: fc.Arbitrary<Arrival[]> = fc
  .record({
    opening,
    more: fc.array(line, { maxLength: 4 }),
    ends: fc.tuple(end, end, end),
    tail: fc.constantFrom('', '', '{"jsonrpc"', 'x\ny'),
    cuts: fc.array(fc.nat(), { maxLength: 4 }),
    eachByItself: fc.boolean(),
    closed: fc.boolean(),
  })
  .map(({ opening, more, ends, tail, cuts, eachByItself, closed }) => {
    const lines = [...opening, ...more].map((content, index) => Buffer.from(`${content}${ends[index % ends.length]}`));
    const whole = Buffer.concat([...lines, Buffer.from(tail)]);
    const at = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
    const arrivals = eachByItself ? lines : [0, ...at].map((from, index) => whole.subarray(from, at[index] ?? whole.length));
    return [...arrivals.filter(({ length }) => length > 0), ...(closed ? (['end'] as const) : [])];
  });

const [HANDSHAKE = {}] = HANDSHAKES.slice(4);
const [LIST = {}, MODERN_LIST = {}] = [...LEGACY, ...MODERN].filter(
  ({ method, params }) => method === 'tools/list' && params !== undefined && !('progressToken' in Object(Object(params)._meta)),
);
const [PING = {}] = LEGACY;

/** Orders of usual messages that matter. */
export const ORDERS: Readonly<Record<string, readonly Fields[]>> = {
  'both eras, the newer first': [DISCOVER, HANDSHAKE, INITIALIZED, LIST, MODERN_LIST],
  'both eras, the older first': [HANDSHAKE, DISCOVER, MODERN_LIST, LIST],
  'the newer era at work, then a handshake': [DISCOVER, MODERN_LIST, HANDSHAKE, MODERN_LIST],
  'the newer era without asking for it': [MODERN_LIST, DISCOVER, LIST],
  'the newer era asked for twice': [DISCOVER, DISCOVER, HANDSHAKE, LIST],
  'two handshakes': [HANDSHAKE, HANDSHAKE, INITIALIZED, LIST],
  'initialized twice': [HANDSHAKE, INITIALIZED, INITIALIZED, LIST],
  'initialized too early': [INITIALIZED, HANDSHAKE, LIST],
  'no handshake': [LIST, PING, HANDSHAKE],
  'no word of being initialized': [HANDSHAKE, LIST, PING, LIST],
  'pings between': [HANDSHAKE, PING, INITIALIZED, PING, LIST, PING],
};

/** A usual message as a line. */
export const lineOf = (fields: Fields, id: number): string =>
  `${textOf({ jsonrpc: '2.0', ...(isNotification(fields) ? {} : { id }), ...fields })}\n`;

/** Each usual message once with each single fault, as a line. */
export function* everyFault(): Generator<string> {
  for (const fields of [...HANDSHAKES.slice(-2), ...MODERN.slice(0, 4), DISCOVER]) {
    const usual = { jsonrpc: '2.0', id: 1, ...fields };
    for (const place of placesIn(usual).keys()) {
      yield textOf(faulty(usual, { place, how: 'without', value: undefined, name: '' }));
      for (const value of WRONG_VALUES) yield textOf(faulty(usual, { place, how: 'instead', value, name: '' }));
      for (const name of WRONG_NAMES) yield textOf(faulty(usual, { place, how: 'more', value: {}, name }));
    }
  }
}
