import type { ProposalPreview } from '../../changes/proposals/decisions.ts';
import { isWaiting, type Proposal } from '../../changes/proposals/proposal.ts';
import { sizeOf } from '../../changes/proposals/size.ts';
import { UNFIT, unfitOf } from '../../changes/tell/unfit.ts';
import type { Sentence } from '../../text/sentence.ts';
import type { ChangeSummary, PageEvent } from '../contract.ts';
import type { PageDeps } from '../deps.ts';

/** What was seen when a change that waits was planned again. */
interface Look {
  readonly digest: string;
  /** That it can’t be applied, in few words. */
  readonly unfit: Sentence | undefined;
  readonly atMs: number;
}

/** How long a look counts: each asks the service for the records of a plan. */
const LOOK_MS = 10 * 60_000;
/** Larger plans are looked at when a person opens them. */
const MAX_RECORDS = 50;

export type Fits = ReturnType<typeof createFits>;

/** Whether what waits on disk could still be applied, as far as was seen. What a call asks about was planned just now. */
export function createFits() {
  const looks = new Map<string, Look>();
  const lookAt = ({ changeId, digest }: Proposal): Look | undefined => {
    const look = looks.get(changeId);
    return look?.digest === digest ? look : undefined;
  };
  return {
    /** Returns whether that is new. */
    note({ change, plan, isNeedless, cause }: ProposalPreview): boolean {
      const isUnfit = cause !== undefined && unfitOf(cause, plan).isPassing !== true;
      const unfit = isNeedless ? UNFIT.needless : isUnfit ? UNFIT.now : undefined;
      const isNew = lookAt(change)?.unfit !== unfit;
      looks.set(change.changeId, { digest: change.digest, unfit, atMs: performance.now() });
      return isNew;
    },
    unfitIn(change: Proposal): Pick<ChangeSummary, 'unfit'> {
      const unfit = lookAt(change)?.unfit;
      return unfit === undefined ? {} : { unfit };
    },
    isDue(change: Proposal): boolean {
      const look = lookAt(change);
      return look === undefined || performance.now() - look.atMs > LOOK_MS;
    },
    /** Of those that wait no more, nothing is kept. */
    keepOnly(changeIds: ReadonlySet<string>): void {
      for (const changeId of looks.keys()) if (!changeIds.has(changeId)) looks.delete(changeId);
    },
  };
}

/** So often it is looked for what was not looked at. */
const ROUND_MS = 10_000;

/** Looks at what waits on disk while a page is open, one after the other, and tells what can’t be applied. Returns how to end it. */
export function watchFits(
  { proposals, decisions, intervals, log }: Pick<PageDeps, 'proposals' | 'decisions' | 'intervals' | 'log'>,
  fits: Fits,
  isWatched: () => boolean,
  send: (event: PageEvent) => void,
): () => void {
  const ending = new AbortController();
  let isLooking = false;
  let nextMs = Number.NEGATIVE_INFINITY;

  async function round(): Promise<void> {
    const { proposals: all } = await proposals.onPage.list();
    const waiting = all.filter((change) => isWaiting(change) && !change.isAskedHere && change.isAskedElsewhere !== true);
    fits.keepOnly(new Set(waiting.map(({ changeId }) => changeId)));
    for (const change of waiting) {
      if (!isWatched() || ending.signal.aborted) return;
      if (!fits.isDue(change) || (!('ids' in change.plan) && sizeOf(change.plan) > MAX_RECORDS)) continue;
      const preview = await decisions.preview(change, ending.signal);
      if (fits.note(preview))
        send({ type: 'change', changeId: change.changeId, status: 'waiting', unfit: fits.unfitIn(change).unfit ?? '' });
    }
  }

  const timer = setInterval(() => {
    if (!isWatched()) nextMs = Number.NEGATIVE_INFINITY;
    else if (!isLooking && performance.now() >= nextMs) {
      isLooking = true;
      nextMs = performance.now() + ROUND_MS;
      round()
        .catch((error: unknown) => {
          if (!ending.signal.aborted) log(`What waits could not be looked at again: ${String(error)}`);
        })
        .finally(() => {
          isLooking = false;
        });
    }
  }, intervals.historyMs);
  timer.unref();
  return () => {
    ending.abort();
    clearInterval(timer);
  };
}
