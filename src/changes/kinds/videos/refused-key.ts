import { VideoHostingError } from '../../../errors.ts';
import { toTakeEffect } from '../../../text/own-command.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';
import type { BulkState, IdRange } from '../../journal/bulk-state.ts';
import type { BatchFailure } from './batch-answer.ts';

/** Answers that tell of a refused key, with those to single ids: fewer where the service speaks of a token. */
const ENOUGH = { spoken: 2, unspoken: 3 } as const;

/** Answers by which the service took the key. */
const TELLING: ReadonlySet<BatchFailure['kind']> = new Set(['some-failed', 'refused', 'all-failed']);

const TOKEN = /\b(?:access[ _-]?tokens?|jwts?|bearer)\b/i;

const hint = (): Sentence =>
  sentence`VIDEO_HOSTING_API_KEY is no JWT, and some services move videos only for one: set VIDEO_HOSTING_ACCESS_TOKEN to a JWT, ${toTakeEffect()}, then carry this on. Nothing of it was moved. Where the service means the projects, ask an admin of the account.`;

const PERSON = sentence`If the service means the projects, an admin of the account can give access to them. Else this server’s key may move no videos at all: whoever set up this server can give it one that may.`;

/**
 * Whether the service moves nothing for a key that is no JWT. While nothing of a change was done, a first refusal is tried again with single
 * ids, from both ends: where each gets the same answer, nothing more is sent, and none of them counts as failed. Any other answer tells
 * that it is about some of the videos. `isByKey`: whether the change is asked for with such a key.
 */
export function createRefusedKeyCheck(state: BulkState, open: readonly IdRange[], isByKey: boolean) {
  const ends = [open[0]?.from, (open.at(-1)?.to ?? 0) - 1].filter((index) => index !== undefined);
  const tried = new Set<number>();
  let refusal: VideoHostingError | undefined;
  let count = 0;
  let isOff = !isByKey;

  const isOn = (): boolean => !isOff && state.count('done') === 0;
  const saidBy = ({ facts: { serviceMessage = '' } }: VideoHostingError): string => (TOKEN.test(serviceMessage) ? 'token' : serviceMessage);
  const left = (): number[] => ends.filter((index) => !tried.has(index));

  return {
    /** Whether one batch at a time is sent, since each may be refused like the first. */
    isOn,
    /** The next single id to try; undefined where nothing was refused yet, or all were tried. */
    next(): number | undefined {
      const [index] = isOn() && refusal !== undefined ? left() : [];
      if (index !== undefined) tried.add(index);
      return index;
    },
    /** An answer that is no success; returns the error that ends the change, if it does. */
    refused({ from, to }: IdRange, { kind, error }: BatchFailure): VideoHostingError | undefined {
      if (!isOn()) return undefined;
      // What has no words of the service comes from a gateway before it, perhaps.
      const isRefusal = error.code === 'forbidden' && saidBy(error) !== '';
      if (!isRefusal || (refusal !== undefined && saidBy(refusal) !== saidBy(error))) {
        isOff = isRefusal || TELLING.has(kind);
        return undefined;
      }
      refusal ??= error;
      count += 1;
      if (to - from === 1) tried.add(from);
      const enough = saidBy(error) === 'token' ? ENOUGH.spoken : ENOUGH.unspoken;
      if (count < enough && left().length > 0) return undefined;
      return new VideoHostingError('forbidden', error.message, {
        facts: { ...error.facts, wantsJwt: true },
        ...{ hint: hint(), person: PERSON, cause: error },
      });
    },
  };
}
