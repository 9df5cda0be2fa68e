import { counted } from '../../text/counted.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, wordsFor } from '../plan/channel-fields.ts';
import { differenceOf, type ListChange, type RecordDifference } from '../plan/record-difference.ts';

// What becomes of a record, of a plan or of the journal, in phrases: facts with their words. Every layout is made of these: lines of a
// plan, lines and data of an answer, totals. The words of single values are in `field-text.ts`.

export interface RecordPhrases extends RecordDifference {
  readonly lists: readonly ListPhrase[];
}

/** What becomes of one list. */
export interface ListPhrase extends ListChange {
  /** What it was: `new` where nothing was there. Only of one that is `known` something can be told to be as it was. */
  readonly was: 'known' | 'unknown' | 'new';
  /** In the order in which answers tell them. Of what nobody knew, nothing tells. */
  readonly parts: readonly ListPart[];
}

/** What becomes of some entries of a list. */
export interface ListPart {
  readonly verb: 'moved' | 'added' | 'removed';
  /** Where they are now. */
  readonly to: 'front' | 'end' | 'anywhere' | 'nowhere';
  readonly keys: readonly string[];
}

export const recordPhrases = (record: RecordDifference): RecordPhrases => ({
  ...record,
  lists: record.lists.map((list) => listPhrase(record.is, list)),
});

function listPhrase(is: RecordDifference['is'], list: ListChange): ListPhrase {
  const isUpdate = is === 'update';
  if (isUpdate && list.before === null) return { ...list, was: 'unknown', parts: [] };
  const { removed, added, addedAt, moved, isToFront, isToEnd } = differenceOf(list);
  const parts: readonly ListPart[] = [
    { verb: 'moved', to: isToFront ? 'front' : isToEnd ? 'end' : 'anywhere', keys: moved },
    { verb: 'added', to: addedAt, keys: added },
    { verb: 'removed', to: 'nowhere', keys: removed },
  ];
  const isNew = !isUpdate && !list.before?.length;
  return { ...list, was: isNew ? 'new' : 'known', parts: parts.filter(({ keys }) => keys.length > 0) };
}

/** How many keys left, came or moved in a record. */
export const keysChanged = ({ lists }: RecordPhrases): number =>
  lists.flatMap(({ parts }) => parts).reduce((sum, { keys }) => sum + keys.length, 0);

const PLACES: Readonly<Record<ListPart['verb'], Readonly<Partial<Record<ListPart['to'], Sentence>>>>> = {
  moved: { front: sentence` to the front`, end: sentence` to the end` },
  // At the end is where what is added goes.
  added: { front: sentence` at the front`, anywhere: sentence`, not at the end` },
  removed: {},
};

/** `added at the front` */
export const partWords = ({ verb, to }: Pick<ListPart, 'verb' | 'to'>): Sentence => sentence`${verb}${PLACES[verb][to] ?? ''}`;

/** Of a list that nobody knows. */
export const unknownList = ({ field }: Pick<ListChange, 'field'>): Sentence => sentence`${wordsFor([field])} not known`;

/** A list that is sent as it is known: `5 videos kept`. Of a statement, all is stated, and nothing was there to be kept. */
export const sentList = ({ field, count, isStated }: RecordDifference['unchanged'][number], is: RecordDifference['is']): Sentence =>
  sentence`${counted(count, CHANNEL_FIELDS[field].word)}${is === 'statement' ? '' : isStated ? ' as stated' : ' kept'}`;
