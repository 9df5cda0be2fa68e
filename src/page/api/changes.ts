import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { noSuchChange } from '../../changes/journal/journal.ts';
import { undoneSince } from '../../changes/undone-by.ts';
import type { KeptChange } from '../../changes/waiting/kept-change.ts';
import { type PlannedTool, type PlannerArgs, planOf } from '../../changes/waiting/planners.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import type { ChangeList, ChangeView, DecisionRequest } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';
import { createChangeViews, summaryOfRecord, summaryOfWaiting } from './change-views.ts';
import { createKept } from './kept.ts';
import { type LastShown, statesOf } from './watch-kept.ts';

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
export function createChanges(deps: PageDeps, lastShown: LastShown) {
  const { journal, jobs, waiting } = deps;
  const views = createChangeViews(deps);
  const kept = createKept(deps, views);

  async function view(changeId: string, signal: AbortSignal): Promise<ChangeView> {
    const change = waiting.get(changeId);
    if (change?.status === 'waiting') return views.ofWaiting(change);
    const onDisk = await readKept(changeId);
    if (onDisk?.status === 'waiting') return kept.ofWaiting(onDisk, signal);
    const record = await journal.read(changeId);
    if (record !== undefined) {
      note([record]);
      const shown = await views.ofRecord(record);
      return change === undefined ? shown : { ...shown, notes: [...views.notCarriedOn(record, change), ...shown.notes] };
    }
    if (change !== undefined) return views.ofWaiting(change);
    if (onDisk !== undefined) return kept.ofEnded(onDisk);
    throw noSuchChange(changeId);
  }

  /** Where its file can’t be read, the journal may have it. */
  const readKept = (changeId: string): Promise<KeptChange | undefined> =>
    deps.decisions.get(changeId).catch(async (error: unknown) => {
      if ((await journal.read(changeId)) === undefined) throw error;
      return undefined;
    });

  function note(records: readonly ChangeRecord[]): void {
    for (const { intent, status } of records) if (status === 'running') lastShown.running.add(intent.changeId);
  }

  /** What waits, then what was decided without being sent and what is in the journal, the newest first. */
  async function withWaiting(
    records: readonly ChangeRecord[],
    inJournal: ChangeList['changes'],
  ): Promise<Pick<ChangeList, 'changes' | 'problems'>> {
    const { changes: onDisk, damaged } = await deps.decisions.list();
    lastShown.kept = statesOf(onDisk);
    const unbegun = [...waiting.all(), ...onDisk].filter(({ status }) => status !== 'started');
    const known = unbegun.map(summaryOfWaiting);
    const waits = known.filter(({ status }) => status === 'waiting');
    const ids = new Set(records.map(({ intent }) => intent.changeId));
    const over = known.filter(({ status, changeId }) => status !== 'waiting' && !ids.has(changeId));
    const rest = inJournal.filter(({ changeId }) => !waits.some((change) => change.changeId === changeId));
    const newestFirst = [...over, ...rest].sort((a, b) => (a.at < b.at ? 1 : -1));
    const problems = damaged.map(({ problem }) => problem);
    return { changes: [...waits, ...newestFirst], ...(problems.length === 0 ? {} : { problems }) };
  }

  async function decideKept(change: KeptChange, about: DecisionRequest, note: string, signal: AbortSignal): Promise<Decided> {
    const { changeId } = change;
    const result = change.status === 'waiting' ? await kept.decide(change, about, note, signal) : 'decided before';
    if (typeof result === 'object') return { isRefused: true, view: result };
    if (result === 'decided before') return { isRefused: true, view: kept.decidedBefore(await view(changeId, signal)) };
    if (about.decision === 'apply') await waitShortly(changeId, signal);
    return { isRefused: false, view: await view(changeId, signal) };
  }

  async function waitShortly(changeId: string, signal: AbortSignal): Promise<void> {
    await jobs.get(changeId)?.watch({ until: Date.now() + SHORT_WAIT_MS, signal, progress: () => undefined });
  }

  /** Proposes a change, to be confirmed on the page as well. The page names no file. */
  async function propose<T extends PlannedTool>(
    tool: T,
    args: PlannerArgs<T>,
    effect: 'change' | 'release',
    signal: AbortSignal,
  ): Promise<ChangeView> {
    const planner = planOf(tool, args, { ...deps, filesDirs: [] });
    return views.ofWaiting(await deps.propose({ tool, args, effect, planner }, signal));
  }

  return {
    view,
    async list(page: number): Promise<ChangeList> {
      const number = Math.max(1, page);
      const found = await journal.list(number * PAGE_SIZE + 1);
      note(found);
      const records = found.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE);
      const oldest = records.at(-1)?.intent.changeId;
      const undone = oldest === undefined ? undefined : await undoneSince(oldest, journal);
      const inJournal = records.map((record) => summaryOfRecord(record, undone?.get(record.intent.changeId)));
      const pages = found.length > number * PAGE_SIZE ? number + 1 : number;
      return { ...(number === 1 ? await withWaiting(found, inJournal) : { changes: inJournal }), page: number, pages };
    },
    async decide(changeId: string, { decision, planDigest, note: given }: Body, signal: AbortSignal): Promise<Decided> {
      const note = typeof given === 'string' ? cleanText(given, MAX_NOTE) : '';
      const isDecline = decision === 'decline';
      if (!isDecline && (decision !== 'apply' || typeof planDigest !== 'string'))
        throw new PageProblem(400, 'A decision is apply or decline, with the digest of what was shown. Nothing was changed.');
      const about = { decision, planDigest: String(planDigest) } as const;
      const onDisk = waiting.get(changeId)?.status === 'waiting' ? undefined : await readKept(changeId);
      if (onDisk !== undefined) return decideKept(onDisk, about, note, signal);
      if (isDecline) return { isRefused: !waiting.decline(changeId, note), view: await view(changeId, signal) };
      const approved = await waiting.approve(changeId, about.planDigest, note);
      if (approved === 'started') await waitShortly(changeId, signal);
      return { isRefused: approved !== 'started' && approved !== 'needless', view: await view(changeId, signal) };
    },
    async stop(changeId: string, signal: AbortSignal): Promise<ChangeView> {
      const record = await journal.read(changeId);
      if (record === undefined) throw noSuchChange(changeId);
      const job = jobs.get(changeId);
      job?.stop();
      if (job === undefined && record.status === 'running') await journal.requestStop(changeId);
      await waitShortly(changeId, signal);
      return view(changeId, signal);
    },
    propose,
  };
}
