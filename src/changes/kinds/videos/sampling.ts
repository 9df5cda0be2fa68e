import { VideoHostingError } from '../../../errors.ts';
import { inFull } from '../../../text/counted.ts';
import { sentence } from '../../../text/sentence.ts';
import type { BulkState, IdRange } from '../../journal/bulk-state.ts';

/** So many single ids are tried before a move of which nothing succeeds is given up. */
const SAMPLE = 50;
/** Its multiples lie evenly between whole numbers, and in step with no pattern of a list. */
const GOLDEN_RATIO = 0.618_034;
/** Batches and parts that fail, while nothing was moved, before single ids are tried. */
const FIRST_FAILURES = 4;

/** What is to be known of ids that are not known after such an end. */
const SENT_TOGETHER = sentence` that way. What of it was sent in requests of many counts as not known, since the service answers only that something in a request failed; it was probably not moved.`;

/** The same, of one of them. */
export const SAMPLE_FAILED = sentence`It was sent in a request of many, and of ${SAMPLE} that were tried one by one none could be moved, so it probably was not either.`;

/**
 * Whether a list is the wrong one. While nothing of a change was done, single ids spread evenly over all of it are tried, so that
 * neither a bad beginning nor a project of which nothing can be moved speaks for the rest. If the service refuses each of them, the
 * change ends; once anything is done, by whatever batch, it is not asked again. `isDoubted`: the plan warned that they look like no ids,
 * and nothing else is sent before.
 */
export function createSampling(state: BulkState, open: readonly IdRange[], isDoubted: boolean) {
  const total = open.reduce((sum, { from, to }) => sum + to - from, 0);
  // Who carries on after such an end wants all to be tried.
  let isOff = total <= SAMPLE || state.count('done') > 0 || state.count('failed') >= SAMPLE;
  let failures = 0;
  let taken = 0;
  let refused = 0;

  const isOn = (): boolean => !isOff && state.count('done') === 0;
  const isDue = (): boolean => isOn() && (isDoubted || failures >= FIRST_FAILURES);

  /** The index of the id at a place in all that is open. */
  function indexAt(place: number): number {
    let before = 0;
    for (const { from, to } of open) {
      if (place < before + to - from) return from + place - before;
      before += to - from;
    }
    return open.at(-1)?.from ?? 0;
  }

  return {
    /** Whether nothing but single ids is sent now. */
    isDue,
    /** Whether nothing was done yet, and something failed: parts of it tell sooner than further batches. */
    isInDoubt: (): boolean => isOn() && failures > 0,
    /** The next id to try; undefined where all were. */
    next(): number | undefined {
      if (taken >= SAMPLE) return undefined;
      taken += 1;
      // Of a short list no two may be the same.
      const inStep = total < 2 * SAMPLE ? 0.5 : (taken * GOLDEN_RATIO) % 1;
      return indexAt(Math.floor(((taken - 1 + inStep) * total) / SAMPLE));
    },
    /** The service refused a batch, or did not do all of it. */
    refuse({ from, to }: IdRange): void {
      if (to - from === 1 && isDue()) refused += 1;
      failures += 1;
    },
    /** Whether all were tried, and the service refused each. Some that it gave no answer to tell nothing: then it is not asked again. */
    isOver(): boolean {
      if (!isDue() || taken < SAMPLE) return false;
      isOff = refused < SAMPLE;
      return !isOff;
    },
    ended(): VideoHostingError {
      const message = sentence`None of ${inFull(SAMPLE)} could be moved that were tried one by one, spread over all ${inFull(total)}${isDoubted ? '. These look like no ids' : ''}, so the rest was not tried${isDoubted ? '.' : SENT_TOGETHER}`;
      return new VideoHostingError('service_failed', message, {
        hint: sentence`See whether the list is the right one, and holds ids: with VIDEO_HOSTING_VIDEO_CATALOGUE set, keys and titles are translated to ids in a new move. If these are the ids, this one can be carried on, and then each is tried.`,
        person: sentence`See whether the list is the right one, and holds ids of videos. If it does, this can be carried on, and then each is tried.`,
      });
    },
  };
}
