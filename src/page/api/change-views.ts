import type { WaitingChange } from '../../changes/confirm/waiting-changes.ts';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { copyIn, type Facts, moveIn, type ProjectShare } from '../../changes/journal/facts.ts';
import { type ChangeKind, KINDS } from '../../changes/kinds.ts';
import { videosText } from '../../changes/listed.ts';
import type { ShownPlan } from '../../changes/plan.ts';
import { undoOf } from '../../changes/undoable.ts';
import { type UndoRecord, undoneBy } from '../../changes/undone-by.ts';
import type { BulkView, ChangeStatus, ChangeSummary, ChangeView, OutcomeReason } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { recordViews } from './record-views.ts';
import { createTitles } from './titles.ts';

const MAX_IDS = 20_000;
const MAX_REASONS = 1_000;

/** A change of the page that was started is in the journal. */
export const statusOf = ({ status }: Pick<WaitingChange, 'status'>): ChangeStatus => (status === 'started' ? 'running' : status);

/** Makes the line of a change in the history. */
export function createSummaries({ titleOf }: Pick<PageDeps, 'titleOf'>) {
  return {
    ofWaiting: ({ changeId, status, plan, at }: WaitingChange): ChangeSummary => ({
      changeId,
      status: statusOf({ status }),
      summary: titleOf({ summary: plan.preview.title ?? plan.preview.summary, items: 'items' in plan ? plan.items : [] }),
      at: new Date(at).toISOString(),
    }),
    ofRecord({ intent, status }: ChangeRecord, undone: UndoRecord | undefined): ChangeSummary {
      const { changeId, at } = intent;
      return {
        changeId,
        status,
        summary: titleOf({ ...intent, summary: intent.title ?? intent.summary }),
        at,
        ...(undone?.whole === true ? { undoneBy: undone.by } : {}),
      };
    },
  };
}

/** Makes the view of a change: of one that waits, or of one in the journal. */
export function createChangeViews(deps: PageDeps) {
  const titlesOf = createTitles(deps);
  const summaries = createSummaries(deps);
  return {
    /** What came of the proposal to carry a change on, where that was not begun. */
    notCarriedOn({ status: now, resumed }: ChangeRecord, { status, note, at }: WaitingChange): readonly string[] {
      if (now === 'running' || status === 'waiting' || status === 'started') return [];
      if (resumed !== undefined && Date.parse(resumed.at) > at) return [];
      return [`Your assistant asked to carry it on. ${ENDED[status]}`, ...noteOf(note)];
    },
    async ofWaiting(change: WaitingChange): Promise<ChangeView> {
      const { plan, status, note, moved, planDigest, expiresAt, isOwn } = change;
      const { preview } = plan;
      // Those that are left alone are in the warnings.
      const sent = 'items' in plan ? plan.items.filter(({ after }) => Object.keys(after).length > 0) : [];
      const records = recordViews(sent, plan.facts);
      const bulk = 'ids' in plan ? plannedBulk(plan) : undefined;
      return {
        ...summaries.ofWaiting(change),
        changesAccount: !KINDS[plan.kind].isLocal,
        actionLabel: actionLabel(plan.kind, 'ids' in plan ? plan.total : sent.length),
        // What can’t be undone is told once, in `undo`.
        warnings: preview.warnings.filter((text) => text !== preview.undo.how),
        lines: preview.lines,
        onFailure: preview.onFailure,
        undo: preview.undo,
        records,
        ...(bulk === undefined ? {} : { bulk }),
        titles: await titlesOf(records, bulk),
        ...(status === 'waiting' ? { isOwn, planDigest, expiresAt: new Date(expiresAt).toISOString() } : {}),
        ...(moved.length === 0 ? {} : { moved }),
        notes: [...(status === 'waiting' ? [] : [isOwn && status === 'declined' ? CANCELLED : ENDED[status]]), ...noteOf(note)],
        canStop: false,
        canUndo: false,
      };
    },
    async ofRecord(record: ChangeRecord): Promise<ChangeView> {
      const { intent, items, bulk: state, status, ended } = record;
      const undone = status === 'running' ? undefined : await undoneBy(intent.changeId, deps.journal);
      const records = recordViews(items, intent.facts);
      const bulk = state === undefined ? undefined : await recordedBulk(record, deps);
      const { never, ...undo } = undoOf(record, { undone });
      return {
        ...summaries.ofRecord(record, undone),
        changesAccount: !KINDS[intent.kind].isLocal,
        actionLabel: actionLabel(intent.kind, state?.total ?? items.length),
        warnings: intent.warnings.filter((text) => text !== intent.undo.how),
        lines: [],
        onFailure: intent.onFailure,
        undo,
        records,
        ...(bulk === undefined ? {} : { bulk }),
        titles: await titlesOf(records, bulk),
        ...(status === 'running' ? { progress: progressOf(record) } : {}),
        confirmed: deps.confirmedText(intent.confirmedBy),
        notes: [
          ...(ended?.message === undefined ? [] : [ended.message]),
          ...(status === 'interrupted' ? ['The server ended in the middle.'] : []),
          ...(undone?.whole === false ? [`Part of it was undone by ${undone.by}.`] : []),
        ],
        canStop: status === 'running',
        canUndo: !deps.readOnly && never === undefined && undo.possible !== 'no',
      };
    },
  };
}

const ENDED: Readonly<Record<Exclude<WaitingChange['status'], 'waiting'>, string>> = {
  started: 'It is being carried out.',
  declined: 'You declined it. Nothing was sent.',
  withdrawn: 'The assistant gave it up, or asks in another way. Nothing was sent.',
  expired: 'Nobody answered in half an hour. Nothing was sent.',
  answered: 'The same request was answered in another way. Nothing was sent by this one.',
  needless: 'When it was looked at again, everything was as wanted already. Nothing was sent.',
};

const noteOf = (note: string): string[] => (note === '' ? [] : [`Your note: ${JSON.stringify(note)}`]);

const CANCELLED = 'You cancelled it. Nothing was sent.';

export function progressOf({ items, bulk }: ChangeRecord): { readonly done: number; readonly total: number } {
  if (bulk === undefined) return { done: items.filter(({ outcome }) => outcome !== 'pending').length, total: items.length };
  return { done: bulk.count('done') + bulk.count('failed') + bulk.count('unknown'), total: bulk.total };
}

function plannedBulk(plan: Extract<ShownPlan, { ids: readonly string[] }>): BulkView {
  return {
    total: plan.total,
    facts: bulkFacts(plan.facts, plan.resumes === undefined),
    done: 0,
    failedCount: 0,
    unknownCount: 0,
    failed: [],
    unknown: [],
    notSent: plan.total,
    ids: plan.ids,
  };
}

async function recordedBulk({ intent, bulk, status }: ChangeRecord, { journal }: PageDeps): Promise<BulkView | undefined> {
  if (bulk === undefined) return undefined;
  const ids = await journal.readIds(intent.changeId).catch(() => []);
  const reasons = (wanted: 'failed' | 'unknown'): OutcomeReason[] => {
    const found: OutcomeReason[] = [];
    for (let index = 0; index < ids.length && found.length < MAX_REASONS; index += 1)
      if (bulk.statusAt(index) === wanted) found.push({ id: ids[index] ?? '', reason: bulk.reasonAt(index) ?? '' });
    return found;
  };
  const isOpen = status === 'running';
  return {
    total: bulk.total,
    facts: bulkFacts(intent.facts),
    done: bulk.count('done'),
    failedCount: bulk.count('failed'),
    unknownCount: bulk.count('unknown'),
    failed: reasons('failed'),
    unknown: reasons('unknown'),
    notSent: isOpen
      ? bulk.total - bulk.count('done') - bulk.count('failed') - bulk.count('unknown')
      : bulk.count('not_done') + bulk.count('none'),
    ids: ids.slice(0, MAX_IDS),
  };
}

/** Of a move: from where and to where, with the number of videos of the whole change where that are several projects. */
function bulkFacts(facts: Facts, isWhole = true): string[] {
  const { fromProjects = [], targetProjects = [] } = moveIn(facts) ?? {};
  const total = targetProjects.reduce((sum, { count }) => sum + count, 0);
  const texts = (word: string, projects: readonly ProjectShare[]): string[] =>
    projects
      .filter(({ count }) => count > 0)
      .map(({ label, count }) => `${word} ${label}${isWhole && count < total ? `: ${videosText(count)}` : ''}`);
  const copy = copyIn(facts);
  return [
    ...texts('From', fromProjects),
    ...texts('To', targetProjects),
    ...(copy === undefined ? [] : [`Calls to action of ${copy.source}`]),
  ];
}

const actionLabel = (kind: ChangeKind, count: number): string =>
  KINDS[kind].action(`${count.toLocaleString('en-US')} ${KINDS[kind].record}${count === 1 ? '' : 's'}`);
