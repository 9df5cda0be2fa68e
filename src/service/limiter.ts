import { cancelledError } from '../errors.ts';

/** How a request went, as far as the load on the service is concerned. */
export type Load = 'fine' | 'congested' | 'other';

/** Gives a place back. Calling it twice does nothing. */
type Release = (load: Load) => void;

/** How many requests may be under way at one API, adapted to what the service bears. */
export interface Limiter {
  /** How many requests may be under way now. */
  readonly width: number;
  /** How many are. */
  readonly active: number;
  /** How many wait for a place. */
  readonly queued: number;
  /** Waits for a place, first come first served. Throws `cancelled` when `signal` aborts. */
  acquire(signal?: AbortSignal): Promise<Release>;
  /** Lets nothing new begin before `ms` have passed, as the service asked with `Retry-After`. */
  pause(ms: number): void;
}

export interface LimiterOptions {
  readonly initial?: number;
  readonly max: number;
  readonly sleep: (ms: number) => Promise<void>;
}

interface Waiter {
  readonly start: () => void;
}

/**
 * Additive increase, multiplicative decrease: the width is halved when the service says that it is too much (429, 503)
 * and grows by one after as many successes as it is wide. Refusals of requests that were under way together halve it once.
 */
export function createLimiter({ initial = 4, max, sleep }: LimiterOptions): Limiter {
  const waiting = new Set<Waiter>();
  let width = Math.min(initial, max);
  let active = 0;
  let successes = 0;
  let epoch = 0;
  let pauses = 0;

  function drain(): void {
    for (const waiter of waiting) {
      if (pauses > 0 || active >= width) return;
      waiting.delete(waiter);
      waiter.start();
    }
  }

  function adapt(load: Load, begunIn: number): void {
    if (load === 'fine' && ++successes >= width) {
      width = Math.min(max, width + 1);
      successes = 0;
    }
    if (load === 'congested' && begunIn === epoch) {
      width = Math.max(1, Math.floor(width / 2));
      successes = 0;
      epoch += 1;
    }
  }

  function take(): Release {
    const begunIn = epoch;
    let held = true;
    active += 1;
    return (load) => {
      if (!held) return;
      held = false;
      active -= 1;
      adapt(load, begunIn);
      drain();
    };
  }

  function wait(signal: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.delete(waiter);
        reject(cancelledError());
      };
      const waiter: Waiter = {
        start: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve(take());
        },
      };
      waiting.add(waiter);
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
    get queued() {
      return waiting.size;
    },
    async acquire(signal) {
      if (signal?.aborted) throw cancelledError();
      return pauses === 0 && active < width && waiting.size === 0 ? take() : wait(signal);
    },
    pause(ms) {
      pauses += 1;
      const end = () => {
        pauses -= 1;
        drain();
      };
      sleep(ms).then(end, end);
    },
  };
}
