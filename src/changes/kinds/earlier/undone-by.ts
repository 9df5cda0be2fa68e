import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import { isBegunAfter, newestFirst } from '../../journal/change-order.ts';
import type { ChangeRecord, ItemState } from '../../journal/change-record.ts';
import type { Journal } from '../../journal/journal.ts';
import { type Facts, moveIn, undoneIn } from '../../plan/facts.ts';
import { UNDOS } from '../../plan/traits/index.ts';
import { isInferred } from '../channels/verify.ts';

export interface UndoRecord {
  /** The id of the change that undid it. */
  readonly by: string;
  /** False where some of it was not undone, or the undo is running. */
  readonly whole: boolean;
  /** The records that are set back as a whole, where it was undone record by record. */
  readonly setBack: ReadonlySet<string>;
}

/** The undone changes from `oldest` on, by id; an undo that was wholly undone itself does not count. */
export async function undoneSince(oldest: string, journal: Journal): Promise<ReadonlyMap<string, UndoRecord>> {
  const undone = new Map<string, UndoRecord>();
  // Newest first, so that the undo of an undo is read before it.
  for await (const record of journal.each(UNDOS, oldest)) {
    const { changeId: by, facts } = record.intent;
    if (undone.get(by)?.whole === true || !hasEffect(record)) continue;
    const isWhole = record.items.every(isKnownDone);
    const whole = record.status === 'applied' && !isPartial(facts) && isWhole;
    const again = undone.get(by)?.setBack;
    const own =
      'undoes' in facts && facts.only !== undefined ? [] : record.items.filter((item) => isKnownDone(item) && !again?.has(item.id));
    for (const changeId of undoneIn(facts)) {
      const other = undone.get(changeId);
      const setBack = new Set([...(other?.setBack ?? []), ...own.map(({ id }) => id)]);
      if (other?.whole !== true) undone.set(changeId, { by, whole, setBack });
    }
  }
  return undone;
}

/** Whether an undo was to leave parts or channels, or left videos that no earlier undo had moved back. */
function isPartial(facts: Facts): boolean {
  const { movedOn: { count, undone } = { count: 0, undone: 0 }, notNamed = 0 } = moveIn(facts) ?? {};
  const isOfSome = 'undoes' in facts && (facts.only !== undefined || facts.channels !== undefined);
  return isOfSome || notNamed > 0 || count > undone;
}

export const undoneBy = async (changeId: string, journal: Journal): Promise<UndoRecord | undefined> =>
  (await undoneSince(changeId, journal)).get(changeId);

/** Which of some changes, given newest first, were undone before, in sentences after one that names them; empty where none was. */
export async function undoneBeforeText(changeIds: readonly string[], journal: Journal): Promise<Sentence> {
  const undone = await undoneSince(changeIds.at(-1) ?? '', journal);
  const textOf = (changeId: string): Sentence => {
    const undo = undone.get(changeId);
    if (undo === undefined) return sentence``;
    const named = changeIds.length > 1 ? word(changeId) : undefined;
    return sentence` ${undo.whole ? (named ?? 'It') : sentence`Part of ${named ?? 'it'}`} was undone before, by ${word(undo.by)}.`;
  };
  return changeIds.reduce<Sentence>((all, changeId) => sentence`${all}${textOf(changeId)}`, sentence``);
}

/**
 * Some changes, given newest first, and the undos of them alone, undos of those included: without these, what an undo of a part left
 * would look changed by another hand.
 */
export async function withUndos(records: readonly ChangeRecord[], journal: Journal): Promise<readonly ChangeRecord[]> {
  const all = new Map(records.map((record) => [record.intent.changeId, record]));
  const undos: ChangeRecord[] = [];
  for await (const record of journal.each(UNDOS, records.at(-1)?.intent.changeId)) undos.push(record);
  for (const undo of undos.toReversed()) {
    const undone = undoneIn(undo.intent.facts);
    if (undone.length > 0 && undone.every((changeId) => all.has(changeId))) all.set(undo.intent.changeId, undo);
  }
  return [...all.values()].sort(newestFirst);
}

/** Some changes of channels, given newest first, with the later ones that were wholly undone and those undos, which came to nothing. */
export async function withCancelled(records: readonly ChangeRecord[], journal: Journal): Promise<readonly ChangeRecord[]> {
  const oldest = records.at(-1);
  if (oldest === undefined) return records;
  const all = new Map(records.map((record) => [record.intent.changeId, record]));
  for (const [undone, { by, whole }] of await undoneSince(oldest.intent.changeId, journal))
    for (const changeId of whole ? [undone, by] : []) {
      const record = all.has(changeId) ? undefined : await journal.read(changeId);
      if (record !== undefined && record.bulk === undefined && isBegunAfter(record.intent, oldest.intent)) all.set(changeId, record);
    }
  return [...all.values()].sort(newestFirst);
}

const isKnownDone = (item: ItemState): boolean => item.outcome === 'done' && !isInferred(item);

const hasEffect = (record: ChangeRecord): boolean => record.status === 'running' || possiblyChanged(record) > 0;

/** How many records or ids a change did, or may have done, without those that are `left` out. */
export function possiblyChanged({ items, bulk }: ChangeRecord, left?: (index: number) => boolean): number {
  const isChanged = (outcome: string) => outcome === 'done' || outcome === 'unknown';
  if (bulk === undefined) return items.filter(({ outcome }) => isChanged(outcome)).length;
  if (left === undefined) return bulk.count('done') + bulk.count('unknown');
  return bulk.countIf((status, index) => isChanged(status) && !left(index));
}
