import { setTimeout as sleep } from 'node:timers/promises';
import { VideoHostingError } from '../../../errors.ts';
import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import type { ChangePlanner } from '../../plan/plan.ts';

/** The pauses between tries where the service names no time, doubling. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;
/** Where it names none, it is busy for a while. */
const LATER_MS = 60_000;
/** What is left of a call for its plan and its answer. */
const RESERVE_MS = 1_000;

const BUSY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Whether the service may answer the same request in a while. */
export const isBusy = ({ code, facts }: VideoHostingError): boolean => code === 'rate_limited' || BUSY_STATUSES.has(facts.status ?? 0);

/** The time from which a request to a busy service makes sense, in milliseconds since the epoch. */
export const busyUntilMs = ({ facts }: VideoHostingError): number => Date.now() + (facts.retryAfterMs ?? LATER_MS);

/** The same in words. */
export const busyUntil = (error: VideoHostingError): Sentence =>
  sentence`${word(new Date(busyUntilMs(error)).toISOString().slice(11, 19))} UTC`;

/** Plans again while the service is busy, for as long as the call may wait; then throws what it answered, with when to try again. */
export const waitOutBusy =
  (planner: ChangePlanner): ChangePlanner =>
  async (read) => {
    const until = (read.waitUntil ?? 0) - RESERVE_MS;
    const over = AbortSignal.any([read.signal, ...(read.ending === undefined ? [] : [read.ending])]);
    for (let pauseMs = FIRST_PAUSE_MS, tries = 1; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2), tries += 1) {
      try {
        return await planner(read);
      } catch (error) {
        if (!(error instanceof VideoHostingError && isBusy(error))) throw error;
        const waitMs = Math.max(pauseMs, error.facts.retryAfterMs ?? 0);
        if (Date.now() + waitMs > until || over.aborted) throw stillBusy(error, tries);
        read.progress(0, undefined, `The service is busy; next try in ${Math.ceil(waitMs / 1_000)} s`);
        await sleep(waitMs, undefined, { signal: over }).catch(() => undefined);
        if (read.ending?.aborted) throw stillBusy(error, tries);
      }
    }
  };

/** Waits until a busy service may answer; tells whether there was time for that. `tries`: how many there were. */
export type BusyWait = (error: VideoHostingError, tries: number, stop: AbortSignal) => Promise<boolean>;

/** For what is sent again within the time of a call. */
export const waitUntil =
  (until: number): BusyWait =>
  async ({ facts }, tries, stop) => {
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
    const waitMs = Math.max(pauseMs, facts.retryAfterMs ?? 0);
    if (stop.aborted || Date.now() + waitMs > until - RESERVE_MS) return false;
    await sleep(waitMs, undefined, { signal: stop }).catch(() => undefined);
    return !stop.aborted;
  };

function stillBusy(error: VideoHostingError, tries: number): VideoHostingError {
  const waited = tries === 1 ? sentence`` : sentence` It was tried ${tries} times in this call.`;
  const message = sentence`${error.reason}${waited}`;
  return new VideoHostingError(error.code, message, {
    facts: { ...error.facts, words: message, outcome: 'nothing-sent' },
    hint: sentence`Make the same call again from ${busyUntil(error)} on; with waitSeconds it waits until the service answers.`,
    cause: error,
  });
}
