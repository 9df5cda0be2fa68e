import type { ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Agent, interceptors } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { Approval } from '../../src/service/approval.ts';
import type { Http } from '../../src/service/http.ts';
import { path } from '../../src/service/path.ts';
import type { AnyRequest } from '../../src/service/request.ts';
import { gate } from '../harness/gate.ts';
import { API_KEY, approval, as, failure, openClient, startAnswering, startService } from './harness.ts';

const anything = z.unknown();

describe('a change', () => {
  test('does not compile without an approval', () => {
    const lookalike = { changeId: 'x', isOpen: true, close() {} };
    const write = (http: Http, given: Approval) => [
      http.send({ method: 'PUT', path: path`/v1/x`, body: {}, retry: 'never', expect: anything, approval: given }),
      // @ts-expect-error a POST without an approval
      http.send({ method: 'POST', path: path`/v1/x`, body: {}, retry: 'never', expect: anything }),
      // @ts-expect-error something that only looks like an approval
      http.send({ method: 'POST', path: path`/v1/x`, body: {}, retry: 'never', expect: anything, approval: lookalike }),
      // @ts-expect-error a POST to the main API that calls itself a read
      http.send({ method: 'POST', path: path`/v1/x`, body: {}, retry: 'idempotent', effect: 'read', expect: anything }),
      // @ts-expect-error a method that is not documented
      http.send({ method: 'DELETE', path: path`/v1/x`, body: {}, retry: 'never', expect: anything, approval: given }),
      // @ts-expect-error a request that does not say whether it may be sent again
      http.send({ method: 'POST', path: path`/v1/x`, body: {}, expect: anything, approval: given }),
      // @ts-expect-error a path that nothing encoded
      http.send({ method: 'GET', path: '/v1/x', retry: 'idempotent', expect: anything }),
    ];
    expect(write).toBeTypeOf('function');
  });

  const ended = approval();
  ended.close();

  test.each([
    ['no approval', undefined],
    ['null', null],
    ['an object that looks like one', { changeId: 'x', isOpen: true }],
    ['an approval that has ended', ended],
  ])('is refused with %s, and nothing is sent', async (_what, given) => {
    const { demo, client, http } = await startService();
    const forged = given as Approval; // what a caller without a compiler may pass
    const [channel] = demo.world.channels.keys();
    const calls = [
      client.channels.create(forged, { name: 'x', videoKeys: [] }),
      client.channels.update(forged, as(channel ?? ''), { name: 'x', videoKeys: [] }),
      client.projects.create(forged, { name: 'x', region: 'use-s' }),
      client.videos.move(forged, as('p'), [as('v')]),
      client.videos.copyCta(forged, as('v'), [as('w')]),
      ...['POST', 'PUT', 'DELETE', 'PATCH', 'get'].map((method) => {
        const request = {
          method,
          effect: 'read',
          path: path`/v1/channels`,
          body: {},
          retry: 'idempotent',
          approval: forged,
        } as unknown as AnyRequest; // as above
        return http.send({ ...request, expect: anything });
      }),
    ];
    for (const call of calls)
      expect(await failure(call)).toMatchObject({ code: 'not_approved', facts: { outcome: 'nothing-sent', attempts: 0 } });
    expect(demo.requests).toEqual([]);
  });

  test('is not retried once its approval has ended', async () => {
    const { demo, client } = await startService();
    const given = approval();
    demo.behaviour.onRequest = () => given.close();
    demo.faults.always({ do: { kind: 'reset-before' } });
    const error = await failure(client.videos.move(given, as('p'), [as('v')]));
    expect(demo.requests).toHaveLength(1);
    expect(error).toMatchObject({ code: 'not_approved', facts: { outcome: 'not-known', attempts: 1 } });
  });

  test.each([undefined, new AbortController().signal])('leaves the queue as soon as its approval is closed (%#)', async (signal) => {
    const { demo, client, http } = await startService({}, { concurrency: { initial: 1 } });
    const release = await http.limiter.main.acquire(undefined, 0);
    const given = approval();
    const call = failure(client.videos.move(given, as('p'), [as('v')], signal));
    given.close();
    expect(await call).toMatchObject({ facts: { outcome: 'nothing-sent', attempts: 0 } });
    release('other');
    await client.templates.list();
    expect(demo.requests).toHaveLength(1);
  });

  test('that another process took over while it was queued is not sent', async () => {
    const { demo, client, http } = await startService({}, { concurrency: { initial: 1 } });
    const release = await http.limiter.main.acquire(undefined, 0);
    const given = approval();
    let isOurs = true;
    given.while(() => true);
    given.while(() => isOurs);
    given.while(() => true);
    const call = failure(client.videos.move(given, as('p'), [as('v')]));
    isOurs = false;
    release('other');
    expect(await call).toMatchObject({ code: 'not_approved', facts: { outcome: 'nothing-sent', attempts: 0 } });
    expect(demo.requests).toEqual([]);
    expect(given.requests).toBe(0);
  });

  test('is not sent twice by a dispatcher that retries by itself', async () => {
    const eager = new Agent().compose(interceptors.retry({ methods: ['POST'], minTimeout: 1, maxRetries: 3 }));
    const { demo, client } = await startService({}, { dispatcher: eager });
    demo.faults.always({ do: { kind: 'reset-before' } });
    const error = await failure(client.videos.copyCta(approval(), as('v'), [as('w')]));
    expect(demo.requests).toHaveLength(1);
    expect(error.facts).toMatchObject({ outcome: 'not-known', attempts: 1 });
    await eager.close();
  });
});

describe('aborting a request', () => {
  test('before it begins sends nothing', async () => {
    const { demo, client } = await startService();
    const error = await failure(client.channels.list({}, AbortSignal.abort()));
    expect(error).toMatchObject({ code: 'cancelled', facts: { outcome: 'nothing-sent' } });
    expect(demo.requests).toEqual([]);
  });

  test('during the DNS lookup keeps it from being sent afterwards', async () => {
    const seen: string[] = [];
    const { url } = await startAnswering((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.end('{"ok":true,"pager":{},"channels":[]}');
    });
    const found: (() => void)[] = [];
    const lookup: LookupFunction = (_hostname, _options, done) => void found.push(() => done(null, [{ address: '127.0.0.1', family: 4 }]));
    const dispatcher = new Agent({ connect: { lookup } });
    onTestFinished(() => dispatcher.destroy());
    const baseUrl = url.replace('127.0.0.1', 'localhost');
    const { client, http } = openClient({ baseUrl, statsUrl: url, apiKey: API_KEY, dispatcher });
    const abort = new AbortController();
    const call = failure(client.videos.move(approval(), as('p'), [as('v')], abort.signal));
    while (found.length === 0) await new Promise((next) => setImmediate(next));
    abort.abort();
    expect(await call).toMatchObject({ code: 'cancelled', facts: { outcome: 'nothing-sent', attempts: 0 } });
    expect(http.limiter.main.active).toBe(0);
    for (const go of found) go();
    const listed = client.channels.list();
    while (seen.length === 0) {
      await new Promise((next) => setImmediate(next));
      for (const go of found.splice(0)) go();
    }
    await listed;
    expect(seen).toEqual(['GET /v1/channels']);
  });

  test('while the service processes it ends it; the outcome of a change is then not known', async () => {
    const { demo, client, http } = await startService();
    const abort = new AbortController();
    demo.behaviour.onRequest = () => abort.abort();
    demo.faults.always({ do: { kind: 'hang' } });
    const read = await failure(client.channels.list({}, abort.signal));
    expect(read).toMatchObject({ code: 'cancelled', facts: { outcome: 'not-done', attempts: 1 } });
    const again = new AbortController();
    demo.behaviour.onRequest = () => again.abort();
    const change = await failure(client.videos.move(approval(), as('p'), [as('v')], again.signal));
    expect(change).toMatchObject({ code: 'cancelled', facts: { outcome: 'not-known', attempts: 1 } });
    expect(demo.requests).toHaveLength(2);
    expect(http.limiter.main.active).toBe(0);
  });

  test('while its body arrives ends it', async () => {
    const { demo, client } = await startService();
    const abort = new AbortController();
    demo.faults.always({ do: { kind: 'drip', bytes: 4, ms: 5 } });
    demo.behaviour.onProcessed = () => void setImmediate(() => abort.abort());
    expect(await failure(client.channels.list({}, abort.signal))).toMatchObject({ code: 'cancelled' });
    expect(demo.requests).toHaveLength(1);
  });

  test.each(['caller', 'change'])('during a long backoff ends it at once (by the %s)', async (who) => {
    const abort = new AbortController();
    const given = approval();
    const { opened: sleeping, open: asleep } = gate();
    const sleep = (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('woken')));
        asleep();
      });
    const { demo, client } = await startService({}, { sleep });
    demo.faults.always({ do: { kind: 'status', code: 500 } });
    const call = failure(client.videos.move(given, as('p'), [as('v')], abort.signal));
    await sleeping;
    if (who === 'caller') abort.abort();
    else given.close();
    expect((await call).facts).toMatchObject({ outcome: 'not-known', attempts: 1 });
    expect(demo.requests).toHaveLength(1);
  });

  test('keeps no listener on a signal that outlives the requests', async () => {
    const { client } = await startService();
    const abort = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = abort.signal;
    abort.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(abort.signal, args);
    };
    abort.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(abort.signal, args);
    };
    for (let count = 0; count < 5; count += 1) await client.channels.list({}, abort.signal);
    expect(listeners).toBe(0);
  });

  test('by leaving a stream whose response never ends frees its place in the limiter', async () => {
    const { client, http } = await startAnswering((_request, response) => void response.write('[{"email":"a@b.example"},'));
    for await (const _email of client.emails.collected()) break;
    expect(http.limiter.main.active).toBe(0);
  });
});

describe('requests and connections', () => {
  test('requests go to a base URL with a path and a trailing slash', async () => {
    const seen: (string | undefined)[] = [];
    const { url } = await startAnswering((request, response) => {
      seen.push(request.url);
      response.end('{"pager":{},"channels":[],"views":[]}');
    });
    const { client } = openClient({ baseUrl: `${url}/api/`, statsUrl: `${url}/stats`, apiKey: API_KEY });
    await client.channels.list({ page: 1, sort: 'a&b=c d' });
    await client.viewLogs.page({ from: '2026-01-01' });
    expect(seen).toEqual(['/api/v1/channels?page=1&sort=a%26b%3Dc+d', '/stats/v1/logs/data']);
  });

  test('connections are reused, except by requests that must not be sent twice', async () => {
    const ports: (number | undefined)[] = [];
    const { client } = await startAnswering((request, response) => {
      ports.push(request.socket.remotePort);
      response.end('{"ok":true,"id":"a","pager":{},"channels":[]}');
    });
    for (let count = 0; count < 3; count += 1) await client.channels.list();
    for (let count = 0; count < 3; count += 1) await client.videos.copyCta(approval(), as('v'), [as('w')]);
    expect(new Set(ports.slice(0, 3)).size).toBeLessThan(3);
    expect(new Set(ports.slice(3)).size).toBe(3);
  });

  test('no request is sent after the client is closed', async () => {
    const { demo, http, client } = await startService();
    await http.close();
    expect(await failure(client.channels.list())).toMatchObject({ code: 'cancelled', facts: { outcome: 'nothing-sent' } });
    expect(demo.requests).toEqual([]);
  });

  test('even a create request is retried if the connection breaks before a byte is sent', async () => {
    const { url } = await startAnswering(() => {});
    const tls = openClient({ baseUrl: url.replace('http:', 'https:'), statsUrl: url, apiKey: API_KEY });
    const error = await failure(tls.client.channels.create(approval(), { name: 'x', videoKeys: [] }));
    expect(error).toMatchObject({ code: 'unreachable', facts: { outcome: 'nothing-sent' } });
    expect(tls.slept).toHaveLength(3);
  });

  test('up to 16 requests are in flight at once, and up to 8 requests for view logs', async () => {
    const { demo, client, http } = await startService();
    const inFlight = () => Math.max(...demo.requests.splice(0).map((request) => request.inFlight));
    await Promise.all(Array.from({ length: 200 }, () => client.templates.list()));
    expect(http.limiter.main.width).toBe(16);
    expect(inFlight()).toBeLessThanOrEqual(16);
    await Promise.all(Array.from({ length: 100 }, () => client.viewLogs.page({ from: '2026-01-01' })));
    expect(http.limiter.stats.width).toBe(8);
    expect(inFlight()).toBeLessThanOrEqual(8);
  });
});

test('responses that arrive together are handled in different turns of the event loop', async () => {
  const held: ServerResponse[] = [];
  const { http } = await startAnswering(
    (_request, response) => {
      held.push(response);
      if (held.length === 8) for (const one of held) one.end('{}');
    },
    { concurrency: { initial: 8 } },
  );
  let turn = 0;
  const count = () => {
    turn += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  onTestFinished(() => clearImmediate(next));
  const read = () => http.send({ method: 'GET', path: path`/v1/x`, retry: 'idempotent', expect: anything }).then(() => turn);
  const handledIn = await Promise.all(Array.from({ length: 8 }, read));
  expect(new Set(handledIn).size).toBe(8);
});
