import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { limitedSignal, withTimeLimit } from '../../src/platform/limited-signal.ts';
import { collectGarbage } from '../harness/garbage.ts';

/** The reason of a signal, once it aborts; only the signal's own listener refers to it, as in a request that waits. */
const reasonOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

describe('while garbage is collected', () => {
  test('a signal with a time limit still aborts, with a TimeoutError', async () => {
    collectGarbage();
    const parent = new AbortController();
    expect(await reasonOf(limitedSignal(300, parent.signal).signal)).toMatchObject({ name: 'TimeoutError' });
    expect(parent.signal.aborted).toBe(false);
  });

  test('one that limits a limited signal does too', async () => {
    collectGarbage();
    const outer = () => limitedSignal(300, new AbortController().signal).signal;
    expect(await reasonOf(limitedSignal(Number.POSITIVE_INFINITY, outer()).signal)).toMatchObject({ name: 'TimeoutError' });
  });

  test('it aborts with any of the others, for their reason', async () => {
    collectGarbage();
    const parent = new AbortController();
    const reason = reasonOf(limitedSignal(60_000, undefined, new AbortController().signal, parent.signal).signal);
    await sleep(100);
    parent.abort('given up');
    expect(await reason).toBe('given up');
  });
});

test('with a signal that aborted before, it is aborted at once', () => {
  const { signal, release } = limitedSignal(60_000, AbortSignal.abort('before'));
  release();
  expect(signal).toMatchObject({ aborted: true, reason: 'before' });
});

test.each([Number.POSITIVE_INFINITY, 2 ** 40])('a limit of %d ms, which no timer can have, does not end at once', async (ms) => {
  const { signal, release } = limitedSignal(ms);
  await sleep(20);
  expect(signal.aborted).toBe(false);
  release();
});

test('an action that has ended leaves no timer', async () => {
  const parent = new AbortController();
  const limited = await withTimeLimit(10, parent.signal, async (signal) => signal);
  await sleep(50);
  expect(limited.aborted).toBe(false);
  const failed = withTimeLimit(10, parent.signal, async (signal) => {
    await reasonOf(signal);
    signal.throwIfAborted();
  });
  await expect(failed).rejects.toMatchObject({ name: 'TimeoutError' });
});
