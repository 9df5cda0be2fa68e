/** The files of a journal’s folder, by their names: what can be told of its changes without reading any. */

/** Marks a change that was covered by a standing approval, so that the others need not be read. */
export const RECEIPT = 'standing';

export const CHANGE_ID = /^chg-[0-9a-z]{9}-[0-9a-z]{4}$/;
/** The file of an epoch, which stays: it tells that a change was resumed. */
const CLAIM_FILE = /^(chg-[^.]*)\.epoch\d+$/;

export const idsWith = (ending: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));

/** The newest first. */
export const idsIn = (names: readonly string[]): readonly string[] =>
  idsWith('.jsonl', names)
    .filter((id) => CHANGE_ID.test(id))
    .toSorted()
    .toReversed();

/** Marks a change that was begun long after its id was given out, since it had waited for a person. */
export const LATE = 'late';

/** The ids of changes that were carried on, perhaps long after they were begun. */
export const resumedIn = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => CLAIM_FILE.exec(name)?.[1] ?? []));

/** The ids of changes that were begun or carried on later than their ids tell. */
export const lateIn = (names: readonly string[]): ReadonlySet<string> => new Set([...resumedIn(names), ...idsWith(`.${LATE}`, names)]);
