/** The result of one check of the setup. */
export interface Finding {
  /** `note`: it works, or is not needed, but may not be intended. */
  readonly level: 'fine' | 'note' | 'wrong';
  /** What was checked, in a word or two. */
  readonly about: string;
  readonly detail: string;
  /** What to do; undefined if it is fine. */
  readonly remedy?: string;
}

export const fine = (about: string, detail: string): Finding => ({ level: 'fine', about, detail });
export const note = (about: string, detail: string, remedy: string): Finding => ({ level: 'note', about, detail, remedy });
export const wrong = (about: string, detail: string, remedy: string): Finding => ({ level: 'wrong', about, detail, remedy });
