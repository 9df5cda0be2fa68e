/**
 * One attempt at something that a ClickHouse server does: with a limit of time, tried again where it may go well the next
 * time, and with an error that says what to do. `connection.ts` sends every statement through this.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type StoreAddress, storeAddressText } from '../../../config/store-address.ts';
import { cancelledError, VideoHostingError } from '../../../errors.ts';
import { explain, isPassing, type Purpose } from './failure.ts';

/** How long something may take, and who may end it. */
export interface How {
  readonly signal?: AbortSignal | undefined;
  /** A minute unless said. */
  readonly timeoutMs?: number;
  /** The store's own work unless said. */
  readonly purpose?: Purpose;
}

export const DEFAULT_TIMEOUT_MS = 60_000;
/** What passes by itself is tried again after so long. */
const AGAIN_MS = [300, 1_500];

/**
 * Does something that ends with the signal it is given. `again`: whether it may be done twice. Throws `cancelled` when the
 * caller gave up; when the time is up, `query_too_heavy` for a question and `store_unreachable` for the store's own work; and
 * what `explain` makes of the rest.
 */
export type Attempt = <T>(act: (signal: AbortSignal) => Promise<T>, how: How, again: boolean) => Promise<T>;

export function createAttempt(address: StoreAddress, log: (message: string) => void): Attempt {
  return async function attempt(act, { signal, timeoutMs = DEFAULT_TIMEOUT_MS, purpose = 'store' }, again) {
    const limit = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    for (let tries = 0; ; tries += 1) {
      try {
        if (either.aborted) throw new Error('aborted');
        return await act(either);
      } catch (error) {
        if (signal?.aborted === true) throw cancelledError({ outcome: 'not-done' });
        if (limit.aborted) throw timedOut(address, timeoutMs / 1_000, purpose);
        const pause = AGAIN_MS[tries];
        if (!again || pause === undefined || !isPassing(error)) throw explain(error, address, log, purpose);
        await sleep(pause, undefined, { signal: either }).catch(() => undefined);
      }
    }
  };
}

function timedOut(address: StoreAddress, seconds: number, purpose: Purpose): VideoHostingError {
  return purpose === 'question'
    ? new VideoHostingError('query_too_heavy', `The ClickHouse server took longer than ${seconds} seconds.`)
    : new VideoHostingError(
        'store_unreachable',
        `The ClickHouse server at ${storeAddressText(address)} did not answer within ${seconds} seconds.`,
      );
}
