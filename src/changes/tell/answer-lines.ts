import { definedFields } from '../../platform/defined-fields.ts';
import { counted, inFull } from '../../text/counted.ts';
import { inQuotes, joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import type { ItemState } from '../journal/change-record.ts';
import { fieldText, valuePhrase } from '../plan/field-text.ts';
import type { Take } from './answer-sides.ts';
import { type ListPart, type ListPhrase, partWords, type RecordPhrases, sentList, unknownList } from './phrases.ts';

// What a change did to its records as the text of an answer. `answer-sides.ts` has the same as data.

/** One record: which it is, and what became of it. */
export interface ChangedLine {
  /** As in `before` and `after`. */
  readonly id: string;
  readonly head: Sentence;
  /** Empty where only its outcome is to be told. */
  readonly changes: Sentence;
}

/** A record that was changed, or perhaps was: of one that is not known, only what it was is told. */
export function changedLine(item: ItemState, record: RecordPhrases, take: Take): ChangedLine {
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
  const changes = isKnown ? [...changeTexts(record, take), ...resultTexts(result)] : beforeTexts(record);
  return { id, head: joined(head), changes: joined(changes, '; ') };
}

const changeTexts = ({ is, fields, lists, unchanged }: RecordPhrases, take: Take): Sentence[] => [
  ...(is === 'creation'
    ? fields.filter(({ field }) => field !== 'name').map(({ field, after }) => valuePhrase(field, after))
    : fields.map((change) => fieldText(change))),
  ...lists.map((list) => changedList(list, take)),
  ...unchanged.map((list) => sentList(list, is)),
];

const beforeTexts = ({ is, fields, lists }: RecordPhrases): Sentence[] =>
  is === 'creation'
    ? []
    : [
        ...fields.map(({ field, before }) => valuePhrase(field, before)),
        ...lists.map((list) => (list.before === null ? unknownList(list) : counted(list.before.length, list.what))),
      ];

/** What is told of a list even where it is of no key. */
const ALWAYS = ['added', 'removed'] as const satisfies readonly ListPart['verb'][];

/** `300 videos → 300: 3 moved to the front, none added, none removed (k1, k2, k3)` */
function changedList(list: ListPhrase, take: Take): Sentence {
  const { what, was, before, after, parts } = list;
  if (was !== 'known') return sentence`${was === 'unknown' ? sentence`${unknownList(list)} → ` : ''}${counted(after.length, what)}`;
  const told = [
    ...parts.filter(({ verb }) => verb === 'moved'),
    ...ALWAYS.map((verb) => parts.find((part) => part.verb === verb) ?? none(verb)),
  ];
  const sums = told.map((part) => sentence`${part.keys.length === 0 ? 'none' : inFull(part.keys.length)} ${briefly(part)}`);
  const named = told.map((part) => ({ words: briefly(part), keys: take(part.keys) })).filter(({ keys }) => keys.length > 0);
  const which = named.map(({ words, keys }) => sentence`${named.length > 1 ? sentence`${words}: ` : ''}${wordList(keys)}`);
  const shown = which.length === 0 ? '' : sentence` (${joined(which, '; ')})`;
  return sentence`${counted(before?.length ?? 0, what)} → ${inFull(after.length)}: ${joined(sums, ', ')}${shown}`;
}

const none = (verb: ListPart['verb']): ListPart => ({ verb, to: 'nowhere', keys: [] });

/** Where they are now only of those that were brought to the front, which are seen first. */
const briefly = ({ verb, to }: ListPart): Sentence => partWords({ verb, to: verb === 'moved' && to === 'front' ? to : 'nowhere' });

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
