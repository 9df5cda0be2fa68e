import { type ShownStatus, shownStatus } from '../changes/proposals/proposal.ts';
import type { Workspace } from './workspace.ts';

/** The changes that wait, those that ended undecided, and those that were approved and never begun; the oldest first, as they are decided. */
export async function whatWaits({ decisions, journal }: Pick<Workspace, 'decisions' | 'journal'>) {
  const { proposals, damaged } = await decisions.list();
  const oldestFirst = proposals.toSorted((one, other) => one.at - other.at);
  const by = (status: ShownStatus) => oldestFirst.filter((change) => shownStatus(change) === status);
  const neverBegun = by('failed').filter(({ changeId }) => !journal.has(changeId));
  return { waiting: by('waiting'), expired: by('expired'), neverBegun, damaged: damaged.map(({ problem }) => problem) };
}
