import { type ErrorFacts, VideoHostingError } from '../errors.ts';

/** The caller gave up. By default nothing had been sent. */
export function cancelledError(facts: ErrorFacts = { outcome: 'nothing-sent' }): VideoHostingError {
  return new VideoHostingError('cancelled', 'The call was cancelled.', { facts });
}

/**
 * Runs `act` unless and until one of the signals aborts; then `onAbort` is told which, once.
 * The result takes the listeners away again: a signal that lives long gathers none.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
