import { CONTENTS, type ListName } from '../../account/contents.ts';
import { inFull } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { cutQuoted } from '../../text/text-columns.ts';
import { FLAG_FIELDS, TEXTS, wordsFor } from '../plan/channel-fields.ts';
import type { ShownPlan } from '../plan/plan.ts';
import { differenceOf, type RecordDifference } from '../plan/record-difference.ts';
import { placeLines } from './video-phrases.ts';

/** All that a plan does in numbers or names, for a form that has no room for its lines. Empty where nothing is to be said so. */
export function totalsText(plan: ShownPlan): Sentence {
  const { records = [] } = plan.preview;
  if ('ids' in plan) return placesText(placeLines(plan));
  const is = (wanted: RecordDifference['is']) => records.length > 0 && records.every((record) => record.is === wanted);
  if (is('creation')) return records.length === 1 ? sentence`` : namesText(records);
  return is('statement') ? statementText(records) : changesText(records);
}

/** Of the projects. */
const MAX_PLACES = 3;

const placesText = (places: readonly Sentence[]): Sentence =>
  places.length === 0
    ? sentence``
    : sentence`${joined(places.slice(0, MAX_PLACES), ', ')}${places.length > MAX_PLACES ? ' and so on' : ''}.`;

/** So many names of so many columns take six rows of a form at most. */
const MAX_NAMED = 12;
const MAX_NAMED_COLUMNS = 40;

/** The names of new records, as many as a form has room for, and how many there are besides. */
function namesText(records: readonly RecordDifference[]): Sentence {
  const names = records.slice(0, MAX_NAMED).map(({ label }) => cutQuoted(label, MAX_NAMED_COLUMNS));
  const more = records.length - names.length;
  return sentence`${joined(names, ', ')}${more === 0 ? '' : sentence` and ${more} more`}.`;
}

/** How many videos each channel holds as stated, and how many of the others, the fewest first. */
function statementText(records: readonly RecordDifference[]): Sentence {
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

export const heldIn = ({ lists, unchanged }: RecordDifference, wanted: ListName): number =>
  lists.find(({ field }) => field === wanted)?.after.length ?? unchanged.find(({ field }) => field === wanted)?.count ?? 0;

/** What changes in channels: `Changes the videos of 30 channels (12 removed, 3 added), the names of 2.` */
function changesText(records: readonly RecordDifference[]): Sentence {
  const others = [...TEXTS, ...FLAG_FIELDS].map((field) => ({
    what: wordsFor([field]),
    count: records.filter(({ fields }) => fields.some((change) => change.field === field)).length,
    sums: sentence``,
  }));
  const parts = [...CONTENTS.map((list) => listTotals(records, list)), ...others]
    .filter(({ count }) => count > 0)
    .map(
      ({ what, count, sums }, index) => sentence`the ${what} of ${count}${index > 0 ? '' : count === 1 ? ' channel' : ' channels'}${sums}`,
    );
  return parts.length === 0 ? sentence`` : sentence`Changes ${joined(parts, ', ')}.`;
}

function listTotals(records: readonly RecordDifference[], field: ListName) {
  const changed = records.flatMap(({ lists }) => lists.filter((list) => list.field === field));
  const differences = changed.map(differenceOf);
  const shown = (['removed', 'added', 'moved'] as const).flatMap((verb) => {
    const sum = differences.reduce((total, one) => total + one[verb].length, 0);
    return sum === 0 ? [] : [sentence`${inFull(sum)} ${verb}`];
  });
  return { what: wordsFor([field]), count: changed.length, sums: shown.length === 0 ? sentence`` : sentence` (${joined(shown, ', ')})` };
}
