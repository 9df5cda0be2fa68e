import { VideoHostingError } from '../../../errors.ts';
import { withTimeLimit } from '../../../platform/limited-signal.ts';
import { stableJson } from '../../../platform/stable-json.ts';
import type { ChangeRecord, ItemState } from '../../journal/change-record.ts';
import type { ItemOutcome } from '../../plan/plan.ts';
import type { Kind, LookDeps } from '../kind.ts';

/** A later look must not hold an answer up. */
const MAX_LOOK_MS = 5_000;

/**
 * Looks in the account for what is not known of a change that is over, and writes what it finds to the change's journal. Only
 * reads the account; what can't be read stays as it is.
 */
export async function findUnknown(
  record: ChangeRecord,
  look: Kind['lookAgain'],
  deps: LookDeps,
  signal: AbortSignal,
): Promise<ChangeRecord> {
  const unknown = record.items.filter(({ outcome }) => outcome === 'unknown');
  if (record.status === 'running' || 'never' in look || unknown.length === 0) return record;
  const found = await withTimeLimit(MAX_LOOK_MS, signal, (limited) => look.find(unknown, record, deps, limited)).catch((error: unknown) => {
    if (error instanceof VideoHostingError) return new Map<string, ItemOutcome>();
    throw error;
  });
  const before = new Map(unknown.map((state) => [state.id, state]));
  const news = new Map([...found].filter(([id, outcome]) => isNews(outcome, before.get(id))));
  // A journal that can't be written tells it less well, and no less truly.
  return news.size === 0 ? record : deps.journal.addFound(record, news).catch(() => record);
}

/** Whether an earlier look did not find the same. */
const isNews = ({ outcome, seen, candidates, isAsBefore }: ItemOutcome, before: ItemState | undefined): boolean =>
  outcome !== 'unknown' ||
  before?.found !== true ||
  stableJson([seen, candidates, isAsBefore]) !== stableJson([before.seenAfter, before.candidates, before.isAsBefore]);
