/**
 * The answer to one batch: done, or a kind of failure by which `run-batches.ts` decides whether to send it again. The
 * senders (`move-batch.ts`, `plan-copy.ts`) add what is particular to a move or a copy.
 */

import type { ErrorCode } from '../../../errors/codes.ts';
import type { VideoHostingError } from '../../../errors.ts';
import { MAX_PATIENT_MS } from '../../../service/retry.ts';
import type { Sentence } from '../../../text/sentence.ts';

export type BatchAnswer = { readonly kind: 'done' } | BatchFailure;

export interface BatchFailure {
  /**
   * - `some-failed`: part of it failed, and the service does not say which.
   * - `refused`: the service carried none of it out, because of something in it.
   * - `all-failed`: the service carried none of it out, and would of no part of it.
   * - `unknown`: it may or may not have been carried out.
   * - `throttled`: the service asked for fewer requests.
   * - `fatal`: every other batch would fail in the same way.
   * - `withdrawn`: it was not sent, since the change was stopped.
   */
  readonly kind: 'some-failed' | 'refused' | 'all-failed' | 'unknown' | 'throttled' | 'fatal' | 'withdrawn';
  /** A sentence for the journal. */
  readonly reason: Sentence;
  readonly error: VideoHostingError;
  /** Nothing of it was carried out, for certain. */
  readonly certain: boolean;
}

/** What an error's code means for a batch; with any other code its outcome is unknown. */
const FAILURE_KINDS: Partial<Readonly<Record<ErrorCode, BatchFailure['kind']>>> = {
  not_approved: 'withdrawn',
  cancelled: 'withdrawn',
  unauthorized: 'fatal',
  forbidden: 'fatal',
  service_not_found: 'fatal',
  redirect_refused: 'fatal',
  invalid_arguments: 'fatal',
  settings_invalid: 'fatal',
  service_validation: 'refused',
  rate_limited: 'throttled',
};

const PAYLOAD_TOO_LARGE = 413;
const LOCKED = 423;
const UNAVAILABLE = 503;

export function failureFrom(error: VideoHostingError): BatchFailure {
  const { outcome } = error.facts;
  const certain = outcome === 'nothing-sent' || outcome === 'not-done';
  return { kind: kindOf(error, certain), reason: error.reason, error, certain };
}

function kindOf({ code, facts: { status, retryAfterMs } }: VideoHostingError, certain: boolean): BatchFailure['kind'] {
  // Half of it may be small enough, or hold nothing that is locked.
  if (status === PAYLOAD_TOO_LARGE || status === LOCKED) return 'refused';
  if ((retryAfterMs ?? 0) > MAX_PATIENT_MS) return 'fatal';
  if (status === UNAVAILABLE && retryAfterMs !== undefined) return 'throttled';
  // A method or a header that the service does not take.
  if (code === 'unexpected_status' && certain) return 'fatal';
  return FAILURE_KINDS[code] ?? 'unknown';
}
