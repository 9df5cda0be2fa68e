import { type ErrorFacts, VideoHostingError } from '../errors.ts';

/** The caller gave up. By default nothing had been sent. */
export function cancelledError(facts: ErrorFacts = { outcome: 'nothing-sent' }): VideoHostingError {
  return new VideoHostingError('cancelled', 'The call was cancelled.', { facts });
}

/**
 * Calls `listener` once the signal aborts, at once where it has. The result takes the listener away again: a signal that
 * lives long gathers none.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
