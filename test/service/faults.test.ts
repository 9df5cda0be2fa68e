import { describe, expect, onTestFinished, test } from 'vitest';
import type { VideoId, VideoKey } from '../../src/service/ids.ts';
import { sleepFor } from '../../src/service/retry.ts';
import { errorFromTransport } from '../../src/service/transport-errors.ts';
import { sentence } from '../../src/text/sentence.ts';
import type { Fault } from '../harness/faults.ts';
import { gate } from '../harness/gate.ts';
import { setClock } from '../harness/service.ts';
import { API_KEY, approval, as, failure, openClient, startAnswering, startService } from './harness.ts';

const NEW_CHANNEL = { name: 'New', videoKeys: [] };

/** Transient faults; `done` says whether the service carries out the request. */
const PASSING: [string, Fault, boolean][] = [
  ['a reset before the request is processed', { kind: 'reset-before' }, false],
  ['a reset after the request is processed', { kind: 'reset-after' }, true],
  ['a truncated response', { kind: 'truncate' }, true],
  ['a 500', { kind: 'status', code: 500 }, false],
  ['a 502 page after the request is processed', { kind: 'status', code: 502, body: '<html>', processed: true }, true],
  ['a 503', { kind: 'status', code: 503 }, false],
  ['a 429', { kind: 'status', code: 429 }, false],
  ['an HTML page', { kind: 'garbage', shape: 'html' }, true],
  ['truncated JSON', { kind: 'garbage', shape: 'half-json' }, true],
  ['an empty body', { kind: 'garbage', shape: 'empty' }, true],
];

test.each(PASSING)('after %s, a read is retried', async (_what, fault) => {
  const { demo, client, slept } = await startService();
  demo.faults.next({ times: 2, do: fault });
  const page = await client.channels.list();
  expect(demo.requests).toHaveLength(3);
  expect(slept).toEqual([125, 250]);
  expect(page.items).toHaveLength(50);
});

test('a move is retried, though the service may have carried it out', async () => {
  const { demo, client } = await startService();
  const project = [...demo.world.projects.keys()].at(-1);
  const [video] = demo.world.videos.values();
  demo.faults.next({ do: { kind: 'reset-after' } });
  const answer = await client.videos.move(approval(), as(project ?? ''), [as<VideoId>(video?.id ?? '')]);
  expect(demo.requests).toHaveLength(2);
  expect(video?.projectId).toBe(project);
  expect(answer.ok).toBe(true);
});

test('a read that fails each time ends with an error after four attempts', async () => {
  const { demo, client } = await startService();
  demo.faults.always({ do: { kind: 'status', code: 500 } });
  const error = await failure(client.templates.list());
  expect(demo.requests).toHaveLength(4);
  expect(error.facts).toMatchObject({ attempts: 4, outcome: 'not-done', operation: 'GET /v1/channels/templates' });
});

test.each(PASSING)('a copy of CTAs that meets %s is sent once, and its outcome is not known', async (what, fault, done) => {
  const { demo, client } = await startService();
  const [source, target] = [...demo.world.videos.values()];
  demo.faults.always({ do: fault });
  const error = await failure(client.videos.copyCta(approval(), as(source?.id ?? ''), [as(target?.id ?? '')]));
  expect(demo.requests).toHaveLength(1);
  expect(target?.ctaCopies).toHaveLength(done ? 1 : 0);
  expect(error.facts, what).toMatchObject({ outcome: 'not-known', attempts: 1 });
});

test.each(['create a channel', 'create a project'])('a request to %s is sent once, even if its response is lost', async (what) => {
  const { demo, client } = await startService();
  const count = () => demo.world.channels.size + demo.world.projects.size;
  const before = count();
  demo.faults.always({ do: { kind: 'reset-after' } });
  const create = () =>
    what === 'create a channel'
      ? client.channels.create(approval(), { ...NEW_CHANNEL, videoKeys: [as([...demo.world.videosByKey.keys()][0] ?? '')] })
      : client.projects.create(approval(), { name: 'New', region: 'use-s' });
  const error = await failure(create());
  expect(demo.requests).toHaveLength(1);
  expect(count()).toBe(before + 1);
  expect(error).toMatchObject({ code: 'connection_lost', facts: { outcome: 'not-known' } });
});

test('an update is not retried by the client', async () => {
  const { demo, client } = await startService();
  const [channel] = demo.world.channels.values();
  demo.faults.next({ do: { kind: 'reset-before' } });
  const videoKeys = channel?.videoKeys.map((key) => as<VideoKey>(key)) ?? [];
  const error = await failure(client.channels.update(approval(), as(channel?.id ?? ''), { name: 'Renamed', videoKeys }));
  expect(demo.requests).toHaveLength(1);
  expect(error.facts).toMatchObject({ outcome: 'not-known', attempts: 1 });
});

test.each<[Fault, string]>([
  [{ kind: 'hang' }, 'timed_out'],
  [{ kind: 'hang-body' }, 'timed_out'],
])('a request with the fault %j ends with a timeout', async (fault, code) => {
  // Long enough for a request to arrive on a busy machine.
  for (const timeouts of [{ headersMs: 500, bodyMs: 500 }, { totalMs: 500 }]) {
    const { demo, client } = await startService({}, { timeouts, retry: { attempts: 2 } });
    demo.faults.always({ do: fault });
    const error = await failure(client.channels.list());
    expect(demo.requests).toHaveLength(2);
    expect(error).toMatchObject({ code, facts: { outcome: 'not-done', attempts: 2 } });
    const change = await failure(client.projects.create(approval(), { name: 'New', region: 'use-s' }));
    expect(demo.requests).toHaveLength(3);
    expect(change).toMatchObject({ code, facts: { outcome: 'not-known' } });
  }
});

test('a body that arrives slowly is read, unless it exceeds the total time limit', async () => {
  const { demo, client } = await startService();
  demo.faults.next({ do: { kind: 'drip', bytes: 500, ms: 1 } });
  expect((await client.templates.list()).items.length).toBe(demo.world.templates.length);
  const hasty = await startService({}, { timeouts: { totalMs: 80 }, retry: { attempts: 1 } });
  hasty.demo.faults.always({ do: { kind: 'drip', bytes: 1, ms: 10 } });
  expect(await failure(hasty.client.channels.list())).toMatchObject({ code: 'timed_out' });
});

describe('Retry-After', () => {
  test.each([
    ['seconds', () => '7', 7_000, 7_000],
    ['a date', () => new Date(Date.now() + 30_000).toUTCString(), 1_000, 30_000],
  ])('in %s makes the limiter wait and halves its width', async (_, retryAfter, least, most) => {
    const { demo, client, slept, http } = await startService();
    demo.faults.next({ do: { kind: 'status', code: 429, retryAfter: retryAfter() } });
    await client.channels.list();
    expect(demo.requests).toHaveLength(2);
    // The limiter's pause, which delays all requests, and the request's own backoff at the same time.
    expect(slept).toEqual([expect.any(Number), 125]);
    expect(slept[0]).toBeGreaterThanOrEqual(least);
    expect(slept[0]).toBeLessThanOrEqual(most);
    expect(http.limiter.main.width).toBe(2);
    expect(http.limiter.stats.width).toBe(4);
  });

  test.each([-3_600_000, 3_600_000])('as a date is one of the service’s clock, which is %i ms ahead of this machine’s', async (aheadMs) => {
    const { demo, client, slept } = await startService();
    setClock(demo, aheadMs);
    demo.faults.next({ do: { kind: 'status', code: 429, retryAfter: new Date(Date.now() + aheadMs + 30_000).toUTCString() } });
    await client.channels.list();
    expect(demo.requests).toHaveLength(2);
    expect(slept[0]).toBeGreaterThan(1_000);
    expect(slept[0]).toBeLessThanOrEqual(32_000);
  });

  test.each([429, 503])('that is too long ends a %i without a retry and is named in the error', async (code) => {
    const { demo, client, slept } = await startService();
    demo.faults.always({ do: { kind: 'status', code, retryAfter: 86_400 } });
    const error = await failure(client.channels.list());
    expect(demo.requests).toHaveLength(1);
    expect(slept).toEqual([]);
    expect(error).toMatchObject({
      code: code === 429 ? 'rate_limited' : 'service_failed',
      facts: { retryAfterMs: 86_400_000, status: code },
    });
    const [, back] = /(?:it asked to wait until|it says that it is back at) (\d{4}-\d\d-\d\d \d\d:\d\d UTC)/.exec(error.message) ?? [];
    expect(error.message).toContain(code === 429 ? 'it asked to wait until' : 'it says that it is back at');
    expect(Date.parse(back ?? '') - Date.now()).toBeGreaterThan(86_000_000);
    expect(error.hint).toBe(`Try again from ${back} on.`);
  });

  test('makes the limiter wait even if the refused request is not retried', async () => {
    const { demo, client, slept } = await startService();
    demo.faults.next({ do: { kind: 'status', code: 429, retryAfter: 3 } });
    const error = await failure(client.videos.copyCta(approval(), as('v'), [as('w')]));
    expect(demo.requests).toHaveLength(1);
    expect(slept).toEqual([3_000]);
    expect(error).toMatchObject({ code: 'rate_limited', facts: { outcome: 'not-known', retryAfterMs: 3_000 } });
  });

  test('of 90 seconds is waited for by a move; other requests are refused meanwhile', async () => {
    const abort = new AbortController();
    const { opened: paused, open: pause } = gate();
    const sleep = (ms: number, signal?: AbortSignal) => {
      if (ms !== 90_000) return undefined;
      pause();
      return new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))));
    };
    const { demo, client } = await startService({}, { sleep: async (ms, signal) => sleep(ms, signal) });
    demo.faults.next({ do: { kind: 'status', code: 429, retryAfter: 90 } });
    const move = failure(client.videos.move(approval(), as('p'), [as('v')], abort.signal));
    await paused;
    const refused = await failure(client.channels.list());
    expect(refused).toMatchObject({ code: 'rate_limited', facts: { outcome: 'nothing-sent' } });
    expect(demo.requests).toHaveLength(1);
    abort.abort();
    expect(await move).toMatchObject({ code: 'cancelled', facts: { outcome: 'not-known', attempts: 1 } });
  });

  test('that is missing from the refusals of a move doubles the limiter’s pause each time', async () => {
    const { demo, client, slept } = await startService();
    demo.faults.always({ do: { kind: 'status', code: 429 } });
    await failure(client.videos.move(approval(), as('p'), [as('v')]));
    expect(slept).toEqual([1_000, 125, 2_000, 250, 4_000, 500, 8_000]);
    await failure(client.channels.list());
    expect(slept.slice(7)).toEqual([125, 250, 500]);
  });
});

test('a read that gets a status that will stay is not retried', async () => {
  const { demo, client } = await startService();
  for (const code of [405, 409, 410, 418, 451, 501]) {
    demo.requests.length = 0;
    demo.faults.next({ do: { kind: 'status', code } });
    const error = await failure(client.channels.list());
    expect(demo.requests, String(code)).toHaveLength(1);
    expect(error).toMatchObject({ code: code === 501 ? 'service_failed' : 'unexpected_status', facts: { status: code } });
  }
});

test.each([
  [400, 'The service refused the request', 'not-done'],
  [409, 'The service says that this conflicts with what the record is now', 'not-known'],
  [423, 'The service says that the record is locked', 'not-done'],
])('status %i of an update tells what happened before its request, and blames no field (%s)', async (code, words, outcome) => {
  const { demo, client } = await startService();
  demo.faults.always({ do: { kind: 'status', code, body: { message: 'Locked by another editor.' } } });
  const error = await failure(client.channels.update(approval(), as('c1'), { name: 'n', videoKeys: [] }));
  expect(error.message).toBe(`${words}; it said "Locked by another editor." (PUT /v1/channels/c1, status ${code}).`);
  expect(error.facts).toMatchObject({ status: code, outcome });
  if (code !== 400) expect(error.hint).toContain('try again later');
});

test.each<[Fault, string]>([
  [{ kind: 'garbage', shape: 'wrong-shape' }, 'unexpected_body'],
  [{ kind: 'garbage', shape: 'null' }, 'unexpected_body'],
  [{ kind: 'garbage', shape: 'huge', bytes: 3_000_000 }, 'response_too_large'],
  [{ kind: 'garbage', shape: 'gzip-bomb', bytes: 50_000_000 }, 'response_too_large'],
])('the fault %j is reported without a retry', async (fault, code) => {
  const { demo, client } = await startService({}, { maxBytes: 1_000_000 });
  demo.faults.always({ do: fault });
  const error = await failure(client.channels.list());
  expect(demo.requests).toHaveLength(1);
  expect(error).toMatchObject({ code, facts: { outcome: 'not-done' } });
  const change = await failure(client.projects.create(approval(), { name: 'x', region: 'use-s' }));
  expect(change).toMatchObject({ code, facts: { outcome: 'not-known' } });
});

test('the outcome is not known if any attempt may have been carried out', async () => {
  const { demo, client } = await startService();
  demo.faults.next({ do: { kind: 'reset-after' } });
  demo.faults.next({ do: { kind: 'status', code: 400, body: { message: 'no' } } });
  const [video] = demo.world.videos.keys();
  const [project] = demo.world.projects.keys();
  const error = await failure(client.videos.move(approval(), as(project ?? ''), [as(video ?? '')]));
  expect(error).toMatchObject({ code: 'service_validation', facts: { outcome: 'not-known', attempts: 2 } });
});

const context = {
  ...{ operation: sentence`GET /v1/channels`, setting: sentence`VIDEO_HOSTING_BASE_URL` },
  ...{ change: false, isListStart: true, sent: false, scrub: (text: string) => text },
};

test('an address of http that is asked by https is told as that, with its setting', async () => {
  const { url } = await startAnswering((_, response) => void response.end('{}'));
  const { client } = openClient({ baseUrl: url.replace('http:', 'https:'), statsUrl: url, apiKey: API_KEY });
  const error = await failure(client.channels.list({}));
  expect(error.message).toContain('What answers at that address does not speak https (ERR_SSL_');
  expect(error).toMatchObject({
    code: 'unreachable',
    hint: expect.stringContaining('Check VIDEO_HOSTING_BASE_URL: its port may be one for http'),
  });
});

test.each([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('an untrusted certificate (%s) is reported as such, with the setting that names its authority', (code) => {
  const error = errorFromTransport(Object.assign(new Error('no'), { code }), context);
  expect(error).toMatchObject({ code: 'unreachable', facts: { outcome: 'nothing-sent' } });
  expect(error.message).toContain(`is not trusted here (${code})`);
  expect(error.hint).toContain('NODE_EXTRA_CA_CERTS');
});

test.each([
  ['not-done', [400, 401, 403, 404, 405, 411, 413, 414, 415, 422, 431]],
  ['not-known', [402, 406, 408, 409, 410, 425, 429, 451, 500, 502, 503, 504]],
])('the outcome of a change is %s for the statuses %j', async (outcome, codes) => {
  const { demo, client } = await startService();
  for (const code of codes) {
    demo.faults.next({ do: { kind: 'status', code } });
    const error = await failure(client.channels.create(approval(), NEW_CHANNEL));
    expect(error.facts).toMatchObject({ status: code, outcome, attempts: 1 });
  }
});

test('if the service can’t be reached, nothing was sent, and even a create request is retried', async () => {
  const { demo, client, http, slept } = await startService();
  await demo.close();
  const error = await failure(client.channels.create(approval(), NEW_CHANNEL));
  expect(http.limiter.main).toMatchObject({ active: 0 });
  expect(slept).toEqual([125, 250, 500]);
  expect(error).toMatchObject({ code: 'unreachable', facts: { outcome: 'nothing-sent', attempts: 0 } });
  expect((error as { hint?: string }).hint).toContain('HTTPS_PROXY');
});

test('16 requests refused at the same time succeed after the pause, without a warning of a listener leak', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const held: (() => void)[] = [];
  let refused = 0;
  const { client } = await startAnswering(
    (_request, response) => {
      if (refused === 16) {
        response.setHeader('content-type', 'application/json').end('[]');
        return;
      }
      // All of them are refused at the same time.
      held.push(() => response.writeHead(429, { 'retry-after': '1' }).end());
      if (held.length < 16) return;
      refused = held.length;
      for (const refuse of held) refuse();
    },
    { concurrency: { initial: 16 }, sleep: sleepFor },
  );
  const answers = await Promise.all(Array.from({ length: 16 }, () => client.templates.list()));
  expect([refused, answers.length]).toEqual([16, 16]);
  expect(warnings).toEqual([]);
});
