/**
 * The proof that a person (or the operator's setting) agreed to one change. Every mutating method of the client wants
 * one, and only the guard can make one: the class is nominal (a private field), its constructor is out of reach, and
 * `test/architecture.test.ts` fails when any file but the guard imports {@link mintApproval}.
 */
export class Approval {
  readonly #changeId: string;
  #open = true;

  private constructor(changeId: string) {
    this.#changeId = changeId;
  }

  /** The change that was agreed to. */
  get changeId(): string {
    return this.#changeId;
  }

  /** Whether it still allows requests: false once its change has ended. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Ends it: no request can be sent with it any more. */
  close(): void {
    this.#open = false;
  }

  /** @internal */
  static mint(this: void, changeId: string): Approval {
    return new Approval(changeId);
  }
}

/** Makes an approval for one change. For the guard alone. */
export const mintApproval = Approval.mint;
