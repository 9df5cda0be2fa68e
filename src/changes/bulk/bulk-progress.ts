import type { BulkState } from '../journal/bulk-state.ts';
import type { Progress } from '../plan.ts';

const MIN_INTERVAL_MS = 250;

/** Makes what `run-batches.ts` calls after each batch: it reports ids done, those being tried again, ids a second and seconds left. */
export function createBulkProgress(progress: Progress, state: BulkState): () => void {
  const startedAt = performance.now();
  const before = finished(state);
  let reportedAt = 0;
  let reported = 0;
  return () => {
    const now = performance.now();
    if (now - reportedAt < MIN_INTERVAL_MS) return;
    reportedAt = now;
    // An id that failed and is sent again counted before; progress must not go back.
    reported = Math.max(reported, finished(state));
    const rate = (reported - before) / Math.max(0.001, (now - startedAt) / 1_000);
    const left = rate > 0 ? `, ${Math.ceil((state.total - reported) / rate)} s left` : '';
    const retrying = state.count('retrying');
    const again = retrying > 0 ? `, ${retrying} being tried again` : '';
    progress(reported, state.total, `${reported} of ${state.total}${again}, ${Math.round(rate)} a second${left}`);
  };
}

const finished = (state: BulkState): number => state.count('done') + state.count('failed') + state.count('unknown');
