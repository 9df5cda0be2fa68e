import { inspect } from 'node:util';
import { Agent, type Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { createCredentials } from '../../src/service/credentials.ts';
import { answerWith } from '../harness/loopback.ts';
import { API_KEY, approval, as, failure, openClient, startAnswering, startService } from './harness.ts';

const SECRET = 'sk-live/9f+Zq==secret';
/** In all its forms it is looked for by `test/hazards/secrets.integration.test.ts`. */
const echoes = [encodeURIComponent(SECRET), `${'x'.repeat(290)}${SECRET}`];

const [base64, hex] = (['base64', 'hex'] as const).map((encoding) => Buffer.from(SECRET).toString(encoding));
const traces = [SECRET, SECRET.slice(0, 12), base64?.slice(4, 20), 'c2VjcmV0', hex];

function expectNoTrace(thing: unknown): void {
  const shown = [inspect(thing, { depth: 20, showHidden: true, getters: true }), JSON.stringify(thing), String(thing)].join('\n');
  for (const trace of traces) expect(shown).not.toContain(trace);
}

/** A client of a service that refuses every request with this body. */
const refusing = (body: object, credentials: { apiKey?: string; accessToken?: string }) =>
  startAnswering((_request, response) => response.writeHead(400).end(JSON.stringify(body)), credentials);

describe('the credential', () => {
  test.each(echoes)('is not in the error when the service echoes %j', async (echo) => {
    for (const body of [{ message: echo, title: echo, type: echo, traceId: echo, invalidVideoKeys: [echo] }, { error: echo }]) {
      const { client } = await refusing(body, { apiKey: SECRET });
      const error = await failure(client.channels.list());
      expectNoTrace(error);
      expectNoTrace(error.cause);
      expectNoTrace({ ...error.facts });
    }
  });

  test('is masked in base64 and JSON too if it has characters that these encode', async () => {
    const apiKey = 'sk"1?>~?>~\\?>~end';
    const echoes = [Buffer.from(apiKey).toString('base64url'), Buffer.from(`x${apiKey}`).toString('base64'), JSON.stringify({ apiKey })];
    for (const echo of echoes) {
      const { client } = await refusing({ message: echo }, { apiKey });
      const { message } = await failure(client.channels.list());
      expect(message).toContain('[credential]');
      for (const left of ['end', 'c2si', 'Pn4', '?>~']) expect(message).not.toContain(left);
    }
  });

  test('is not in the error if the connection’s error contains it', async () => {
    class LeakyAgent extends Agent {
      override dispatch(_options: Dispatcher.DispatchOptions, { onResponseError }: Dispatcher.DispatchHandler): boolean {
        const controller = { abort() {} } as unknown as Dispatcher.DispatchController; // only `abort` is used
        onResponseError?.(controller, Object.assign(new Error(`no way with ${SECRET}`), { code: SECRET }));
        return false;
      }
    }
    const { client } = await startService({}, { apiKey: SECRET, dispatcher: new LeakyAgent() });
    const error = await failure(client.channels.list());
    expect(error.code).toBe('unreachable');
    expectNoTrace(error);
    expectNoTrace(error.cause);
  });

  test('is masked in full if another credential is a prefix of it', async () => {
    const message = 'It was demo-api-key-and-its-longer-rest.';
    const { client } = await refusing({ message }, { accessToken: `${API_KEY}-and-its-longer-rest` });
    expect((await failure(client.channels.list())).message).toContain('it said "It was [credential]."');
  });

  test('is removed from records at any depth, including from field names', async () => {
    const more = `${'{"a":'.repeat(40)}{"${SECRET}":"${SECRET}"}${'}'.repeat(40)}`;
    const record = `{"id":"c","name":"A name","more":${more}}`;
    const { client } = await startAnswering((_request, response) => response.end(record), { apiKey: SECRET });
    const channel = await client.channels.get(as('c'));
    expect(channel).toMatchObject({ id: 'c', name: 'A name' });
    expect(inspect(channel, { depth: 200 })).not.toContain(SECRET);
  });

  test('is not in the error if a malformed status line or a response header contains it', async () => {
    const answers: ((response: import('node:http').ServerResponse) => void)[] = [
      (response) => response.socket?.end(`${SECRET} HTTP/9 ${SECRET}\r\n\r\n`),
      (response) => response.writeHead(200, { 'content-encoding': SECRET }).end('x'),
      (response) =>
        response.writeHead(302, { location: `https://${Buffer.from(SECRET).toString('hex')}.example/${encodeURIComponent(SECRET)}` }).end(),
      (response) => response.writeHead(503, { 'retry-after': SECRET }).end(),
    ];
    for (const answer of answers) {
      const { client } = await startAnswering((_request, response) => answer(response), { apiKey: SECRET });
      const error = await failure(client.channels.list());
      expectNoTrace(error);
      expectNoTrace(error.cause);
    }
  });

  test('can’t be read by inspecting the client’s objects, and is in no URL', async () => {
    const { http, client, demo } = await startService({ apiKey: SECRET }, { accessToken: `${SECRET}-token` });
    await client.channels.list();
    for (const thing of [http, client, http.limiter, createCredentials(SECRET, undefined)]) expectNoTrace(thing);
    expect(demo.requests.map((request) => request.path + JSON.stringify(request.query)).join()).not.toContain(SECRET);
  });

  test('is refused without being shown if a header can’t contain it', () => {
    for (const apiKey of [`${SECRET}\r\nx: y`, '', 'é', 'a b']) {
      const open = () => openClient({ baseUrl: 'https://h.example', statsUrl: 'https://h.example', apiKey });
      expect(open).toThrow(expect.objectContaining({ code: 'settings_invalid' }));
      expect(open).not.toThrow(/sk-live/);
    }
  });

  test('is sent to the documented endpoints, with the access token for the videos endpoints', async () => {
    const { demo, client } = await startService({ accessToken: 'the-token', views: 10 }, { accessToken: 'the-token' });
    const [video] = demo.world.videos.keys();
    const [project] = demo.world.projects.keys();
    await client.channels.list();
    await client.templates.list();
    await client.projects.list();
    await client.plans.list();
    await client.projects.get(as(project ?? ''));
    await client.viewLogs.page({ from: '2026-01-01' });
    const sent = () => demo.requests.splice(0).map(({ headers }) => headers.authorization);
    expect(sent()).toEqual([...Array<string>(5).fill(`Bearer ${API_KEY}`), undefined]);
    await client.videos.move(approval(), as(project ?? ''), [as(video ?? '')]);
    await failure(client.videos.copyCta(approval(), as('no-such'), [as(video ?? '')]));
    for await (const _email of client.emails.collected()) break;
    expect(sent()).toEqual(Array(3).fill('Bearer the-token'));
  });

  test('is sent to the analytics API if the setting says so', async () => {
    const { demo, client } = await startService({ views: 10 }, { statsAuth: 'bearer' });
    await client.viewLogs.page({ from: '2026-01-01' });
    expect(demo.requests[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
  });
});

test.each([301, 302, 303, 307, 308])('a redirect with status %i is not followed, whatever its location', async (code) => {
  let strangers = 0;
  const stranger = await answerWith((_request, response) => {
    strangers += 1;
    response.end('{}');
  });
  const { demo, client } = await startService();
  for (const location of [
    `${stranger}/v1/channels?steal=1`,
    '/v1/channels',
    '//evil.example/x',
    'http://[bad',
    `${stranger}/${'x'.repeat(5_000)}`,
  ]) {
    demo.faults.next({ do: { kind: 'redirect', location, code } });
    const error = await failure(client.channels.list());
    expect(error).toMatchObject({ code: 'redirect_refused', facts: { status: code, outcome: 'not-done' } });
    expect(error.message).not.toMatch(/steal|xxxx/);
    expect(error.message.length).toBeLessThan(300);
  }
  expect(strangers).toBe(0);
  expect(demo.requests).toHaveLength(5);
  demo.faults.next({ do: { kind: 'redirect', location: stranger, code } });
  const error = await failure(client.channels.create(approval(), { name: 'x', videoKeys: [] }));
  expect(error.facts.outcome).toBe(code >= 307 ? 'not-done' : 'not-known');
  expect(error.message).toContain(stranger);
});
