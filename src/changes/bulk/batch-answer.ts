/**
 * How the answer to one batch is read: done, or one of a few kinds of miss, by which `run-batches.ts` decides what to do
 * with the batch. What only a move or only a copy knows is added by the one who sends it (`move-batch.ts`, `plan-copy.ts`).
 */
import type { ErrorCode, VideoHostingError } from '../../errors.ts';
import { reasonOf } from '../reason.ts';

/** What became of one batch. */
export type BatchAnswer = { readonly kind: 'done' } | BatchFailure;

/** A batch that is not done as asked. */
export interface BatchFailure {
  /**
   * - `some-failed`: part of it did, and the service does not say which.
   * - `refused`: the service carried none of it out, because of something in it.
   * - `unknown`: it may or may not have been carried out.
   * - `busy`: the service asked for fewer requests.
   * - `ends`: every other batch would fare the same.
   * - `withdrawn`: it was not let out any more, since the change was stopped.
   */
  readonly kind: 'some-failed' | 'refused' | 'unknown' | 'busy' | 'ends' | 'withdrawn';
  /** A sentence for the journal. */
  readonly reason: string;
  readonly error: VideoHostingError;
  /** Whether it is certain that nothing of it was carried out. */
  readonly certain: boolean;
}

/** What an error's code means for a batch; any other leaves it unknown. */
const KINDS: Partial<Readonly<Record<ErrorCode, BatchFailure['kind']>>> = {
  not_approved: 'withdrawn',
  cancelled: 'withdrawn',
  unauthorized: 'ends',
  forbidden: 'ends',
  service_not_found: 'ends',
  redirect_refused: 'ends',
  invalid_arguments: 'ends',
  settings_invalid: 'ends',
  service_validation: 'refused',
  rate_limited: 'busy',
};

/** Too large to be taken; half of it may not be. */
const TOO_LARGE = 413;
const UNAVAILABLE = 503;

/** What an error of the client means for the batch that was sent, and for those that wait. */
export function failureFrom(error: VideoHostingError): BatchFailure {
  const { outcome } = error.facts;
  const certain = outcome === 'nothing-sent' || outcome === 'not-done';
  return { kind: kindOf(error, certain), reason: reasonOf(error), error, certain };
}

function kindOf({ code, facts: { status, retryAfterMs } }: VideoHostingError, certain: boolean): BatchFailure['kind'] {
  if (status === TOO_LARGE) return 'refused';
  // One that names no time to come back is down.
  if (status === UNAVAILABLE && retryAfterMs !== undefined) return 'busy';
  // A status that no batch could avoid: a method or a header that is not taken.
  if (code === 'unexpected_status' && certain) return 'ends';
  return KINDS[code] ?? 'unknown';
}
