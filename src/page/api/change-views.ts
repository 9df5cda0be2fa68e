import { bulkCounts } from '../../changes/journal/bulk-state.ts';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { isLeftAlone } from '../../changes/journal/change-status.ts';
import { changedSince, channelsNow, channelsOf } from '../../changes/kinds/channels/changed-since.ts';
import { openNotices } from '../../changes/kinds/earlier/open-notices.ts';
import { hasRest } from '../../changes/kinds/earlier/resume-change.ts';
import type { Since } from '../../changes/kinds/earlier/undo-now.ts';
import { undoOf } from '../../changes/kinds/earlier/undoable.ts';
import { undoneSince } from '../../changes/kinds/earlier/undone-by.ts';
import { kindOf } from '../../changes/kinds/index.ts';
import { findAllMovedOn } from '../../changes/kinds/videos/later-moves.ts';
import { undoByWord } from '../../changes/kinds/videos/undo-promise.ts';
import { isStopping } from '../../changes/life/jobs.ts';
import { isNotice, leavesAlone, phrases } from '../../changes/notices/notices.ts';
import type { Stopped } from '../../changes/plan/asked-and-decided.ts';
import type { Reader } from '../../changes/plan/confirmed-by.ts';
import { moveIn, undoneIn } from '../../changes/plan/facts.ts';
import { headingOf, valueText } from '../../changes/plan/field-text.ts';
import { itemsOf, type ShownPlan } from '../../changes/plan/plan.ts';
import type { ChangeDescription, Undo } from '../../changes/plan/preview.ts';
import { byLoss, type RecordDifference, statedBefore } from '../../changes/plan/record-difference.ts';
import { type ChangeKind, countedIn, TRAITS, UNDOS } from '../../changes/plan/traits/index.ts';
import { stepsAfterWait, waitedText } from '../../changes/proposals/waited.ts';
import { allAsked, toldConfirmed, toldStopped, toldUnasked } from '../../changes/tell/agreement.ts';
import { INTERRUPTED, leftBehindText } from '../../changes/tell/message.ts';
import { noteText } from '../../changes/tell/not-begun.ts';
import { canBeRetried, stepsAfterFailure, stepsAfterUndo } from '../../changes/tell/person-steps.ts';
import { titleOf, titleOfOne, wishOf } from '../../changes/tell/title.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { entriesIn, longPiece } from '../../platform/long-work.ts';
import { counted, inFull } from '../../text/counted.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { BulkView, ChangedRecord, ChangeView } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { plannedBulk, recordedBulk } from './bulk-view.ts';
import { isEndedByStop, type ShownChange, summaryOfProposal, summaryOfRecord } from './change-summaries.ts';
import { statedEarlier } from './statements.ts';
import { createTitles } from './titles.ts';

export type ChangeViews = ReturnType<typeof createChangeViews>;

/** What a person is told of a change, waiting or not. What can’t be undone is told once, in `undo`. */
const descriptionOf = ({ meaning, notices, onFailure }: ChangeDescription) => ({
  ...definedFields({ meaning }),
  notices: phrases({ notices: notices.filter((notice) => !isNotice('no_undo')(notice)), undo: { how: sentence`` } }).map(
    ({ text, weight, of }) => ({
      // What an undo would send, nobody checked either.
      ...{ text, weight: of.every(isNotice('back_as_stated')) ? ('caution' as const) : weight },
      ...(of.every(isNotice('views_agree', 'views_as_agreed', 'views_not_compared', 'views_not_read')) ? { isOfList: true as const } : {}),
      ...(of.every(isNotice('loses')) ? { isListed: true as const } : {}),
      ...(of.every(leavesAlone) ? { isLeftAlone: true as const } : {}),
      ...(of.every(isNotice('origin_by_word', 'origins_by_file', 'origins_as_said')) ? { isOfUndo: true as const } : {}),
    }),
  ),
  onFailure,
});

/** Those that lose most first, with their values in words. */
const recordsOf = (differences: readonly RecordDifference[]): ChangedRecord[] =>
  byLoss(differences).map(({ id, name, fields, lists, unchanged, stated, outcome, reason }) => ({
    ...{ id, name, lists, ...newNameIn(fields) },
    fields: [
      ...fields.map(({ field, before, after }) => ({
        name: headingOf(field),
        ...(before === undefined ? {} : { before: valueText(field, before) }),
        after: valueText(field, after),
      })),
      ...statedBefore({ unchanged, stated }).map(({ field, count }) => {
        const words = `${inFull(count)}, as listed`;
        return { name: headingOf(field), before: words, after: words };
      }),
    ],
    ...(stated.length === 0 ? {} : { stated }),
    ...(endsEmpty(lists, unchanged) ? { endsEmpty: true as const } : {}),
    ...definedFields({ outcome, reason }),
  }));

const endsEmpty = (lists: RecordDifference['lists'], unchanged: RecordDifference['unchanged']): boolean =>
  lists.every(({ after }) => after.length === 0) &&
  lists.some(({ before }) => before?.length !== 0) &&
  unchanged.every(({ count }) => count === 0);

/** Of one that is renamed. */
function newNameIn(fields: RecordDifference['fields']): Pick<ChangedRecord, 'newName'> {
  const renamed = fields.find(({ field, before }) => field === 'name' && before !== undefined);
  return renamed === undefined ? {} : { newName: valueText('name', renamed.after) };
}

/** Of a heading, which pushes what it is above down. */
const MAX_HEADING = 90;

/** What becomes of its only record, where that is short, and otherwise the names: what changes of each stands in the cards. */
function headingOfPlan(plan: ShownPlan): Sentence {
  const { title, summary } = plan.preview;
  const wish = wishOf(plan, itemsOf(plan));
  if (wish !== undefined) return wish;
  const one = title === undefined ? titleOfOne(plan) : undefined;
  return one !== undefined && one.length <= MAX_HEADING ? one : titleOf(title ?? summary, itemsOf(plan), 'only');
}

/** What a no to it leaves as it is; behind the word for it. */
function decliningText({ resumes, facts }: ShownPlan): Sentence | undefined {
  if (resumes !== undefined) return sentence`leaves it as it is: what is done stays done, and the rest can be carried on later.`;
  return undoneIn(facts).length > 0 ? sentence`leaves all as it is: nothing is set back.` : undefined;
}

/** Makes the view of a change: of one that waits, or of one in the journal. */
export function createChangeViews(deps: PageDeps) {
  const { reader } = deps;
  const titlesOf = createTitles(deps);
  const partsOf = async (kind: ChangeKind, actionLabel: string, records: readonly ChangedRecord[], bulk: BulkView | undefined) => ({
    ...{ changesAccount: !TRAITS[kind].isLocal, actionLabel, records, titles: await titlesOf(records, bulk) },
    ...definedFields({ bulk }),
  });
  return {
    async ofProposal(change: ShownChange): Promise<ChangeView> {
      const { plan, status, note, conflicts, digest, isOwn } = change;
      const { preview } = plan;
      // Those that are left alone are in the warnings.
      const sent = itemsOf(plan).filter((item) => !isLeftAlone(plan.kind, item));
      const bulk = 'ids' in plan ? plannedBulk(plan) : undefined;
      const step = () => longPiece(entriesIn(bulk?.ids ?? sent));
      await step();
      const summary = summaryOfProposal(change);
      await step();
      const records = recordsOf(kindOf(plan.kind).differences(sent, plan.facts));
      await step();
      return {
        ...summary,
        // An undo, and what is carried on, is known by what it is about.
        summary: headingOfPlan(plan),
        ...descriptionOf(preview),
        ...(await partsOf(plan.kind, actionLabel(plan, bulk?.total ?? sent.length), records, bulk)),
        undo: { ...preview.undo, ...definedFields({ words: undoByWord(plan) }) },
        ...(status === 'waiting' ? { isOwn, planDigest: digest } : {}),
        ...(status === 'waiting' && !TRAITS[plan.kind].isLocal
          ? await statedEarlier(sent, { journal: deps.journal, told: (record) => told(record, reader) })
          : {}),
        ...(conflicts.length === 0 ? {} : { conflicts }),
        outcome: waitedText(change, isOwn),
        ...(status === 'waiting' ? definedFields({ declining: decliningText(plan) }) : {}),
        ...definedFields({ standing: change.asked.by && preview.standing }),
        notes: reader === 'person' ? noteOf(note) : noteText(note),
        ...(status === 'waiting' ? {} : { steps: stepsAfterWait(change) }),
        ...{ canStop: false, canUndo: false, canResume: false, canRetry: false },
      };
    },
    async ofRecord(record: ChangeRecord, signal: AbortSignal): Promise<ChangeView> {
      const { intent, bulk: state, status, ended } = record;
      const since = status === 'running' ? {} : await sinceOf(record, deps, signal);
      const { undone } = since;
      const bulk = state === undefined ? undefined : await recordedBulk(record, deps.journal);
      const step = () => longPiece(entriesIn(bulk?.ids ?? record.items));
      await step();
      const { never, ...undo } = undoOf(record, since);
      const leftBehind = await leftBehindText(record, deps.journal);
      const canResume = !deps.readOnly && undone === undefined && hasRest(record);
      await step();
      const records = changedRecords(record, since);
      await step();
      return {
        ...summaryOfRecord(record, undone, reader, deps.jobs.get(intent.changeId)?.trouble()),
        summary: wishOf(intent, record.items) ?? titleOf(intent.title ?? intent.summary, record.items, 'only'),
        ...descriptionOf({ ...intent, notices: openNotices(record) }),
        ...(await partsOf(intent.kind, '', records, bulk)),
        undo: { ...undo, ...definedFields({ words: undoByWord({ facts: intent.facts }) }) },
        agreed: told(record, reader),
        ...stopOf(record, reader),
        notes: [
          ...[ended?.message].flatMap((text) => text ?? []),
          ...(status === 'interrupted' ? [INTERRUPTED] : []),
          ...(leftBehind === '' ? [] : [leftBehind]),
        ],
        steps: [
          // Where it can be carried on from a time on, that is told with it.
          ...(canResume && ended?.resumeFrom !== undefined ? [] : [ended?.advice].flatMap((text) => text ?? [])),
          ...stepsAfterFailure(record),
          ...stepsAfterUndo(notSetBack(record, since, undo.possible)),
          ...afterDoubtfulCopy(record),
        ],
        canStop: status === 'running',
        ...(status === 'running' && isStopping(intent.changeId, deps) ? { isStopping: true as const } : {}),
        canUndo: !deps.readOnly && (never === undefined || status === 'running') && undo.possible !== 'no',
        canResume,
        ...definedFields({ resumeFrom: ended?.resumeFrom, setup: ended?.setup }),
        canRetry: !deps.readOnly && undone === undefined && canBeRetried(record),
      };
    },
  };
}

/** The channels that an undo left alone, or would: of the undo itself, of what was undone in part, and of what can’t be undone any more. */
function notSetBack(
  { intent: { kind }, items, bulk, status }: ChangeRecord,
  { undone, changed = [] }: Since,
  possible: Undo['possible'],
): readonly Sentence[] {
  if (bulk !== undefined || status === 'running' || undone?.whole === true) return [];
  const byOthers = changed.filter(({ id, by }) => by === undefined && undone?.setBack.has(id) !== true).map(({ label }) => label);
  const left = UNDOS.includes(kind) ? items.filter((item) => isLeftAlone(kind, item)).map(({ label }) => label) : [];
  // While some of it can be undone, the undo says so of the others.
  return undone?.whole === false || (left.length === 0 && possible === 'no') ? byOthers : left;
}

/** What happened since, by which it can be undone or not. */
async function sinceOf(record: ChangeRecord, { client, account, journal }: PageDeps, signal: AbortSignal): Promise<Since> {
  const { changeId, facts } = record.intent;
  const undone = await undoneSince(changeId, journal);
  const now = await channelsNow(channelsOf([record]), { client, account, each: true }, signal);
  const changed = (await changedSince([record], { journal, now, undone })).get(changeId);
  const movedOn = moveIn(facts) === undefined ? undefined : await findAllMovedOn(record, journal);
  return definedFields({ undone: undone.get(changeId), changed, movedOn });
}

/** Who asked, stopped it before it was carried on, and agreed, each with the time; and when it was stopped, which its outcome tells by whom. */
function told(record: ChangeRecord, reader: Reader): NonNullable<ChangeView['agreed']> {
  const [first, ...later] = allAsked(record.agreed);
  const stopped = record.stoppedBefore.map((by) => toldStopped(by, reader));
  const end = isEndedByStop(record) ? [toldStopped(record.ended.stopped, reader)] : [];
  return [...(first === undefined ? [] : [first]), ...stopped, ...later, confirmed(record, reader), ...end];
}

/** Who agreed, or why nobody was asked. */
function confirmed(record: ChangeRecord, reader: Reader): NonNullable<ChangeView['agreed']>[number] {
  const unasked = toldUnasked(record);
  if (unasked === undefined) return toldConfirmed(record, reader);
  return { words: unasked, isUnasked: true, ...(record.intent.standing !== undefined && { isCovered: true as const }) };
}

/** How a person settles what is not known of a copy, and what a mistake would cost. */
function afterDoubtfulCopy({ bulk, status }: ChangeRecord): readonly Sentence[] {
  if (status === 'running' || bulk === undefined || bulk.does.isRepeatable) return [];
  const { unknown } = bulkCounts(bulk);
  if (unknown === 0) return [];
  return [
    unknown === 1
      ? sentence`Of what is not known: if the video has none of the CTAs, ask for a new copy; if it has them, don’t: they would be there twice.`
      : sentence`Look at each of the ${inFull(unknown)} that are not known, also where several were sent together: some may have the CTAs and others not. Ask for a new copy of those alone that have none of them: the others would have them twice.`,
  ];
}

/** Who stopped it; or that somebody tried, when nothing was left to be stopped. */
function stopOf(record: ChangeRecord, reader: Reader): Pick<ChangeView, 'outcome' | 'press'> {
  if (isEndedByStop(record)) return { outcome: `${toldStopped({ ...record.ended.stopped }, reader).words}.` };
  return record.status === 'applied' && record.ended?.stopped !== undefined ? { press: allWasSent(record.ended.stopped, reader) } : {};
}

function allWasSent({ by, how }: Stopped, reader: Reader): Sentence {
  const isYou = how === 'page' && by === undefined && reader === 'person';
  const when = isYou ? 'you pressed Stop' : by === undefined ? 'it was to be stopped' : sentence`${word(by.name)} had it stopped`;
  return sentence`Stop came too late: everything that was left had been sent when ${when}, so all of it was done.`;
}

export const STOPPED_TOO_LATE = sentence`Stop came too late: it had ended already, so nothing was stopped.`;

/** Those that are not done first. */
function changedRecords(record: ChangeRecord, { undone, changed = [] }: Since): readonly ChangedRecord[] {
  const { kind, facts } = record.intent;
  const { items, status } = record;
  const sinceThen = ({ id, outcome }: ChangedRecord): Pick<ChangedRecord, 'since' | 'nowName'> => {
    if (undone?.whole === true || (outcome !== 'done' && outcome !== 'unknown')) return {};
    if (undone?.setBack.has(id) === true) return { since: 'undone' };
    const channel = changed.find((one) => one.id === id);
    return channel === undefined ? {} : { since: 'changed', ...definedFields({ nowName: channel.nowName }) };
  };
  const left = new Set(items.filter((item) => isLeftAlone(kind, item)).map(({ id }) => id));
  const asBefore = new Set(items.flatMap(({ id, outcome, isAsBefore }) => (outcome === 'unknown' && isAsBefore === true ? [id] : [])));
  const records = recordsOf(kindOf(kind).differences(items, facts)).map((one) =>
    left.has(one.id)
      ? { ...one, isLeftAlone: true as const }
      : { ...one, ...sinceThen(one), ...(asBefore.has(one.id) && { isAsBefore: true as const }) },
  );
  if (status === 'running') return records;
  const rankOf = ({ outcome, isLeftAlone: isLeft }: ChangedRecord) => (isLeft ? RANKS.length : RANKS.indexOf(outcome));
  return records.toSorted((one, other) => rankOf(one) - rankOf(other));
}

const RANKS: readonly ChangedRecord['outcome'][] = ['failed', 'unknown', 'not_done', 'pending', 'done'];

const noteOf = (note: string): string[] => (note === '' ? [] : [`Your note: ${JSON.stringify(note)}`]);

function actionLabel(plan: ShownPlan, count: number): string {
  const isOfMany = 'ids' in plan;
  const label = TRAITS[plan.kind].words.action(counted(count, sentence`${countedIn(plan.kind, isOfMany)}`), isOfMany);
  return plan.resumes === undefined ? label : `Carry on: ${label}`;
}
