import { definedFields } from '../../platform/defined-fields.ts';
import { counted, inFull } from '../../text/counted.ts';
import { inQuotes, joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import type { ItemState } from '../journal/change-record.ts';
import { CHANNEL_FIELDS } from '../plan/channel-fields.ts';
import { fieldText, valuePhrase } from '../plan/field-text.ts';
import type { ListChange, RecordDifference } from '../plan/record-difference.ts';
import { differencesIn, LIST_VERBS, type Take } from './sides.ts';

// What a change did to its records, in words. `sides.ts` has the same as data.

/** One record: which it is, and what became of it. */
export interface ChangedLine {
  /** As in `before` and `after`. */
  readonly id: string;
  readonly head: Sentence;
  /** Empty where only its outcome is to be told. */
  readonly changes: Sentence;
}

/** A record that was changed, or perhaps was: of one that is not known, only what it was is told. */
export function changedLine(item: ItemState, record: RecordDifference, take: Take): ChangedLine {
  const { id: now = item.id, key, name: _, ...result } = item.result ?? {};
  const isKnown = item.outcome !== 'unknown';
  const isRenamed = record.is !== 'creation' && record.fields.some(({ field }) => field === 'name');
  // An item has a name of its own only where no other record has the same.
  const name = record.is === 'creation' ? item.after.name : (item.name ?? item.after.name);
  const id = isKnown ? now : item.id;
  const head = [
    word(id),
    ...(isKnown && key !== undefined ? [sentence`key ${word(key)}`] : []),
    ...(isKnown && name !== undefined && !isRenamed ? [inQuotes(name)] : []),
    ...(isKnown ? [] : [sentence`before`]),
  ];
  const changes = isKnown ? [...changesOf(record, take), ...resultTexts(result)] : beforeTexts(record);
  return { id, head: joined(head), changes: joined(changes, '; ') };
}

const changesOf = ({ is, fields, lists, unchanged }: RecordDifference, take: Take): Sentence[] => [
  ...(is === 'creation'
    ? fields.filter(({ field }) => field !== 'name').map(({ field, after }) => valuePhrase(field, after))
    : fields.map((change) => fieldText(change))),
  ...lists.map((list) => listText(is, list, take)),
  // Of a statement, all is stated, and nothing was there to be kept.
  ...unchanged.map(
    ({ field, count, isStated }) =>
      sentence`${counted(count, CHANNEL_FIELDS[field].word)}${is === 'statement' ? '' : isStated ? ' as stated' : ' kept'}`,
  ),
];

const beforeTexts = ({ is, fields, lists }: RecordDifference): Sentence[] =>
  is === 'creation'
    ? []
    : [
        ...fields.map(({ field, before }) => valuePhrase(field, before)),
        ...lists.map(({ what, before }) => (before === null ? sentence`${what}s not known` : counted(before.length, what))),
      ];

/** What is said of a list that nothing was moved, but for that it was. */
const VERBS = {
  movedToFront: { words: 'moved to the front', isOptional: true },
  moved: { words: 'moved', isOptional: true },
  added: { words: 'added', isOptional: false },
  removed: { words: 'removed', isOptional: false },
} as const;

/** `300 videos → 300: 3 moved to the front, none added, none removed (k1, k2, k3)` */
function listText(is: RecordDifference['is'], list: ListChange, take: Take): Sentence {
  const { what, before, after } = list;
  const wasThere = before !== null && (is === 'update' || before.length > 0);
  if (!wasThere) return sentence`${is === 'update' ? sentence`${what}s not known → ` : ''}${counted(after.length, what)}`;
  const differences = differencesIn(is, list);
  const told = LIST_VERBS.map((verb) => ({ ...VERBS[verb], count: differences[verb].length, keys: take(differences[verb]) })).filter(
    ({ count, isOptional }) => count > 0 || !isOptional,
  );
  const sums = told.map(({ words, count }) => sentence`${count === 0 ? 'none' : inFull(count)} ${words}`);
  const named = told.filter(({ keys }) => keys.length > 0);
  const which = named.map(({ words, keys }) => sentence`${named.length > 1 ? sentence`${words}: ` : ''}${wordList(keys)}`);
  const shown = which.length === 0 ? '' : sentence` (${joined(which, '; ')})`;
  return sentence`${counted(before.length, what)} → ${inFull(after.length)}: ${joined(sums, ', ')}${shown}`;
}

/** What came of giving a list out. */
const RESULT_WORDS = {
  path: 'file',
  records: 'records',
  people: 'people',
  apostrophes: 'cells with an apostrophe before a formula',
  unreadable: 'unreadable',
  undated: 'without a time',
} as const;

function resultTexts(result: NonNullable<ItemState['result']>): Sentence[] {
  const { path, ...numbers } = definedFields(result);
  const counts = (['records', 'people', 'apostrophes', 'unreadable', 'undated'] as const).flatMap((name) => {
    const number = numbers[name];
    return number === undefined ? [] : [sentence`${RESULT_WORDS[name]} ${number}`];
  });
  return [...(path === undefined ? [] : [sentence`${RESULT_WORDS.path} ${inQuotes(path, 400)}`]), ...counts];
}

/** A line for each change, with all records that it happened to. */
export function linesOfChanged(changed: readonly ChangedLine[]): Sentence[] {
  const byChange = new Map<Sentence, Sentence[]>();
  for (const { head, changes } of changed) byChange.set(changes, [...(byChange.get(changes) ?? []), head]);
  return [...byChange].map(([changes, heads]) => sentence`- ${joined(heads, ', ')}${changes === '' ? '' : sentence`: ${changes}`}`);
}
