import { VideoHostingError } from '../errors.ts';

/**
 * Reads what a call asks for within its budget: clients give up on a call that lasts, and throw its answer away. Where some
 * of it is spent already, `until` tells when it ends: milliseconds since the epoch. Throws `timed_out` then, unless `act`
 * had something better to say.
 */
export async function withinBudget<T>(
  callSignal: AbortSignal,
  budgetMs: number,
  act: (signal: AbortSignal) => Promise<T>,
  until = Date.now() + budgetMs,
): Promise<T> {
  const { signal, release } = limited(callSignal, Math.max(0, until - Date.now()));
  try {
    return await act(signal);
  } catch (thrown) {
    const isOurEnd = !(thrown instanceof VideoHostingError) || thrown.code === 'cancelled';
    throw signal.aborted && !callSignal.aborted && isOurEnd ? overBudget(budgetMs) : thrown;
  } finally {
    release();
  }
}

/**
 * A signal that aborts with another, or when a time is over. Not made of `AbortSignal.any` and `AbortSignal.timeout`:
 * those hold each other weakly in Node 20, so that under load the collector takes the timer away and nothing ever aborts.
 * They are good enough where somebody keeps every signal that they are made of until the end.
 */
export function limited(parent: AbortSignal, ms: number): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const end = () => controller.abort(parent.reason);
  const timer = setTimeout(end, ms);
  timer.unref();
  if (parent.aborted) end();
  else parent.addEventListener('abort', end, { once: true });
  const release = () => {
    clearTimeout(timer);
    parent.removeEventListener('abort', end);
  };
  return { signal: controller.signal, release };
}

function overBudget(budgetMs: number): VideoHostingError {
  return new VideoHostingError('timed_out', `This call took longer than its budget of ${budgetMs} ms and was ended.`, {
    facts: { outcome: 'nothing-sent' },
    hint: 'The service is slow: try again later, ask for less, or raise VIDEO_HOSTING_CALL_BUDGET_MS if the client waits that long.',
  });
}
