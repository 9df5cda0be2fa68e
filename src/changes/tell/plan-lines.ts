import type { ListName } from '../../account/contents.ts';
import type { TitleOf } from '../../account/video-references.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { stableJson } from '../../platform/stable-json.ts';
import { allOf, counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { wordsFor } from '../plan/channel-fields.ts';
import { undoneIn } from '../plan/facts.ts';
import { fieldText, quotedValue, wordOf } from '../plan/field-text.ts';
import { listText } from '../plan/list-text.ts';
import type { ShownPlan } from '../plan/plan.ts';
import { type FieldChange, hasTitles, MAX_WHOLE, type RecordDifference, statedBefore } from '../plan/record-difference.ts';
import { type ListPart, type ListPhrase, partWords, recordPhrases, sentList, unknownList } from './phrases.ts';
import { type StatedContents, statedText } from './stated-text.ts';
import { firstIdsLine, firstVideosLine, namedIdLines, placeLines } from './video-lines.ts';

// The lines of a plan: what it does to each record, of which a form, a preview, a title and a terminal each take what they have room for.

/** Of more records than this, the resulting order is shown only where the caller gave it. */
const MAX_ORDERS = 10;
/** A list of so many that is put in another order is shown whole, before and after. */
const MAX_SHORT = 8;
/** Of more videos that moved, the first are named. */
const MAX_MOVED = 5;

/** What becomes of a record, or of all. */
export interface PlanLine {
  /** The record, as in `PlannedItem`; absent of what is not about one. */
  readonly label?: Sentence;
  readonly phrases: readonly LinePhrase[];
  /** What the change states that the record holds now. */
  readonly stated?: StatedContents;
}

/** One thing that is done to a record. */
export interface LinePhrase {
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
export function planLines(plan: ShownPlan, ids: WhichIds = 'first'): PlanLine[] {
  const { records = [], titles = {} } = plan.preview;
  const titleOf: TitleOf = (key) => (Object.hasOwn(titles, key) ? titles[key] : undefined);
  const reading = { titleOf, isUndo: undoneIn(plan.facts).length > 0 };
  const created = records.filter(({ is }) => is === 'creation');
  const others = records.filter(({ is }) => is !== 'creation');
  return [
    ...('ids' in plan ? videoLines(plan, ids) : []).map((text) => ({ phrases: [{ text }] })),
    ...creationLines(created, titleOf),
    ...others.map((record) => (record.is === 'statement' ? statementLine(record, titleOf) : updateLine(record, records.length, reading))),
  ];
}

function videoLines(plan: Extract<ShownPlan, { readonly total: number }>, which: WhichIds): Sentence[] {
  const named = which === 'few' ? namedIdLines(plan) : undefined;
  // By project, these tell where each comes from or goes to.
  if (named !== undefined && plan.places !== undefined) return named;
  return [...placeLines(plan), ...(which === 'none' ? [] : (named ?? (which === 'first' ? firstVideosLine(plan) : firstIdsLine(plan))))];
}

/** How the lines of one plan are told: with its titles, and of an undo with what was done before. */
interface Reading {
  readonly titleOf: TitleOf;
  readonly isUndo: boolean;
}

/** What the change that is undone did to the same entries. */
const UNDONE: Readonly<Record<ListPart['verb'], Sentence>> = {
  added: sentence` (removed by what is undone)`,
  removed: sentence` (added by what is undone)`,
  moved: sentence``,
};

const named = (field: ListName, keys: readonly string[], titleOf: TitleOf, max?: number): Sentence =>
  listText(keys, max, hasTitles(field) ? titleOf : undefined);

/** `name "A" → "B"`, `5 videos: removed: "k"` */
function updateLine(record: RecordDifference, records: number, reading: Reading): PlanLine {
  const showsOrder = records <= MAX_ORDERS || record.replaces;
  return {
    label: record.label,
    phrases: [
      ...record.fields.map((field) => fieldPhrase(field, record.name)),
      ...recordPhrases(record).lists.map((list) => linePhrase(list, showsOrder, reading)),
      ...statedBefore(record).map((list) => sentPhrase(sentList(list, record.is))),
    ],
    ...statedOf(record, reading.titleOf),
  };
}

const fieldPhrase = (change: FieldChange, name: string): LinePhrase => ({
  text: fieldText(change),
  inParts: { what: wordOf(change.field), isNumber: false, changes: [briefField(change, name)] },
});

const sentPhrase = (text: Sentence): LinePhrase => ({ text, inParts: { what: text, isNumber: true, changes: [] } });

/** `5 videos: removed: "A"; added: "B"; moved to the front: "C"; resulting order: …`; in parts without an order that these tell too. */
function linePhrase(list: ListPhrase, showsOrder: boolean, reading: Reading): LinePhrase {
  const { count, changes, order, isPlain } = listWords(list, showsOrder, reading);
  return {
    text: lineText({ label: count, changes: [...changes, ...order] }),
    inParts: { what: count, isNumber: true, changes: isPlain ? changes : [...changes, ...order] },
  };
}

/** What the record is called is told before it. */
const briefField = (change: FieldChange, name: string): Sentence =>
  change.field === 'name' && change.before === name ? sentence`name → ${quotedValue('name', change.after)}` : fieldText(change);

/** In the order in which a plan tells them: what is lost first. */
const VERBS = ['removed', 'added', 'moved'] as const;

/** `changes`: what comes, goes and moves; where they tell the order too, it is `isPlain`. */
function listWords(list: ListPhrase, showsOrder: boolean, { titleOf, isUndo }: Reading) {
  const { field, before, after } = list;
  const what = wordsFor([field]);
  const some = (keys: readonly string[], max?: number) => named(field, keys, titleOf, max);
  const whole = after.length === 0 ? sentence`none` : some(after, MAX_WHOLE);
  if (before === null) {
    const count = sentence`${unknownList(list)} → ${after.length}${after.length > 0 ? sentence` (${whole})` : ''}`;
    return { count, changes: [], order: [], isPlain: true };
  }
  const parts = VERBS.flatMap((verb) => list.parts.filter((part) => part.verb === verb));
  const moved = parts.find(({ verb }) => verb === 'moved');
  const isShownWhole = showsOrder && after.length > 1 && after.length <= MAX_WHOLE;
  const isShort = moved !== undefined && after.length > 1 && Math.max(before.length, after.length) <= MAX_SHORT;
  const begins = moved?.to === 'anywhere' ? [sentence`the order now begins: ${some(after, 3)}`] : [];
  return {
    count: before.length === after.length ? sentence`${after.length} ${what}` : sentence`${what} ${before.length} → ${after.length}`,
    changes: parts.map(
      (part) =>
        sentence`${partWords(part)}${isUndo ? UNDONE[part.verb] : ''}: ${some(part.keys, part === moved ? MAX_MOVED : part.keys.length)}`,
    ),
    order: isShownWhole ? [...(isShort ? [sentence`order before: ${some(before)}`] : []), sentence`resulting order: ${whole}`] : begins,
    isPlain: !(isShort && showsOrder) && tellsOrder(parts),
  };
}

/** Whether what comes, goes and moves tells the new order. */
function tellsOrder(parts: readonly ListPart[]): boolean {
  const placed = parts.filter(({ verb }) => verb !== 'removed');
  return placed.length < 2 && placed.every(({ verb, to, keys }) => to !== 'anywhere' && (verb !== 'moved' || keys.length <= MAX_MOVED));
}

/** What the change of a record states that it holds now; nothing where it states none. */
function statedOf({ label, stated }: RecordDifference, titleOf: TitleOf): { readonly stated?: StatedContents } {
  if (stated.length === 0) return {};
  const lists = stated.map(({ field, what, keys, isChanged, file }) => ({
    what,
    count: keys.length,
    which: named(field, keys, titleOf, MAX_WHOLE),
    isChanged,
    ...definedFields({ file }),
  }));
  return { stated: { label, lists, isChanged: stated.some(({ isChanged }) => isChanged) } };
}

/** What a record is said to hold. */
function statementLine({ label, is, lists, unchanged }: RecordDifference, titleOf: TitleOf): PlanLine {
  const holds = [
    ...lists.map(({ field, what, after }) => {
      const keys = after.length === 0 ? sentence`none` : named(field, after, titleOf, MAX_WHOLE);
      return sentence`${counted(after.length, what)}: ${keys}`;
    }),
    ...unchanged.map((list) => sentList(list, is)),
  ];
  return { phrases: [{ text: sentence`${label} holds ${joined(holds, '; ')}` }] };
}

/** Of each new record, without what is the same of all, which is told once. Of a single one, each field by itself. */
function creationLines(records: readonly RecordDifference[], titleOf: TitleOf): PlanLine[] {
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

interface CreationPart extends LinePhrase {
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
export const wholeTexts = ({ phrases }: PlanLine): readonly Sentence[] => phrases.map(({ text }) => text);

/** What becomes of a record without its numbers, which may be the same of several. */
export const changesIn = ({ phrases }: PlanLine): readonly Sentence[] => phrases.flatMap(({ text, inParts }) => inParts?.changes ?? [text]);

/** What is of the record alone. */
export const numbersIn = ({ phrases }: PlanLine): readonly Sentence[] =>
  phrases.flatMap(({ inParts }) => (inParts?.isNumber ? [inParts.what] : []));

export const statedIn = (records: readonly PlanLine[]): readonly StatedContents[] => records.flatMap(({ stated }) => stated ?? []);

/** `"A": name "A" → "B"; private link → on`. */
export const lineText = ({ label, changes }: { readonly label?: Sentence | undefined; readonly changes: readonly Sentence[] }): Sentence =>
  joined(
    [label ?? sentence``, joined(changes, '; ')].filter((part) => part !== ''),
    ': ',
  );

/** A line with what is stated of its record. */
export function wholeLine(record: PlanLine): Sentence {
  const { label, stated } = record;
  return lineText({ label, changes: [...(stated === undefined ? [] : [statedText(stated)]), ...wholeTexts(record)] });
}
