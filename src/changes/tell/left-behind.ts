import { inFull } from '../../text/counted.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { moveIn, undoneIn } from '../plan/facts.ts';

/**
 * Of the undo of a move that is over: how many of the videos that it did not move back, or may not have, had been moved for certain, and
 * how many may never have been. Empty where there are none, or where that can’t be read any more.
 */
export async function leftBehindText({ intent, bulk, status }: ChangeRecord, journal: Journal): Promise<Sentence> {
  const [changeId] = undoneIn(intent.facts);
  const isLeft = (index: number) => bulk?.statusAt(index) === 'failed' || bulk?.statusAt(index) === 'unknown';
  const count = (bulk?.count('failed') ?? 0) + (bulk?.count('unknown') ?? 0);
  if (changeId === undefined || moveIn(intent.facts) === undefined || count === 0 || status === 'running') return sentence``;
  const [ids, move, movedIds] = await Promise.all([
    journal.readIds(intent.changeId).catch(() => []),
    journal.read(changeId).catch(() => undefined),
    journal.readIds(changeId).catch(() => []),
  ]);
  const left = new Set(ids.filter((_, index) => isLeft(index)));
  if (left.size !== count || move?.bulk?.total !== movedIds.length) return sentence``;
  const certain = movedIds.filter((id, index) => left.has(id) && move.bulk?.statusAt(index) === 'done').length;
  const which = bulk?.count('unknown') === 0 ? 'not moved back' : 'not moved back, or perhaps not';
  const doubtful = count - certain;
  const stayed =
    doubtful === 0
      ? 'none were in doubt'
      : sentence`${number(doubtful)} ${doubtful === 1 ? 'was' : 'were'} in doubt and may never have left`;
  return sentence`Of the ${number(count)} ${which}, ${number(certain)} had been moved for certain, and ${stayed}.`;
}

const number = (count: number): Sentence => (count === 0 ? sentence`none` : inFull(count));
