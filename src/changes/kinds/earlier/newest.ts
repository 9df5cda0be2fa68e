import type { ChangeRecord } from '../../journal/change-record.ts';
import type { Journal } from '../../journal/journal.ts';
import { isSameParty, type Party } from '../../plan/asked-and-decided.ts';
import { UNDOS } from '../../plan/traits/index.ts';
import { kindOf } from '../index.ts';
import { hasRest } from './resume-change.ts';
import { undoOf } from './undoable.ts';
import { undoneSince } from './undone-by.ts';

/** So many changes are looked through, the newest first. */
const MAX_LOOKED_THROUGH = 50;

/** `caller`: what others asked for has to be named. */
export type Newest = (journal: Journal, caller: Party | undefined) => Promise<ChangeRecord | undefined>;

/** Those that were asked for by the same person, or agent, or by none, and were not undone, newest first. */
async function notUndone(journal: Journal, caller: Party | undefined): Promise<readonly ChangeRecord[]> {
  const all = await journal.list(MAX_LOOKED_THROUGH);
  const records = all.filter(({ agreed: [first] }) => isSameParty(first?.asked?.by, caller));
  const undone = await undoneSince(records.at(-1)?.intent.changeId ?? '', journal);
  return records.filter(({ intent }) => undone.get(intent.changeId)?.whole !== true);
}

/** The newest change that can be undone, or is running and could be once it is stopped. An undo is only meant where it is named. */
export const newestToUndo: Newest = async (journal, caller) =>
  (await notUndone(journal, caller)).find((record) => !UNDOS.includes(record.intent.kind) && undoOf(record).possible !== 'no');

/** The newest change of which something is left to be sent, or to be sent again. */
export const newestToResume =
  (retryFailed: boolean): Newest =>
  async (journal, caller) =>
    (await notUndone(journal, caller)).find((record) => hasRest(record) || (retryFailed && hasFailed(record)));

function hasFailed({ intent, items, bulk, status }: ChangeRecord): boolean {
  if (status === 'running' || kindOf(intent.kind).retry !== 'possible') return false;
  return bulk === undefined ? items.some(({ outcome }) => outcome === 'failed') : bulk.count('failed') > 0;
}
