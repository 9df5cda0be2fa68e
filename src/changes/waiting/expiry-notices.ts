import { DAY_MS } from '../../platform/time-units.ts';
import type { Notify } from '../standing/notify.ts';
import type { KeptChange } from './kept-change.ts';

interface ExpiryNotices {
  readonly notify: Notify | undefined;
  readonly now: () => number;
  /** Marks a change durably as told; false where it is marked already, by whichever process. */
  readonly mark: (changeId: string) => Promise<boolean>;
}

/** Tells of each change that waits for less than a day from now, once for all processes. */
export function createExpiryNotices({ notify, now, mark }: ExpiryNotices) {
  const seen = new Set<string>();
  return async (changes: readonly KeptChange[]): Promise<void> => {
    // A process that tells nobody leaves it to one that does.
    if (notify === undefined) return;
    for (const { changeId, status, expiresAt } of changes) {
      const wait = `${changeId} ${expiresAt}`;
      if (status !== 'waiting' || expiresAt - now() > DAY_MS || seen.has(wait)) continue;
      seen.add(wait);
      // What can’t be marked would be told at each look.
      if (await mark(changeId).catch(() => false)) notify({ kind: 'expires', changeId, expiresAt: new Date(expiresAt).toISOString() });
    }
  };
}
