import { shownStatus } from '../../changes/proposals/proposal.ts';
import type { PageEvent } from '../contract.ts';
import type { PageDeps } from '../deps.ts';

/** Of changes that nobody watched, so many are told to whoever watches next. */
const MAX_MISSED = 1_000;

/**
 * Tells the pages that are open what begins to wait, is shown anew or is decided, by whichever process; and what came while none was open, to the
 * next, which may have read its list before. Returns how to end it.
 */
export function watchProposals(
  { proposals, log }: Pick<PageDeps, 'proposals' | 'log'>,
  isWatched: () => boolean,
  send: (event: PageEvent) => void,
): () => void {
  const missed = new Set<string>();

  async function tell(changeId: string): Promise<void> {
    const change = await proposals.onPage.get(changeId);
    if (change !== undefined) send({ type: 'change', changeId, status: shownStatus(change) });
  }

  return proposals.watch((changeId) => {
    const ids = isWatched() ? [...missed, changeId] : [];
    if (isWatched()) missed.clear();
    else if (missed.size < MAX_MISSED) missed.add(changeId);
    for (const id of ids) tell(id).catch((error: unknown) => log(`A change that waits could not be told: ${String(error)}`));
  });
}
