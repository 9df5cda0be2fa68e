/** Messages that are odd in form: each request is answered under its id, with the result where the meaning is plain. */
import { expect, test, vi } from 'vitest';
import { channelAt, videoKeysOf } from '../../changes/support/world.ts';
import type { FormResult } from '../../harness/client.ts';
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

test('a field of a form that is null counts as left out', async () => {
  // Not of the protocol's type, and sent by clients.
  const answer = { action: 'accept', content: { decision: 'apply', note: null } } as unknown as FormResult;
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
