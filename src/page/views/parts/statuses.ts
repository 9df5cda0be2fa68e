import { BEING_APPLIED, WAITED_LABELS } from '../../../changes/proposals/waited-labels.ts';
import type { ChangeStatus, ChangeView } from '../../contract.ts';
import { number } from './words.ts';

export type Tone = 'good' | 'caution' | 'loss' | 'plain' | 'act';

interface StatusRow {
  readonly words: string;
  readonly tone: Tone;
  readonly sign: string;
  /** What became of the change, in a sentence; empty for one that waits, or waited. */
  readonly outcome: string;
}

/** What is told of one comes with it. */
const unsent = (status: keyof typeof WAITED_LABELS): StatusRow => ({ words: WAITED_LABELS[status], tone: 'plain', sign: '–', outcome: '' });

/** Of a change that is over, `plain` means that nothing was sent. */
const STATUSES: Readonly<Record<ChangeStatus, StatusRow>> = {
  waiting: { words: WAITED_LABELS.waiting, tone: 'act', sign: '●', outcome: '' },
  running: { words: WAITED_LABELS.running, tone: 'act', sign: '▸', outcome: BEING_APPLIED },
  applied: { words: 'Done', tone: 'good', sign: '✓', outcome: 'Everything was applied.' },
  partly_applied: { words: 'Partly done', tone: 'caution', sign: '◐', outcome: 'Part of it was applied, and the rest was not.' },
  stopped: {
    words: 'Stopped',
    tone: 'caution',
    sign: '■',
    outcome: 'It was stopped.',
  },
  interrupted: {
    words: 'Interrupted',
    tone: 'caution',
    sign: '!',
    outcome: 'It was interrupted before its end.',
  },
  failed: { words: 'Failed', tone: 'loss', sign: '✕', outcome: 'It failed. Nothing was changed.' },
  declined: unsent('declined'),
  withdrawn: unsent('withdrawn'),
  expired: unsent('expired'),
  needless: unsent('needless'),
};

const UNDONE: StatusRow = { words: 'Undone', tone: 'plain', sign: '↶', outcome: 'It was applied, and undone later.' };

const PARTLY_UNDONE: StatusRow = {
  ...UNDONE,
  words: 'Partly undone',
  tone: 'caution',
  outcome: 'It was applied, and part of it was undone later.',
};
/** While it waits for what was sent already; `outcomeOf` says for how many. */
const STOPPING: StatusRow = { words: 'Stopping', tone: 'caution', sign: '■', outcome: 'It waits for what was sent already.' };
const PAUSED: StatusRow = { ...STATUSES.running, words: 'Paused', tone: 'caution' };
/** It was asked to stop when nothing was left to be kept back. */
const ENDING: StatusRow = { ...STATUSES.running, words: 'Ending' };
const IN_DOUBT: StatusRow = { ...STATUSES.partly_applied, words: 'In doubt', sign: '?' };
const PROBABLY_NOT: StatusRow = { ...IN_DOUBT, words: 'Probably not done' };

/** What was shown last of what runs or waits, where nothing tells how it is now. */
const LAST: Readonly<Partial<Record<ChangeStatus, StatusRow>>> = {
  waiting: { words: 'Was waiting', tone: 'plain', sign: '–', outcome: '' },
  running: { words: 'Was running', tone: 'caution', sign: '?', outcome: 'It was running when this page was shown last.' },
};

export type StatusFacts = Pick<
  ChangeView,
  'status' | 'undoneBy' | 'partlyUndoneBy' | 'wasStopped' | 'counts' | 'paused' | 'isStopping' | 'needsOther' | 'progress' | 'unfit'
>;

/** Of one that waits, nothing is to be decided: it can’t be applied as things are, or nothing is left of it. */
export const isUnfit = ({ status, unfit = '' }: Pick<ChangeView, 'status' | 'unfit'>): boolean => status === 'waiting' && unfit !== '';

/** Both wait and are of some of the same records: what is applied last counts. */
export const areOfSame = (one: Pick<ChangeView, 'changeId' | 'overtakes'>, other: Pick<ChangeView, 'changeId' | 'overtakes'>): boolean =>
  one.overtakes?.includes(other.changeId) === true || other.overtakes?.includes(one.changeId) === true;

/** Nothing of it is known to be done, and some of it may be. */
const isInDoubt = ({ status, counts }: Pick<StatusFacts, 'status' | 'counts'>): boolean =>
  (status === 'partly_applied' || status === 'failed') && counts?.done === 0 && (counts.unknown ?? 0) > 0;

/** Whether somebody has to look what became of a part of it. */
export const needsLook = (change: StatusFacts): boolean =>
  isOver(change.status) && change.undoneBy === undefined && (change.counts?.unknown ?? 0) > 0;

export const isAllSent = ({ done, total, ofMany }: NonNullable<ChangeView['progress']>): boolean => total - done === ofMany?.sent;

/** Where there are several people, what waits may wait for others of them. */
const WAITS_FOR_OTHERS: StatusRow = { ...STATUSES.waiting, words: 'Waits for somebody else' };

/** `isLast`: nothing tells any more how it is. */
export function statusRow(change: StatusFacts, mayDecide = true, isLast = false): StatusRow {
  const { status, undoneBy, partlyUndoneBy, wasStopped, counts, paused, isStopping, progress, unfit = '' } = change;
  const last = isLast ? LAST[status] : undefined;
  if (last !== undefined) return last;
  if (isUnfit(change)) return { words: unfit, tone: 'caution', sign: '–', outcome: '' };
  if (status === 'running' && isStopping === true) return progress !== undefined && isAllSent(progress) ? ENDING : STOPPING;
  if (status === 'running') return paused === undefined ? STATUSES.running : PAUSED;
  if (!mayDecide && status === 'waiting') return WAITS_FOR_OTHERS;
  if (undoneBy !== undefined) return UNDONE;
  if (partlyUndoneBy !== undefined) return PARTLY_UNDONE;
  if (wasStopped === true) return STATUSES.stopped;
  if (!isInDoubt(change)) return STATUSES[status];
  return counts?.asBefore === counts?.total ? PROBABLY_NOT : IN_DOUBT;
}

export const isOver = (status: ChangeStatus): boolean => status !== 'waiting' && status !== 'running';

/** What stands above the records of a change. */
export function recordsHeading({ status, changesAccount, counts }: Pick<ChangeView, 'status' | 'changesAccount' | 'counts'>): string {
  if (counts?.what === 'list of emails') return status === 'applied' ? 'What was given out' : 'What is asked for';
  if (!isOver(status)) return changesAccount ? 'What changes' : 'What is recorded';
  if (status === 'applied') return changesAccount ? 'What changed' : 'What was recorded';
  if (status === 'failed') return 'What was to change';
  return STATUSES[status].tone === 'plain' ? 'What was proposed' : 'What became of each';
}

/** Of one that was asked to stop: what that still keeps back. */
function stoppingText({ done, total, ofMany }: NonNullable<ChangeView['progress']>): string {
  if (ofMany === undefined || ofMany.sent === 0) return STOPPING.outcome;
  const [rest, were] = [total - done - ofMany.sent, ofMany.sent === 1 ? 'was' : 'were'];
  return rest === 0
    ? `Stop came too late: all ${number(ofMany.sent)} that were left are sent, and can’t be stopped any more.`
    : `It is stopping. ${number(ofMany.sent)} ${were} sent and can’t be stopped any more; the other ${number(rest)} will not be sent.`;
}

/** What became of a change, in a sentence. */
export function outcomeOf({ partlyUndoneBy, ...change }: ChangeView, isLast = false): string {
  const last = isLast ? LAST[change.status] : undefined;
  if (last !== undefined) return last.outcome;
  if (change.status === 'running' && isUnasked(change) && change.isStopping !== true) return UNASKED;
  if (change.status === 'running' && change.isStopping === true && change.progress !== undefined) return stoppingText(change.progress);
  if (partlyUndoneBy === undefined) return outcomeAtFirst(change);
  return change.status === 'applied' ? PARTLY_UNDONE.outcome : `${outcomeAtFirst(change)} Part of it was undone later.`;
}

/** It runs though nobody was asked. */
export const isUnasked = ({ agreed = [] }: Pick<ChangeView, 'agreed'>): boolean => agreed.some((one) => one.isUnasked === true);

const UNASKED = 'This is being applied without approval.';

function outcomeAtFirst(change: ChangeView): string {
  const isLocal = change.status === 'applied' && change.undoneBy === undefined && !change.changesAccount;
  // What it means says so too, where that is told.
  if (isLocal) return change.meaning === undefined ? 'It is done. Nothing in the account was changed.' : 'It is recorded.';
  const { outcome } = statusRow(change);
  if (outcome === '') return change.outcome ?? '';
  const { bulk, records } = change;
  if (isInDoubt(change)) return partOf(change) ?? outcome;
  const failed = bulk?.failedCount ?? records.length;
  if (change.status === 'failed' && failed > 1 && failed === (bulk?.total ?? records.length))
    return `It failed: none of ${number(failed)} could be done.`;
  const since = change.records.filter((record) => record.since === 'changed').length;
  if (change.status === 'applied' && isPartLeft(change)) return 'It was applied, but for what was left alone.';
  if (change.status === 'applied' && change.undoneBy === undefined && since > 0)
    return `Everything was applied. ${since === records.length ? (since === 1 ? 'It was' : 'All were') : `${number(since)} of ${number(records.length)} ${since === 1 ? 'was' : 'were'}`} changed since: what is below may be otherwise now.`;
  const who = change.outcome || undefined;
  if (who === undefined && change.status === 'partly_applied') return partOf(change) ?? outcome;
  const isEnded = who !== undefined || change.status === 'stopped' || change.status === 'interrupted';
  return isEnded ? [who ?? outcome, partOf(change) ?? ''].filter((text) => text !== '').join(' ') : outcome;
}

/** Of what was asked for, more was left alone than what is as wanted already. */
export const isPartLeft = ({ undoneBy, notices }: ChangeView): boolean =>
  undoneBy === undefined && notices.some(({ isLeftAlone, weight }) => isLeftAlone === true && weight !== 'fact');

/** How much of it was done, and apart from what was not, what nobody knows: to send that again may do it twice. */
function partOf({ bulk, records: all }: ChangeView): string | undefined {
  const records = all.filter(({ isLeftAlone }) => isLeftAlone !== true);
  const unknown = bulk?.unknownCount ?? records.filter(({ outcome }) => outcome === 'unknown').length;
  const done = bulk?.done ?? records.filter(({ outcome }) => outcome === 'done').length;
  const rest = (bulk?.total ?? records.length) - done - unknown;
  if (rest + unknown === 0) return undefined;
  if (rest === 1 && done + unknown === 0) return 'It was not done.';
  const asBefore = records.filter((one) => one.outcome === 'unknown' && one.isAsBefore === true).length;
  if (done + rest === 0 && asBefore === unknown)
    return unknown === 1 ? 'It was probably not done.' : `All ${number(unknown)} were probably not done.`;
  if (done + rest === 0)
    return unknown === 1 ? 'It is not known whether it was done.' : `Of all ${number(unknown)} it is not known whether they were done.`;
  const total = number(done + rest + unknown);
  if (unknown > 0) {
    const doubt = `Of ${number(unknown)} it is not known whether ${unknown === 1 ? 'it was' : 'they were'} done`;
    if (done === 0) return `${doubt}; the other ${number(rest)} ${rest === 1 ? 'was' : 'were'} not.`;
    const others = rest === 0 ? '' : `, and ${number(rest)} ${rest === 1 ? 'was' : 'were'} not`;
    return `${doubt}; ${number(done)} of ${total} ${done === 1 ? 'was' : 'were'}${others}.`;
  }
  return `${number(done)} of ${total} ${done === 1 ? 'was' : 'were'} done; ${number(rest)} ${rest === 1 ? 'was' : 'were'} not.`;
}
