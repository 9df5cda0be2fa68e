/** An answer of the page's server that is no success: the status and a sentence for the person. */
export class PageProblem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
