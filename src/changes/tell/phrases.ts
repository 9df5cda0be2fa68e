import type { ListName } from '../../account/contents.ts';
import type { TitleOf } from '../../account/video-references.ts';
import { stableJson } from '../../platform/stable-json.ts';
import { allOf, counted } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, wordsFor } from '../plan/channel-fields.ts';
import { fieldText, quotedValue, wordOf } from '../plan/field-text.ts';
import { listText } from '../plan/list-text.ts';
import type { ShownPlan } from '../plan/plan.ts';
import { lineText, type StatedContents } from '../plan/preview.ts';
import {
  differenceOf,
  type FieldChange,
  hasTitles,
  type ListChange,
  MAX_WHOLE,
  type RecordDifference,
  statedBefore,
} from '../plan/record-difference.ts';
import { firstIdsLine, namedIdLines, placeLines } from './video-phrases.ts';

// What a plan does to each record, in lines for a form or a preview.

/** Of more records than this, the resulting order is shown only where the caller gave it. */
const MAX_ORDERS = 10;
/** Of more videos that moved, the first are named. */
const MAX_NAMED = 5;

export interface PlanLine {
  /** The record, as in `PlannedItem`; absent of what is not about one. */
  readonly label?: Sentence;
  readonly changes: readonly Sentence[];
  /** The same in few words, of an update: what may be the same of several records, and apart from it the numbers of this one. */
  readonly brief?: { readonly fields: readonly Sentence[]; readonly changes: readonly Sentence[]; readonly counts: readonly Sentence[] };
  /** What the change states that the record holds now. */
  readonly stated?: StatedContents;
}

/** What a line about many videos tells of their ids: the first, all where they are few, or nothing where each has a line of its own. */
type WhichIds = 'first' | 'few' | 'none';

/** In the order of the plan. */
export function planLines(plan: ShownPlan, ids: WhichIds = 'first'): PlanLine[] {
  const { records = [], titles = {} } = plan.preview;
  const titleOf: TitleOf = (key) => (Object.hasOwn(titles, key) ? titles[key] : undefined);
  const created = records.filter(({ is }) => is === 'creation');
  const others = records.filter(({ is }) => is !== 'creation');
  return [
    ...('ids' in plan ? bulkLines(plan, ids) : []).map((words) => ({ changes: [words] })),
    ...creationLines(created, titleOf),
    ...others.map((record) => (record.is === 'statement' ? statementLine(record, titleOf) : updateLine(record, records.length, titleOf))),
  ];
}

function bulkLines(plan: Extract<ShownPlan, { readonly total: number }>, which: WhichIds): Sentence[] {
  const named = which === 'few' ? namedIdLines(plan) : undefined;
  // By project, these tell where each comes from or goes to.
  if (named !== undefined && plan.places !== undefined) return named;
  return [...placeLines(plan), ...(which === 'none' ? [] : (named ?? firstIdsLine(plan)))];
}

const named = (field: ListName, keys: readonly string[], titleOf: TitleOf, max?: number): Sentence =>
  listText(keys, max, hasTitles(field) ? titleOf : undefined);

/** `name "A" → "B"; 5 videos: removed: "k"` */
function updateLine(record: RecordDifference, records: number, titleOf: TitleOf): PlanLine {
  const showsOrder = records <= MAX_ORDERS || record.replaces;
  const fields = record.fields.map((field) => fieldText(field));
  const lists = record.lists.map((list) => listParts(list, showsOrder, titleOf));
  const sent = statedBefore(record).map(({ field, count }) => sentence`${counted(count, CHANNEL_FIELDS[field].word)} as stated`);
  return {
    label: record.label,
    changes: [...fields, ...lists.map(({ count, parts, order }) => listLine(count, [...parts, ...order])), ...sent],
    brief: {
      fields: record.fields.map(({ field }) => wordOf(field)),
      changes: [
        ...record.fields.map((field) => briefField(field, record.name)),
        ...lists.flatMap(({ parts, order, isPlain }) => (isPlain ? parts : [...parts, ...order])),
      ],
      counts: [...lists.map(({ count }) => count), ...sent],
    },
    ...statedIn(record, titleOf),
  };
}

/** What the record is called is told before it. */
const briefField = (change: FieldChange, name: string): Sentence =>
  change.field === 'name' && change.before === name ? sentence`name → ${quotedValue('name', change.after)}` : fieldText(change);

/** `5 videos: removed: "A"; added: "B"; moved to the front: "C"; resulting order: …` */
const listLine = (count: Sentence, parts: readonly Sentence[]): Sentence => lineText({ label: count, changes: parts });

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
  const begins = moved.length > 0 && movedTo === 'anywhere' ? [sentence`the order now begins: ${some(after, 3)}`] : [];
  return {
    count: before.length === after.length ? sentence`${after.length} ${what}` : sentence`${what} ${before.length} → ${after.length}`,
    parts: [
      ...(removed.length > 0 ? [sentence`removed: ${some(removed, removed.length)}`] : []),
      ...(added.length > 0 ? [sentence`added${ADDED[addedAt]}: ${some(added, added.length)}`] : []),
      ...(moved.length > 0 ? [sentence`moved${MOVED[movedTo]}: ${some(moved, MAX_NAMED)}`] : []),
    ],
    order: isShownWhole ? [sentence`resulting order: ${whole}`] : begins,
    isPlain: addedAt !== 'anywhere' && movedTo !== 'anywhere' && moved.length <= MAX_NAMED && (added.length === 0 || moved.length === 0),
  };
}

const ADDED = { front: ' at the front', end: '', anywhere: ', not at the end' } as const;
const MOVED = { front: ' to the front', end: ' to the end', anywhere: '' } as const;

/** What the change of a record states that it holds now; nothing where it states none. */
function statedIn({ label, stated }: RecordDifference, titleOf: TitleOf): { readonly stated?: StatedContents } {
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
function statementLine({ label, lists, unchanged }: RecordDifference, titleOf: TitleOf): PlanLine {
  const holds = [
    ...lists.map(({ field, what, after }) => {
      const keys = after.length === 0 ? sentence`none` : named(field, after, titleOf, MAX_WHOLE);
      return sentence`${counted(after.length, what)}: ${keys}`;
    }),
    ...unchanged.map(({ field, count }) => counted(count, CHANNEL_FIELDS[field].word)),
  ];
  return { changes: [sentence`${label} holds ${joined(holds, '; ')}`] };
}

/** A line for each new record, without what is the same for all, which is given once. Of a single one, each field has its own. */
function creationLines(records: readonly RecordDifference[], titleOf: TitleOf): PlanLine[] {
  const all = records.map((record) => creationParts(record, titleOf));
  const [first = [], ...more] = all;
  if (more.length === 0) return first.map(({ words }) => ({ changes: [words] }));
  const shared = new Set(
    first.filter(({ value }) => more.every((parts) => parts.some((part) => part.value === value))).map(({ value }) => value),
  );
  const wordsOf = (parts: readonly CreationPart[]) => parts.map(({ words }) => words);
  return [
    ...(shared.size === 0
      ? []
      : [{ label: sentence`${allOf(records.length, 'All')} channels`, changes: wordsOf(first.filter(({ value }) => shared.has(value))) }]),
    ...records.map(({ label }, index) => ({ label, changes: wordsOf((all[index] ?? []).filter(({ value }) => !shared.has(value))) })),
  ];
}

interface CreationPart {
  /** The field with its whole value; the words may show a part. */
  readonly value: string;
  readonly words: Sentence;
}

function creationParts({ fields, lists }: RecordDifference, titleOf: TitleOf): CreationPart[] {
  const shownLists = lists.map(({ field, after }) => {
    const keys = after.length === 0 ? '' : sentence` (${named(field, after, titleOf, MAX_WHOLE)})`;
    return { value: stableJson([field, after]), words: sentence`${wordsFor([field])}: ${after.length}${keys}` };
  });
  const texts = fields
    .filter(({ field }) => field !== 'name')
    .map(({ field, after }) => ({ value: stableJson([field, after]), words: sentence`${wordOf(field)}: ${quotedValue(field, after)}` }));
  return [...shownLists, ...texts];
}
