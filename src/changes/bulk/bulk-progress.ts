/**
 * How far a bulk change is, for the one who waits for the call's answer. `run-batches.ts` calls it after each batch.
 */
import type { Progress } from '../plan.ts';
import type { BulkState } from './bulk-state.ts';

/** It is told no more often than this. */
const EVERY_MS = 250;

/** Makes what is called after each batch; it tells ids done of total, those that are tried again, ids a second and seconds left, as far as it is time to. */
export function createBulkProgress(progress: Progress, state: BulkState): () => void {
  const startedAt = performance.now();
  const before = settled(state);
  let toldAt = 0;
  let told = 0;
  return () => {
    const now = performance.now();
    if (now - toldAt < EVERY_MS) return;
    toldAt = now;
    // What is asked for again was settled before, and progress never goes back.
    const done = Math.max(told, settled(state));
    told = done;
    const rate = (done - before) / Math.max(0.001, (now - startedAt) / 1_000);
    const left = rate > 0 ? `, ${Math.ceil((state.total - done) / rate)} s left` : '';
    const retrying = state.count('retrying');
    const again = retrying > 0 ? `, ${retrying} being tried again` : '';
    progress(done, state.total, `${done} of ${state.total}${again}, ${Math.round(rate)} a second${left}`);
  };
}

/** Ids of which no more is to be learnt in this run. */
const settled = (state: BulkState): number => state.count('done') + state.count('failed') + state.count('unknown');
