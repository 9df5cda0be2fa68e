import type { Sentence } from '../text/sentence.ts';
import { wholeMinute } from '../text/time-text.ts';
import type { PageError } from './contract.ts';

/** Whether it helps to ask again, and when. */
type Again = Omit<PageError, 'message'>;

const NOT_THERE: Again = { isFinal: true };

/** An answer of the page's server that is no success: the status and a sentence for the person. */
export class PageProblem extends Error {
  readonly status: number;
  readonly again: Again;
  declare readonly message: Sentence;

  constructor(status: number, message: Sentence, again: Again = {}) {
    super(message);
    this.status = status;
    this.again = { ...(status === 404 && NOT_THERE), ...again };
  }
}

/** From when on it helps to ask again, to the minute as sentences tell it; undefined where nothing tells. */
export const retryAtOf = (retryAfterMs: number | undefined): string | undefined =>
  retryAfterMs === undefined ? undefined : new Date(wholeMinute(Date.now() + retryAfterMs)).toISOString();

/** As it is sent. */
export const pageErrorOf = ({ message, again }: Pick<PageProblem, 'message' | 'again'>): PageError => ({ message, ...again });
