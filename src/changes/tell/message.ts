import { allOf, counted, inFull } from '../../text/counted.ts';
import { joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import type { BulkState } from '../journal/bulk-state.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import type { LaterChange } from '../kinds/earlier/later-changes.ts';
import { moveIn, undoneIn } from '../plan/facts.ts';
import { listed } from '../plan/notice.ts';
import { summaryText } from '../plan/preview.ts';
import { TRAITS } from '../plan/traits/index.ts';

// What was done, in sentences, and how much of it.

/** Of a change of channels, or of a project. */
export function changeSentence(record: ChangeRecord, later: Later): Sentence {
  const { intent, items, status, damagedLines } = record;
  // Of several, `after` tells which id is whose.
  const created = (items.length > 1 ? [] : items).flatMap(({ result: { id, key } = {} }) => {
    const named = key === undefined ? sentence`` : sentence`, its key ${word(key)}`;
    return id === undefined ? [] : [sentence`Its id is ${word(id)}${named}.`];
  });
  return joined([
    status === 'running' ? sentence`${summaryText(intent)} ${joined(counts(items), ', ')}.` : overText(record),
    ...(status === 'interrupted' ? [INTERRUPTED] : []),
    ...created,
    ...settledText(items, later),
    ...lastRun(record, countIn(items, 'done'), TRAITS[intent.kind].words.done ?? sentence`done`),
    ...(damagedLines > 0 ? [damageOf(damagedLines)] : []),
  ]);
}

export type Later = ReadonlyMap<string, LaterChange>;

/** What of it is not to be looked after any more, by the change that did that. */
function settledText(items: readonly ItemState[], later: Later): Sentence[] {
  const byChange = new Map<string, Sentence[]>();
  for (const { id, label, outcome } of items) {
    const change = later.get(id);
    if (outcome !== 'done' && change?.how === 'settles') byChange.set(change.by, [...(byChange.get(change.by) ?? []), label]);
  }
  return [...byChange].map(([by, labels]) => sentence`Settled since, by ${word(by)}: ${listed(labels, MAX_RECORDS)}.`);
}

/** Records in one sentence. */
export const MAX_RECORDS = 5;

function overText({ intent, items }: ChangeRecord): Sentence {
  const total = items.length;
  const done = countIn(items, 'done');
  const others = othersOf(items);
  const {
    record: what,
    words: { done: verb, allDone },
  } = TRAITS[intent.kind];
  if (allDone !== undefined && done === total) return allDone(total, items[0]?.label ?? sentence``);
  if (verb === undefined) return sentence`${summaryText(intent)} ${joined(counts(items), ', ')}.`;
  const undone = undoneIn(intent.facts);
  const undoes = undone.length === 0 ? sentence`` : sentence`Undo of ${wordList(undone)}: `;
  if (done < total && total === 1) return sentence`${undoes}${aloneText(items[0], verb)}`;
  if (done < total) return sentence`${undoes}${done} of ${total} ${what}s ${done === 1 ? 'was' : 'were'} ${verb}, ${joined(others, ', ')}.`;
  return sentence`${undoes}${total === 1 ? sentence`${items[0]?.label ?? ''} was` : sentence`${allOf(total, undoes === '' ? 'All' : 'all')} ${what}s were`} ${verb}.`;
}

/** Of the only record of a change, which was not done, or perhaps not. */
function aloneText(item: ItemState | undefined, verb: Sentence): Sentence {
  const label = item?.label ?? sentence`it`;
  if (item?.outcome === 'unknown' && item.isAsBefore === true) return sentence`${label} was probably not ${verb}: it is as it was before.`;
  if (item?.outcome === 'unknown') return sentence`It is not known whether ${label} was ${verb}.`;
  return sentence`${label} was not ${verb}${item?.outcome === 'failed' ? ': it failed' : ''}.`;
}

/** Why something was not done of which nothing else is known. */
export const NOT_SENT = sentence`Not sent.`;

export const countIn = (items: readonly ItemState[], outcome: ItemState['outcome']): number =>
  items.filter((item) => item.outcome === outcome).length;

function othersOf(items: readonly ItemState[]): Sentence[] {
  const part = (outcome: ItemState['outcome'], words: Sentence) =>
    countIn(items, outcome) > 0 ? [sentence`${countIn(items, outcome)} ${words}`] : [];
  return [
    ...part('failed', sentence`failed`),
    ...part('unknown', sentence`not known${probablyNotDone(items)}`),
    ...part('not_done', sentence`not done`),
    ...part('pending', sentence`to go`),
  ];
}

/** How many of what is not known were read afterwards, and were as they had been. */
function probablyNotDone(items: readonly ItemState[]): Sentence {
  const count = items.filter(({ outcome, isAsBefore }) => outcome === 'unknown' && isAsBefore === true).length;
  return count === 0
    ? sentence``
    : sentence` (${count === countIn(items, 'unknown') ? '' : sentence`${count} `}probably not done: as before)`;
}

function counts(items: readonly ItemState[]): Sentence[] {
  const done = countIn(items, 'done');
  return [done === items.length ? sentence`All done` : sentence`${done} of ${items.length} done`, ...othersOf(items)];
}

/** Of a change of many videos. */
export function bulkSentence(record: ChangeRecord, bulk: BulkState): Sentence {
  const { intent, status, damagedLines } = record;
  const isRunning = status === 'running';
  const pending = isRunning ? bulk.count('none') + bulk.count('sending') + bulk.count('not_done') : 0;
  const parts = [
    sentence`${bulk.count('done')} of ${bulk.total} ${verbOf(record, bulk)}`,
    ...part(bulk.count('failed'), sentence`failed`),
    ...part(bulk.count('unknown'), sentence`not known`),
    ...part(isRunning ? 0 : bulk.count('not_done'), sentence`not sent`),
    ...part(isRunning ? bulk.count('retrying') : 0, sentence`being tried again`),
    ...part(pending, sentence`to go`),
  ];
  return joined([
    sentence`${summaryText(intent)} ${joined(parts, ', ')}.`,
    ...lastRun(record, bulk.count('done'), verbOf(record, bulk)),
    ...(status === 'interrupted' ? [INTERRUPTED] : []),
    ...(damagedLines > 0 ? [damageOf(damagedLines)] : []),
  ]);
}

/** What becomes of each id, in the past tense. */
export const verbOf = ({ intent }: ChangeRecord, { does }: BulkState): Sentence =>
  TRAITS[intent.kind].words.doneOfMany ?? sentence`${does.done}`;

const part = (count: number, what: Sentence): Sentence[] => (count > 0 ? [sentence`${count} ${what}`] : []);

/** Of a change whose process is gone. */
export const INTERRUPTED = sentence`The server ended in the middle.`;

/** What the latest run of a change that was resumed did, of the whole that other sentences are about. */
function lastRun({ resumed }: ChangeRecord, done: number, verb: Sentence): Sentence[] {
  if (resumed === undefined) return [];
  const { doneBefore, sent, requests } = resumed;
  const inRequests = requests === 0 ? '' : sentence` in ${counted(requests, 'request')}`;
  const before = sentence`${inFull(doneBefore)} ${doneBefore === 1 ? 'was' : 'were'} ${verb} before`;
  return [sentence`Last run: ${inFull(sent)} sent${inRequests}, ${inFull(done - doneBefore)} ${verb}; ${before}.`];
}

function damageOf(lines: number): Sentence {
  return lines === 1
    ? sentence`One line of its journal is torn; what that told counts as not known.`
    : sentence`${lines} lines of its journal are torn; what they told counts as not known.`;
}

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
