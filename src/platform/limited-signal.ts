/** A signal with a time limit. */
interface LimitedSignal {
  readonly signal: AbortSignal;
  /** Ends the time limit. Must be called, or the timer lives on. */
  readonly release: () => void;
}

/** The longest time that a timer of Node can have. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A signal that aborts with any of some others, or with a `TimeoutError` after `ms`; `Infinity` is no limit. The timer holds the
 * controller. `AbortSignal.timeout` must not be combined instead: in Node 20 `AbortSignal.any` holds it weakly, so the first
 * garbage collection removes it together with its timer, and the limit with it.
 */
export function limitedSignal(ms: number, ...others: readonly (AbortSignal | undefined)[]): LimitedSignal {
  const over = new AbortController();
  const end = () => over.abort(new DOMException('The time limit was reached.', 'TimeoutError'));
  const timer = setTimeout(end, Math.min(Math.max(0, ms), MAX_TIMER_MS));
  timer.unref();
  const signals = others.flatMap((signal) => signal ?? []);
  return { signal: AbortSignal.any([...signals, over.signal]), release: () => clearTimeout(timer) };
}

/** Whether a signal was aborted by a time limit. */
export const isOverTime = ({ reason }: AbortSignal): boolean => reason instanceof DOMException && reason.name === 'TimeoutError';

/** Runs an action with a signal that also aborts after `ms`. */
export async function withTimeLimit<T>(ms: number, parent: AbortSignal, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, release } = limitedSignal(ms, parent);
  try {
    return await act(signal);
  } finally {
    release();
  }
}
