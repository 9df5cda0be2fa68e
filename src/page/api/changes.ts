import type { WaitingChange } from '../../changes/confirm/waiting-change.ts';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { noSuchChange } from '../../changes/journal/journal.ts';
import type { ChangePlanner } from '../../changes/plan.ts';
import { planResumption } from '../../changes/resume-change.ts';
import { planUndo } from '../../changes/undo.ts';
import { undoneSince } from '../../changes/undone-by.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import type { ChangeList, ChangeView, DecisionRequest } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';
import { createChangeViews, summaryOfRecord, summaryOfWaiting } from './change-views.ts';

const PAGE_SIZE = 50;
const MAX_NOTE = 1_000;
/** A change that ends sooner is answered as it ended. */
const SHORT_WAIT_MS = 1_500;

/** What a browser sends, not checked yet. */
type Body = { readonly [Field in keyof DecisionRequest]?: unknown };

/** A change as it is after a request, and whether that is what was asked for. */
export interface Decided {
  readonly view: ChangeView;
  readonly isRefused: boolean;
}

/** The history of changes, and what a person does with one. */
export function createChanges(deps: PageDeps, shownRunning: Set<string>) {
  const { journal, jobs, waiting } = deps;
  const views = createChangeViews(deps);

  async function view(changeId: string): Promise<ChangeView> {
    const change = waiting.get(changeId);
    if (change?.status === 'waiting') return views.ofWaiting(change);
    const record = await journal.read(changeId);
    if (record !== undefined) {
      note([record]);
      const shown = await views.ofRecord(record);
      return change === undefined ? shown : { ...shown, notes: [...views.notCarriedOn(record, change), ...shown.notes] };
    }
    if (change !== undefined) return views.ofWaiting(change);
    throw noSuchChange(changeId);
  }

  function note(records: readonly ChangeRecord[]): void {
    for (const { intent, status } of records) if (status === 'running') shownRunning.add(intent.changeId);
  }

  /** What waits, then what was decided without being sent and what is in the journal, the newest first. */
  function withWaiting(records: readonly ChangeRecord[], inJournal: ChangeList['changes']): ChangeList['changes'] {
    const known = waiting.all();
    const waits = known.filter(({ status }) => status === 'waiting');
    const ids = new Set(records.map(({ intent }) => intent.changeId));
    const over = known.filter(({ status, changeId }) => status !== 'waiting' && status !== 'started' && !ids.has(changeId));
    const rest = inJournal.filter(({ changeId }) => !waits.some((change) => change.changeId === changeId));
    const newestFirst = [...over.map(summaryOfWaiting), ...rest].sort((a, b) => (a.at < b.at ? 1 : -1));
    return [...waits.map(summaryOfWaiting), ...newestFirst];
  }

  async function waitShortly(changeId: string, signal: AbortSignal): Promise<void> {
    await jobs.get(changeId)?.watch({ until: Date.now() + SHORT_WAIT_MS, signal, progress: () => undefined });
  }

  const propose = async (tool: string, args: unknown, planner: ChangePlanner, signal: AbortSignal): Promise<ChangeView> =>
    views.ofWaiting(await deps.propose({ tool, args, effect: 'change', planner }, signal));

  return {
    view,
    ofWaiting: (change: WaitingChange): Promise<ChangeView> => views.ofWaiting(change),
    async list(page: number): Promise<ChangeList> {
      const number = Math.max(1, page);
      const found = await journal.list(number * PAGE_SIZE + 1);
      note(found);
      const records = found.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE);
      const oldest = records.at(-1)?.intent.changeId;
      const undone = oldest === undefined ? undefined : await undoneSince(oldest, journal);
      const inJournal = records.map((record) => summaryOfRecord(record, undone?.get(record.intent.changeId)));
      const pages = found.length > number * PAGE_SIZE ? number + 1 : number;
      return { changes: number === 1 ? withWaiting(found, inJournal) : inJournal, page: number, pages };
    },
    async decide(changeId: string, { decision, planDigest, note: given }: Body, signal: AbortSignal): Promise<Decided> {
      const note = typeof given === 'string' ? cleanText(given, MAX_NOTE) : '';
      if (decision === 'decline') return { isRefused: !waiting.decline(changeId, note), view: await view(changeId) };
      if (decision !== 'apply' || typeof planDigest !== 'string')
        throw new PageProblem(400, 'A decision is apply or decline, with the digest of what was shown. Nothing was changed.');
      const approved = await waiting.approve(changeId, planDigest, note);
      if (approved === 'started') await waitShortly(changeId, signal);
      return { isRefused: approved !== 'started' && approved !== 'needless', view: await view(changeId) };
    },
    async stop(changeId: string, signal: AbortSignal): Promise<ChangeView> {
      const record = await journal.read(changeId);
      if (record === undefined) throw noSuchChange(changeId);
      const job = jobs.get(changeId);
      job?.stop();
      if (job === undefined && record.status === 'running') await journal.requestStop(changeId);
      await waitShortly(changeId, signal);
      return view(changeId);
    },
    /** Proposes to undo a change, or to carry it on, to be confirmed on the page as well. */
    undo: (changeId: string, signal: AbortSignal) => propose('undo_change', { changeId }, planUndo({ changeId }, deps), signal),
    resume: (changeId: string, signal: AbortSignal) => propose('resume_change', { changeId }, planResumption({ changeId }, deps), signal),
  };
}
