/**
 * One attempt at something that a ClickHouse server does: with a limit of time, tried again where it may go well the next
 * time, and with an error that says what to do. `connection.ts` sends every statement through this.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelledError, VideoHostingError } from '../../errors.ts';
import type { StoreAddress } from '../../store-address.ts';
import { explain, isPassing } from './failure.ts';

/** How long something may take, and who may end it. */
export interface How {
  readonly signal?: AbortSignal | undefined;
  /** A minute unless said. */
  readonly timeoutMs?: number;
}

export const DEFAULT_TIMEOUT_MS = 60_000;
/** What passes by itself is tried again after so long. */
const AGAIN_MS = [300, 1_500];

/**
 * Does something that ends with the signal it is given. `again`: whether it may be done twice. Throws `cancelled` when the
 * caller gave up, `query_too_heavy` when the time is up, and what `explain` makes of the rest.
 */
export type Attempt = <T>(act: (signal: AbortSignal) => Promise<T>, how: How, again: boolean) => Promise<T>;

export function createAttempt(address: StoreAddress, log: (message: string) => void): Attempt {
  return async function attempt(act, { signal, timeoutMs = DEFAULT_TIMEOUT_MS }, again) {
    const limit = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    for (let tries = 0; ; tries += 1) {
      try {
        if (either.aborted) throw new Error('aborted');
        return await act(either);
      } catch (error) {
        if (signal?.aborted === true) throw cancelledError({ outcome: 'not-done' });
        if (limit.aborted)
          throw new VideoHostingError('query_too_heavy', `The ClickHouse server took longer than ${timeoutMs / 1_000} seconds.`);
        const pause = AGAIN_MS[tries];
        if (!again || pause === undefined || !isPassing(error)) throw explain(error, address, log);
        await sleep(pause, undefined, { signal: either }).catch(() => undefined);
      }
    }
  };
}
