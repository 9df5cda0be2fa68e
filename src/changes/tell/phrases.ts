import type { ListName } from '../../account/contents.ts';
import type { TitleOf } from '../../account/video-references.ts';
import { stableJson } from '../../platform/stable-json.ts';
import { allOf, counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, wordsFor } from '../plan/channel-fields.ts';
import { fieldText, quotedValue, wordOf } from '../plan/field-text.ts';
import { listText } from '../plan/list-text.ts';
import type { ShownPlan } from '../plan/plan.ts';
import {
  differenceOf,
  type FieldChange,
  hasTitles,
  type ListChange,
  MAX_WHOLE,
  type RecordDifference,
  statedBefore,
} from '../plan/record-difference.ts';
import { type StatedContents, statedText } from './stated-text.ts';
import { firstIdsLine, firstVideosLine, namedIdLines, placeLines } from './video-phrases.ts';

// What a plan does to each record, in phrases: each layout takes those that it has room for.

/** Of more records than this, the resulting order is shown only where the caller gave it. */
const MAX_ORDERS = 10;
/** A list of so many that is put in another order is shown whole, before and after. */
const MAX_SHORT = 8;
/** Of more videos that moved, the first are named. */
const MAX_NAMED = 5;

/** What becomes of a record. */
export interface RecordPhrases {
  /** The record, as in `PlannedItem`; absent of what is not about one. */
  readonly label?: Sentence;
  readonly phrases: readonly ChangePhrase[];
  /** What the change states that the record holds now. */
  readonly stated?: StatedContents;
}

/** One thing that is done to a record. */
export interface ChangePhrase {
  /** In full: `videos 5 → 6: added: "k"`. */
  readonly text: Sentence;
  /** Of an update. */
  readonly inParts?: PhraseParts;
}

interface PhraseParts {
  /** What changes: `name`, or of a list with its number `videos 5 → 6`. */
  readonly what: Sentence;
  /** Whether that is of this record alone. */
  readonly isNumber: boolean;
  /** What becomes of it, which may be the same of several records: `added: "k"`. */
  readonly changes: readonly Sentence[];
}

/** What a line about many videos tells of their ids: the first, all where they are few, or nothing where each has a line of its own. */
type WhichIds = 'first' | 'few' | 'none';

/** In the order of the plan. */
export function planPhrases(plan: ShownPlan, ids: WhichIds = 'first'): RecordPhrases[] {
  const { records = [], titles = {} } = plan.preview;
  const titleOf: TitleOf = (key) => (Object.hasOwn(titles, key) ? titles[key] : undefined);
  const created = records.filter(({ is }) => is === 'creation');
  const others = records.filter(({ is }) => is !== 'creation');
  return [
    ...('ids' in plan ? videoLines(plan, ids) : []).map((text) => ({ phrases: [{ text }] })),
    ...creationPhrases(created, titleOf),
    ...others.map((record) =>
      record.is === 'statement' ? statementPhrases(record, titleOf) : updatePhrases(record, records.length, titleOf),
    ),
  ];
}

function videoLines(plan: Extract<ShownPlan, { readonly total: number }>, which: WhichIds): Sentence[] {
  const named = which === 'few' ? namedIdLines(plan) : undefined;
  // By project, these tell where each comes from or goes to.
  if (named !== undefined && plan.places !== undefined) return named;
  return [...placeLines(plan), ...(which === 'none' ? [] : (named ?? (which === 'first' ? firstVideosLine(plan) : firstIdsLine(plan))))];
}

const named = (field: ListName, keys: readonly string[], titleOf: TitleOf, max?: number): Sentence =>
  listText(keys, max, hasTitles(field) ? titleOf : undefined);

/** `name "A" → "B"`, `5 videos: removed: "k"` */
function updatePhrases(record: RecordDifference, records: number, titleOf: TitleOf): RecordPhrases {
  const showsOrder = records <= MAX_ORDERS || record.replaces;
  return {
    label: record.label,
    phrases: [
      ...record.fields.map((field) => fieldPhrase(field, record.name)),
      ...record.lists.map((list) => listPhrase(list, showsOrder, titleOf)),
      ...statedBefore(record).map(({ field, count }) => sentPhrase(sentence`${counted(count, CHANNEL_FIELDS[field].word)} as stated`)),
    ],
    ...statedOf(record, titleOf),
  };
}

const fieldPhrase = (change: FieldChange, name: string): ChangePhrase => ({
  text: fieldText(change),
  inParts: { what: wordOf(change.field), isNumber: false, changes: [briefField(change, name)] },
});

const sentPhrase = (text: Sentence): ChangePhrase => ({ text, inParts: { what: text, isNumber: true, changes: [] } });

/** `5 videos: removed: "A"; added: "B"; moved to the front: "C"; resulting order: …`; in parts without an order that these tell too. */
function listPhrase(list: ListChange, showsOrder: boolean, titleOf: TitleOf): ChangePhrase {
  const { count, parts, order, isPlain } = listParts(list, showsOrder, titleOf);
  return {
    text: lineText({ label: count, changes: [...parts, ...order] }),
    inParts: { what: count, isNumber: true, changes: isPlain ? parts : [...parts, ...order] },
  };
}

/** What the record is called is told before it. */
const briefField = (change: FieldChange, name: string): Sentence =>
  change.field === 'name' && change.before === name ? sentence`name → ${quotedValue('name', change.after)}` : fieldText(change);

/** `parts`: what comes, goes and moves; where they tell the order too, it is `isPlain`. */
function listParts(list: ListChange, showsOrder: boolean, titleOf: TitleOf) {
  const { field, before, after } = list;
  const what = wordsFor([field]);
  const some = (keys: readonly string[], max?: number) => named(field, keys, titleOf, max);
  const whole = after.length === 0 ? sentence`none` : some(after, MAX_WHOLE);
  if (before === null) {
    const count = sentence`${what} not known → ${after.length}${after.length > 0 ? sentence` (${whole})` : ''}`;
    return { count, parts: [], order: [], isPlain: true };
  }
  const { removed, added, addedAt, moved, isToFront, isToEnd } = differenceOf(list);
  const movedTo = isToFront ? 'front' : isToEnd ? 'end' : 'anywhere';
  const isShownWhole = showsOrder && after.length > 1 && after.length <= MAX_WHOLE;
  const isShort = moved.length > 0 && after.length > 1 && Math.max(before.length, after.length) <= MAX_SHORT;
  const begins = moved.length > 0 && movedTo === 'anywhere' ? [sentence`the order now begins: ${some(after, 3)}`] : [];
  return {
    count: before.length === after.length ? sentence`${after.length} ${what}` : sentence`${what} ${before.length} → ${after.length}`,
    parts: [
      ...(removed.length > 0 ? [sentence`removed: ${some(removed, removed.length)}`] : []),
      ...(added.length > 0 ? [sentence`added${ADDED[addedAt]}: ${some(added, added.length)}`] : []),
      ...(moved.length > 0 ? [sentence`moved${MOVED[movedTo]}: ${some(moved, MAX_NAMED)}`] : []),
    ],
    order: isShownWhole ? [...(isShort ? [sentence`order before: ${some(before)}`] : []), sentence`resulting order: ${whole}`] : begins,
    isPlain:
      !(isShort && showsOrder) &&
      addedAt !== 'anywhere' &&
      movedTo !== 'anywhere' &&
      moved.length <= MAX_NAMED &&
      (added.length === 0 || moved.length === 0),
  };
}

const ADDED = { front: ' at the front', end: '', anywhere: ', not at the end' } as const;
const MOVED = { front: ' to the front', end: ' to the end', anywhere: '' } as const;

/** What the change of a record states that it holds now; nothing where it states none. */
function statedOf({ label, stated }: RecordDifference, titleOf: TitleOf): { readonly stated?: StatedContents } {
  if (stated.length === 0) return {};
  const lists = stated.map(({ field, what, keys, isChanged }) => ({
    what,
    count: keys.length,
    which: named(field, keys, titleOf, MAX_WHOLE),
    isChanged,
  }));
  return { stated: { label, lists, isChanged: stated.some(({ isChanged }) => isChanged) } };
}

/** What a record is said to hold. */
function statementPhrases({ label, lists, unchanged }: RecordDifference, titleOf: TitleOf): RecordPhrases {
  const holds = [
    ...lists.map(({ field, what, after }) => {
      const keys = after.length === 0 ? sentence`none` : named(field, after, titleOf, MAX_WHOLE);
      return sentence`${counted(after.length, what)}: ${keys}`;
    }),
    ...unchanged.map(({ field, count }) => counted(count, CHANNEL_FIELDS[field].word)),
  ];
  return { phrases: [{ text: sentence`${label} holds ${joined(holds, '; ')}` }] };
}

/** Of each new record, without what is the same of all, which is told once. Of a single one, each field by itself. */
function creationPhrases(records: readonly RecordDifference[], titleOf: TitleOf): RecordPhrases[] {
  const all = records.map((record) => creationParts(record, titleOf));
  const [first = [], ...more] = all;
  if (more.length === 0) return first.map((part) => ({ phrases: [part] }));
  const shared = new Set(
    first.filter(({ value }) => more.every((parts) => parts.some((part) => part.value === value))).map(({ value }) => value),
  );
  const ofAll = { label: sentence`${allOf(records.length, 'All')} channels`, phrases: first.filter(({ value }) => shared.has(value)) };
  return [
    ...(shared.size === 0 ? [] : [ofAll]),
    ...records.map(({ label }, index) => ({ label, phrases: (all[index] ?? []).filter(({ value }) => !shared.has(value)) })),
  ];
}

interface CreationPart extends ChangePhrase {
  /** The field with its whole value; the text may show a part. */
  readonly value: string;
}

function creationParts({ fields, lists }: RecordDifference, titleOf: TitleOf): CreationPart[] {
  const shownLists = lists.map(({ field, after }) => {
    const keys = after.length === 0 ? '' : sentence` (${named(field, after, titleOf, MAX_WHOLE)})`;
    return { value: stableJson([field, after]), text: sentence`${wordsFor([field])}: ${after.length}${keys}` };
  });
  const texts = fields
    .filter(({ field }) => field !== 'name')
    .map(({ field, after }) => ({ value: stableJson([field, after]), text: sentence`${wordOf(field)}: ${quotedValue(field, after)}` }));
  return [...shownLists, ...texts];
}

/** Of each thing that is done, the whole. */
export const textsOf = ({ phrases }: RecordPhrases): readonly Sentence[] => phrases.map(({ text }) => text);

/** What becomes of a record without its numbers, which may be the same of several. */
export const changesIn = ({ phrases }: RecordPhrases): readonly Sentence[] =>
  phrases.flatMap(({ text, inParts }) => inParts?.changes ?? [text]);

/** What is of the record alone. */
export const numbersIn = ({ phrases }: RecordPhrases): readonly Sentence[] =>
  phrases.flatMap(({ inParts }) => (inParts?.isNumber ? [inParts.what] : []));

export const statedIn = (records: readonly RecordPhrases[]): readonly StatedContents[] => records.flatMap(({ stated }) => stated ?? []);

/** `"A": name "A" → "B"; private link → on`. */
export const lineText = ({ label, changes }: { readonly label?: Sentence | undefined; readonly changes: readonly Sentence[] }): Sentence =>
  joined(
    [label ?? sentence``, joined(changes, '; ')].filter((part) => part !== ''),
    ': ',
  );

/** A line with what is stated of its record. */
export function wholeLine(record: RecordPhrases): Sentence {
  const { label, stated } = record;
  return lineText({ label, changes: [...(stated === undefined ? [] : [statedText(stated)]), ...textsOf(record)] });
}
