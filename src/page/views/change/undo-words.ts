import type { ChangedRecord, ChangeView } from '../../contract.ts';
import { countInWords, number } from '../parts/words.ts';
import { isStatedOnly, statedUndo } from './stated.tsx';

/** What it is called by now. */
export const shownName = ({ name, newName, outcome, since }: ChangedRecord): string =>
  newName !== undefined && outcome === 'done' && since !== 'undone' ? newName : name;

/** Of what an undo rests on, and does not bring back. */
const butFor = (change: ChangeView): string =>
  isStatedOnly(change) ? ', but for what was not stated' : change.undo.rests === undefined ? '' : `, ${change.undo.rests}`;

/** Whether it can be undone, and of what only a part can be which, in short. */
export function undoWords(change: ChangeView): string {
  const { possible } = change.undo;
  if (possible === 'no') return 'This can’t be undone.';
  const changed = change.records.filter(({ since }) => since === 'changed');
  const open = change.records.filter(({ outcome, since }) => since === undefined && (outcome === 'done' || outcome === 'unknown'));
  if (possible === 'partly' && changed.length > 0 && open.length > 0) return whichWords(change, open, changed);
  if (possible === 'yes' && isStatedOnly(change)) return statedUndo(change.records);
  const but = butFor(change);
  if (possible === 'partly') return `Part of this can be undone${but}.`;
  return but === '' ? 'This can be undone.' : `Can be undone${but}.`;
}

const MAX_NAMED = 3;

function whichWords(change: ChangeView, open: readonly ChangedRecord[], changed: readonly ChangedRecord[]): string {
  const what = change.counts?.what ?? 'record';
  const [were, stay] = changed.length === 1 ? ['was', 'stays as it is'] : ['were', 'stay as they are'];
  const can = namesOf(open) ?? `${number(open.length)} of ${countInWords(open.length + changed.length, what)}`;
  return `Can be undone: ${can}${butFor(change)}. ${namesOf(changed) ?? countInWords(changed.length, what)} ${were} changed since and ${stay}.`;
}

/** Where they are few. */
const namesOf = (records: readonly ChangedRecord[]): string | undefined =>
  records.length > MAX_NAMED ? undefined : records.map((record) => inQuotes(shownName(record))).join(', ');

/** Some are quoted already, with their ids. */
const inQuotes = (name: string): string => (name.startsWith('"') ? name : `“${name}”`);
