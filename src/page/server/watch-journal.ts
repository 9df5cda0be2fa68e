import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { progressOf } from '../api/change-views.ts';
import type { PageEvent } from '../contract.ts';
import type { PageDeps } from '../deps.ts';

const INTERVAL_MS = 1_000;
/** Changes that may be running, or new since the last look. */
const MAX_CHANGES = 20;

/**
 * Tells what is new in the history while a page is open: changes that begin, go on and end, in this process and in others, and
 * reports. Returns how to end it.
 */
export function watchHistory({ journal, reports, log }: PageDeps, isWatched: () => boolean, send: (event: PageEvent) => void): () => void {
  let known: ReadonlyMap<string, string> | undefined;
  let lastReport: string | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    const records = await journal.list(MAX_CHANGES);
    const states = new Map(records.map((record) => [record.intent.changeId, stateOf(record)]));
    const earlier = known;
    known = states;
    if (earlier !== undefined)
      for (const record of records) if (earlier.get(record.intent.changeId) !== states.get(record.intent.changeId)) send(eventOf(record));
    const [newest] = await reports.list(1);
    // The first look tells the newest too: the page may have read its list before that report was saved.
    if (newest !== undefined && newest.id !== lastReport) send({ type: 'report', reportId: newest.id });
    lastReport = newest?.id;
  }

  const timer = setInterval(() => {
    if (!isWatched()) {
      known = undefined;
      lastReport = undefined;
    } else if (!isLooking) {
      isLooking = true;
      look()
        .catch((error: unknown) => log(`The history could not be watched: ${String(error)}`))
        .finally(() => {
          isLooking = false;
        });
    }
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function stateOf(record: ChangeRecord): string {
  const { done } = progressOf(record);
  return `${record.status} ${record.epoch} ${done}`;
}

function eventOf(record: ChangeRecord): PageEvent {
  const { status, intent } = record;
  const { changeId } = intent;
  return { type: 'change', changeId, status, ...(status === 'running' ? { progress: progressOf(record) } : {}) };
}
