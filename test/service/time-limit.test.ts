import { expect, test } from 'vitest';
import { collectGarbage } from '../harness/garbage.ts';
import { approval, as, failure, startAnswering } from './harness.ts';

/** A service whose response never ends: a space every 50 ms, and Node ends the timer when the client has gone. */
const startDripping = (status: number) =>
  startAnswering(
    (request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    },
    { timeouts: { totalMs: 1_000 }, retry: { attempts: 1 } },
  );

test.each([200, 400])(
  'while garbage is collected, the limit on the whole time of a request holds for an update with status %i whose body never ends, and its place is free again',
  async (status) => {
    collectGarbage();
    const { client, http } = await startDripping(status);
    const error = await failure(client.channels.update(approval(), as('c1'), { name: 'x', videoKeys: [] }, new AbortController().signal));
    expect(error.facts.operation).toBe('PUT /v1/channels/c1');
    // On a slow machine the time is up before the status is read.
    expect(status === 200 ? ['timed_out'] : ['service_validation', 'timed_out']).toContain(error.code);
    expect(http.limiter.main.active).toBe(0);
  },
);
