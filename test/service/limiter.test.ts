import { describe, expect, test } from 'vitest';
import { asWorkOf } from '../../src/platform/whose-work.ts';
import { createLimiter } from '../../src/service/limiter.ts';

/** A limiter whose pauses end when the test calls `endPause`. */
function create(initial = 4, max = 8) {
  const pauses: (() => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => pauses.push(resolve));
  const limiter = createLimiter({ initial, max, sleep });
  return { limiter, enter: (signal?: AbortSignal) => limiter.acquire(signal, 60_000), endPause: () => pauses.shift()?.() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the limiter', () => {
  test('admits as many requests as its width, in order, and counts a repeated release once', async () => {
    const { enter } = create(2);
    const first = await enter();
    await enter();
    const order: number[] = [];
    void enter().then(() => order.push(3));
    void enter().then(() => order.push(4));
    await settle();
    expect(order).toEqual([]);
    first('other');
    first('other');
    await settle();
    expect(order).toEqual([3]);
  });

  test('leaves one of several people’s work a place, and serves next whoever has the fewest', async () => {
    const { enter } = create(3);
    const begun: string[] = [];
    const as = async (who: string) => {
      const release = await asWorkOf(who, () => enter());
      begun.push(who);
      return release;
    };
    const [first] = [as('bob'), as('bob'), as('bob'), as('bob')];
    await settle();
    expect(begun).toEqual(['bob', 'bob']);
    void as('ann');
    void as('ann');
    await settle();
    expect(begun).toEqual(['bob', 'bob', 'ann']);
    (await first)('other');
    await settle();
    expect(begun).toEqual(['bob', 'bob', 'ann', 'bob']);
  });

  test('halves its width once for the refusals of concurrent requests', async () => {
    const { limiter, enter } = create(8);
    const places = await Promise.all(Array.from({ length: 8 }, () => enter()));
    for (const release of places) release('congested');
    expect(limiter.width).toBe(4);
    (await enter())('congested');
    expect(limiter.width).toBe(2);
  });

  test('keeps its width between 1 and its maximum', async () => {
    const { limiter, enter } = create(2, 3);
    for (let round = 0; round < 5; round += 1) (await enter())('congested');
    expect(limiter.width).toBe(1);
    // It grows by one after as many successes as it is wide.
    for (const width of [2, 2, 3]) {
      (await enter())('fine');
      expect(limiter.width).toBe(width);
    }
    for (let round = 0; round < 50; round += 1) (await enter())('fine');
    expect(limiter.width).toBe(3);
  });

  test('admits no request before the last of several pauses ends', async () => {
    const { limiter, enter, endPause } = create();
    limiter.pause(1_000);
    limiter.pause(2_000);
    let entered = false;
    void enter().then(() => {
      entered = true;
    });
    endPause();
    await settle();
    expect(entered).toBe(false);
    endPause();
    await settle();
    expect(entered).toBe(true);
  });

  test('refuses a request at once if the pause is longer than the request can wait', async () => {
    const { limiter, enter, endPause } = create();
    limiter.pause(90_000);
    await expect(enter()).rejects.toMatchObject({ code: 'rate_limited', facts: { outcome: 'nothing-sent', retryAfterMs: 90_000 } });
    const patient = limiter.acquire(undefined, 600_000);
    endPause();
    await patient;
    await enter();
  });

  test('counts consecutive refusals, those of concurrent requests as one', async () => {
    const { limiter, enter } = create(2);
    for (const release of [await enter(), await enter()]) release('congested');
    (await enter())('congested');
    expect(limiter.refusals).toBe(2);
    (await enter())('fine');
    expect(limiter.refusals).toBe(0);
  });
});
