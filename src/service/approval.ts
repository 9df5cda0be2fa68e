/** The key to the constructor, whose `private` only the compiler knows of. */
const KEY = Symbol('approval');
let mint: (changeId: string) => Approval;
let isOpen: (value: unknown) => boolean;

/**
 * The proof that a person (or the operator's setting) agreed to one change. Every mutating method of the client wants
 * one, and in the server only the guard can make one: the class is nominal (a private field), its constructor is out of
 * reach, and `test/architecture.test.ts` fails when any file of the server but the guard imports {@link mintApproval}.
 */
export class Approval {
  static {
    mint = (changeId) => new Approval(KEY, changeId);
    // The private field, not the prototype, nor a member that an imitation could have: only what was made here has it.
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

  /** The change that was agreed to. */
  get changeId(): string {
    return this.#changeId;
  }

  /** Whether it still allows requests: false once its change has ended, or is another process's. */
  get isOpen(): boolean {
    return this.#holds();
  }

  /** Aborts when it is closed: what waits to go out needn't wait any more. What is under way goes on. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** Requests that went out under it, each attempt counted. */
  get requests(): number {
    return this.#requests;
  }

  /** Makes it hold only as long as `holds` says, which is asked just before each request. */
  while(holds: () => boolean): void {
    const before = this.#holds;
    this.#holds = () => before() && holds();
  }

  /** Counts a request that goes out now. */
  use(): void {
    this.#requests += 1;
  }

  /** Ends it: no request can be sent with it any more. */
  close(): void {
    this.#holds = () => false;
    this.#closing.abort();
  }
}

/** Makes an approval for one change. For the guard alone, and for programs that chose to go without (`src/client/`). */
export const mintApproval = mint;

/** Whether it is an approval that still allows requests, also for callers that no compiler checked. */
export const isOpenApproval = isOpen;
