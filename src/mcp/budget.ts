import { VideoHostingError } from '../errors.ts';

/**
 * Does what a call asks for within its budget: clients give up on a call that lasts, and throw its answer away.
 * Throws `timed_out` once the budget is spent, unless `act` had something better to say.
 */
export async function withinBudget<T>(callSignal: AbortSignal, budgetMs: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.any([callSignal, AbortSignal.timeout(budgetMs)]);
  try {
    return await act(signal);
  } catch (thrown) {
    const isOurEnd = !(thrown instanceof VideoHostingError) || thrown.code === 'cancelled';
    throw signal.aborted && !callSignal.aborted && isOurEnd ? overBudget(budgetMs) : thrown;
  }
}

function overBudget(budgetMs: number): VideoHostingError {
  return new VideoHostingError('timed_out', `This call took longer than its budget of ${budgetMs} ms and was ended.`, {
    hint: 'The service is slow: try again later, ask for less, or raise VIDEO_HOSTING_CALL_BUDGET_MS if the client waits that long.',
  });
}
