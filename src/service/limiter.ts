import { cancelledError, VideoHostingError } from '../errors.ts';
import { whoseWork } from '../platform/whose-work.ts';
import { sentence } from '../text/sentence.ts';
import { timeFrom } from '../text/time-text.ts';

/** What a request says of the load on the service. */
export type Load = 'fine' | 'congested' | 'other';

/** Gives a place back. Further calls do nothing. */
type Release = (load: Load) => void;

/** Limits the requests under way at one API, by what the service accepts. */
export interface Limiter {
  /** How many requests may be under way now. */
  readonly width: number;
  readonly active: number;
  /** How often in a row the service said that it is too much, requests that were under way together counted once. */
  readonly refusals: number;
  /** Waits for a place. Throws `cancelled` when `signal` aborts, and `rate_limited` during a pause of more than `maxWaitMs`. */
  acquire(signal: AbortSignal | undefined, maxWaitMs: number): Promise<Release>;
  /** Lets nothing new begin before `ms` have passed. */
  pause(ms: number): void;
}

interface Waiting {
  readonly who: string | undefined;
  readonly start: () => void;
}

export interface LimiterOptions {
  readonly initial?: number;
  readonly max: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Additive increase, multiplicative decrease: the width is halved when the service says that it is too much (429, 503)
 * and grows by one after as many successes as it is wide. Refusals of requests that were under way together halve it once.
 * Where several people work with it, one of them never has the last place, and whoever has the fewest comes first.
 */
export function createLimiter({ initial = 4, max, sleep }: LimiterOptions): Limiter {
  const waiting = new Set<Waiting>();
  /** Of people, the requests that are under way. */
  const activeOf = new Map<string, number>();
  let width = Math.min(initial, max);
  let active = 0;
  let successes = 0;
  let epoch = 0;
  let refusals = 0;
  const pauses = new Set<{ readonly ms: number }>();

  const countOf = (who: string | undefined): number => (who === undefined ? 0 : (activeOf.get(who) ?? 0));
  const hasRoom = ({ who }: Pick<Waiting, 'who'>): boolean =>
    active < width && (width === 1 || countOf(who) < width - (who === undefined ? 0 : 1));

  /** Of those that may begin, the first of whoever has the fewest under way. */
  function next(): Waiting | undefined {
    let found: Waiting | undefined;
    for (const one of waiting) if (hasRoom(one) && (found === undefined || countOf(one.who) < countOf(found.who))) found = one;
    return found;
  }

  function drain(): void {
    while (pauses.size === 0 && active < width) {
      const one = next();
      if (one === undefined) return;
      waiting.delete(one);
      one.start();
    }
  }

  function count(who: string | undefined, by: 1 | -1): void {
    active += by;
    if (who === undefined) return;
    const left = countOf(who) + by;
    if (left === 0) activeOf.delete(who);
    else activeOf.set(who, left);
  }

  function adapt(load: Load, startEpoch: number): void {
    if (load === 'fine') refusals = 0;
    if (load === 'fine' && ++successes >= width) {
      width = Math.min(max, width + 1);
      successes = 0;
    }
    if (load === 'congested' && startEpoch === epoch) {
      width = Math.max(1, Math.floor(width / 2));
      successes = 0;
      epoch += 1;
      refusals += 1;
    }
  }

  function take(who: string | undefined): Release {
    const startEpoch = epoch;
    let held = true;
    count(who, 1);
    return (load) => {
      if (!held) return;
      held = false;
      count(who, -1);
      adapt(load, startEpoch);
      drain();
    };
  }

  function wait(who: string | undefined, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.delete(one);
        reject(cancelledError());
      };
      const start = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve(take(who));
      };
      const one = { who, start };
      waiting.add(one);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  return {
    get width() {
      return width;
    },
    get active() {
      return active;
    },
    get refusals() {
      return refusals;
    },
    async acquire(signal, maxWaitMs) {
      if (signal?.aborted) throw cancelledError();
      const pauseMs = Math.max(0, ...[...pauses].map(({ ms }) => ms));
      if (pauseMs > maxWaitMs) throw stillPaused(pauseMs);
      const who = whoseWork();
      return pauseMs === 0 && hasRoom({ who }) && next() === undefined ? take(who) : wait(who, signal);
    },
    pause(ms) {
      const pause = { ms };
      pauses.add(pause);
      const end = () => {
        pauses.delete(pause);
        drain();
      };
      sleep(ms).then(end, end);
    },
  };
}

function stillPaused(retryAfterMs: number): VideoHostingError {
  const message = sentence`The service asked to be left alone until ${timeFrom(Date.now() + retryAfterMs)}, so nothing was sent.`;
  return new VideoHostingError('rate_limited', message, { facts: { outcome: 'nothing-sent', retryAfterMs } });
}
