import { expect, test, vi } from 'vitest';
import type { DemoService } from '../harness/demo.ts';
import type { Fault } from '../harness/faults.ts';
import { ask, startSmall } from './harness.ts';

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

// The others: test/service/faults.test.ts.
test.each<[string, Fault, boolean]>([
  ['a 500 after processing', { kind: 'status', code: 500, processed: true }, true],
  ['garbage without processing', { kind: 'garbage', shape: 'html', processed: false }, false],
  ['a redirect', { kind: 'redirect', location: '/elsewhere' }, false],
  ['a slow body', { kind: 'drip', bytes: 200, ms: 1 }, true],
  ['a delay', { kind: 'delay', ms: 5 }, true],
  ['a delay after processing', { kind: 'delay', ms: 5, processFirst: true }, true],
])('the client gets an answer after %s, and the account is changed or not', async (_name, fault, isMade) => {
  const demo = await startSmall();
  demo.faults.next({ do: fault });
  await ask(demo, 'POST /v1/projects', { body: { name: 'Made under fault' } });
  expect([demo.world.projects.size, demo.requests[0]?.applied]).toEqual([isMade ? 13 : 12, isMade]);
});

test('a request that hangs can still be applied', async () => {
  const demo = await startSmall();
  demo.faults.next({ do: { kind: 'hang', processed: true } });
  expect(await isAnswered(demo, 'POST /v1/projects', { name: 'Made in silence' })).toBe(false);
  expect(demo.world.projectNamed('Made in silence').name).toBe('Made in silence');
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
    demo.faults.random({ rate: 0.5, seed, faults: [500, 503].map((code) => ({ kind: 'status', code })) });
    const statuses = [];
    for (let i = 0; i < 20; i += 1) statuses.push((await ask(demo, 'GET /v1/channels/templates')).status);
    return statuses;
  };
  const first = await run(4);
  expect(new Set(first)).toEqual(new Set([200, 500, 503]));
  expect(await run(4)).toEqual(first);
  expect(await run(5)).not.toEqual(first);
});
