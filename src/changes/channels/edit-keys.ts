import { nearest } from '../../text/nearest.ts';
import { listed, repeatedIn } from '../listed.ts';

/** The edits of a channel's videos, each a list of keys. */
export const KEY_EDITS = ['setVideoKeys', 'addVideoKeys', 'removeVideoKeys', 'firstVideoKeys'] as const;

export type KeyEdits = { readonly [Edit in (typeof KEY_EDITS)[number]]?: readonly string[] | undefined };

interface KeyProblem {
  readonly field: keyof KeyEdits;
  readonly problem: string;
}

/**
 * The list after the edits: the stated list (or the current one) without the removed keys, with the added keys at the end
 * and the first keys in front. All other keys keep their order, including a key that the channel holds twice.
 */
export function editKeys(
  current: readonly string[],
  edits: KeyEdits,
): { readonly keys: readonly string[] } | { readonly problems: readonly KeyProblem[] } {
  const { setVideoKeys, addVideoKeys = [], removeVideoKeys = [], firstVideoKeys = [] } = edits;
  const base = setVideoKeys ?? current;
  const held = new Set(base);
  const removed = new Set(removeVideoKeys);
  const after = [...base.filter((key) => !removed.has(key)), ...addVideoKeys.filter((key) => !held.has(key))];
  const problems = [
    ...repeats(edits),
    ...conflicts(edits),
    ...missing('removeVideoKeys', removeVideoKeys, held),
    ...missing('firstVideoKeys', firstVideoKeys, new Set([...after, ...removed])),
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
  const removed = new Set(removeVideoKeys);
  const alsoRemoved = (field: keyof KeyEdits, keys: readonly string[]): KeyProblem[] => {
    const both = keys.filter((key) => removed.has(key));
    return both.length === 0 ? [] : [{ field, problem: `and removeVideoKeys both name ${listed(both)}.` }];
  };
  return [
    ...(setVideoKeys !== undefined && addVideoKeys.length + removeVideoKeys.length > 0
      ? [{ field: 'setVideoKeys' as const, problem: 'is the whole list: put what is added or removed into it instead.' }]
      : []),
    ...alsoRemoved('addVideoKeys', addVideoKeys),
    ...alsoRemoved('firstVideoKeys', firstVideoKeys),
  ];
}

/** One problem for all missing keys. Only a single one is probably mistyped, so only it gets the nearest key. */
function missing(field: keyof KeyEdits, keys: readonly string[], held: ReadonlySet<string>): KeyProblem[] {
  const absent = keys.filter((key) => !held.has(key));
  const [only, ...more] = absent;
  if (only === undefined) return [];
  const [near] = more.length === 0 ? nearest(only, [...held], 1) : [];
  const hint = near === undefined ? '' : ` Did you mean ${listed([near])}?`;
  return [{ field, problem: `names ${listed(absent)}, which the channel does not hold.${hint}` }];
}
