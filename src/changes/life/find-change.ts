import { undefinedIfRefused } from '../../errors.ts';
import { newerChange } from '../journal/change-reader.ts';
import { type ChangeRecord, RECORD_STATUSES } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { isWaiting, type Proposal, recordId, type ShownStatus, shownStatus } from '../proposals/proposal.ts';
import { waitsOf } from '../proposals/routes/index.ts';
import type { ProposalLookup } from '../proposals/store.ts';

/** As answers tell it. */
export const proposalStatus = (proposal: Proposal): 'confirmation_required' | ShownStatus =>
  proposal.status === 'waiting' && waitsOf(proposal.route).isByAssistant ? 'confirmation_required' : shownStatus(proposal);

/** Where changes are looked for. */
export interface ChangeStores {
  readonly journal: Pick<Journal, 'has' | 'read' | 'list' | 'newer'>;
  readonly proposals: ProposalLookup;
}

/**
 * What is under an id: the record in the journal, else what was asked for. What carries another change on leads to the record of that
 * once it is begun.
 */
export type FoundChange =
  | {
      readonly record: ChangeRecord;
      readonly proposal: Proposal | undefined;
      /** By which it is to be carried on, and that wait. */
      readonly resumptions: readonly Proposal[];
    }
  | { readonly record: undefined; readonly proposal: Proposal };

/** The one answer to what is under an id. Throws `not_found` where it is there and can’t be relied on. */
export async function findChange(changeId: string, { journal, proposals }: ChangeStores): Promise<FoundChange | undefined> {
  const proposal = await proposals.get(changeId);
  const waits = proposal?.status === 'waiting';
  const id = proposal === undefined ? changeId : recordId(proposal);
  // Unless it was begun, the record of the change that it would carry on tells nothing of it.
  const isUnbegunResumption = id !== changeId && proposal?.status !== 'started';
  const record = isUnbegunResumption || (waits && !journal.has(id)) ? undefined : await journal.read(id);
  // Written by an earlier version, one that carries a change on has the id of that, and hides it while it waits.
  if (record === undefined || (waits && record.status !== 'running')) return proposal && { record: undefined, proposal };
  return { record, proposal, resumptions: await resumptionsOf(record, proposals) };
}

/** What waits to carry a change on. */
async function resumptionsOf({ intent, status }: ChangeRecord, proposals: ProposalLookup): Promise<readonly Proposal[]> {
  if (status === 'running' || status === 'applied') return [];
  const { proposals: all } = await proposals.list();
  return all.filter((proposal) => isWaiting(proposal) && proposal.resumes === intent.changeId);
}

interface ListOptions {
  /** Of the changes in the journal. */
  readonly limit: number;
  readonly status?: string | undefined;
}

type ListedChange =
  | { readonly record: ChangeRecord; readonly proposal: undefined }
  | { readonly record: undefined; readonly proposal: Proposal };

/**
 * The one answer to what there is: what waits, and all else, each with the newest first. What was begun is told by its record; of what a
 * call asked for again in another way, that other way tells.
 */
export async function listChanges({ limit, status }: ListOptions, { journal, proposals: stores }: ChangeStores) {
  const isWanted = (found: string) => status === undefined || status === found;
  const { proposals, damaged } = await stores.list();
  const isRunning = async (changeId: string) =>
    journal.has(changeId) && (await journal.read(changeId).catch(undefinedIfRefused))?.status === 'running';
  const waits: Proposal[] = [];
  for (const proposal of proposals) if (proposal.status === 'waiting' && !(await isRunning(proposal.changeId))) waits.push(proposal);
  const waitingIds = new Set(waits.map(({ changeId }) => changeId));
  const begun = RECORD_STATUSES.find(isWanted);
  const records = begun === undefined ? [] : await journal.list(limit, status === undefined ? {} : { status: begun });
  const isToldOtherwise = ({ changeId, resumes, status: how, isAskedHere, isAnswered }: Proposal) =>
    waitingIds.has(changeId) || journal.has(changeId) || (how === 'started' && resumes !== undefined) || (isAskedHere && isAnswered);
  const unbegun = proposals.filter((proposal) => !isWaiting(proposal) && !isToldOtherwise(proposal));
  const others: ListedChange[] = [
    ...records.flatMap((record) => (waitingIds.has(record.intent.changeId) ? [] : [{ record, proposal: undefined }])),
    ...unbegun.filter((proposal) => isWanted(proposalStatus(proposal))).map((proposal) => ({ record: undefined, proposal })),
  ];
  return {
    waits: waits.filter((proposal) => isWanted(proposalStatus(proposal))),
    others: others.toSorted((one, other) => (idOf(one) < idOf(other) ? 1 : -1)),
    /** What waits, or waited, and what of that can’t be read. */
    ...{ proposals, damaged },
    /** What a newer version of this program carried out, as far as it was passed over here. */
    newer: journal.newer().map((changeId) => ({ changeId, problem: newerChange(changeId).message })),
  };
}

/** Ids begin with the time at which a change was asked for. */
export const idOf = ({ record, proposal }: ListedChange): string => (record === undefined ? proposal.changeId : record.intent.changeId);
