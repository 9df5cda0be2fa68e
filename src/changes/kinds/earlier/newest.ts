import type { ChangeRecord } from '../../journal/change-record.ts';
import type { Journal } from '../../journal/journal.ts';
import { isSameParty, type Party } from '../../plan/asked-and-decided.ts';
import { CHANGE_KINDS, UNDOS } from '../../plan/traits/index.ts';
import { kindOf } from '../index.ts';
import { hasRest } from './resume-change.ts';
import { undoOf } from './undoable.ts';
import { undoneSince } from './undone-by.ts';

/** So many changes of the caller are looked through, the newest first. */
const MAX_LOOKED_THROUGH = 50;
/** It is mostly one of the last. */
const LOOKED_AT_ONCE = 10;

/** `caller`: what others asked for has to be named. */
export type Newest = (journal: Journal, caller: Party | undefined) => Promise<ChangeRecord | undefined>;

/** The newest that is meant, of those that were asked for by the same person, or agent, or by none, and were not undone. */
const newest =
  (isMeant: (record: ChangeRecord) => boolean): Newest =>
  async (journal, caller) => {
    const inOne = async (records: readonly ChangeRecord[]) => {
      const undone = await undoneSince(records.at(-1)?.intent.changeId ?? '', journal);
      return records.find((record) => undone.get(record.intent.changeId)?.whole !== true && isMeant(record));
    };
    let [records, looked] = [[] as ChangeRecord[], 0];
    for await (const record of journal.each(CHANGE_KINDS)) {
      if (!isSameParty(record.agreed[0]?.asked?.by, caller)) continue;
      records.push(record);
      looked += 1;
      if (records.length < LOOKED_AT_ONCE) continue;
      const found = await inOne(records);
      if (found !== undefined || looked >= MAX_LOOKED_THROUGH) return found;
      records = [];
    }
    return records.length === 0 ? undefined : inOne(records);
  };

/** The newest change that can be undone, or is running and could be once it is stopped. An undo is only meant where it is named. */
export const newestToUndo: Newest = newest((record) => !UNDOS.includes(record.intent.kind) && undoOf(record).possible !== 'no');

/** The newest change of which something is left to be sent, or to be sent again. */
export const newestToResume = (retryFailed: boolean): Newest => newest((record) => hasRest(record) || (retryFailed && hasFailed(record)));

function hasFailed({ intent, items, bulk, status }: ChangeRecord): boolean {
  if (status === 'running' || kindOf(intent.kind).retry !== 'possible') return false;
  return bulk === undefined ? items.some(({ outcome }) => outcome === 'failed') : bulk.count('failed') > 0;
}
