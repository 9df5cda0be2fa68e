import type { OutgoingHttpHeaders } from 'node:http';
import type { PageProblem } from '../page/page-problem.ts';
import type { Sentence } from '../text/sentence.ts';

/** A request that is answered with a status and a sentence, and of which nothing was done. */
export class HttpRefusal extends Error {
  declare readonly message: Sentence;
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly again: PageProblem['again'];

  constructor(status: number, message: Sentence, headers: OutgoingHttpHeaders = {}, again: PageProblem['again'] = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.again = again;
  }
}
