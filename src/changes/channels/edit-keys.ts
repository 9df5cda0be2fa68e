import { nearest } from '../../platform/nearest.ts';
import { listed, repeatedIn } from '../listed.ts';

/** What a caller wants done to a list of keys. */
export interface KeyEdits {
  readonly setVideoKeys?: readonly string[] | undefined;
  readonly addVideoKeys?: readonly string[] | undefined;
  readonly removeVideoKeys?: readonly string[] | undefined;
  readonly firstVideoKeys?: readonly string[] | undefined;
}

export interface KeyProblem {
  readonly field: keyof KeyEdits;
  readonly problem: string;
}

type Edited = { readonly keys: readonly string[] } | { readonly problems: readonly KeyProblem[] };

/** Whether the edits need the list as it is now. */
export function needsCurrentKeys(edits: KeyEdits): boolean {
  return edits.setVideoKeys === undefined;
}

/**
 * The list after the edits: what is set (or what is there now), without what is removed, with what is added at the
 * end, and the first ones first. Every other key keeps its place among the others, also one that the channel holds twice.
 */
export function editKeys(current: readonly string[], edits: KeyEdits): Edited {
  const { setVideoKeys, addVideoKeys = [], removeVideoKeys = [], firstVideoKeys = [] } = edits;
  const base = setVideoKeys ?? current;
  const there = new Set(base);
  const removed = new Set(removeVideoKeys);
  const after = [...base.filter((key) => !removed.has(key)), ...addVideoKeys.filter((key) => !there.has(key))];
  const problems = [
    ...repeats(edits),
    ...conflicts(edits),
    ...notThere('removeVideoKeys', removeVideoKeys, there),
    ...notThere('firstVideoKeys', firstVideoKeys, new Set([...after, ...removed])),
  ];
  if (problems.length > 0) return { problems };
  const first = new Set(firstVideoKeys);
  const again = repeatedIn(after).filter((key) => first.has(key));
  return { keys: [...firstVideoKeys, ...again, ...after.filter((key) => !first.has(key))] };
}

function repeats(edits: KeyEdits): KeyProblem[] {
  return KEY_EDITS.flatMap((field) => {
    const repeated = [...new Set(repeatedIn(edits[field] ?? []))];
    return repeated.length === 0 ? [] : [{ field, problem: `names ${listed(repeated)} more than once.` }];
  });
}

function conflicts({ setVideoKeys, addVideoKeys = [], removeVideoKeys = [], firstVideoKeys = [] }: KeyEdits): KeyProblem[] {
  const problems: KeyProblem[] = [];
  if (setVideoKeys !== undefined && addVideoKeys.length + removeVideoKeys.length > 0)
    problems.push({ field: 'setVideoKeys', problem: 'is the whole list: put what is added or removed into it instead.' });
  const removed = new Set(removeVideoKeys);
  for (const [field, keys] of [['addVideoKeys', addVideoKeys] as const, ['firstVideoKeys', firstVideoKeys] as const]) {
    const both = keys.filter((key) => removed.has(key));
    if (both.length > 0) problems.push({ field, problem: `and removeVideoKeys both name ${listed(both)}.` });
  }
  return problems;
}

/** One problem for all that are missing; the nearest key is told of a single one, which may be mistyped. */
function notThere(field: keyof KeyEdits, keys: readonly string[], there: ReadonlySet<string>): KeyProblem[] {
  const missing = keys.filter((key) => !there.has(key));
  const [only, ...more] = missing;
  if (only === undefined) return [];
  const [near] = more.length === 0 ? nearest(only, [...there], 1) : [];
  const hint = near === undefined ? '' : ` Did you mean ${listed([near])}?`;
  return [{ field, problem: `names ${listed(missing)}, which the channel does not hold.${hint}` }];
}

/** The edits of a channel's videos, each a list of keys. */
export const KEY_EDITS = ['setVideoKeys', 'addVideoKeys', 'removeVideoKeys', 'firstVideoKeys'] as const;
