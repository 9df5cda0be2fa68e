/**
 * How long a bulk change bears with a service that refuses, fails or is gone: pauses that grow, and an end to it, as a
 * back-off with a circuit breaker does elsewhere. `run-batches.ts` tells it what came of each batch and asks it before the next.
 */
import type { VideoHostingError } from '../../errors.ts';
import { sleepFor } from '../../service/retry.ts';

/** So many requests in a row whose fate is not known make us ask whether the service is there at all. */
const DOUBT_AFTER = 6;
/** And so many end the change even where it is. */
const GIVE_UP_AFTER = 60;
/** Pauses while the service asks for fewer requests: doubling from the first to the longest, for so long in all. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const IN_ALL_MS = 10 * 60_000;

/** What differs by kind of change; a clock and a sleep for tests. */
export interface PatienceOptions {
  /** Whether the service still answers; without it, doubt ends the change. */
  readonly probe?: () => Promise<boolean>;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

/** `unknown` and `busy` are told what happened, and answer whether the change should end now. */
export function createPatience({ probe, sleep = sleepFor, now = Date.now }: PatienceOptions) {
  let unknownInRow = 0;
  let busySince: number | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let pause: Promise<void> | undefined;

  return {
    /** Whether nothing goes well any more, so that the smallest pieces are worth trying first. */
    get isDoubtful() {
      return unknownInRow >= DOUBT_AFTER;
    },
    /** Resolves when the pause that is on now is over; undefined when there is none. */
    get pause() {
      return pause;
    },
    /** The service answered something that makes sense. */
    answered(): void {
      unknownInRow = 0;
      busySince = undefined;
      pauseMs = FIRST_PAUSE_MS;
    },
    /** Another fate is not known. True when the change should end. */
    async unknown(): Promise<boolean> {
      unknownInRow += 1;
      if (unknownInRow % DOUBT_AFTER !== 0) return false;
      return probe === undefined || unknownInRow >= GIVE_UP_AFTER || !(await probe());
    },
    /** It asked for fewer requests: nothing new begins for a while. True when the change should end instead. */
    busy({ facts }: VideoHostingError, stop: AbortSignal): boolean {
      busySince ??= now();
      if (pause !== undefined) return false;
      const ms = Math.max(pauseMs, facts.retryAfterMs ?? 0);
      if (now() - busySince + ms > IN_ALL_MS) return true;
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      const over = () => {
        pause = undefined;
      };
      pause = sleep(ms, stop).then(over, over);
      return false;
    },
  };
}
