import type { WaitingChange } from '../confirm/waiting-change.ts';
import type { WaitingChanges } from '../confirm/waiting-changes.ts';
import type { KeptChange } from './kept-change.ts';
import type { KeptChanges } from './kept-changes.ts';

interface Stores {
  readonly waiting: Pick<WaitingChanges, 'get'>;
  readonly kept: Pick<KeptChanges, 'get'>;
}

/** What waits for a person under an id, on the page of this process or on disk; else what waited there. */
export async function askedUnder(changeId: string, { waiting, kept }: Stores): Promise<WaitingChange | KeptChange | undefined> {
  const own = waiting.get(changeId);
  return own?.status === 'waiting' ? own : ((await kept.get(changeId)) ?? own);
}

export const isKept = (change: WaitingChange | KeptChange): change is KeptChange => !('route' in change);
