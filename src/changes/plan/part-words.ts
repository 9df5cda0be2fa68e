import { CONTENTS } from '../../account/contents.ts';
import { counted, inFull } from '../../text/counted.ts';
import { inQuotes, type Sentence, sentence } from '../../text/sentence.ts';
import { CHANNEL_FIELDS, type ListWord } from './channel-fields.ts';
import { changedPart } from './field-text.ts';
import type { PlannedItem } from './plan.ts';
import { differenceOf } from './record-difference.ts';
import { changedIn, type Fields } from './records.ts';

type Changed = Pick<PlannedItem, 'before' | 'after'>;

/** Of a new name or description in a title. */
export const MAX_NEW_NAME = 40;

/** What becomes of the fields of a record, in few words each. */
export const partWishes = (of: Changed, isWanted: (field: keyof Fields) => boolean = () => true): Sentence[] =>
  changedIn(of).flatMap((field) => (isWanted(field) ? [partWish(field, of)] : []));

/** What becomes of one of several fields. */
function partWish(field: keyof Fields, { before, after }: Changed): Sentence {
  const list = CONTENTS.find((one) => one === field);
  if (list !== undefined) return listPart(CHANNEL_FIELDS[list].word, before[list], after[list] ?? []);
  const value = after[field];
  if (typeof value === 'boolean') return sentence`${changedPart(field)} ${value ? 'on' : 'off'}`;
  if (value === '') return sentence`no ${changedPart(field)}`;
  const isText = field === 'name' || field === 'description';
  return isText && typeof value === 'string' ? sentence`${changedPart(field)} → ${inQuotes(value, MAX_NEW_NAME)}` : changedPart(field);
}

function listPart(what: ListWord, before: readonly string[] | undefined, after: readonly string[]): Sentence {
  if (before === undefined) return after.length === 0 ? sentence`no ${what}s` : sentence`a new list of ${counted(after.length, what)}`;
  const { removed, added, moved } = differenceOf({ before, after });
  const order = moved.length > 0 ? ', new order' : '';
  const [out, into] = [removed.length, added.length];
  if (out > 0 && into > 0) return sentence`${counted(out, what)} out, ${inFull(into)} in${order}`;
  if (out > 0 && after.length === 0) return sentence`all ${what}s out`;
  if (out > 0) return sentence`${counted(out, what)} out${order}`;
  return into > 0 ? sentence`${counted(into, what)} in${order}` : sentence`${what}s in another order`;
}
