/** Required by the constructor, since `private` exists for the compiler only. */
const KEY = Symbol('approval');
let mint: (changeId: string) => Approval;
let isOpen: (value: unknown) => boolean;

/**
 * Proves that a person (or the operator's setting) agreed to one change. Every mutating method of the client requires one, and in
 * the server only the guard can make one: the class is nominal (a private field), its constructor needs a key, and
 * `test/architecture.test.ts` fails when any other file of the server imports {@link mintApproval}.
 */
export class Approval {
  static {
    mint = (changeId) => new Approval(KEY, changeId);
    // Checked by the private field, which no imitation can have.
    isOpen = (value) => typeof value === 'object' && value !== null && #holds in value && value.#holds();
  }

  readonly #changeId: string;
  #holds: () => boolean = () => true;
  #requests = 0;
  readonly #closing = new AbortController();

  private constructor(key: symbol, changeId: string) {
    if (key !== KEY) throw new TypeError('Approvals are made by the guard alone.');
    this.#changeId = changeId;
  }

  /** The approved change. */
  get changeId(): string {
    return this.#changeId;
  }

  /** Whether it still allows requests: false once its change has ended or another process took it over. */
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

  /** Counts a request. */
  use(): void {
    this.#requests += 1;
  }

  /** Ends it: no further request can be sent under it. */
  close(): void {
    this.#holds = () => false;
    this.#closing.abort();
  }
}

/** Makes an approval for one change. Only for the guard, and for the unguarded client of a library's user (`src/client/`). */
export const mintApproval = mint;

/** Whether it is an approval that still allows requests, also for callers that no compiler checked. */
export const isOpenApproval = isOpen;
