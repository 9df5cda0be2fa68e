import type { StatedList } from '../../../changes/plan/record-difference.ts';
import type { ChangedRecord, ChangeView } from '../../contract.ts';
import { countInWords } from '../parts/words.ts';
import { leavingIn } from './losses-of.ts';

/** Whether it sends lists that somebody states: what a record held beside them is lost, and no undo has it. */
export const isStatedOnly = ({ records }: Pick<ChangeView, 'records'>): boolean => records.some(({ stated }) => stated !== undefined);

/** What a list that is stated may lack. */
export const wordOf = (lists: readonly Pick<StatedList, 'what'>[]): string => [...new Set(lists.map(({ what }) => what))].join(' or ');

export const whoseList = (lists: readonly Pick<StatedList, 'file'>[]): string =>
  lists.some(({ file }) => file !== undefined) ? 'the given list' : 'the assistant’s list';

/** What of the values of a single record is set back; nothing of several, of which some can’t be. */
function setBack(records: readonly ChangedRecord[]): string | undefined {
  const [record, ...others] = records;
  if (record === undefined || others.length > 0) return undefined;
  const fields = record.fields.filter(({ before, after }) => before !== undefined && before !== after);
  const words = fields.map(({ name }) => name.toLocaleLowerCase('en'));
  return words.length === 0 ? undefined : `The ${joined(words)}`;
}

const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** What no undo brings back, of what somebody stated. */
export function notBack(records: readonly ChangedRecord[], short = false): string {
  const lists = records.flatMap(({ stated = [] }) => stated);
  return `a ${wordOf(lists)} missing from ${whoseList(lists)} can’t${short ? '' : ' be put back'}`;
}

/** What of it can be put back, and what can’t. */
export function statedUndo({ records, undo }: Pick<ChangeView, 'records' | 'undo'>): string {
  const leaving = [...leavingIn(records.filter(({ outcome }) => outcome === undefined || outcome === 'done'))];
  const [only] = leaving;
  if (undo.possible === 'partly') return `${setBack(records) ?? 'A part'} can be set back; ${notBack(records)}.`;
  if (only === undefined) return `This can be undone; ${notBack(records)}.`;
  const isOne = leaving.length === 1 && only[1] === 1;
  const which = isOne ? only[0] : leaving.map(([what, count]) => countInWords(count, what)).join(' and ');
  return `The ${which} can be put back; ${notBack(records, true)}.`;
}
