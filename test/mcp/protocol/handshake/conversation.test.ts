/** With recorded responses, a client gets the same output as from the server itself. */
import { describe, expect, test } from 'vitest';
import { type Arrival, bothWays } from './conversation.ts';

type Fields = Readonly<Record<string, unknown>>;

const CLIENT = { name: 'client', version: '1', title: 'Ein Gerät 🎬' };
const CAPABILITIES = {
  roots: { listChanged: true },
  elicitation: { form: { applyDefaults: true }, url: {} },
  experimental: { 'x/y': { z: 1.5 } },
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};
const envelope = (more: Fields = {}) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  ...more,
});

const initialize = (params: Fields = {}) => ({
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, clientInfo: CLIENT, ...params },
});
const INITIALIZED = { method: 'notifications/initialized' };
const LIST = { method: 'tools/list' };
const PING = { method: 'ping', params: {} };
const DISCOVER = { method: 'server/discover', params: { _meta: envelope() } };
const MODERN_LIST = { method: 'tools/list', params: { _meta: envelope({ progressToken: 1 }) } };
const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const CALL = { method: 'tools/call', params: { name: 'nope', arguments: {} } };
const MODERN_CALL = { method: 'tools/call', params: { name: 'nope', arguments: {}, _meta: envelope() } };

/** Conversations that begin with recorded responses. */
const USUAL: Readonly<Record<string, readonly Fields[]>> = {
  'the older era': [initialize(), INITIALIZED, ...LISTS.map((method) => ({ method })), CALL],
  'the newer era': [DISCOVER, ...LISTS.map((method) => ({ method, params: { _meta: envelope() } })), MODERN_CALL],
  'the newer era, refused by an old client': [DISCOVER, initialize(), INITIALIZED, LIST, CALL],
  'both eras, the older first': [initialize(), DISCOVER, MODERN_LIST, LIST],
  'the newer era without server/discover': [MODERN_LIST, DISCOVER, MODERN_CALL],
  'server/discover twice': [DISCOVER, DISCOVER, initialize(), LIST],
  'initialize twice': [initialize(), initialize(), INITIALIZED, LIST],
  'a client that never sends initialized': [initialize(), LIST, PING, CALL, LIST],
  'pings between other messages': [initialize(), PING, INITIALIZED, PING, LIST, PING, CALL],
  'a progress token': [initialize({ _meta: { progressToken: 'x' } }), { method: 'ping', params: { _meta: { progressToken: 0 } } }, CALL],
  'an old protocol version': [initialize({ protocolVersion: '2024-11-05' }), LIST, CALL],
  'an unknown argument after the handshake': [initialize(), { method: 'tools/list', params: { cursor: 'x' } }, LIST],
  'an unknown method after the handshake': [initialize(), { method: 'nope' }, LIST],
  'a method that is written like the records': [
    initialize(),
    { method: 'ping \t{}\nlegacy tools/list' },
    { method: 'ping \t{}\nlegacy ping' },
    LIST,
  ],
  'a cancellation': [initialize(), { method: 'notifications/cancelled', params: { requestId: 'another' } }, LIST],
  'a response without a request': [initialize(), { id: 9, result: {} }, LIST],
};

/** Conversations that the server answers from the first message on. Of what no client sends, some is answered that the server would refuse. */
const UNUSUAL: Readonly<Record<string, readonly Fields[]>> = {
  'no handshake': [LIST, PING, initialize(), LIST],
  'initialized too early': [INITIALIZED, initialize(), LIST],
  'an unknown protocol version': [initialize({ protocolVersion: '1999-01-01' }), INITIALIZED, LIST],
  'a protocol version named like an object’s property': [initialize({ protocolVersion: 'constructor' }), LIST],
  'no client information': [initialize({ clientInfo: undefined }), LIST],
  'client information without a name': [initialize({ clientInfo: { version: '1' } }), LIST],
  'capabilities that are an array': [initialize({ capabilities: [] }), LIST],
  'an invalid id': [{ id: 1.5, ...initialize() }, { id: null, ...initialize() }, LIST],
  'a handshake of the older era in an envelope': [initialize({ _meta: envelope() }), LIST],
  'an unknown version in an envelope': [
    { method: 'server/discover', params: { _meta: envelope({ 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }) } },
    initialize(),
    LIST,
  ],
  'an envelope without capabilities': [
    { method: 'tools/list', params: { _meta: envelope({ 'io.modelcontextprotocol/clientCapabilities': undefined }) } },
  ],
};

const lineOf = (fields: Fields, id: unknown): string =>
  `${JSON.stringify({ jsonrpc: '2.0', ...(String(fields.method).startsWith('notifications/') || 'id' in fields ? {} : { id }), ...fields })}\n`;

const inChunks = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));

/** Different ways to split the same lines into chunks. */
function arrivalsOf(lines: readonly Buffer[]): Readonly<Record<string, readonly Arrival[]>> {
  const all = Buffer.concat(lines);
  return {
    'line by line': lines,
    'in chunks, the first of which ends within a character': inChunks(all, Math.max(99, all.indexOf('🎬') + 2)),
    'together with the end of input': [all.subarray(0, -1), Buffer.from('\n'), 'end'],
    'with half a line before the end': [Buffer.concat([all, Buffer.from('{"jsonrpc"')]), 'end'],
  };
}

describe.each([...Object.entries(USUAL), ...Object.entries(UNUSUAL)])('%s', (name, messages) => {
  const lines = messages.map((fields, index) => Buffer.from(lineOf(fields, index)));

  test.each(Object.entries(arrivalsOf(lines)))('%s', async (_, arrivals) => {
    const { direct, recorded } = await bothWays(arrivals);
    expect(recorded.lines).toEqual(direct.lines);
    expect(recorded.log).toEqual(direct.log);
    expect(recorded.early > 0).toBe(name in USUAL);
  });

  test('with one id for all requests', async () => {
    const { direct, recorded } = await bothWays(messages.map((fields) => Buffer.from(lineOf(fields, 'the same'))));
    expect(recorded.lines).toEqual(direct.lines);
  });
});

describe.each([[[]], [['--confirm', 'form']], [['--confirm', 'token']], [['--confirm', 'never']]])('with the arguments %j', (argv) => {
  test.each([
    ['nothing', {}],
    ['elicitation without a kind', { elicitation: {} }],
    ['forms', { elicitation: { form: {} } }],
    ['only URLs', { elicitation: { url: {} } }],
  ])('the recorded instructions equal the server’s for a client that declares %s', async (_, capabilities) => {
    const _meta = envelope({ 'io.modelcontextprotocol/clientCapabilities': capabilities });
    for (const first of [initialize({ capabilities }), { method: 'server/discover', params: { _meta } }]) {
      const { direct, recorded } = await bothWays([Buffer.from(lineOf(first, 1))], argv);
      expect(recorded.lines).toEqual(direct.lines);
      expect(recorded.early).toBe(1);
    }
  });
});

test.each([[['--confirm', 'form']], [['--personal-data', 'allowed']], [['--files-dir', '/tmp']]])(
  'with the arguments %j, the recorded tools equal the server’s',
  async (argv) => {
    for (const lines of [[initialize(), LIST], [MODERN_LIST]]) {
      const { direct, recorded } = await bothWays([Buffer.from(lines.map(lineOf).join(''))], argv);
      expect(recorded.lines).toEqual(direct.lines);
      expect(recorded.early).toBe(lines.length);
    }
  },
);

test.each([
  ['an empty line', '\n'],
  ['a line that is no JSON', 'hello\n'],
  ['a JSON value that is no message', 'null\n'],
  ['a batch', `[${lineOf(LIST, 1).trim()}]\n`],
  ['a byte order mark', `\ufeff${lineOf(LIST, 1)}`],
  ['a line that ends in CRLF', lineOf(LIST, 1).replace('\n', '\r\n')],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x0a])],
  ['a valid line of 20 KB', lineOf(initialize({ clientInfo: { ...CLIENT, description: 'x'.repeat(20_000) } }), 1)],
])('%s gets the same output, before and after the handshake', async (_, line) => {
  const [first, odd, last] = [Buffer.from(lineOf(initialize(), 0)), Buffer.from(line), Buffer.from(lineOf(LIST, 2))];
  for (const arrivals of [
    [odd, first, last],
    [first, odd, last],
    [first, Buffer.concat([odd, last]), 'end' as const],
  ]) {
    const { direct, recorded } = await bothWays(arrivals);
    expect(recorded.lines).toEqual(direct.lines);
    expect(recorded.log).toEqual(direct.log);
  }
});

test('a replayed request that the server refuses is logged', async () => {
  const quirk = { experimental: { x: {} }, roots: { listChanged: {} } };
  const lines = [initialize({ capabilities: quirk }), LIST, CALL].map((fields, index) => Buffer.from(lineOf(fields, index)));
  const { recorded } = await bothWays(lines);
  expect(recorded.early).toBe(2);
  expect(recorded.lines.flat()).toHaveLength(3);
  expect(recorded.log).toEqual([expect.stringContaining('replayed initialize')]);
});
