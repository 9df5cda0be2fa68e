import type { OutgoingHttpHeaders } from 'node:http';
import type { Sentence } from '../text/sentence.ts';

/** A request that is answered with a status and a sentence, and of which nothing was done. */
export class HttpRefusal extends Error {
  declare readonly message: Sentence;
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;

  constructor(status: number, message: Sentence, headers: OutgoingHttpHeaders = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
