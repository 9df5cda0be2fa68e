/** Messages that are odd in form: each request is answered under its id, with the result where the meaning is plain. */
import { expect, test, vi } from 'vitest';
import { channelAt, videoKeysOf } from '../../changes/support/world.ts';
import type { FormResult } from '../../harness/client.ts';
import { gate } from '../../harness/gate.ts';
import { start, startRaw } from '../../harness/start.ts';

type RawSession = Awaited<ReturnType<typeof startRaw>>;

/** A session in which the server answers everything, and the handshake nothing any more. */
async function startLoaded(): Promise<RawSession> {
  const session = await startRaw({ via: 'process' });
  await session.client.callTool('list_channel_templates');
  return session;
}

const answerTo = ({ client }: RawSession, id: string) =>
  vi.waitFor(() => {
    const answer = client.received.find((message) => message.id === id);
    if (answer === undefined) throw new Error(`${id} is not answered`);
    return answer;
  });

const PLAIN: readonly (readonly [method: string, params: unknown])[] = [
  ['tools/list', []],
  ['tools/list', null],
  ['tools/list', { cursor: null }],
  ['tools/list', { cursor: [] }],
  ['resources/list', { cursor: {} }],
  ['prompts/list', { cursor: '' }],
  ['tools/call', { name: 'list_channel_templates', arguments: '', task: [] }],
  ['resources/list', []],
  ['ping', null],
  ['tools/list', { _meta: null }],
  ['tools/list', { _meta: [] }],
  ['tools/list', { _meta: { progressToken: null } }],
  ['tools/call', { name: 'list_channels', arguments: { size: 1 }, _meta: [] }],
  ['tools/call', { name: 'list_channel_templates', arguments: [] }],
  ['tools/call', { name: 'list_channel_templates', arguments: null }],
  ['tools/call', { name: 'list_channels', arguments: '{"size":1}' }],
  ['prompts/get', { name: 'reorganise-channels', arguments: { goal: 'x', channel: null } }],
];

test('a request whose meaning is plain is answered with its result, however its nothing is written', async () => {
  const session = await startLoaded();
  for (const [method, params] of PLAIN) {
    const id = `${method} ${JSON.stringify(params)}`;
    session.client.send({ jsonrpc: '2.0', id, method, params });
    expect(await answerTo(session, id), id).toMatchObject({ result: expect.anything() });
  }
});

const REFUSED: readonly (readonly [method: unknown, params: unknown, code: number])[] = [
  ['tools/call', [], -32_602],
  ['tools/call', 'list_channels', -32_602],
  ['tools/call', ['list_channels'], -32_602],
  ['prompts/get', { name: 'reorganise-channels', arguments: [] }, -32_602],
  ['prompts/get', { name: 'reorganise-channels', arguments: '' }, -32_602],
  ['prompts/get', { name: 'reorganise-channels', arguments: 7 }, -32_602],
  ['tools/list', { cursor: 7 }, -32_602],
  ['completion/complete', { ref: [], argument: { name: 'channel', value: '' } }, -32_602],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'reorganise-channels' }, argument: {} }, -32_602],
  [null, {}, -32_600],
];

test('a request without a plain meaning is refused under its id', async () => {
  const session = await startLoaded();
  for (const [method, params, code] of REFUSED) {
    const id = `${method} ${JSON.stringify(params)}`;
    session.client.send({ jsonrpc: '2.0', id, method, params });
    expect(await answerTo(session, id), id).toMatchObject({ error: { code } });
  }
});

/** A line as it is sent, and how it is answered. */
const LINES: readonly (readonly [line: string, answer: { readonly id: unknown; readonly code?: number }])[] = [
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', { id: null, code: -32_600 }],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', { id: 1.5, code: -32_600 }],
  ['{"jsonrpc":"2.0","id":true,"method":"ping"}', { id: true, code: -32_600 }],
  ['{"jsonrpc":"2.0","id":[1],"method":"ping"}', { id: null, code: -32_600 }],
  ['{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}', { id: null, code: -32_600 }],
  ['{"jsonrpc":"2.0","id":1e3,"method":"ping"}', { id: 1_000 }],
  ['[]', { id: null, code: -32_600 }],
  ['[7]', { id: null, code: -32_600 }],
  ['7', { id: null, code: -32_600 }],
  ['{"jsonrpc":"2.0","id":"both","method":"ping","result":{}}', { id: 'both', code: -32_600 }],
  ['{"jsonrpc":"2.0","id":"nulls","method":"ping","result":null,"error":null}', { id: 'nulls' }],
  ['{"jsonrpc":"2.0","id":"token","method":"ping","params":{"_meta":{"progressToken":{"a":1}}}}', { id: 'token' }],
  [
    '{"jsonrpc":"2.0","id":"task","method":"ping","params":{"_meta":{"io.modelcontextprotocol/related-task":7}}}',
    { id: 'task', code: -32_602 },
  ],
  ['\ufeff{"jsonrpc":"2.0","id":"mark","method":"ping"}', { id: 'mark' }],
  ['  {"jsonrpc":"2.0","id":"carriage return","method":"ping"}  \r', { id: 'carriage return' }],
  ['{"jsonrpc":"2.0","id":"torn","method":"pi', { id: null, code: -32_700 }],
  ['{"jsonrpc":"2.0","id":"shutdown","method":"shutdown"}', { id: 'shutdown', code: -32_601 }],
];

test('every line that wants an answer gets one, and the server goes on', async () => {
  const { client, server } = await startLoaded();
  for (const [line, { id, code }] of LINES) {
    const before = client.received.length;
    server?.child.stdin.write(`${line}\n`);
    await vi.waitFor(() => expect(client.received.slice(before), line).toHaveLength(1));
    expect(client.received.at(-1), line).toMatchObject(code === undefined ? { id, result: {} } : { id, error: { code } });
  }
  // Nothing answers a notification, also where its id is written as null.
  const before = client.received.length;
  server?.child.stdin.write('\n{"jsonrpc":"2.0","id":null,"method":"notifications/initialized","params":null}\n');
  await client.request('ping');
  expect(client.received).toHaveLength(before + 1);
});

test('a request with the id of one that is not answered yet is refused and does nothing; afterwards the id is free', async () => {
  const { client, demo } = await startRaw({ via: 'process', env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  await client.callTool('list_channel_templates');
  const held = gate();
  demo.behaviour.onRequest = ({ method }) => (method === 'POST' ? held.opened : undefined);
  const create = {
    jsonrpc: '2.0',
    id: 'same',
    method: 'tools/call',
    params: { name: 'create_project', arguments: { name: 'Once', region: 'use-s' } },
  };
  const answers = () => client.received.filter(({ id }) => id === 'same');
  client.send(create);
  await vi.waitFor(() => expect(demo.requests.filter(({ method }) => method === 'POST')).toHaveLength(1));
  client.send(create);
  await vi.waitFor(() =>
    expect(answers()).toMatchObject([{ error: { code: -32_600, message: expect.stringContaining('nothing was done for this one') } }]),
  );
  held.open();
  await vi.waitFor(() => expect(answers()).toHaveLength(2));
  expect([...demo.world.projects.values()].filter(({ name }) => name === 'Once')).toHaveLength(1);
  client.send({ ...create, method: 'ping', params: {} });
  await vi.waitFor(() => expect(answers()).toHaveLength(3));
  expect(answers()[2]).toMatchObject({ result: {} });
});

test('a line without an end is refused once it is longer than any message, and the next one is answered', async () => {
  const { client, server } = await startLoaded();
  const before = client.received.length;
  const part = Buffer.alloc(1_024 * 1_024, 'x');
  for (let sent = 0; sent < 60; sent += 1) server?.child.stdin.write(part);
  await vi.waitFor(() => expect(client.received.slice(before)).toMatchObject([{ id: null, error: { code: -32_600 } }]), {
    timeout: 60_000,
  });
  server?.child.stdin.write('\n');
  expect(await client.request('ping')).toEqual({});
});

test('each request of a batch is answered', async () => {
  const session = await startLoaded();
  session.client.send([
    { jsonrpc: '2.0', id: 'first', method: 'ping' },
    { jsonrpc: '2.0', id: 'second', method: 'tools/list', params: null },
  ]);
  expect(await answerTo(session, 'first')).toMatchObject({ result: {} });
  expect(await answerTo(session, 'second')).toMatchObject({ result: { tools: expect.anything() } });
});

test('a client whose capabilities are an empty list connects', async () => {
  const { client } = await startRaw({ via: 'process' });
  client.send({
    ...{ jsonrpc: '2.0', id: 'again', method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: [], clientInfo: { name: 'x', version: '1', title: null } },
  });
  await vi.waitFor(() => expect(client.received.find(({ id }) => id === 'again')).toMatchObject({ result: expect.anything() }));
});

test.each([null, [], {}, ''])('a field of a form that is %j counts as left out', async (note) => {
  // Not of the protocol's type, and sent by clients.
  const answer = { action: 'accept', content: { decision: 'apply', note } } as unknown as FormResult;
  const agreed = await start({ client: 'raw lines', via: 'process', forms: async () => answer });
  const videoKeys = videoKeysOf(agreed.demo, 2);
  const reply = await agreed.client.callTool('update_channels', {
    changes: [{ channel: channelAt(agreed.demo, 0).id, name: 'Agreed', setVideoKeys: videoKeys, setProjectKeys: [] }],
  });
  expect(agreed.demo.world.channelNamed('Agreed')).toMatchObject({ videoKeys });
  expect(reply.data).toMatchObject({ status: 'applied' });
  expect((await agreed.client.callTool('check_setup')).text).not.toContain('left a form unanswered');
});

test('a message that is longer than may be is refused under its id, and the next one is answered', async () => {
  const session = await startLoaded();
  const call = (id: string, search: string) =>
    session.client.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'list_channels', arguments: { search } } });
  call('long', 'x'.repeat(11 * 1_024 * 1_024));
  expect(await answerTo(session, 'long')).toMatchObject({ error: { code: -32_600, message: expect.stringContaining('10 MiB') } });
  call('short', 'x');
  expect(await answerTo(session, 'short')).toMatchObject({ result: expect.anything() });
});
