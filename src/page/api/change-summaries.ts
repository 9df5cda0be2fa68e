import { bulkCounts } from '../../changes/journal/bulk-state.ts';
import type { ChangeRecord, ItemState } from '../../changes/journal/change-record.ts';
import { isLeftAlone } from '../../changes/journal/change-status.ts';
import { undoOf } from '../../changes/kinds/earlier/undoable.ts';
import type { UndoRecord } from '../../changes/kinds/earlier/undone-by.ts';
import { kindOf } from '../../changes/kinds/index.ts';
import { isNotice } from '../../changes/notices/notices.ts';
import type { Asked, Stopped } from '../../changes/plan/asked-and-decided.ts';
import type { Reader } from '../../changes/plan/confirmed-by.ts';
import { itemsOf, type ShownPlan } from '../../changes/plan/plan.ts';
import type { ChangeDescription, Undo } from '../../changes/plan/preview.ts';
import { type ChangeKind, countedIn, TRAITS } from '../../changes/plan/traits/index.ts';
import { type Proposal, shownStatus } from '../../changes/proposals/proposal.ts';
import { sizeOf } from '../../changes/proposals/size.ts';
import { askedBy, toldDecided } from '../../changes/tell/agreement.ts';
import { titleOf, wishOf } from '../../changes/tell/title.ts';
import { whatWeighs } from '../../changes/tell/weighs.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Trouble } from '../../service/approval.ts';
import type { ChangeSummary, CountsView, PausedView, ProgressView } from '../contract.ts';

/** The line of a change in the history, as it is shown on the page: of one that waits and of one in the journal. */

/** A change that waits, or waited, as it is shown. */
export type ShownChange = Pick<
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
  | 'overtakes'
>;

/** By whom it was asked. */
function askedIn(asked: Asked | undefined): Pick<ChangeSummary, 'asked'> {
  const words = asked === undefined ? '' : askedBy(asked);
  return words === '' ? {} : { asked: words };
}

/** The line of a change in the history: of one that waits, or was not begun, and of one in the journal. */
export function summaryOfProposal(
  change: Pick<
    ShownChange,
    'changeId' | 'status' | 'decidedAt' | 'decided' | 'isAnswered' | 'plan' | 'at' | 'asked' | 'expiresAt' | 'overtakes'
  >,
): ChangeSummary {
  const { changeId, plan, at, asked } = change;
  const summary = wishOf(plan, itemsOf(plan)) ?? titleOf(plan.preview.title ?? plan.preview.summary, itemsOf(plan), 'new');
  const counts = { what: countedIn(plan.kind, 'ids' in plan), total: sizeOf(plan) };
  const status = shownStatus(change);
  // Of one that waits no more, nothing is lost.
  const weighs = status === 'waiting' || status === 'running' ? weighsIn(plan.kind, plan.preview.notices, plan.preview.undo.possible) : {};
  const overtakes = change.overtakes.length === 0 ? {} : { overtakes: change.overtakes };
  const waits = status === 'waiting' ? { expiresAt: new Date(change.expiresAt).toISOString(), ...statedIn(plan), ...overtakes } : {};
  return { changeId, status, summary, at: new Date(at).toISOString(), counts, ...askedIn(asked), ...weighs, ...waits };
}

/** What only records a statement sends nothing of it. */
const statedIn = (plan: ShownPlan): Pick<ChangeSummary, 'isStated'> =>
  !TRAITS[plan.kind].isLocal &&
  kindOf(plan.kind)
    .differences(itemsOf(plan), plan.facts)
    .some(({ stated }) => stated.length > 0)
    ? { isStated: true }
    : {};

function weighsIn(kind: ChangeKind, notices: ChangeDescription['notices'], undo: Undo['possible']): Pick<ChangeSummary, 'weighs'> {
  const weighs = whatWeighs(notices, TRAITS[kind].isLocal ? undefined : undo);
  return weighs.length === 0 ? {} : { weighs };
}

/** What was lost by what was done, or may have been. */
function lostBy({ items }: ChangeRecord, notices: ChangeDescription['notices']): ChangeDescription['notices'] {
  const sent = new Set(items.flatMap(({ outcome, label }) => (outcome === 'done' || outcome === 'unknown' ? [label] : [])));
  return notices.flatMap((one): ChangeDescription['notices'] => {
    if (isNotice('ends_empty', 'loses')(one)) return sent.has(one.label) ? [one] : [];
    if (!isNotice('contents_unknown')(one)) return [];
    const labels = one.labels.filter((label) => sent.has(label));
    return labels.length === 0 ? [] : [{ ...one, labels }];
  });
}

/** While it runs all of it; of one that is over, what was lost by what was done of it, and that it can’t be undone. */
function weighsOfRecord(record: ChangeRecord, undone: UndoRecord | undefined): Pick<ChangeSummary, 'weighs'> {
  const { intent, status } = record;
  const { kind, notices } = intent;
  const isRunning = status === 'running';
  if (undone?.whole === true || (!isRunning && countsOf(record).done === 0)) return {};
  const told = isRunning ? notices : lostBy(record, notices);
  const { possible } = undoOf(record);
  return weighsIn(kind, told, isRunning || possible === 'no' ? possible : 'yes');
}

/** What became of the records of a change, without those that nothing was to be sent to. */
function countsOf({ intent: { kind }, items: all, bulk }: ChangeRecord): CountsView {
  const what = countedIn(kind, bulk !== undefined);
  if (bulk !== undefined) {
    const { done, failed, unknown, left: notSent } = bulkCounts(bulk);
    return { what, total: bulk.total, done, failed, unknown, notSent };
  }
  const items = all.filter((item) => !isLeftAlone(kind, item));
  const count = (...wanted: readonly ItemState['outcome'][]) => items.filter(({ outcome }) => wanted.includes(outcome)).length;
  const asBefore = items.filter(({ outcome, isAsBefore }) => outcome === 'unknown' && isAsBefore === true).length;
  return {
    ...{ what, total: items.length, done: count('done'), failed: count('failed'), unknown: count('unknown') },
    ...(asBefore > 0 ? { asBefore } : {}),
    notSent: count('not_done', 'pending'),
  };
}

/** `trouble`: what keeps it from going on in this process. */
export function summaryOfRecord(record: ChangeRecord, undone: UndoRecord | undefined, reader: Reader, trouble?: Trouble): ChangeSummary {
  const { intent, status, agreed } = record;
  const { changeId, at, title, summary, items } = intent;
  return definedFields({
    changeId,
    status,
    summary: wishOf(intent, items) ?? titleOf(title ?? summary, items, 'new'),
    at,
    undoneBy: undone?.whole === true ? undone.by : undefined,
    partlyUndoneBy: undone?.whole === false ? undone.by : undefined,
    wasStopped: isEndedByStop(record) ? (true as const) : undefined,
    ...askedIn(agreed[0]?.asked),
    decided: intent.decided.how === 'never' ? 'nobody was asked' : withoutFullStop(toldDecided(intent.decided, reader).words),
    counts: countsOf(record),
    progress: status === 'running' ? progressOf(record) : undefined,
    paused: pausedIn(record, trouble),
    why: status === 'failed' || status === 'partly_applied' ? whyIn(record) : undefined,
    ...weighsOfRecord(record, undone),
  });
}

/** Why it was not done, or is not known; undefined where there are several reasons. */
function whyIn({ items, bulk }: ChangeRecord): string | undefined {
  const reasons = new Set<string | undefined>();
  if (bulk === undefined) for (const { outcome, reason } of items) if (outcome !== 'done') reasons.add(reason);
  for (const { from } of bulk?.ranges((status) => status === 'failed' || status === 'unknown') ?? []) reasons.add(bulk?.reasonAt(from));
  const [reason] = reasons;
  return reasons.size === 1 ? reason : undefined;
}

/** Of a change that runs in this process, and does not go on. */
export function pausedIn({ status }: ChangeRecord, trouble: Trouble | undefined): PausedView | undefined {
  if (status !== 'running' || trouble === undefined) return undefined;
  const [since, until] = [trouble.sinceMs, trouble.nextTryMs].map((ms) => new Date(ms).toISOString());
  return { ...definedFields({ status: trouble.status }), since: since ?? '', until: until ?? '' };
}

export function progressOf({ intent, items, bulk, resumed }: ChangeRecord): ProgressView {
  const times = { since: resumed?.at ?? intent.at, before: resumed?.doneBefore ?? 0 };
  if (bulk === undefined) return { done: items.filter(({ outcome }) => outcome !== 'pending').length, total: items.length, ...times };
  const { done, failed, unknown } = bulkCounts(bulk);
  const ofMany = { sent: bulk.count('sending') + bulk.count('retrying'), failed, unknown };
  return { done: done + failed + unknown, total: bulk.total, ...times, ofMany };
}

type EndedByStop = ChangeRecord & { readonly ended: { readonly stopped: Stopped } };
export const isEndedByStop = (record: ChangeRecord): record is EndedByStop =>
  record.status !== 'running' && record.status !== 'applied' && record.ended?.stopped !== undefined;

const withoutFullStop = (words: string): string => words.replace(/\.$/, '');
