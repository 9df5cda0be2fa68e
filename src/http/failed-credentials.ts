import { MINUTE_MS } from '../platform/time-units.ts';

const MAX_FAILED = 20;
/** Of more addresses the oldest are forgotten. */
const MAX_ADDRESSES = 10_000;

interface Window {
  /** When it began, by the clock that is given. */
  readonly at: number;
  count: number;
}

/** How often credentials that are none were sent from an address, in a minute. A right one is not counted, and never refused. */
export function createFailedCredentials(now = (): number => performance.now()) {
  const windows = new Map<string, Window>();
  return {
    /** Counts one. Returns for how many seconds further ones are refused, where there were too many. */
    add(address: string): number | undefined {
      const at = now();
      const known = windows.get(address);
      const window = known !== undefined && at - known.at < MINUTE_MS ? known : { at, count: 0 };
      // The latest are at the end.
      windows.delete(address);
      windows.set(address, window);
      const [oldest] = windows.keys();
      if (windows.size > MAX_ADDRESSES && oldest !== undefined) windows.delete(oldest);
      window.count += 1;
      return window.count <= MAX_FAILED ? undefined : Math.ceil((window.at + MINUTE_MS - at) / 1_000);
    },
  };
}

export type FailedCredentials = ReturnType<typeof createFailedCredentials>;
