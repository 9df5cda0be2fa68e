/** One thing of the setup that was looked at. */
export interface Finding {
  /** `note`: it works, or nobody asked for it, and it may not be as meant. */
  readonly level: 'fine' | 'note' | 'wrong';
  /** What was looked at, in a word or two. */
  readonly about: string;
  readonly detail: string;
  /** What to do about it; absent where it is fine. */
  readonly remedy?: string;
}

export const fine = (about: string, detail: string): Finding => ({ level: 'fine', about, detail });
export const note = (about: string, detail: string, remedy: string): Finding => ({ level: 'note', about, detail, remedy });
export const wrong = (about: string, detail: string, remedy: string): Finding => ({ level: 'wrong', about, detail, remedy });
