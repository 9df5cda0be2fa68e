import { VideoHostingError } from '../../errors.ts';
import { isNotSent, isPossiblyApplied } from '../journal/bulk-state.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import { idListIn } from '../journal/facts.ts';
import { digestOfIds } from '../journal/id-lines.ts';
import { digestOfRows, type IdRows } from '../journal/id-rows.ts';
import type { Journal } from '../journal/journal.ts';
import { listed } from '../listed.ts';

/** The ids of an earlier bulk change. Throws `not_resumable` where they are gone, or not those that were approved. */
export async function readApprovedIds(journal: Journal, { intent }: ChangeRecord): Promise<string[]> {
  const ids = await journal.readIds(intent.changeId).catch(() => []);
  if (ids.length === intent.ids && digestOfIds(ids) === idListIn(intent.facts)?.digest) return ids;
  throw damaged(`The ids that were kept with ${intent.changeId} are damaged or gone, so nothing is sent.`);
}

/** The rows of an earlier bulk change; undefined where there was none. Throws like `readApprovedIds`. */
export async function readApprovedRows(journal: Journal, { intent }: ChangeRecord): Promise<IdRows | undefined> {
  const approved = idListIn(intent.facts)?.rows;
  if (approved === undefined) return undefined;
  const rows = await journal.readRows(intent.changeId, intent.ids ?? 0);
  if (rows !== undefined && digestOfRows(rows) === approved) return rows;
  throw damaged(`What was kept with ${intent.changeId} of where its videos were is damaged or gone, so nothing is sent.`);
}

function damaged(message: string): VideoHostingError {
  return new VideoHostingError('not_resumable', message, {
    facts: { outcome: 'nothing-sent' },
    hint: 'Name the videos again in a new change.',
  });
}

export interface Overlap {
  /** `It`, `All of them` or `3 of them ("a", "b", "c")`. */
  readonly which: string;
  readonly count: number;
  /** The newest change that has one of them. */
  readonly last: string;
  readonly isLastRunning: boolean;
  /** Of the ids. */
  readonly digest: string;
}

/** Which of the ids were, may have been or are about to be in other changes (newest first) that are wanted; undefined where none is. `onUnread` is told of those whose ids are gone. */
export async function findOverlap(
  records: AsyncIterable<ChangeRecord>,
  ids: readonly string[],
  journal: Journal,
  isWanted: (record: ChangeRecord) => boolean = () => true,
  onUnread: (changeId: string) => void = () => {},
): Promise<Overlap | undefined> {
  const wanted = new Set(ids);
  const found = new Set<string>();
  let last: ChangeRecord | undefined;
  for await (const record of records) {
    const { intent, bulk } = record;
    if (bulk === undefined || !isWanted(record)) continue;
    const earlier = await journal.readIds(intent.changeId).catch(() => []);
    if (earlier.length !== intent.ids) onUnread(intent.changeId);
    const again = earlier.filter((id, index) => {
      const status = bulk.statusAt(index);
      const isToBeSent = record.status === 'running' && isNotSent(status);
      return wanted.has(id) && (status === 'done' || isPossiblyApplied(status) || isToBeSent);
    });
    if (again.length > 0) last ??= record;
    for (const id of again) found.add(id);
  }
  if (last === undefined) return undefined;
  const which = found.size === ids.length ? (found.size === 1 ? 'It' : 'All of them') : `${found.size} of them (${listed([...found], 3)})`;
  return {
    which,
    count: found.size,
    last: last.intent.changeId,
    isLastRunning: last.status === 'running',
    digest: digestOfIds(ids.filter((id) => found.has(id))),
  };
}
