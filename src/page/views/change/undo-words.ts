import type { ChangedRecord, ChangeView } from '../../contract.ts';
import { isOver } from '../parts/statuses.ts';
import { countInWords, number } from '../parts/words.ts';
import { isStatedOnly, leavingWords, notBack, partBack } from './stated-words.ts';

/** What it is called by now. */
export const shownName = ({ name, newName, nowName, outcome, since }: ChangedRecord): string =>
  nowName ?? (newName !== undefined && outcome === 'done' && since !== 'undone' ? newName : name);

/** Whether the one sentence on an undo stands where its button is, or that of what it would undo: it stands nowhere else then. */
export const isUndoInBar = ({ status, canUndo, mayDecide, problem, ...change }: ChangeView, mayAct: boolean): boolean =>
  mayAct &&
  (change.changesAccount || isGivenOut(change)) &&
  (status === 'waiting' ? mayDecide !== false && problem === undefined : isOver(status) && canUndo);

/** What is given out changes nothing in the account, and can’t be taken back all the same. */
export const isGivenOut = ({ changesAccount, counts }: Pick<ChangeView, 'changesAccount' | 'counts'>): boolean =>
  !changesAccount && counts?.what === 'list of emails';

/** The one answer to whether it can be undone: yes; yes, but for what; or no, and why. */
export function undoWords(change: ChangeView): string {
  const { possible, how, words } = change.undo;
  const changed = change.records.filter(({ since }) => since === 'changed');
  if (possible === 'no') return how === '' ? 'This can’t be undone.' : changed.length > 0 ? `This can’t be undone any more. ${how}` : how;
  const open = change.records.filter(({ outcome, since }) => since === undefined && (outcome === 'done' || outcome === 'unknown'));
  if (possible === 'partly' && changed.length > 0 && open.length > 0) return whichWords(change, open, changed);
  if (words !== undefined) return words;
  const lost = notBack(change);
  if (possible === 'yes')
    return `This can be undone${lost === undefined ? `${putsBack(change)}${until(change)}` : `, except for this: ${lost}`}.`;
  if (isStatedOnly(change) && lost !== undefined) return `Part of this can be undone${partBack(change.records)}. ${capital(lost)}.`;
  return how === '' ? 'Part of this can be undone.' : how;
}

const capital = (words: string): string => `${words.charAt(0).toLocaleUpperCase('en')}${words.slice(1)}`;

/** What is removed would look lost while the change waits. */
function putsBack(change: ChangeView): string {
  if (change.status !== 'waiting') return '';
  const removed = leavingWords(change.records);
  return removed.length === 0 ? '' : `, which puts the ${removed.join(' and ')} back`;
}

/** What is over was looked at: nobody changed it. Beside what can’t be put back at all, it has no weight. */
function until({ status, records, bulk }: ChangeView): string {
  if (isOver(status) || bulk !== undefined || records.length === 0) return '';
  return `${leavingWords(records).length === 0 ? '' : ','} until somebody else changes ${records.length === 1 ? 'the channel' : 'the channels'}`;
}

const MAX_NAMED = 3;

function whichWords(change: ChangeView, open: readonly ChangedRecord[], changed: readonly ChangedRecord[]): string {
  const what = change.counts?.what ?? 'record';
  const can = namesOf(open) ?? `${number(open.length)} of ${countInWords(open.length + changed.length, what)}`;
  const not = namesOf(changed) ?? `the ${number(changed.length)} others`;
  const lost = notBack(change);
  const but = lost === undefined ? '' : ` ${capital(lost)}.`;
  return `${can} can be undone, but not ${not}, which ${changed.length === 1 ? 'was' : 'were'} changed since.${but}`;
}

/** Where they are few. */
const namesOf = (records: readonly ChangedRecord[]): string | undefined =>
  records.length > MAX_NAMED ? undefined : records.map((record) => inQuotes(shownName(record))).join(', ');

/** Some are quoted already, with their ids. */
const inQuotes = (name: string): string => (name.startsWith('"') ? name : `“${name}”`);
