/**
 * The files of a journal’s folder, by their names: what can be told of its changes without reading any. There may be tens of thousands, so that
 * names are compared before they are cut. Ids are of one length, and sort by time.
 */
import { idAt } from './change-order.ts';

export const CHANGE_ID = /^chg-[0-9a-z]{9}-[0-9a-z]{4}$/;
const ID_LENGTH = 'chg-000000000-0000'.length;

const idOf = (name: string): string => name.slice(0, ID_LENGTH);

/** The ids of changes with a file of this ending, proposed since a time. One may have no intent. */
export const idsWith = (ending: string, names: readonly string[], sinceMs = 0): readonly string[] => {
  const first = idAt(sinceMs);
  return names.filter((name) => name >= first && name.length === ID_LENGTH + ending.length && name.endsWith(ending)).map(idOf);
};

/** Those proposed since a time, the newest first. */
export const idsIn = (names: readonly string[], sinceMs = 0): readonly string[] =>
  idsWith('.jsonl', names, sinceMs)
    .filter((id) => CHANGE_ID.test(id))
    .toSorted()
    .toReversed();

export function newestIn(names: readonly string[]): string | undefined {
  let newest = '';
  for (const name of names) if (name > newest && name.endsWith('.jsonl') && CHANGE_ID.test(idOf(name))) newest = name;
  return newest === '' ? undefined : idOf(newest);
}

/** The end of the names of files that get another name, and lose this one, once they are whole. */
export const OFFER = '.offer';

/** Marks a change that was begun long after its id was given out, since it had waited for a person. */
export const LATE = 'late';
/** Marks a change that was still at work then. */
export const LONG = 'long';

/** The ids of changes that were carried on, perhaps long after they were begun: the file of an epoch stays. */
export const resumedIn = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.filter((name) => name.startsWith('.epoch', ID_LENGTH) && /^\d+$/.test(name.slice(ID_LENGTH + '.epoch'.length))).map(idOf));

/** The ids of changes that were begun or carried on later than their ids tell. */
export const lateIn = (names: readonly string[]): ReadonlySet<string> => new Set([...resumedIn(names), ...idsWith(`.${LATE}`, names)]);
