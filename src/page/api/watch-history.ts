import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Trouble } from '../../service/approval.ts';
import type { PageEvent } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { pausedIn, progressOf } from './change-summaries.ts';
import { createFits, type Fits } from './fits.ts';

/** Changes that may be running, or new since the last look. */
const MAX_CHANGES = 20;

/** What pages showed last. */
export interface LastShown {
  /** The changes that ran: told at the latest when they end, however old they are. */
  readonly running: Set<string>;
  /** Whether what waits could still be applied. */
  readonly fits: Fits;
}

export const createLastShown = (): LastShown => ({ running: new Set(), fits: createFits() });

/**
 * Tells what is new in the history while a page is open: changes that begin, go on and end, in this process and in others, and reports.
 * Returns how to end it.
 */
export function watchHistory(deps: PageDeps, lastShown: LastShown, isWatched: () => boolean, send: (event: PageEvent) => void): () => void {
  const { journal, reports, intervals, log } = deps;
  const troubleIn = ({ intent }: ChangeRecord) => deps.jobs.get(intent.changeId)?.trouble();
  let known: ReadonlyMap<string, string> | undefined;
  let lastReport: string | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    const shown = [...lastShown.running];
    const newest = await journal.list(MAX_CHANGES);
    const others = shown.filter((id) => !newest.some(({ intent }) => intent.changeId === id));
    const read = await Promise.all(others.map((id) => journal.read(id).catch(() => undefined)));
    const records = [...newest, ...read.flatMap((record) => record ?? [])];
    const states = new Map(records.map((record) => [record.intent.changeId, stateOf(record, troubleIn(record))]));
    const earlier = known;
    known = states;
    for (const record of records) {
      const { changeId } = record.intent;
      // The first look tells what the page may have read before it ended.
      if (earlier === undefined ? shown.includes(changeId) : earlier.get(changeId) !== states.get(changeId))
        send(eventOf(record, troubleIn(record)));
    }
    for (const id of shown)
      if (!records.some(({ intent, status }) => intent.changeId === id && status === 'running')) lastShown.running.delete(id);
    const [report] = await reports.list(1);
    // The first look tells the newest too: the page may have read its list before that report was saved.
    if (report !== undefined && report.id !== lastReport) send({ type: 'report', reportId: report.id });
    lastReport = report?.id;
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
  }, intervals.historyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function stateOf(record: ChangeRecord, trouble: Trouble | undefined): string {
  const { done, ofMany } = progressOf(record);
  return `${record.status} ${record.epoch} ${done} ${ofMany?.sent} ${pausedIn(record, trouble)?.until}`;
}

function eventOf(record: ChangeRecord, trouble: Trouble | undefined): PageEvent {
  const { status, intent } = record;
  const { changeId } = intent;
  const paused = pausedIn(record, trouble);
  return {
    type: 'change',
    changeId,
    status,
    ...(status === 'running' ? { progress: progressOf(record), ...definedFields({ paused }) } : {}),
  };
}
