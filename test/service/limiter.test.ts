import { describe, expect, test } from 'vitest';
import { createLimiter } from '../../src/service/limiter.ts';

/** A limiter whose pauses end when told. */
function create(initial = 4, max = 8) {
  const pauses: (() => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => pauses.push(resolve));
  return { limiter: createLimiter({ initial, max, sleep }), endPause: () => pauses.shift()?.() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the limiter', () => {
  test('lets as many in as it is wide, in their order', async () => {
    const { limiter } = create(2);
    const first = await limiter.acquire();
    await limiter.acquire();
    const order: number[] = [];
    void limiter.acquire().then(() => order.push(3));
    void limiter.acquire().then(() => order.push(4));
    await settle();
    expect([limiter.active, limiter.queued, order]).toEqual([2, 2, []]);
    first('other');
    first('other');
    await settle();
    expect([limiter.active, limiter.queued, order]).toEqual([2, 1, [3]]);
  });

  test('halves once for refusals of requests that were under way together', async () => {
    const { limiter } = create(8);
    const places = await Promise.all(Array.from({ length: 8 }, () => limiter.acquire()));
    for (const release of places) release('congested');
    expect(limiter.width).toBe(4);
    (await limiter.acquire())('congested');
    expect(limiter.width).toBe(2);
  });

  test('never closes altogether, and never grows past its maximum', async () => {
    const { limiter } = create(2, 3);
    for (let round = 0; round < 5; round += 1) (await limiter.acquire())('congested');
    expect(limiter.width).toBe(1);
    for (let round = 0; round < 50; round += 1) (await limiter.acquire())('fine');
    expect(limiter.width).toBe(3);
  });

  test('grows by one after as many successes as it is wide', async () => {
    const { limiter } = create(3);
    for (let round = 0; round < 3; round += 1) (await limiter.acquire())('fine');
    expect(limiter.width).toBe(4);
  });

  test('lets nothing in during a pause, nor before the last of several ends', async () => {
    const { limiter, endPause } = create();
    limiter.pause(1_000);
    limiter.pause(2_000);
    let entered = false;
    void limiter.acquire().then(() => {
      entered = true;
    });
    endPause();
    await settle();
    expect(entered).toBe(false);
    endPause();
    await settle();
    expect(entered).toBe(true);
  });

  test('forgets who gave up waiting', async () => {
    const { limiter } = create(1);
    const release = await limiter.acquire();
    const abort = new AbortController();
    const waiting = limiter.acquire(abort.signal);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled', facts: { outcome: 'nothing-sent' } });
    expect(limiter.queued).toBe(0);
    release('fine');
    await expect(limiter.acquire(abort.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(limiter.active).toBe(0);
  });
});
