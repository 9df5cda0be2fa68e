import { type ChangeRecord, RECORD_STATUSES } from './journal/change-record.ts';
import type { Journal } from './journal/journal.ts';
import type { KeptChanges } from './proposals/disk.ts';
import { type KeptChange, type KeptStatus, keptStatus } from './proposals/disk-file.ts';
import type { WaitingChange, WaitingStatus } from './proposals/proposal.ts';

/** What was asked for, in this process or on disk: as it waits, or what became of it where nothing was begun by it. */
export type Proposal = WaitingChange | KeptChange;

export const isKept = (proposal: Proposal): proposal is KeptChange => !('route' in proposal);

/** Whether the approval page shows it: what is asked in the chat or in a form has its answer there. */
export const isOnPage = (proposal: Proposal): boolean => isKept(proposal) || proposal.route === 'page';

/** As answers tell it: what was begun and is not in the journal yet counts as running. */
export type ProposalStatus = 'confirmation_required' | Exclude<WaitingStatus, 'started'> | KeptStatus;

export function proposalStatus(proposal: Proposal): ProposalStatus {
  if (isKept(proposal)) return keptStatus(proposal);
  const { status, route } = proposal;
  if (status === 'started') return 'running';
  return status === 'waiting' && route === 'token' ? 'confirmation_required' : status;
}

/** Where changes are looked for. */
export interface ChangeStores {
  readonly journal: Pick<Journal, 'has' | 'read' | 'list'>;
  readonly waiting: { find(changeId: string): WaitingChange | undefined; all(): readonly WaitingChange[] };
  readonly kept: Pick<KeptChanges, 'get' | 'list'>;
}

/**
 * What is under an id: its record in the journal, else what was asked for. While it waits for a person that a change is carried on, what
 * was asked for alone, unless the change runs; afterwards both.
 */
export type FoundChange =
  | { readonly record: ChangeRecord; readonly proposal: Proposal | undefined }
  | { readonly record: undefined; readonly proposal: Proposal };

/** The one answer to what is under an id. Throws `not_found` where it is there and can’t be relied on. */
export async function findChange(changeId: string, stores: ChangeStores): Promise<FoundChange | undefined> {
  const proposal = await findProposal(changeId, stores);
  const isWaiting = proposal?.status === 'waiting';
  const record = isWaiting && !stores.journal.has(changeId) ? undefined : await stores.journal.read(changeId);
  // One that runs by now is no more to be carried on.
  if (record !== undefined && (!isWaiting || record.status === 'running')) return { record, proposal };
  return proposal && { record: undefined, proposal };
}

/** What waits under an id, in this process or on disk; else what waited there last. */
async function findProposal(changeId: string, { waiting, kept }: Pick<ChangeStores, 'waiting' | 'kept'>): Promise<Proposal | undefined> {
  const own = waiting.find(changeId);
  if (own?.status === 'waiting') return own;
  const onDisk = await kept.get(changeId);
  if (own === undefined || onDisk === undefined) return own ?? onDisk;
  return onDisk.status === 'waiting' || onDisk.at > own.at ? onDisk : own;
}

interface ListOptions {
  /** Of the changes in the journal. */
  readonly limit: number;
  readonly status?: string | undefined;
}

/**
 * The one answer to what there is: what waits, and all else, each with the newest first. What was begun is told by its record; of what a
 * call asked for again in another way, that other way tells.
 */
export async function listChanges({ limit, status }: ListOptions, { journal, waiting, kept }: ChangeStores) {
  const isWanted = (found: string) => status === undefined || status === found;
  const { changes: onDisk, damaged } = await kept.list();
  const proposals = [...waiting.all(), ...onDisk];
  const isRunning = async (changeId: string) => journal.has(changeId) && (await journal.read(changeId))?.status === 'running';
  const waits: Proposal[] = [];
  for (const proposal of proposals) if (proposal.status === 'waiting' && !(await isRunning(proposal.changeId))) waits.push(proposal);
  const waitingIds = new Set(waits.map(({ changeId }) => changeId));
  const begun = RECORD_STATUSES.find(isWanted);
  const records = begun === undefined ? [] : await journal.list(limit, status === undefined ? {} : { status: begun });
  const unbegun = proposals.filter(
    ({ changeId, status: how }) => how !== 'waiting' && how !== 'answered' && !waitingIds.has(changeId) && !journal.has(changeId),
  );
  const others: FoundChange[] = [
    ...records.flatMap((record) => (waitingIds.has(record.intent.changeId) ? [] : [{ record, proposal: undefined }])),
    ...unbegun.filter((proposal) => isWanted(proposalStatus(proposal))).map((proposal) => ({ record: undefined, proposal })),
  ];
  return {
    waits: waits.filter((proposal) => isWanted(proposalStatus(proposal))),
    others: others.toSorted((one, other) => (idOf(one) < idOf(other) ? 1 : -1)),
    /** What is on disk, and what of it can’t be read. */
    ...{ onDisk, damaged },
  };
}

/** Ids begin with the time at which a change was asked for. */
const idOf = ({ record, proposal }: FoundChange): string => (record === undefined ? proposal.changeId : record.intent.changeId);
