import { counted, inFull } from '../../text/counted.ts';
import { toTakeEffect } from '../../text/own-command.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { BulkState, IdStatus } from '../journal/bulk-state.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import { kindOf } from '../kinds/index.ts';
import { hintTexts, isNotice } from '../notices/notices.ts';
import { listed } from '../plan/notice.ts';
import { countedIn, TRAITS } from '../plan/traits/index.ts';
import { countIn, type Later, MAX_RECORDS } from './message.ts';

// What can be done next about a change, in sentences.

interface Known {
  readonly isUndone: boolean;
  /** Of what failed: how many were sent again, and failed once more. */
  readonly failedAgain: number;
  /** The file of its outcomes. */
  readonly file: { readonly canBeRead: boolean } | undefined;
}

/** How many ids have an outcome, and were not moved on since. */
type Count = (outcome: IdStatus) => number;

/** What may be done next with a bulk change, in sentences; without the field where there is nothing. */
export function nextSteps(record: ChangeRecord, bulk: BulkState, count: Count, known: Known): { readonly next?: Sentence } {
  const { changeId } = record.intent;
  if (record.status === 'running') return { next: sentence`Wait for it with get_change ${word(changeId)}; stop_change ends it.` };
  if (known.isUndone) return {};
  const steps = bulk.does.isRepeatable ? afterMove(count, known, record) : afterCopy(count, known, record);
  return steps.length === 0 ? {} : { next: joined(steps) };
}

/** Where nothing succeeded of what looks like keys or titles, as was said before: the same again would fail again. */
const areNoIds = (count: Count, { intent }: ChangeRecord): boolean =>
  count('done') === 0 && count('failed') > 0 && intent.notices.some(isNotice('no_ids'));

const takeIds = ({ intent }: ChangeRecord): Sentence =>
  sentence`These look like keys or titles, so the same ones would fail again. ${intent.notices.some((notice) => isNotice('no_ids')(notice) && notice.hasCatalogue) ? sentence`Put the video catalogue right (VIDEO_HOSTING_VIDEO_CATALOGUE)` : sentence`Set VIDEO_HOSTING_VIDEO_CATALOGUE to a file of the videos with id, key and title`}, ${toTakeEffect()} and call the tool anew with the same list; or give it ids.`;

function afterMove(count: Count, { file, failedAgain }: Known, record: ChangeRecord): Sentence[] {
  const [unsent, unknown, failed] = [count('not_done'), count('unknown'), count('failed') - failedAgain];
  const rest = [
    ...(unsent > 0 ? [sentence`${unsent} not sent`] : []),
    ...(unknown > 0 ? [sentence`${unknown} not known, sent again unless moved on since`] : []),
  ];
  const carryOn = sentence`resume_change carries it on: ${joined(rest, '; ')}.`;
  if (areNoIds(count, record)) return [takeIds(record), ...(rest.length === 0 ? [] : [sentence`If they are ids all the same, ${carryOn}`])];
  return [
    ...(rest.length === 0 ? [] : [carryOn]),
    ...(failed > 0 ? [sentence`resume_change with retryFailed: true sends again what failed, too.`] : []),
    ...(failed > 0 && file?.canBeRead === true
      ? [sentence`Or give notDoneFile as videoIdsFile of a new move, as it is or corrected.`]
      : []),
    ...(failedAgain > 0 ? [failedAgainText(record, failedAgain, 'assistant')] : []),
  ];
}

function afterCopy(count: Count, { file }: Known, record: ChangeRecord): Sentence[] {
  const [unsent, unknown, failed] = [count('not_done'), count('unknown'), count('failed')];
  const done = count('done');
  const doubt =
    unknown === 1
      ? sentence`One is in doubt: ${file === undefined ? 'nothing' : 'notDoneFile names it, but nothing'} sends it again, so look in the dashboard whether it has the CTAs; if not, name it in a new copy_cta.`
      : sentence`${unknown} are in doubt: ${file === undefined ? 'nothing' : 'notDoneFile names them, but nothing'} sends them again, so look at each in the dashboard (those with the same request, too: some may have the CTAs and others not), then name those alone that have none in a new copy_cta.`;
  const doubles = sentence`A new copy_cta of the same list would double the CTAs of the ${done === 1 ? 'one' : inFull(done)} copied, and of those in doubt that got them.`;
  const again =
    file?.canBeRead === true ? 'notDoneFile as targetVideoIdsFile of a new copy_cta sends those alone' : 'name them in a new copy_cta';
  return [
    ...(unsent > 0 ? [sentence`resume_change carries it on: ${unsent} not sent, nothing else.`] : []),
    ...(failed > 0 && areNoIds(count, record) ? [takeIds(record)] : []),
    ...(failed > 0 && !areNoIds(count, record) ? [sentence`To try again what failed (${failed}), ${again}.`] : []),
    ...(unknown > 0 ? [doubt] : []),
    ...(unknown > 0 && done > 0 ? [doubles] : []),
  ];
}

/** Of what may have been changed, and was changed since. */
const settleText = (which: Sentence): Sentence =>
  sentence`For the user to settle: ${which}, which may have been changed. update_channels with setVideoKeys, and setProjectKeys, as in sent (whole in get_change with list: unknown) settles it: ask whether the channel shall hold that.`;

/** What others did since to what is not done, but for what settles it. */
const leftAloneText = (items: readonly ItemState[], later: Later): Sentence[] => {
  const moved = items.filter(({ id, outcome }) => outcome !== 'done' && later.has(id) && later.get(id)?.how !== 'settles');
  const named = moved.map(({ id, label }) => sentence`${label} (${word(later.get(id)?.by ?? '')})`);
  return moved.length === 0 ? [] : [sentence`Changed or stated otherwise since, so left alone: ${listed(named, MAX_RECORDS)}.`];
};

const RETRY = sentence`; where nothing was wrong with it (a lock, say), resume_change with retryFailed: true sends it again once that is over`;

/** What can be done next about what is not done; `later` has what settled or changed it since. */
export function nextOf(record: ChangeRecord, later: Later): Sentence | undefined {
  const { intent, items, status } = record;
  if (status === 'running') return sentence`Wait for it with get_change ${word(intent.changeId)}.`;
  const { isNew } = TRAITS[intent.kind];
  const { rest, retry, lookAgain } = kindOf(intent.kind);
  const left = items.filter(({ id, outcome }) => outcome !== 'done' && !later.has(id));
  const open = left.filter(({ seen }) => isNew || seen !== null);
  const canResume = !('never' in rest(intent.facts));
  const [notDone, allUnknown = 0, failed] = (['not_done', 'unknown', 'failed'] as const).map((outcome) => countIn(open, outcome));
  // Their channels moved on, so that another look tells no more.
  const isSeenOtherwise = ({ outcome, seenAfter }: ItemState) => !isNew && outcome === 'unknown' && seenAfter != null;
  const seenOtherwise = open.filter(isSeenOtherwise);
  const unknown = allUnknown - seenOtherwise.length;
  const labelsOf = (wanted: (item: ItemState) => boolean) => open.filter(wanted).map(({ label }) => label);
  /** Where they are few; of more, the answer’s lists have each. */
  const few = (wanted: (item: ItemState) => boolean) => {
    const labels = labelsOf(wanted);
    return labels.length > MAX_RECORDS ? undefined : joined(labels, ', ');
  };
  const which = few(({ outcome }) => outcome === 'not_done');
  const again = failedAgain({ ...record, items: open });
  const once = (failed ?? 0) - again;
  const steps = [
    ...(canResume && notDone
      ? [sentence`resume_change carries on with the ${notDone} not done${which === undefined ? '' : sentence`: ${which}`}.`]
      : []),
    ...('never' in lookAgain && countIn(left, 'unknown') > 0 ? [lookAgain.never] : []),
    ...('next' in lookAgain && unknown > 0
      ? [
          lookAgain.next(
            unknown,
            few((item) => item.outcome === 'unknown' && !isSeenOtherwise(item)),
          ),
        ]
      : []),
    ...(seenOtherwise.length > 0 ? [settleText(listed(labelsOf(isSeenOtherwise), MAX_RECORDS))] : []),
    ...(isNew ? [] : leftAloneText(items, later)),
    ...(once ? [sentence`What failed has to be corrected and asked for anew${retry === 'possible' ? RETRY : ''}.`] : []),
    ...(again ? [failedAgainText(record, again, 'assistant')] : []),
    ...hintTexts(intent.notices.filter(isNotice('not_set_back'))),
    ...(!canResume && notDone ? [sentence`Call the tool anew for what is not done.`] : []),
  ];
  return steps.length === 0 ? undefined : joined(steps);
}

/** How many records or ids of a change failed, were sent again and failed once more; of ids, those that `counts`. */
export function failedAgain({ items, bulk, hasFailedAgain }: ChangeRecord, counts: (index: number) => boolean = () => true): number {
  if (bulk === undefined) return items.filter((item) => item.outcome === 'failed' && item.failedAgain).length;
  return bulk.countIf((status, index) => status === 'failed' && hasFailedAgain?.(index) === true && counts(index));
}

/** What is to be done about them. */
export function failedAgainText({ intent: { kind, ids } }: ChangeRecord, count: number, reader: 'assistant' | 'person'): Sentence {
  const what = countedIn(kind, ids !== undefined);
  const [they, them] = count === 1 ? (['it was', 'it'] as const) : (['they were', 'them'] as const);
  const [noHelp, again] = (
    {
      assistant: ['the same call alone is', 'retryFailed sends'],
      person: ['that alone is', 'your assistant can send'],
    } as const
  )[reader];
  return sentence`${counted(count, what)} failed again when ${they} sent again, so ${noHelp} no help: open ${them} in the dashboard to see what is wrong. Once that is mended, ${again} ${them} again.`;
}
