import type { BulkState } from '../../journal/bulk-state.ts';
import type { BulkRun } from '../../plan/plan.ts';
import { troubleText } from './trouble-text.ts';

const MIN_INTERVAL_MS = 250;
/** How often it is said that the service doesn't carry anything out. */
const TROUBLE_INTERVAL_MS = 1_000;

/**
 * Reports how far a bulk change is: ids done, those being tried again, ids a second and seconds left, after each batch; and while
 * the service fails or throttles its requests, that. To be closed when the change has ended.
 */
export function createBulkProgress({ progress, state, approval }: Pick<BulkRun, 'progress' | 'state' | 'approval'>) {
  const startedAt = performance.now();
  const before = finished(state);
  let reportedAt = 0;
  let reported = before;

  function report(message: string): void {
    reportedAt = performance.now();
    progress(reported, state.total, message);
  }

  const timer = setInterval(() => {
    const { trouble } = approval;
    if (trouble === undefined) return;
    // Progress has to grow with each report, and less than an id is done.
    const done = Math.max(reported, finished(state));
    reported = done + (Math.floor(done) + 1 - done) / 1_000;
    report(troubleText(trouble, state.total - finished(state)));
  }, TROUBLE_INTERVAL_MS);
  timer.unref();

  return {
    step(): void {
      const now = performance.now();
      if (now - reportedAt < MIN_INTERVAL_MS || approval.trouble !== undefined) return;
      // An id that failed and is sent again counted before; progress must not go back.
      reported = Math.max(reported, finished(state));
      const rate = (reported - before) / Math.max(0.001, (now - startedAt) / 1_000);
      const left = rate > 0 ? `, ${Math.ceil((state.total - reported) / rate)} s left` : '';
      const retrying = state.count('retrying');
      const again = retrying > 0 ? `, ${retrying} being tried again` : '';
      report(`${Math.floor(reported)} of ${state.total}${again}, ${Math.round(rate)} a second${left}`);
    },
    close: (): void => clearInterval(timer),
  };
}

const finished = (state: BulkState): number => state.count('done') + state.count('failed') + state.count('unknown');
