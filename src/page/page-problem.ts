import type { Sentence } from '../text/sentence.ts';
/** An answer of the page's server that is no success: the status and a sentence for the person. */
export class PageProblem extends Error {
  readonly status: number;
  declare readonly message: Sentence;

  constructor(status: number, message: Sentence) {
    super(message);
    this.status = status;
  }
}
