import { CONTENTS, type ListName } from '../../account/contents.ts';
import { counted, inFull } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, FLAG_FIELDS, rowOf, TEXTS, wordsFor } from '../plan/channel-fields.ts';
import { quotedValue, wordOf } from '../plan/field-text.ts';
import { differenceOf, type RecordDifference } from '../plan/record-difference.ts';
import { heldIn } from './form-totals.ts';

/** What was done to records, added up for an answer: `In all: 88 names; template → "Dark" 40; 12 videos removed from 9 channels.` */
export function doneTotalsText(records: readonly RecordDifference[]): Sentence {
  const fields = [...TEXTS, ...FLAG_FIELDS].flatMap((field) => {
    const changes = records.flatMap((record) =>
      record.is === 'creation' && field === 'name' ? [] : record.fields.filter((one) => one.field === field),
    );
    if (changes.length === 0) return [];
    // Of what was chosen from few, how many have which.
    const isChosen = rowOf(field).isReference === true || rowOf(field).kind === 'flag';
    if (!isChosen) return [changes.length === 1 ? sentence`1 ${wordOf(field)}` : sentence`${inFull(changes.length)} ${wordsFor([field])}`];
    const counts = new Map<Sentence, number>();
    for (const { after } of changes) counts.set(quotedValue(field, after), (counts.get(quotedValue(field, after)) ?? 0) + 1);
    const sorted = [...counts].sort(([, one], [, other]) => other - one);
    const values = sorted.slice(0, MAX_VALUES).map(([value, count]) => sentence`${value} ${inFull(count)}`);
    return [sentence`${wordOf(field)} → ${joined(values, ', ')}${sorted.length > MAX_VALUES ? ' and so on' : ''}`];
  });
  const parts = [...fields, ...CONTENTS.flatMap((list) => listsDone(records, list))];
  return parts.length === 0 ? sentence`` : sentence`In all: ${joined(parts, '; ')}.`;
}

/** Of one field. */
const MAX_VALUES = 6;

/** `12 videos removed from 9 channels` */
function listsDone(records: readonly RecordDifference[], field: ListName): Sentence[] {
  const word = CHANNEL_FIELDS[field].word;
  const changed = records.filter(({ is }) => is === 'update').flatMap(({ lists }) => lists.filter((list) => list.field === field));
  const held = records.filter(({ is }) => is !== 'update').map((record) => heldIn(record, field));
  const all = held.reduce((sum, count) => sum + count, 0);
  const known = changed.filter(({ before }) => before !== null).map(differenceOf);
  const unknown = changed.filter(({ before }) => before === null);
  const done = (['removed', 'added', 'moved'] as const).flatMap((verb) => {
    const some = known.filter((one) => one[verb].length > 0);
    const sum = some.reduce((total, one) => total + one[verb].length, 0);
    return sum === 0 ? [] : [sentence`${counted(sum, word)} ${verb} ${FROM[verb]} ${counted(some.length, 'channel')}`];
  });
  return [
    ...(all === 0 ? [] : [sentence`${counted(all, word)} in ${counted(held.filter((count) => count > 0).length, 'channel')}`]),
    ...done,
    ...(unknown.length === 0 ? [] : [sentence`a new list of ${word}s for ${counted(unknown.length, 'channel')}`]),
  ];
}

const FROM = { removed: 'from', added: 'to', moved: 'in' } as const;
