import type { ChangedRecord, ChangeView } from '../../contract.ts';
import { isOver } from '../parts/statuses.ts';
import { countInWords, number } from '../parts/words.ts';
import { leavingIn } from './losses-of.ts';
import { isStatedOnly, notBack, statedUndo } from './stated-words.ts';

/** What it is called by now. */
export const shownName = ({ name, newName, nowName, outcome, since }: ChangedRecord): string =>
  nowName ?? (newName !== undefined && outcome === 'done' && since !== 'undone' ? newName : name);

/** Whether the one sentence on an undo stands where its button is, or that of what it would undo: it stands nowhere else then. */
export const isUndoInBar = ({ status, canUndo, mayDecide, problem, changesAccount }: ChangeView, mayAct: boolean): boolean =>
  mayAct && changesAccount && (status === 'waiting' ? mayDecide !== false && problem === undefined : isOver(status) && canUndo);

/** The one sentence on an undo: whether it can be, of what only a part can be which, and on what that rests. */
export function undoWords(change: ChangeView): string {
  const { possible, how, rests } = change.undo;
  const changed = change.records.filter(({ since }) => since === 'changed');
  if (possible === 'no') return how === '' ? 'This can’t be undone.' : changed.length > 0 ? `This can’t be undone any more. ${how}` : how;
  const open = change.records.filter(({ outcome, since }) => since === undefined && (outcome === 'done' || outcome === 'unknown'));
  if (possible === 'partly' && changed.length > 0 && open.length > 0) return whichWords(change, open, changed);
  if (isStatedOnly(change)) return statedUndo(change);
  const which = possible === 'yes' ? `This can be undone${puttingBack(change)}` : 'Part of this can be undone';
  return rests === undefined ? `${which}.` : `${which}, ${rests}.`;
}

/** What is removed would look lost while the change waits. */
function puttingBack({ status, records }: ChangeView): string {
  if (status !== 'waiting') return '';
  const removed = [...leavingIn(records)].map(([what, count]) => (count === 1 ? what : countInWords(count, what)));
  return removed.length === 0 ? '' : `, which puts the ${removed.join(' and ')} back`;
}

const MAX_NAMED = 3;

function whichWords(change: ChangeView, open: readonly ChangedRecord[], changed: readonly ChangedRecord[]): string {
  const what = change.counts?.what ?? 'record';
  const [were, stay] = changed.length === 1 ? ['was', 'stays as it is'] : ['were', 'stay as they are'];
  const can = namesOf(open) ?? `${number(open.length)} of ${countInWords(open.length + changed.length, what)}`;
  const but = isStatedOnly(change) ? `; ${notBack(change.records)}` : '';
  return `An undo sets back ${can}${but}. ${namesOf(changed) ?? countInWords(changed.length, what)} ${were} changed since and ${stay}.`;
}

/** Where they are few. */
const namesOf = (records: readonly ChangedRecord[]): string | undefined =>
  records.length > MAX_NAMED ? undefined : records.map((record) => inQuotes(shownName(record))).join(', ');

/** Some are quoted already, with their ids. */
const inQuotes = (name: string): string => (name.startsWith('"') ? name : `“${name}”`);
