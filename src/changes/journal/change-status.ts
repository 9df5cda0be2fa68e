import { type ChangeKind, TRAITS } from '../plan/traits/index.ts';
import type { BulkState } from './bulk-state.ts';
import type { ItemOutcome, PlannedItem } from './format.ts';

/** Whether an update of channels names a record and sends nothing for it, as whoever agreed was told. */
export const isLeftAlone = (kind: ChangeKind, { seen, after }: Pick<PlannedItem, 'seen' | 'after'>): boolean =>
  TRAITS[kind].channels === 'update' && seen === null && Object.keys(after).length === 0;

/** Items or ids by outcome, from which a change's status follows. */
export interface Counts {
  readonly total: number;
  readonly done: number;
  readonly unknown: number;
  readonly notDone: number;
  /** Of those that are done: not quite as was asked. */
  readonly different: number;
}

type Known = Pick<PlannedItem, 'seen' | 'after'> & Pick<ItemOutcome, 'differs'> & { readonly outcome: ItemOutcome['outcome'] | 'pending' };

export function countsOfItems(kind: ChangeKind, items: readonly Known[]): Counts {
  const sent = items.filter((item) => !isLeftAlone(kind, item));
  const count = (isCounted: (item: Known) => boolean) => sent.filter(isCounted).length;
  return {
    total: sent.length,
    done: count(({ outcome }) => outcome === 'done'),
    unknown: count(({ outcome }) => outcome === 'unknown'),
    notDone: count(({ outcome }) => outcome === 'not_done'),
    different: count(({ outcome, differs }) => outcome === 'done' && differs !== undefined),
  };
}

export const countsOfIds = (bulk: BulkState): Counts => ({
  total: bulk.total,
  done: bulk.count('done'),
  unknown: bulk.count('unknown') + bulk.count('sending') + bulk.count('retrying'),
  notDone: bulk.count('not_done') + bulk.count('none'),
  different: 0,
});

/** The status of a change that is over. It failed if nothing succeeded, unless all of it may have. */
export function statusOf({ total, done, unknown, notDone, different }: Counts, wasStopped: boolean) {
  if (done === total && different === 0) return 'applied';
  if (wasStopped && notDone > 0) return 'stopped';
  return done === 0 && unknown < total ? 'failed' : 'partly_applied';
}
