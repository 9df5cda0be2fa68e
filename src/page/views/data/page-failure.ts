import type { PageError } from '../../contract.ts';

/** Whether it helps to ask again, and when. */
export type Again = Omit<PageError, 'message'>;

/** Why the server of the page did not do what it was asked for. */
export class PageFailure extends Error {
  readonly again: Again;

  constructor({ message, ...again }: PageError) {
    super(message);
    this.again = again;
  }
}
