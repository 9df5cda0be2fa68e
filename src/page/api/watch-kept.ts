import type { Proposal } from '../../changes/proposals/proposal.ts';
import type { PageEvent } from '../contract.ts';
import type { PageDeps } from '../deps.ts';

/** By its id, the status of a change and when it was asked for: another one may come to wait under the same id. */
type States = ReadonlyMap<string, string>;

/** What pages showed last: told is what became another since. */
export interface LastShown {
  /** The changes that ran: told at the latest when they end, however old they are. */
  readonly running: Set<string>;
  /** The changes on disk. */
  kept?: States;
}

const stateOf = ({ status, at }: Proposal): string => `${status} ${at}`;

export const statesOf = (changes: readonly Proposal[]): States => new Map(changes.map((change) => [change.changeId, stateOf(change)]));

/** Tells what begins to wait on disk, and what is decided there by whichever process. Each call looks. */
export function createKeptWatch(
  { decisions, waiting }: Pick<PageDeps, 'decisions' | 'waiting'>,
  shown: LastShown,
  send: (event: PageEvent) => void,
) {
  let known: { readonly stamp: string; readonly states: States } | undefined;
  return {
    forget(): void {
      known = undefined;
    },
    async look(): Promise<void> {
      const stamp = await decisions.stamp();
      if (known?.stamp === stamp) return;
      // What this process asks itself is told as it happens, not once its copy is found.
      const own = new Set((await waiting.list()).proposals.map(({ changeId }) => changeId));
      const { proposals } = await decisions.list();
      const earlier = known?.states ?? shown.kept;
      known = { stamp, states: statesOf(proposals) };
      // What is begun is in the journal.
      for (const change of proposals) {
        const { changeId, status } = change;
        if (earlier !== undefined && !own.has(changeId) && status !== 'started' && earlier.get(changeId) !== stateOf(change))
          send({ type: 'change', changeId, status });
      }
    },
  };
}
