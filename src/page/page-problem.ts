import type { Sentence } from '../text/sentence.ts';
import type { PageError } from './contract.ts';

/** Whether it helps to ask again, and when. */
type Again = Omit<PageError, 'message'>;

const NOT_THERE: Again = { isFinal: true };

/** An answer of the page's server that is no success: the status and a sentence for the person. */
export class PageProblem extends Error {
  readonly status: number;
  readonly again: Again;
  declare readonly message: Sentence;

  constructor(status: number, message: Sentence, again: Again = status === 404 ? NOT_THERE : {}) {
    super(message);
    this.status = status;
    this.again = again;
  }
}

/** As it is sent. */
export const pageErrorOf = ({ message, again }: Pick<PageProblem, 'message' | 'again'>): PageError => ({ message, ...again });
