import type { ErrorCode } from '../../../errors/codes.ts';
import { VideoHostingError } from '../../../errors.ts';
import { inFull } from '../../../text/counted.ts';
import { sentence } from '../../../text/sentence.ts';
import type { IdRange } from '../../journal/bulk-state.ts';
import type { BatchFailure } from './batch-answer.ts';
import type { Batch } from './batch-queue.ts';

/** So many single ids that the service refuses one after the other end the change. */
const MAX_REFUSED = 50;
/** So many where the answer speaks of the credential or of the source as likely as of one target. */
const MAX_ASIDE = 3;

const OF_ALL: ReadonlySet<ErrorCode> = new Set(['forbidden', 'service_not_found']);

/**
 * Ids of what may not be repeated are sent alone until one is done: a refusal of a request of one leaves nothing in doubt, and what is wrong with the
 * whole change, such as its source or the credential, shows itself at once; the same again after what may be wrong with all of it. A single one that is
 * not there or may not be touched is set aside, and the change ends only where several in a row, from its whole list, are answered so.
 */
export function createFirstAlone(isNeeded: boolean) {
  let isOn = isNeeded;
  let refused = 0;
  let aside: Batch[] = [];

  return {
    isOn: (): boolean => isOn,
    /** The index of the next single id: from the beginning, the end and the middle of what is left. */
    next(rest: readonly IdRange[]): number | undefined {
      const [first, last, middle] = [rest[0], rest.at(-1), rest[Math.floor(rest.length / 2)]];
      if (aside.length % MAX_ASIDE === 1) return last && last.to - 1;
      return aside.length % MAX_ASIDE === 2 ? middle && Math.floor((middle.from + middle.to - 1) / 2) : first?.from;
    },
    /** Something was done. Returns what was set aside: those failed by themselves. */
    succeeded(): readonly Batch[] {
      const failed = aside;
      isOn = false;
      refused = 0;
      aside = [];
      return failed;
    },
    /** What is still set aside. */
    aside: (): readonly Batch[] => aside,
    /** Sets a single one aside that was answered so; what is answered so of several turns this on again. Returns whether it did. */
    setsAside(failed: Batch, { kind, error: { code } }: BatchFailure): boolean {
      if (!isNeeded || !OF_ALL.has(code)) return false;
      isOn = true;
      if (failed.to - failed.from > 1 || kind !== 'fatal') return false;
      aside = [...aside, failed];
      return true;
    },
    /** Returns the error that ends the change after an answer that is no success, if it does. */
    ends(failed: Batch, { kind, error }: BatchFailure): VideoHostingError | undefined {
      if (aside.length >= MAX_ASIDE) return error;
      if (!isOn || failed.to - failed.from > 1 || (kind !== 'refused' && kind !== 'all-failed')) return undefined;
      refused += 1;
      if (refused < MAX_REFUSED) return undefined;
      const message = sentence`None of ${inFull(MAX_REFUSED)} in a row was done, each sent alone, so the rest was not tried. ${error.reason}`;
      const hint = sentence`See whether the source and the list are the right ones. If they are, this can be carried on: the next are tried then.`;
      return new VideoHostingError('service_failed', message, { hint, person: hint });
    },
  };
}
