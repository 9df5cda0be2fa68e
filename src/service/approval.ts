/** What keeps the requests of a change from being carried out; times are milliseconds since the epoch. */
export interface Trouble {
  /** Of the latest answer; absent where none came. */
  readonly status?: number;
  readonly sinceMs: number;
  readonly nextTryMs: number;
}

/** One approved change's right to send requests. Nominal, by its private fields. */
class Approved {
  #holds: () => boolean = () => true;
  #look: () => Promise<void> = async () => {};
  #requests = 0;
  #trouble: Trouble | undefined;
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

  /** While the service fails or throttles its requests. */
  get trouble(): Trouble | undefined {
    return this.#trouble;
  }

  /** The service failed or throttled a request; it, or the next one, is sent in `ms`. */
  noteFailure(status: number | undefined, ms: number): void {
    const now = Date.now();
    const { sinceMs = now, nextTryMs = now } = this.#trouble ?? {};
    // A pause holds for all requests.
    this.#trouble = { ...(status === undefined ? {} : { status }), sinceMs, nextTryMs: Math.max(nextTryMs, now + ms) };
  }

  noteSuccess(): void {
    this.#trouble = undefined;
  }

  /** Adds a condition, which is checked just before each request. */
  while(holds: () => boolean): void {
    const before = this.#holds;
    this.#holds = () => before() && holds();
  }

  /** Sets what looks, after all waiting and just before each attempt of a request, whether it may still be sent, and rejects where not. */
  lookBefore(look: () => Promise<void>): void {
    this.#look = look;
  }

  look(): Promise<void> {
    return this.#look();
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

/** Makes an approval for one change. Only for the guard: `test/architecture.test.ts` fails when another file imports it. */
export const mintApproval = (): Approval => new Approved();

export const isOpenApproval = (value: unknown): boolean => value instanceof Approved && value.isOpen;
