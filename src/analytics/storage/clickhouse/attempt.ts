import { setTimeout as sleep } from 'node:timers/promises';
import { type StoreAddress, storeAddressText } from '../../../config/store-address.ts';
import { cancelledError, VideoHostingError } from '../../../errors.ts';
import { explain, isTransient, type Purpose } from './failure.ts';

export interface StatementOptions {
  readonly signal?: AbortSignal | undefined;
  /** A minute by default. */
  readonly timeoutMs?: number;
  /** `store` by default. */
  readonly purpose?: Purpose;
}

export const DEFAULT_TIMEOUT_MS = 60_000;
const RETRY_MS = [300, 1_500];

/**
 * Runs an action with a time limit, and again after a transient failure if it is idempotent. Throws `cancelled` when the
 * caller's signal aborts; when the time is up, `query_too_heavy` for a question and `store_unreachable` for the store's own
 * work; and any other failure as `explain` describes it.
 */
type Attempt = <T>(act: (signal: AbortSignal) => Promise<T>, options: StatementOptions, isIdempotent: boolean) => Promise<T>;

export function createAttempt(address: StoreAddress, log: (message: string) => void): Attempt {
  return async (act, { signal, timeoutMs = DEFAULT_TIMEOUT_MS, purpose = 'store' }, isIdempotent) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    for (let tries = 0; ; tries += 1) {
      try {
        either.throwIfAborted();
        return await act(either);
      } catch (error) {
        if (signal?.aborted === true) throw cancelledError({ outcome: 'not-done' });
        if (timeout.aborted) throw timedOut(address, timeoutMs / 1_000, purpose);
        const pause = RETRY_MS[tries];
        if (!isIdempotent || pause === undefined || !isTransient(error)) throw explain(error, address, log, purpose);
        await sleep(pause, undefined, { signal: either }).catch(() => undefined);
      }
    }
  };
}

function timedOut(address: StoreAddress, seconds: number, purpose: Purpose): VideoHostingError {
  if (purpose === 'question') return new VideoHostingError('query_too_heavy', `The ClickHouse server took longer than ${seconds} seconds.`);
  const message = `The ClickHouse server at ${storeAddressText(address)} did not answer within ${seconds} seconds.`;
  return new VideoHostingError('store_unreachable', message);
}
