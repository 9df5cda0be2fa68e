import { expect, test, vi } from 'vitest';
import type { DemoService } from '../harness/demo.ts';
import type { Fault } from '../harness/faults.ts';
import { ask, startSmall } from './harness.ts';

function create(demo: DemoService) {
  return ask(demo, 'POST /v1/projects', { body: { name: 'Made under fault' } });
}

/** Whether the project was made, after one creation under this fault. */
async function createUnder(demo: DemoService, fault: Fault): Promise<{ failed: boolean; made: boolean }> {
  demo.faults.next({ do: fault });
  const failed = await create(demo).then(
    () => false,
    () => true,
  );
  return { failed, made: demo.world.projects.size === 13 };
}

/** Whether the client gets its answer at most a moment after the service has finished with the request. */
async function isAnswered(demo: DemoService, target: string, body?: unknown): Promise<boolean> {
  const [leave, before] = [new AbortController(), demo.requests.length];
  const answered = ask(demo, target, { body, signal: leave.signal }).then(
    () => true,
    () => false,
  );
  await vi.waitUntil(() => ![undefined, 'pending'].includes(demo.requests[before]?.status as string), { timeout: 30_000 });
  setTimeout(() => leave.abort(), 60);
  return answered;
}

test('a status fault answers with its code, headers and body', async () => {
  const demo = await startSmall();
  demo.faults.next({ do: { kind: 'status', code: 429, retryAfter: 3, headers: { 'x-note': 'slow down' } } });
  const limited = await ask(demo, 'GET /v1/channels');
  expect([limited.status, limited.headers.get('retry-after'), limited.headers.get('x-note')]).toEqual([429, '3', 'slow down']);
  expect(limited.json).toEqual({ message: 'Fault 429.' });
  const date = 'Sun, 01 Nov 2026 00:00:10 GMT';
  demo.faults.next({ do: { kind: 'status', code: 503, body: '<h1>Down</h1>', retryAfter: date } });
  const down = await ask(demo, 'GET /v1/channels');
  expect([down.status, down.headers.get('content-type'), down.headers.get('retry-after')]).toEqual([503, 'text/html', date]);
  demo.faults.next({ do: { kind: 'status', code: 502, body: '' } });
  expect(await ask(demo, 'GET /v1/channels')).toMatchObject({ status: 502, text: '' });
  demo.faults.next({ do: { kind: 'status', code: 500, body: { error: { code: 7 } } } });
  expect((await ask(demo, 'GET /v1/channels')).json).toEqual({ error: { code: 7 } });
  expect((await ask(demo, 'GET /v1/channels')).status).toBe(200);
});

test.each<[string, Fault, boolean, boolean]>([
  ['a reset before processing', { kind: 'reset-before' }, true, false],
  ['a reset after processing', { kind: 'reset-after' }, true, true],
  ['a truncated answer', { kind: 'truncate' }, true, true],
  ['a 500', { kind: 'status', code: 500 }, false, false],
  ['a 500 after processing', { kind: 'status', code: 500, processed: true }, false, true],
  ['garbage', { kind: 'garbage', shape: 'html' }, false, true],
  ['garbage without processing', { kind: 'garbage', shape: 'html', processed: false }, false, false],
  ['a redirect', { kind: 'redirect', location: '/elsewhere' }, false, false],
  ['a slow body', { kind: 'drip', bytes: 200, ms: 1 }, false, true],
  ['a delay', { kind: 'delay', ms: 5 }, false, true],
  ['a delay after processing', { kind: 'delay', ms: 5, processFirst: true }, false, true],
])('%s has the expected outcome for the client and for the account', async (_name, fault, failed, made) => {
  const demo = await startSmall();
  expect(await createUnder(demo, fault)).toEqual({ failed, made });
  expect(demo.requests[0]?.applied).toBe(made);
});

test('the log distinguishes a reset, a truncation and a hang from an answer', async () => {
  const demo = await startSmall();
  for (const kind of ['reset-before', 'truncate', 'hang', 'hang-body'] as const) {
    demo.faults.next({ do: { kind } });
    expect(await isAnswered(demo, 'GET /v1/channels')).toBe(false);
  }
  expect(demo.requests.map((request) => request.status)).toEqual(['reset', 'truncated', 'hang', 'hang']);
});

test('a request that hangs can still be applied', async () => {
  const demo = await startSmall();
  demo.faults.next({ do: { kind: 'hang', processed: true } });
  expect(await isAnswered(demo, 'POST /v1/projects', { name: 'Made in silence' })).toBe(false);
  expect(demo.world.projectNamed('Made in silence').name).toBe('Made in silence');
});

test('closing the service disconnects hanging clients', async () => {
  const demo = await startSmall();
  demo.faults.always({ do: { kind: 'hang' } });
  const waiting = ask(demo, 'GET /v1/channels').then(
    () => 'answered',
    () => 'let go',
  );
  while (demo.requests[0]?.status !== 'hang') await new Promise((resolve) => setTimeout(resolve, 1));
  await demo.close();
  expect(await waiting).toBe('let go');
});

test('a delayed request is applied although the client has disconnected', async () => {
  const demo = await startSmall();
  demo.faults.next({ do: { kind: 'delay', ms: 5 } });
  const leave = new AbortController();
  demo.behaviour.onRequest = async (request) => {
    leave.abort();
    await vi.waitUntil(() => request.status === 'aborted', { timeout: 30_000 });
  };
  await expect(ask(demo, 'POST /v1/projects', { body: { name: 'Late' }, signal: leave.signal })).rejects.toThrow();
  await vi.waitUntil(() => demo.requests[0]?.applied === true, { timeout: 30_000 });
  expect(demo.requests[0]?.status).toBe('aborted');
  expect(demo.world.projects.size).toBe(13);
});

test.each([
  ['html', 'text/html', /^<!doctype/],
  ['not-json', 'application/json; charset=utf-8', /^OK/],
  ['half-json', 'application/json; charset=utf-8', /,$/],
  ['wrong-shape', 'application/json; charset=utf-8', /"channels":7/],
  ['null', 'application/json; charset=utf-8', /^null$/],
  ['empty', null, /^$/],
] as const)('garbage of the kind %s is a 200', async (shape, type, text) => {
  const demo = await startSmall();
  demo.faults.next({ do: { kind: 'garbage', shape } });
  const answer = await ask(demo, 'GET /v1/channels');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  expect(answer.text).toMatch(text);
});

test('garbage can be huge, as sent or after decompression', async () => {
  const demo = await startSmall();
  for (const shape of ['huge', 'gzip-bomb'] as const) {
    demo.faults.next({ do: { kind: 'garbage', shape, bytes: 3_000_000 } });
    expect((await ask(demo, 'GET /v1/channels')).text).toHaveLength(3_000_000);
  }
});

test('a slow body arrives in many chunks and is complete', async () => {
  const demo = await startSmall();
  demo.faults.next({ do: { kind: 'drip', bytes: 100, ms: 1 } });
  const response = await fetch(`${demo.baseUrl}/v1/channels/templates`, { headers: { authorization: `Bearer ${demo.apiKey}` } });
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body ?? []) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(3);
  expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(demo.world.templates);
});

test('a redirect has the given location and code', async () => {
  const demo = await startSmall();
  demo.faults.next({ do: { kind: 'redirect', location: 'http://127.0.0.1:9/', code: 307 } });
  const { status, headers } = await ask(demo, 'GET /v1/channels');
  expect([status, headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/']);
});

test('fault rules apply to the requests they match, in order, as many times as given', async () => {
  const demo = await startSmall();
  const status = async (target: string) => (await ask(demo, target)).status;
  demo.faults.next({ match: { method: 'get', path: /templates$/ }, times: 2, skip: 1, do: { kind: 'status', code: 500 } });
  demo.faults.next({ match: { path: '/v1/plans' }, do: { kind: 'status', code: 502 } });
  demo.faults.next({ match: { path: '/v1/plans', when: (request) => request.query.page === '2' }, do: { kind: 'status', code: 503 } });
  const seen = [];
  for (let i = 0; i < 4; i += 1) seen.push(await status('GET /v1/channels/templates'));
  expect(seen).toEqual([200, 500, 500, 200]);
  expect([await status('GET /v1/plans'), await status('GET /v1/plans'), await status('GET /v1/plans?page=2')]).toEqual([502, 200, 503]);
  demo.faults.always({ match: { api: 'stats' }, do: { kind: 'status', code: 504 } });
  expect([await status('GET /v1/logs/data'), await status('GET /v1/logs/data'), await status('GET /v1/plans')]).toEqual([504, 504, 200]);
  demo.faults.clear();
  expect(await status('GET /v1/logs/data')).toBe(400);
});

test('random faults apply to the same requests for the same seed', async () => {
  const run = async (seed: number): Promise<number[]> => {
    const demo = await startSmall();
    demo.faults.random({
      rate: 0.5,
      seed,
      faults: [
        { kind: 'status', code: 500 },
        { kind: 'status', code: 503 },
      ],
    });
    const statuses = [];
    for (let i = 0; i < 20; i += 1) statuses.push((await ask(demo, 'GET /v1/channels/templates')).status);
    return statuses;
  };
  const first = await run(4);
  expect(new Set(first)).toEqual(new Set([200, 500, 503]));
  expect(await run(4)).toEqual(first);
  expect(await run(5)).not.toEqual(first);
});
