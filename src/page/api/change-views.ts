import { type ProjectShare, sharesIn } from '../../changes/bulk/id-rows.ts';
import type { WaitingChange } from '../../changes/confirm/waiting-changes.ts';
import { answerTimeText } from '../../changes/confirm/waiting-limits.ts';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { videosText } from '../../changes/listed.ts';
import type { ChangeKind, ShownPlan } from '../../changes/plan.ts';
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
      const { plan, status, note, conflicts, planDigest, expiresAt, isOwn } = change;
      const { preview } = plan;
      // Those that are left alone are in the warnings.
      const sent = 'items' in plan ? plan.items.filter(({ after }) => Object.keys(after).length > 0) : [];
      const records = recordViews(sent, plan.facts);
      const bulk = 'ids' in plan ? plannedBulk(plan) : undefined;
      return {
        ...summaries.ofWaiting(change),
        changesAccount: changesAccount(plan.kind),
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
        ...(conflicts.length === 0 ? {} : { moved: conflicts }),
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
      const done = doneOf(record);
      return {
        ...summaries.ofRecord(record, undone),
        changesAccount: changesAccount(intent.kind),
        actionLabel: actionLabel(intent.kind, state?.total ?? items.length),
        warnings: intent.warnings.filter((text) => text !== intent.undo.how),
        lines: [],
        onFailure: intent.onFailure,
        undo: undone?.whole === true ? { possible: 'no', how: `It was undone by ${undone.by}.` } : intent.undo,
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
        canUndo:
          !deps.readOnly &&
          status !== 'running' &&
          undone?.whole !== true &&
          intent.undo.possible !== 'no' &&
          done > 0 &&
          isUndoable(intent.kind),
      };
    },
  };
}

const ENDED: Readonly<Record<Exclude<WaitingChange['status'], 'waiting'>, string>> = {
  started: 'It is being carried out.',
  declined: 'You declined it. Nothing was sent.',
  withdrawn: 'The assistant gave it up, or asks in another way. Nothing was sent.',
  expired: `Nobody answered in ${answerTimeText('page')}. Nothing was sent.`,
  answered: 'The same request was answered in another way. Nothing was sent by this one.',
  needless: 'When it was looked at again, everything was as wanted already. Nothing was sent.',
};

const noteOf = (note: string): string[] => (note === '' ? [] : [`Your note: ${JSON.stringify(note)}`]);

const CANCELLED = 'You cancelled it. Nothing was sent.';

const LOCAL: readonly ChangeKind[] = ['state_contents', 'export_emails', 'show_emails'];
const changesAccount = (kind: ChangeKind): boolean => !LOCAL.includes(kind);

const UNDOABLE: readonly ChangeKind[] = ['update_channels', 'undo_change', 'move_videos'];
const isUndoable = (kind: ChangeKind): boolean => UNDOABLE.includes(kind);

export function progressOf({ items, bulk }: ChangeRecord): { readonly done: number; readonly total: number } {
  if (bulk === undefined) return { done: items.filter(({ outcome }) => outcome !== 'pending').length, total: items.length };
  return { done: bulk.count('done') + bulk.count('failed') + bulk.count('unknown'), total: bulk.total };
}

/** How many may have been changed. */
function doneOf({ items, bulk }: ChangeRecord): number {
  if (bulk !== undefined) return bulk.count('done') + bulk.count('unknown');
  return items.filter(({ outcome }) => outcome === 'done' || outcome === 'unknown').length;
}

function plannedBulk(plan: Extract<ShownPlan, { ids: readonly string[] }>): BulkView {
  return {
    total: plan.total,
    facts: bulkFacts(plan.facts ?? {}, plan.resumes === undefined),
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
function bulkFacts(facts: Readonly<Record<string, unknown>>, isWhole = true): string[] {
  const { targetLabel, fromLabel, source } = facts;
  const several = (word: string, shares: readonly ProjectShare[] = []): string[] =>
    shares.filter(({ count }) => count > 0).map(({ label, count }) => `${word} ${label}${isWhole ? `: ${videosText(count)}` : ''}`);
  return [
    ...(typeof fromLabel === 'string' ? [`From ${fromLabel}`] : []),
    ...several('From', sharesIn(facts, 'fromProjects')),
    ...(typeof targetLabel === 'string' ? [`To ${targetLabel}`] : []),
    ...several('To', sharesIn(facts, 'targets')),
    ...(typeof source === 'string' ? [`Calls to action of ${source}`] : []),
  ];
}

function actionLabel(kind: ChangeKind, count: number): string {
  const many = (what: string): string => `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
  switch (kind) {
    case 'create_channel':
    case 'create_channels':
      return `Create ${many('channel')}`;
    case 'create_project':
      return 'Create the project';
    case 'update_channels':
      return `Change ${many('channel')}`;
    case 'move_videos':
      return `Move ${many('video')}`;
    case 'copy_cta':
      return `Copy to ${many('video')}`;
    case 'undo_change':
      return 'Undo it';
    case 'state_contents':
      return 'Record it';
    case 'export_emails':
      return 'Write the file';
    case 'show_emails':
      return 'Show them to the assistant';
  }
}
