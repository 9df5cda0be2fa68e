import { nearest } from '../../text/nearest.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { listText, repeatedIn } from '../list-text.ts';
import type { KeyEdit } from './fields.ts';

export type KeyEdits = { readonly [Edit in KeyEdit]?: readonly string[] | undefined };

interface KeyProblem {
  readonly field: KeyEdit;
  readonly problem: Sentence;
}

/**
 * A list after the edits, of which none names a key twice: without the removed keys, with the added keys at the end, then the first keys in front and the last keys at the end. All other keys keep their order,
 * including a key that the channel holds twice.
 */
export function editKeys(
  base: readonly string[],
  edits: KeyEdits,
  isNew: boolean,
): { readonly keys: readonly string[] } | { readonly problems: readonly KeyProblem[] } {
  const { addVideoKeys = [], removeVideoKeys = [], firstVideoKeys = [], lastVideoKeys = [] } = edits;
  const held = new Set(base);
  const removed = new Set(removeVideoKeys);
  const after = [...base.filter((key) => !removed.has(key)), ...addVideoKeys.filter((key) => !held.has(key))];
  const where = isNew ? sentence`the new list does not have` : sentence`the channel does not hold`;
  const problems = [
    ...conflicts(edits),
    ...missing('removeVideoKeys', removeVideoKeys, held, where),
    ...(['firstVideoKeys', 'lastVideoKeys'] as const).flatMap((edit) =>
      missing(edit, edits[edit] ?? [], new Set([...after, ...removed]), where),
    ),
  ];
  if (problems.length > 0) return { problems };
  const [first, last] = [new Set(firstVideoKeys), new Set(lastVideoKeys)];
  const again = repeatedIn(after);
  return {
    keys: [
      ...firstVideoKeys,
      ...again.filter((key) => first.has(key)),
      ...after.filter((key) => !first.has(key) && !last.has(key)),
      ...again.filter((key) => last.has(key)),
      ...lastVideoKeys,
    ],
  };
}

/** A key has one place in the new list, or none. */
const EXCLUSIVE: readonly (readonly [KeyEdit, KeyEdit])[] = [
  ['addVideoKeys', 'removeVideoKeys'],
  ['firstVideoKeys', 'removeVideoKeys'],
  ['lastVideoKeys', 'removeVideoKeys'],
  ['lastVideoKeys', 'firstVideoKeys'],
];

function conflicts(edits: KeyEdits): KeyProblem[] {
  return EXCLUSIVE.flatMap(([field, other]) => {
    const others = new Set(edits[other]);
    const both = (edits[field] ?? []).filter((key) => others.has(key));
    return both.length === 0 ? [] : [{ field, problem: sentence`and ${other} both name ${listText(both)}.` }];
  });
}

/** One problem for all missing keys. Only a single one is probably mistyped, so only it gets the nearest key. */
function missing(field: KeyEdit, keys: readonly string[], held: ReadonlySet<string>, where: Sentence): KeyProblem[] {
  const absent = keys.filter((key) => !held.has(key));
  const [only, ...more] = absent;
  if (only === undefined) return [];
  const [near] = more.length === 0 ? nearest(only, [...held], 1) : [];
  const hint = near === undefined ? sentence`` : sentence` Did you mean ${listText([near])}?`;
  const toAdd =
    field === 'removeVideoKeys'
      ? sentence``
      : sentence` It only moves videos: to add ${more.length === 0 ? 'one' : 'them'}, use addVideoKeys too.`;
  return [{ field, problem: sentence`names ${listText(absent)}, which ${where}.${hint}${toAdd}` }];
}
