import { refusal, VideoHostingError } from '../../errors.ts';
import { limitedSignal } from '../../platform/limited-signal.ts';
import { sentence } from '../../text/sentence.ts';

/**
 * Runs a call within its time budget, since clients drop the answer of a call that takes too long. `until` is the end in
 * milliseconds since the epoch. Throws `timed_out` at the end, unless `act` throws a more precise error.
 */
export async function withinBudget<T>(
  callSignal: AbortSignal,
  budgetMs: number,
  act: (signal: AbortSignal) => Promise<T>,
  until = Date.now() + budgetMs,
): Promise<T> {
  const { signal, release } = limitedSignal(until - Date.now(), callSignal);
  try {
    return await act(signal);
  } catch (thrown) {
    const isVague = !(thrown instanceof VideoHostingError) || thrown.code === 'cancelled';
    if (!signal.aborted || callSignal.aborted || !isVague) throw thrown;
    throw refusal(
      'timed_out',
      sentence`This call took longer than its budget of ${budgetMs} ms and was ended.`,
      'The service is slow: try again later, ask for less, or raise VIDEO_HOSTING_CALL_BUDGET_MS if the client waits that long.',
    );
  } finally {
    release();
  }
}
