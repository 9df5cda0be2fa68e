/** One approved change's right to send requests. Nominal, by its private fields. */
class Approved {
  #holds: () => boolean = () => true;
  #requests = 0;
  readonly #closing = new AbortController();

  /** False once the change has ended or another process took it over. */
  get isOpen(): boolean {
    return this.#holds();
  }

  /** Aborts when it is closed, which ends the waiting of queued requests. Requests under way continue. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** Requests sent under it, each attempt counted. */
  get requests(): number {
    return this.#requests;
  }

  /** Adds a condition, which is checked just before each request. */
  while(holds: () => boolean): void {
    const before = this.#holds;
    this.#holds = () => before() && holds();
  }

  use(): void {
    this.#requests += 1;
  }

  /** Ends it: no further request can be sent under it. */
  close(): void {
    this.#holds = () => false;
    this.#closing.abort();
  }
}

/** Proves that a person (or the operator's setting) agreed to one change. Every mutating method of the client requires one. */
export type Approval = Approved;

/**
 * Makes an approval for one change. Only for the guard, and for the unguarded client of a library's user (`src/client/`):
 * `test/architecture.test.ts` fails when any other file of the server imports it.
 */
export const mintApproval = (): Approval => new Approved();

export const isOpenApproval = (value: unknown): boolean => value instanceof Approved && value.isOpen;
