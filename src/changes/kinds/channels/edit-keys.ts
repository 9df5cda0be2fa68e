import type { FieldProblem } from '../../../errors.ts';
import { nearest } from '../../../text/nearest.ts';
import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import type { EditVerb, FieldRow } from '../../plan/channel-fields.ts';
import { listText, repeatedIn } from '../../plan/list-text.ts';

export type KeyEdits = { readonly [Verb in EditVerb]?: readonly string[] | undefined };

/** What the list is called, and its edits. */
type ListWords = Pick<FieldRow, 'word'> & { readonly edits: NonNullable<FieldRow['edits']> };

export interface EditedKeys {
  readonly keys: readonly string[];
  /** What was to be removed and is not there: what is wanted is so already. */
  readonly notHeld: readonly string[];
}

/**
 * A list after the edits, of which none names a key twice: without the removed keys, with the added keys at the end, then the
 * first keys in front and the last keys at the end. All other keys keep their order, including a key that is there twice.
 */
export function editKeys(
  base: readonly string[],
  edits: KeyEdits,
  words: ListWords,
  isNew: boolean,
): EditedKeys | { readonly problems: readonly FieldProblem[] } {
  const { add = [], remove = [], first = [], last = [] } = edits;
  const held = new Set(base);
  const removed = new Set(remove);
  const after = [...base.filter((key) => !removed.has(key)), ...add.filter((key) => !held.has(key))];
  const where = isNew ? sentence`the new list does not have` : NOT_HELD;
  const problems = [
    ...conflicts(edits, words),
    ...missing(
      'remove',
      remove.filter((key) => isNew || isMistyped(key, held, remove)),
      held,
      where,
      words,
    ),
    ...(['first', 'last'] as const).flatMap((verb) => missing(verb, edits[verb] ?? [], new Set([...after, ...removed]), where, words)),
  ];
  if (problems.length > 0) return { problems };
  const [isFirst, isLast] = [new Set(first), new Set(last)];
  const again = repeatedIn(after);
  return {
    notHeld: remove.filter((key) => !held.has(key)),
    keys: [
      ...first,
      ...again.filter((key) => isFirst.has(key)),
      ...after.filter((key) => !isFirst.has(key) && !isLast.has(key)),
      ...again.filter((key) => isLast.has(key)),
      ...last,
    ],
  };
}

/** A key has one place in the new list, or none. */
const EXCLUSIVE: readonly (readonly [EditVerb, EditVerb])[] = [
  ['add', 'remove'],
  ['first', 'remove'],
  ['last', 'remove'],
  ['last', 'first'],
];

function conflicts(edits: KeyEdits, words: ListWords): FieldProblem[] {
  return EXCLUSIVE.flatMap(([verb, other]) => {
    const others = new Set(edits[other]);
    const both = (edits[verb] ?? []).filter((key) => others.has(key));
    if (both.length === 0) return [];
    // Who does both wants it at the end.
    const toMove =
      verb === 'add' && other === 'remove'
        ? sentence` To move ${both.length === 1 ? 'it' : 'them'} to the end, use ${word(words.edits.last)} alone.`
        : sentence``;
    return [{ field: word(words.edits[verb]), problem: sentence`and ${word(words.edits[other])} both name ${listText(both)}.${toMove}` }];
  });
}

/** Whether a key that is not there is nearly one that is, and that is not named too. Of many at once, that is not looked for. */
const isMistyped = (key: string, held: ReadonlySet<string>, named: readonly string[]): boolean =>
  !held.has(key) && named.length <= MAX_COMPARED && nearest(key, [...held], named.length + 1).some((near) => !named.includes(near));
const MAX_COMPARED = 10;

const NOT_HELD = sentence`the channel does not hold`;

export const absentText = (keys: readonly string[], where = NOT_HELD): Sentence => sentence`names ${listText(keys)}, which ${where}.`;

/** One problem for all missing keys. Only a single one is probably mistyped, so only it gets the nearest key. */
function missing(
  verb: EditVerb,
  keys: readonly string[],
  held: ReadonlySet<string>,
  where: Sentence,
  { word: called, edits }: ListWords,
): FieldProblem[] {
  const absent = keys.filter((key) => !held.has(key));
  const [only, ...more] = absent;
  if (only === undefined) return [];
  const [near] = more.length === 0 ? nearest(only, [...held], 1) : [];
  const hint = near === undefined ? sentence`` : sentence` Did you mean ${listText([near])}?`;
  const toAdd =
    verb === 'remove'
      ? sentence``
      : sentence` It only moves ${called}s: to add ${more.length === 0 ? 'one' : 'them'}, use ${word(edits.add)} too.`;
  return [{ field: word(edits[verb]), problem: sentence`${absentText(absent, where)}${hint}${toAdd}` }];
}
