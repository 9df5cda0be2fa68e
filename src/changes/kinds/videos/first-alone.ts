import { type ErrorCode, VideoHostingError } from '../../../errors.ts';
import { inFull } from '../../../text/counted.ts';
import { sentence } from '../../../text/sentence.ts';
import type { BatchFailure } from './batch-answer.ts';
import type { Batch } from './batch-queue.ts';

/** So many single ids that the service refuses, before it did one, end the change. */
const MAX_REFUSED = 50;

/** What speaks of the credential or of the source as likely as of one target. */
const OF_ALL: ReadonlySet<ErrorCode> = new Set(['forbidden', 'service_not_found']);

/**
 * Ids of what may not be repeated are sent alone until one is done: a refusal of a request of one leaves nothing in doubt, and what is wrong with
 * the whole change, such as its source or the credential, shows itself at once; the same again after several were refused that way. One that is not there or may not be touched is set aside,
 * and ends the change only where another is answered so too.
 */
export function createFirstAlone(isNeeded: boolean) {
  let isOn = isNeeded;
  let refused = 0;
  let aside: Batch | undefined;

  return {
    isOn: (): boolean => isOn,
    /** What is still set aside. */
    aside: (): readonly Batch[] => (aside === undefined ? [] : [aside]),
    /** What was set aside, which failed by itself, since another was done. */
    succeeded(): Batch | undefined {
      const failed = aside;
      isOn = false;
      aside = undefined;
      return failed;
    },
    /** An answer that is no success; returns the error that ends the change, if it does. */
    refused({ kind, error }: BatchFailure): VideoHostingError | undefined {
      // Some were sent together: whether it speaks of one of them or of all shows with the next, alone.
      if (isNeeded && kind === 'some-failed' && OF_ALL.has(error.code)) isOn = true;
      if (!isOn || (kind !== 'refused' && kind !== 'all-failed')) return undefined;
      refused += 1;
      if (refused < MAX_REFUSED) return undefined;
      const message = sentence`None of the first ${inFull(MAX_REFUSED)} was done, each sent alone, so the rest was not tried. ${error.reason}`;
      const hint = sentence`See whether the source and the list are the right ones. If they are, this can be carried on: the next are tried then.`;
      return new VideoHostingError('service_failed', message, { hint, person: hint });
    },
    /** Whether what failed waits for what another id is answered; `hasMore`: there is another. */
    setsAside(failed: Batch, { kind, error: { code } }: BatchFailure, hasMore: boolean): boolean {
      if (!isOn || aside !== undefined || !hasMore || kind !== 'fatal' || !OF_ALL.has(code)) return false;
      aside = failed;
      return true;
    },
  };
}
