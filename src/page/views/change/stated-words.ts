import type { StatedList } from '../../../changes/plan/record-difference.ts';
import type { ChangedRecord, ChangeView } from '../../contract.ts';
import { countInWords } from '../parts/words.ts';
import { leavingIn } from './losses-of.ts';

/** Whether it sends lists that somebody states: what a record held beside them is lost, and no undo has it. */
export const isStatedOnly = ({ records }: Pick<ChangeView, 'records'>): boolean => records.some(({ stated }) => stated !== undefined);

/** What a list that is stated may lack. */
export const wordOf = (lists: readonly Pick<StatedList, 'what'>[]): string => [...new Set(lists.map(({ what }) => what))].join(' or ');

const whoseList = (lists: readonly Pick<StatedList, 'file'>[]): string => (isOfFile(lists) ? 'the given list' : 'the assistant’s list');

export const isOfFile = (lists: readonly Pick<StatedList, 'file'>[]): boolean => lists.some(({ file }) => file !== undefined);

/** What of the values of a single record is set back; nothing of several, of which some can’t be. */
function setBack(records: readonly ChangedRecord[]): readonly string[] {
  const [record, ...others] = records;
  if (record === undefined || others.length > 0) return [];
  const fields = record.fields.filter(({ before, after }) => before !== undefined && before !== after);
  return fields.map(({ name }) => name.toLocaleLowerCase('en'));
}

const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** What no undo brings back, of what somebody states, or stated before; undefined where nobody did. */
export function notBack({ records, statedEarlier }: Pick<ChangeView, 'records' | 'statedEarlier'>): string | undefined {
  const lists = records.flatMap(({ stated = [] }) => stated);
  if (lists.length > 0) return `a ${wordOf(lists)} missing from ${whoseList(lists)} can’t be put back`;
  return statedEarlier && `a ${statedEarlier.what.join(' or ')} missing from the list given earlier can’t be put back`;
}

/** What of what is known to leave comes back; nothing of what was not done. */
export function leavingWords(records: readonly ChangedRecord[]): readonly string[] {
  const leaving = [...leavingIn(records.filter(({ outcome }) => outcome === undefined || outcome === 'done'))];
  return leaving.map(([what, count]) => (count === 1 && leaving.length === 1 ? what : countInWords(count, what)));
}

/** Of a change of which only a part can be undone: which that is, where it is of one record. */
export function partBack(records: readonly ChangedRecord[]): string {
  const words = [...setBack(records), ...leavingWords(records)];
  return words.length === 0 ? '' : `: the ${joined(words)}`;
}
