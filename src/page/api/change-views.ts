import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { isLeftAlone } from '../../changes/journal/change-status.ts';
import { hasRest } from '../../changes/kinds/earlier/resume-change.ts';
import { undoOf } from '../../changes/kinds/earlier/undoable.ts';
import { type UndoRecord, undoneBy } from '../../changes/kinds/earlier/undone-by.ts';
import { kindOf } from '../../changes/kinds/index.ts';
import { troubleOf } from '../../changes/kinds/videos/trouble-text.ts';
import { isNotice, phrases } from '../../changes/notices/notices.ts';
import type { Asked } from '../../changes/plan/asked-and-decided.ts';
import { headingOf, valueText } from '../../changes/plan/field-text.ts';
import { itemsOf } from '../../changes/plan/plan.ts';
import type { ChangeDescription } from '../../changes/plan/preview.ts';
import { byLoss, type RecordDifference, statedBefore } from '../../changes/plan/record-difference.ts';
import { type ChangeKind, TRAITS } from '../../changes/plan/traits/index.ts';
import { type Proposal, shownStatus } from '../../changes/proposals/proposal.ts';
import { waitedText } from '../../changes/proposals/waited.ts';
import { allAsked, askedBy, stoppedIn, toldConfirmed } from '../../changes/tell/agreement.ts';
import { INTERRUPTED, leftBehindText } from '../../changes/tell/message.ts';
import { failedAgain, failedAgainText } from '../../changes/tell/next-steps.ts';
import { titleOf } from '../../changes/tell/title.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { inFull } from '../../text/counted.ts';
import { sentence } from '../../text/sentence.ts';
import type { BulkView, ChangedRecord, ChangeSummary, ChangeView, ProgressView } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { plannedBulk, recordedBulk } from './bulk-view.ts';
import { createTitles } from './titles.ts';

/** A change that waits, or waited, as it is shown. */
type ShownChange = Pick<
  Proposal,
  | 'changeId'
  | 'status'
  | 'decidedAt'
  | 'decided'
  | 'isAnswered'
  | 'plan'
  | 'note'
  | 'conflicts'
  | 'digest'
  | 'at'
  | 'expiresAt'
  | 'isOwn'
  | 'asked'
>;

export type ChangeViews = ReturnType<typeof createChangeViews>;

/** By whom it was asked. */
function askedIn(asked: Asked | undefined): Pick<ChangeSummary, 'asked'> {
  const words = asked === undefined ? '' : askedBy(asked);
  return words === '' ? {} : { asked: words };
}

/** The line of a change in the history: of one that waits, or was not begun, and of one in the journal. */
export function summaryOfProposal(
  change: Pick<ShownChange, 'changeId' | 'status' | 'decidedAt' | 'decided' | 'isAnswered' | 'plan' | 'at' | 'asked'>,
): ChangeSummary {
  const { changeId, plan, at, asked } = change;
  const summary = titleOf(plan.preview.title ?? plan.preview.summary, itemsOf(plan));
  return { changeId, status: shownStatus(change), summary, at: new Date(at).toISOString(), ...askedIn(asked) };
}

export function summaryOfRecord(record: ChangeRecord, undone: UndoRecord | undefined): ChangeSummary {
  const { intent, status, agreed } = record;
  const { changeId, at, title, summary, items } = intent;
  return definedFields({
    changeId,
    status,
    summary: titleOf(title ?? summary, items),
    at,
    undoneBy: undone?.whole === true ? undone.by : undefined,
    ...askedIn(agreed[0]?.asked),
    progress: status === 'running' ? progressOf(record) : undefined,
  });
}

/** What a person is told of a change, waiting or not. What can’t be undone is told once, in `undo`. */
const descriptionOf = ({ meaning, notices, onFailure }: ChangeDescription) => ({
  ...definedFields({ meaning }),
  notices: phrases({ notices: notices.filter((notice) => !isNotice('no_undo')(notice)), undo: { how: sentence`` } }).map(
    ({ text, weight, of }) => ({ text, weight, ...(of.every(isNotice('loses')) ? { isListed: true as const } : {}) }),
  ),
  onFailure,
});

/** Those that lose most first, with their values in words. */
const recordsOf = (differences: readonly RecordDifference[]): ChangedRecord[] =>
  byLoss(differences).map(({ id, name, fields, lists, unchanged, stated, outcome, reason }) => ({
    ...{ id, name, lists },
    fields: [
      ...fields.map(({ field, before, after }) => ({
        name: headingOf(field),
        ...(before === undefined ? {} : { before: valueText(field, before) }),
        after: valueText(field, after),
      })),
      ...statedBefore({ unchanged, stated }).map(({ field, count }) => {
        const words = `${inFull(count)}, as stated`;
        return { name: headingOf(field), before: words, after: words };
      }),
    ],
    ...(stated.length === 0 ? {} : { stated }),
    ...definedFields({ outcome, reason }),
  }));

/** Makes the view of a change: of one that waits, or of one in the journal. */
export function createChangeViews(deps: PageDeps) {
  const titlesOf = createTitles(deps);
  const partsOf = async (kind: ChangeKind, count: number, records: readonly ChangedRecord[], bulk: BulkView | undefined) => ({
    ...{ changesAccount: !TRAITS[kind].isLocal, actionLabel: actionLabel(kind, count), records, titles: await titlesOf(records, bulk) },
    ...definedFields({ bulk }),
  });
  return {
    async ofProposal(change: ShownChange): Promise<ChangeView> {
      const { plan, status, note, conflicts, digest, expiresAt, isOwn } = change;
      const { preview } = plan;
      // Those that are left alone are in the warnings.
      const sent = itemsOf(plan).filter((item) => !isLeftAlone(plan.kind, item));
      const bulk = 'ids' in plan ? plannedBulk(plan) : undefined;
      return {
        ...summaryOfProposal(change),
        ...descriptionOf(preview),
        ...(await partsOf(plan.kind, bulk?.total ?? sent.length, recordsOf(kindOf(plan.kind).differences(sent, plan.facts)), bulk)),
        undo: preview.undo,
        ...(status === 'waiting' ? { isOwn, planDigest: digest, expiresAt: new Date(expiresAt).toISOString() } : {}),
        ...(conflicts.length === 0 ? {} : { conflicts }),
        outcome: waitedText(change, isOwn),
        notes: [...(preview.standing === undefined ? [] : [preview.standing]), ...noteOf(note)],
        ...{ canStop: false, canUndo: false, canResume: false, canRetry: false },
      };
    },
    async ofRecord(record: ChangeRecord): Promise<ChangeView> {
      const { intent, items, bulk: state, status, ended } = record;
      const undone = status === 'running' ? undefined : await undoneBy(intent.changeId, deps.journal);
      const bulk = state === undefined ? undefined : await recordedBulk(record, deps.journal);
      const { never, ...undo } = undoOf(record, { undone });
      const trouble = troubleOf(record, deps.jobs.get(intent.changeId)?.trouble());
      const again = failedAgain(record);
      const leftBehind = await leftBehindText(record, deps.journal);
      const stopped = stoppedIn(record, 'person');
      return {
        ...summaryOfRecord(record, undone),
        ...descriptionOf(intent),
        ...(await partsOf(intent.kind, bulk?.total ?? items.length, recordsOf(kindOf(intent.kind).differences(items, intent.facts)), bulk)),
        undo,
        agreed: [...allAsked(record.agreed), toldConfirmed(record, 'person'), ...(stopped === undefined ? [] : [stopped])],
        ...(stopped !== undefined && ended?.stopped?.how === 'page' ? { outcome: STOPPED_HERE } : {}),
        notes: [
          ...(trouble === undefined ? [] : [trouble]),
          ...[ended?.message, ended?.advice].flatMap((text) => text ?? []),
          ...(status === 'interrupted' ? [INTERRUPTED] : []),
          ...(leftBehind === '' ? [] : [leftBehind]),
          ...(again === 0 ? [] : [failedAgainText(record, again, 'person')]),
          ...(undone?.whole === false ? [`Part of it was undone by ${undone.by}.`] : []),
        ],
        canStop: status === 'running',
        canUndo: !deps.readOnly && never === undefined && undo.possible !== 'no',
        canResume: !deps.readOnly && undone === undefined && hasRest(record),
        canRetry: !deps.readOnly && undone === undefined && hasFailed(record),
      };
    },
  };
}

const STOPPED_HERE = sentence`You stopped it. What was done until then stays done.`;

const noteOf = (note: string): string[] => (note === '' ? [] : [`Your note: ${JSON.stringify(note)}`]);

export function progressOf({ intent, items, bulk, resumed }: ChangeRecord): ProgressView {
  const times = { since: resumed?.at ?? intent.at, before: resumed?.doneBefore ?? 0 };
  if (bulk === undefined) return { done: items.filter(({ outcome }) => outcome !== 'pending').length, total: items.length, ...times };
  return { done: bulk.count('done') + bulk.count('failed') + bulk.count('unknown'), total: bulk.total, ...times };
}

/** Whether something of a change failed that can be sent again. */
const hasFailed = ({ intent: { kind }, status, items, bulk }: ChangeRecord): boolean =>
  status !== 'running' &&
  kindOf(kind).retry === 'possible' &&
  (bulk === undefined ? items.some(({ outcome }) => outcome === 'failed') : bulk.count('failed') > 0);

const actionLabel = (kind: ChangeKind, count: number): string =>
  TRAITS[kind].words.action(`${count.toLocaleString('en-US')} ${TRAITS[kind].record}${count === 1 ? '' : 's'}`);
