import { CONTENTS, type ListName } from '../../account/contents.ts';
import { counted, inFull } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { cutQuoted } from '../../text/text-columns.ts';
import { CHANNEL_FIELDS, FLAG_FIELDS, LIST_WORDS, type ListWord, rowOf, TEXTS, wordsFor } from '../plan/channel-fields.ts';
import { quotedValue, wordOf } from '../plan/field-text.ts';
import { listed } from '../plan/notice.ts';
import type { ShownPlan } from '../plan/plan.ts';
import type { FieldChange } from '../plan/record-difference.ts';
import { type ListPart, type RecordPhrases, recordPhrases } from './phrases.ts';
import type { StatedContents } from './stated-text.ts';
import { placeLines } from './video-lines.ts';

// What becomes of all records of a change, added up.

/** All that a plan does in numbers or names, for a form that has no room for its lines. Empty where nothing is to be said so. */
export function planTotalsText(plan: ShownPlan): Sentence {
  const records = (plan.preview.records ?? []).map(recordPhrases);
  if ('ids' in plan) return placesText(placeLines(plan));
  const is = (wanted: RecordPhrases['is']) => records.length > 0 && records.every((record) => record.is === wanted);
  if (is('creation')) return records.length === 1 ? sentence`` : namesText(records);
  return is('statement') ? statementText(records) : changesText(records);
}

/** What was done to records, for an answer: `In all: 88 names; template → "Dark" 40; 12 videos removed from 9 channels.` */
export function doneTotalsText(records: readonly RecordPhrases[]): Sentence {
  const parts = [
    ...[...TEXTS, ...FLAG_FIELDS].flatMap((field) => fieldDone(field, changesOfField(records, field))),
    ...CONTENTS.flatMap((list) => listDone(records, list)),
  ];
  return parts.length === 0 ? sentence`` : sentence`In all: ${joined(parts, '; ')}.`;
}

/** The changes of one field; a new record has its name, which is no change. */
const changesOfField = (records: readonly RecordPhrases[], field: FieldChange['field']): FieldChange[] =>
  records.flatMap(({ is, fields }) => (is === 'creation' && field === 'name' ? [] : fields.filter((one) => one.field === field)));

interface ListSum {
  readonly verb: ListPart['verb'];
  readonly keys: number;
  readonly records: number;
}

/** What was done with the entries of a list, in all records of which it is known what they held. */
function listSums(records: readonly RecordPhrases[], field: ListName): ListSum[] {
  const lists = records.flatMap((record) => record.lists.filter((list) => list.field === field));
  return (['removed', 'added', 'moved'] as const).flatMap((verb) => {
    const parts = lists.flatMap((list) => (list.before === null ? [] : list.parts.filter((part) => part.verb === verb)));
    const keys = parts.reduce((sum, part) => sum + part.keys.length, 0);
    return keys === 0 ? [] : [{ verb, keys, records: parts.length }];
  });
}

const heldIn = ({ lists, unchanged }: RecordPhrases, wanted: ListName): number =>
  lists.find(({ field }) => field === wanted)?.after.length ?? unchanged.find(({ field }) => field === wanted)?.count ?? 0;

// Of a plan.

/** Of the projects. */
const MAX_PLACES = 3;

const placesText = (places: readonly Sentence[]): Sentence =>
  places.length === 0
    ? sentence``
    : sentence`${joined(places.slice(0, MAX_PLACES), ', ')}${places.length > MAX_PLACES ? ' and so on' : ''}.`;

/** So many names of so many columns take six rows of a form at most. */
const MAX_NEW_NAMES = 12;
const MAX_NAME_COLUMNS = 40;

/** The names of new records, as many as a form has room for, and how many there are besides. */
function namesText(records: readonly RecordPhrases[]): Sentence {
  const names = records.map(({ label }) => cutQuoted(label, MAX_NAME_COLUMNS));
  return sentence`${listed(names, MAX_NEW_NAMES)}.`;
}

/** How many videos each channel holds as stated, and how many of the others, the fewest first. */
function statementText(records: readonly RecordPhrases[]): Sentence {
  const counts = records.map((record) => ({
    label: record.label,
    held: CONTENTS.map((field) => ({ field, count: heldIn(record, field) })),
  }));
  const sumOf = ({ held }: (typeof counts)[number]) => held.reduce((sum, { count }) => sum + count, 0);
  const texts = counts
    .toSorted((a, b) => sumOf(a) - sumOf(b))
    .map(({ label, held: [first, ...others] }) => {
      const more = others.filter(({ count }) => count > 0).map(({ field, count }) => sentence` and ${count} ${wordsFor([field])}`);
      return sentence`${label} ${first?.count ?? 0}${joined(more, '')}`;
    });
  return joined(texts, ', ');
}

/** What changes in channels: `Changes the videos of 30 channels (12 removed, 3 added), the names of 2.` */
function changesText(records: readonly RecordPhrases[]): Sentence {
  const lists = CONTENTS.map((field) => {
    const sums = listSums(records, field).map(({ verb, keys }) => sentence`${inFull(keys)} ${verb}`);
    return {
      field,
      count: records.filter((record) => record.lists.some((list) => list.field === field)).length,
      sums: sums.length === 0 ? sentence`` : sentence` (${joined(sums, ', ')})`,
    };
  });
  const others = [...TEXTS, ...FLAG_FIELDS].map((field) => ({ field, count: changesOfField(records, field).length, sums: sentence`` }));
  const parts = [...lists, ...others]
    .filter(({ count }) => count > 0)
    .map(({ field, count, sums }, index) => {
      const channels = index > 0 ? '' : count === 1 ? ' channel' : ' channels';
      return sentence`the ${wordsFor([field])} of ${count}${channels}${sums}`;
    });
  return parts.length === 0 ? sentence`` : sentence`Changes ${joined(parts, ', ')}.`;
}

// Of what was done.

/** Values of one field. */
const MAX_VALUES = 6;

/** `88 names`; of what was chosen from few, how many have which: `template → "Dark" 40, default 2` */
function fieldDone(field: (typeof TEXTS | typeof FLAG_FIELDS)[number], changes: readonly FieldChange[]): Sentence[] {
  if (changes.length === 0) return [];
  const isChosen = rowOf(field).isReference === true || rowOf(field).kind === 'flag';
  if (!isChosen) return [changes.length === 1 ? sentence`1 ${wordOf(field)}` : sentence`${inFull(changes.length)} ${wordsFor([field])}`];
  const counts = new Map<Sentence, number>();
  for (const { after } of changes) counts.set(quotedValue(field, after), (counts.get(quotedValue(field, after)) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const values = sorted.slice(0, MAX_VALUES).map(([value, count]) => sentence`${value} ${inFull(count)}`);
  return [sentence`${wordOf(field)} → ${joined(values, ', ')}${sorted.length > MAX_VALUES ? ' and so on' : ''}`];
}

/** `12 videos removed from 9 channels` */
function listDone(records: readonly RecordPhrases[], field: ListName): Sentence[] {
  const { word } = CHANNEL_FIELDS[field];
  const updates = records.filter(({ is }) => is === 'update');
  const held = records.filter(({ is }) => is !== 'update').map((record) => heldIn(record, field));
  const all = held.reduce((sum, count) => sum + count, 0);
  const unknown = updates.flatMap(({ lists }) => lists.filter((list) => list.field === field && list.before === null)).length;
  return [
    ...(all === 0 ? [] : [sentence`${counted(all, word)} in ${counted(held.filter((count) => count > 0).length, 'channel')}`]),
    ...listSums(updates, field).map(
      ({ verb, keys, records: number }) => sentence`${counted(keys, word)} ${verb} ${FROM[verb]} ${counted(number, 'channel')}`,
    ),
    ...(unknown === 0 ? [] : [sentence`a new list of ${word}s for ${counted(unknown, 'channel')}`]),
  ];
}

const FROM = { removed: 'from', added: 'to', moved: 'in' } as const;

// Of what is stated.

export const heldBy = (stated: readonly StatedContents[], what?: ListWord): number =>
  stated.flatMap(({ lists }) => lists).reduce((sum, list) => sum + (what === undefined || list.what === what ? list.count : 0), 0);

export function statedSums(stated: readonly StatedContents[]): StatedContents['lists'] {
  const isStated = (what: ListWord) => stated.some(({ lists }) => lists.some((list) => list.what === what));
  const sums = LIST_WORDS.filter(isStated).map((what) => ({ what, count: heldBy(stated, what), which: sentence`` }));
  return withoutNone(sums);
}

/** Where there are some of one kind, none of the other goes without saying. */
export function withoutNone(lists: StatedContents['lists']): StatedContents['lists'] {
  const some = lists.filter(({ count }) => count > 0);
  return some.length > 0 ? some : lists;
}
