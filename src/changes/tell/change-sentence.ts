import { joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import { kindOf } from '../kinds/index.ts';
import type { LaterChange } from '../kinds/later-changes.ts';
import { hintTexts, isNotice } from '../notices/notices.ts';
import { undoneIn } from '../plan/facts.ts';
import { summaryText } from '../plan/preview.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { damageOf } from './bulk-result.ts';
import { INTERRUPTED, lastRun } from './change-fields.ts';
import { failedAgain, failedAgainText } from './failed-again.ts';

// What an answer says about a change of channels or of a project as a whole.

/** What was done, and how much of it. */
export function changeSentence(record: ChangeRecord): Sentence {
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
    ...lastRun(record, count(items, 'done'), TRAITS[intent.kind].words.done ?? sentence`done`),
    ...(damagedLines > 0 ? [damageOf(damagedLines)] : []),
  ]);
}

function overText({ intent, items }: ChangeRecord): Sentence {
  const total = items.length;
  const done = count(items, 'done');
  const others = othersOf(items);
  const {
    record: what,
    words: { done: verb, allDone },
  } = TRAITS[intent.kind];
  if (allDone !== undefined && done === total) return allDone(total, items[0]?.label ?? sentence``);
  if (verb === undefined) return sentence`${summaryText(intent)} ${joined(counts(items), ', ')}.`;
  const undone = undoneIn(intent.facts);
  const undoes = undone.length === 0 ? sentence`` : sentence`Undo of ${wordList(undone)}: `;
  if (done < total)
    return sentence`${undoes}${done} of ${total} ${what}${total === 1 ? '' : 's'} ${done === 1 ? 'was' : 'were'} ${verb}, ${joined(others, ', ')}.`;
  const all = undoes === '' ? 'All' : 'all';
  return sentence`${undoes}${total === 1 ? sentence`${items[0]?.label ?? ''} was` : sentence`${all} ${total} ${what}s were`} ${verb}.`;
}

const count = (items: readonly ItemState[], outcome: ItemState['outcome']): number =>
  items.filter((item) => item.outcome === outcome).length;

function othersOf(items: readonly ItemState[]): Sentence[] {
  const part = (outcome: ItemState['outcome'], words: Sentence) =>
    count(items, outcome) > 0 ? [sentence`${count(items, outcome)} ${words}`] : [];
  return [
    ...part('failed', sentence`failed`),
    ...part('unknown', sentence`not known`),
    ...part('not_done', sentence`not done`),
    ...part('pending', sentence`to go`),
  ];
}

function counts(items: readonly ItemState[]): Sentence[] {
  const done = count(items, 'done');
  return [done === items.length ? sentence`All done` : sentence`${done} of ${items.length} done`, ...othersOf(items)];
}

const SETTLE = sentence`What may have been changed is settled by update_channels with setVideoKeys, and setProjectKeys, as in sent (whole in get_change with list: unknown): ask the user whether the channel shall hold that.`;

const RETRY = sentence`; where nothing was wrong with it (a lock, say), resume_change with retryFailed: true sends it again`;

/** What can be done next about what is not done; `later` has what settled or changed it since. */
export function nextOf(record: ChangeRecord, later: ReadonlyMap<string, LaterChange>): Sentence | undefined {
  const { intent, items, status } = record;
  if (status === 'running') return sentence`Wait for it with get_change ${word(intent.changeId)}.`;
  const { isNew } = TRAITS[intent.kind];
  const { rest, retry, lookAgain } = kindOf(intent.kind);
  const open = items.filter(({ id, outcome, seen }) => outcome !== 'done' && !later.has(id) && (isNew || seen !== null));
  const canResume = rest !== undefined;
  const [notDone, allUnknown = 0, failed] = (['not_done', 'unknown', 'failed'] as const).map((outcome) => count(open, outcome));
  // Their channels moved on, so that another look tells no more.
  const seenOtherwise = isNew ? 0 : open.filter(({ outcome, seenAfter }) => outcome === 'unknown' && seenAfter != null).length;
  const unknown = allUnknown - seenOtherwise;
  const again = failedAgain({ ...record, items: open });
  const once = (failed ?? 0) - again;
  const steps = [
    ...(canResume && notDone ? [sentence`resume_change carries on with the ${notDone} not done.`] : []),
    ...(unknown && lookAgain ? [lookAgain.next(unknown)] : []),
    ...(seenOtherwise ? [SETTLE] : []),
    ...(once ? [sentence`What failed has to be corrected and asked for anew${retry === 'possible' ? RETRY : ''}.`] : []),
    ...(again ? [failedAgainText(record, again, 'assistant')] : []),
    ...hintTexts(intent.notices.filter(isNotice('not_set_back'))),
    ...(!canResume && notDone ? [sentence`Call the tool anew for what is not done.`] : []),
  ];
  return steps.length === 0 ? undefined : joined(steps);
}
