import { matchesOf, type Referable } from '../../../account/references.ts';
import { throwProblems } from '../../../errors/field-problems.ts';
import type { FieldProblem } from '../../../errors.ts';
import { joined, type Sentence, sentence, wordList } from '../../../text/sentence.ts';
import type { ItemState } from '../../journal/change-record.ts';
import { listText } from '../../plan/list-text.ts';

const MAX_LABELS = 20;

/** The changes that are undone. */
interface Undone {
  /** In words, by their ids. */
  readonly named: Sentence;
  readonly items: readonly ItemState[];
  /** Those of their channels of which there may be something to set back. */
  readonly changed: ReadonlySet<string>;
}

/**
 * The ids of the channels that a caller names, each by its id, its key or its name, now or in one of the changes. Throws
 * `invalid_arguments` with all that are not in the changes, were not changed or can’t be told apart.
 */
export function channelsNamed(
  asked: readonly string[],
  channels: readonly Referable[],
  { named, items, changed }: Undone,
): ReadonlySet<string> {
  const earlier = items.flatMap(({ id, before, after }): Referable[] =>
    [before.name, after.name].flatMap((name) => (typeof name === 'string' ? [{ id, name }] : [])),
  );
  const labels = new Map(items.map(({ id, label }) => [id, label]));
  const found = asked.map((reference) => {
    const records = [...matchesOf(reference, channels), ...matchesOf(reference, earlier), ...matchesOf(reference, items)];
    return { reference, ids: [...new Set(records.map(({ id }) => id))] };
  });
  const whose = (isWanted: (id: string) => boolean) =>
    found.filter(({ ids }) => ids.length < 2 && ids.every(isWanted)).map(({ reference }) => reference);
  const missing = whose((id) => !labels.has(id));
  const unchanged = whose((id) => labels.has(id) && !changed.has(id)).filter((reference) => !missing.includes(reference));
  const all = [...labels.values()];
  const rest = all.length > MAX_LABELS ? sentence` and ${all.length - MAX_LABELS} more` : sentence``;
  const problem = (about: readonly string[], words: Sentence): FieldProblem[] =>
    about.length === 0 ? [] : [{ field: sentence`channels`, problem: sentence`${listText(about, about.length)} ${words}` }];
  const is = ({ length }: readonly string[]) => (length === 1 ? 'is' : 'are');
  throwProblems([
    ...problem(missing, sentence`${is(missing)} not in ${named}, which has ${joined(all.slice(0, MAX_LABELS), ', ')}${rest}.`),
    ...problem(unchanged, sentence`${is(unchanged)} in ${named}, but nothing was changed there that could be set back.`),
    ...found.flatMap(({ reference, ids }) =>
      ids.length < 2
        ? []
        : problem(
            [reference],
            sentence`is what several channels are called, or were before it: name the one that is meant by its id (${wordList(ids)}).`,
          ),
    ),
  ]);
  return new Set(found.flatMap(({ ids }) => ids));
}
