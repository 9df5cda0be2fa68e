import type { KeptChange } from '../../changes/waiting/kept-change.ts';
import type { PageEvent } from '../contract.ts';
import type { PageDeps } from '../deps.ts';

type States = ReadonlyMap<string, KeptChange['status']>;

/** What of the changes on disk a page last listed: told is what became another since. */
export interface Listed {
  kept?: States;
}

export const statesOf = (changes: readonly KeptChange[]): States => new Map(changes.map(({ changeId, status }) => [changeId, status]));

/** Tells what begins to wait on disk, and what is decided there by whichever process. Each call looks. */
export function createKeptWatch({ decisions }: Pick<PageDeps, 'decisions'>, listed: Listed, send: (event: PageEvent) => void) {
  let known: { readonly stamp: string; readonly states: States } | undefined;
  return {
    forget(): void {
      known = undefined;
    },
    async look(): Promise<void> {
      const stamp = await decisions.stamp();
      if (known?.stamp === stamp) return;
      const { changes } = await decisions.list();
      const earlier = known?.states ?? listed.kept;
      known = { stamp, states: statesOf(changes) };
      // What is begun is in the journal.
      for (const { changeId, status } of changes)
        if (earlier !== undefined && status !== 'started' && earlier.get(changeId) !== status) send({ type: 'change', changeId, status });
    },
  };
}
