import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import { noSuchChange } from '../../changes/journal/journal.ts';
import { undoOf } from '../../changes/kinds/earlier/undoable.ts';
import { undoneSince } from '../../changes/kinds/earlier/undone-by.ts';
import { type PlannedTool, type PlannerArgs, planOf } from '../../changes/kinds/planners.ts';
import { findChange, idOf, listChanges } from '../../changes/life/find-change.ts';
import { type Party, stoppedNow } from '../../changes/plan/asked-and-decided.ts';
import { WEIGHTS } from '../../changes/plan/notice.ts';
import { recordId } from '../../changes/proposals/proposal.ts';
import { resumptionText } from '../../changes/proposals/waited.ts';
import { outcomesFileOf } from '../../changes/tell/bulk-result.ts';
import { UNFIT } from '../../changes/tell/unfit.ts';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { inQuotes, sentence } from '../../text/sentence.ts';
import type { PageResponse, Viewer } from '../api-messages.ts';
import type { ChangeList, ChangeSummary, ChangeView, DecisionRequest } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';
import { summaryOfProposal, summaryOfRecord } from './change-summaries.ts';
import { createChangeViews, STOPPED_TOO_LATE } from './change-views.ts';
import { createEmailFiles } from './email-files.ts';
import { createWaiting } from './waiting.ts';
import type { LastShown } from './watch-history.ts';

const partyOf = (viewer: Viewer | undefined): Party | undefined => viewer && { id: viewer.id, name: viewer.name };

const PAGE_SIZE = 50;
const MAX_NOTE = 1_000;
/** Of an id that is repeated. */
const MAX_ID = 60;
/** A change that ends sooner is answered as it ended. */
const SHORT_WAIT_MS = 1_500;
/** Whoever stops one wants to see that it was heard. */
const STOP_SHORT_WAIT_MS = 300;
/** One whose requests in flight take longer is undone by a later press. */
const STOP_WAIT_MS = 20_000;

const DECIDED_BEFORE = 'Somebody decided on it before you, so your press did nothing.';

const STILL_RUNNING = sentence`It was asked to stop, and ends after the requests in flight. Press Undo once it has ended.`;

/** Why the undo of a change can’t be proposed that was stopped for it. */
function toldAsStopped(error: unknown): never {
  if (!(error instanceof VideoHostingError)) throw error;
  throw new PageProblem(409, sentence`It was stopped. Its undo could not be shown, so nothing was set back. ${error.message}`);
}

/** Of one that is there, and whose record can’t be relied on. */
function toldAsUnreadable(error: unknown, isBegun: boolean): never {
  if (!(error instanceof VideoHostingError) || error.code !== 'not_found') throw error;
  if (error.facts.isNewer === true) throw new PageProblem(404, sentence`${error.reason} Other changes are not affected.`);
  // It waited, and nothing is sent by what can’t be relied on.
  if (!isBegun) throw new PageProblem(404, error.reason, { isFinal: true, isDamaged: true });
  throw new PageProblem(
    404,
    sentence`Whether it was done is not known here any more, and it can’t be undone or carried on from here. Other changes are not affected. See in the dashboard whether it was done; if not, ask your assistant for it again.`,
    { isFinal: true, isDamaged: true },
  );
}

/** What a browser sends, not checked yet. */
type Body = { readonly [Field in keyof DecisionRequest]?: unknown };

/** What somebody may not press isn’t offered to them. */
function withinRoles(view: ChangeView, viewer: Viewer | undefined): ChangeView {
  if (viewer === undefined || viewer.roles.includes('propose')) return view;
  return { ...view, canStop: view.canStop && viewer.roles.includes('approve'), canUndo: false, canResume: false, canRetry: false };
}

/** Of what waits, by what it weighs: the losses first, and last what can’t be applied, or what nothing is left of. */
function rankOf({ weighs = [], unfit }: Pick<ChangeSummary, 'weighs' | 'unfit'>): number {
  if (unfit !== undefined) return WEIGHTS.length + (unfit === UNFIT.needless ? 2 : 1);
  const [heaviest] = weighs;
  return heaviest === undefined ? WEIGHTS.length : WEIGHTS.indexOf(heaviest.weight);
}

/** A change as it is after a request, and whether that is what was asked for. */
export interface Decided {
  readonly view: ChangeView;
  readonly isRefused: boolean;
}

/** The history of changes, and what a person does with one. */
export function createChanges(deps: PageDeps, { fits, running }: LastShown) {
  const { journal, jobs, proposals } = deps;
  const views = createChangeViews(deps);
  const waits = createWaiting(deps, views, fits);
  const emails = createEmailFiles(deps);

  /** The changes that somebody here pressed Stop for when they had ended. */
  const vain = new Set<string>();

  // What is asked in a chat or a form is answered there.
  const stores = { journal, proposals: proposals.onPage };

  async function view(changeId: string, signal: AbortSignal, viewer?: Viewer): Promise<ChangeView> {
    const found = await findChange(changeId, stores).catch((error: unknown) => toldAsUnreadable(error, journal.has(changeId)));
    if (found === undefined)
      throw new PageProblem(404, sentence`There is no change ${inQuotes(changeId, MAX_ID)} in this account’s history.`);
    const { record, proposal } = found;
    if (record === undefined) return waits.view(proposal, signal, viewer);
    note([record]);
    const shown = withinRoles(await views.ofRecord(record, signal), viewer);
    const press = record.status !== 'running' && vain.has(record.intent.changeId) ? { press: STOPPED_TOO_LATE } : {};
    const file = await emails.view(record, viewer);
    return { ...shown, ...press, ...definedFields({ file }), notes: [...found.resumptions.map(resumptionText), ...shown.notes] };
  }

  const summaryInList = (record: ChangeRecord, undone: Parameters<typeof summaryOfRecord>[1]) =>
    summaryOfRecord(record, undone, deps.reader, jobs.get(record.intent.changeId)?.trouble());

  function note(records: readonly ChangeRecord[]): void {
    for (const { intent, status } of records) if (status === 'running') running.add(intent.changeId);
  }

  async function waitShortly(changeId: string, signal: AbortSignal, ms = SHORT_WAIT_MS): Promise<void> {
    await jobs.get(changeId)?.watch({ until: Date.now() + ms, signal, progress: () => undefined });
  }

  /** Resolves to whether it runs: it ends after its requests in flight then. */
  async function askToStop(changeId: string, viewer?: Viewer): Promise<boolean> {
    const record = await journal.read(changeId);
    if (record === undefined) throw noSuchChange(changeId);
    if (record.status !== 'running') return false;
    const [job, by] = [jobs.get(changeId), stoppedNow('page', partyOf(viewer))];
    job?.stop(by);
    // Also for pages of other processes, which show it.
    await journal.requestStop(changeId, by);
    return true;
  }

  /** Waits for a change that was asked to stop, in whichever process it runs. */
  async function hasEnded(changeId: string, signal: AbortSignal): Promise<boolean> {
    const until = Date.now() + STOP_WAIT_MS;
    await jobs.get(changeId)?.watch({ until, signal, progress: () => undefined });
    for (;;) {
      if ((await journal.read(changeId))?.status !== 'running') return true;
      if (Date.now() >= until || signal.aborted) return false;
      await sleep(deps.intervals.changeMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Proposes a change, to be confirmed on the page as well. The page names no file. */
  async function propose<T extends PlannedTool>(
    tool: T,
    args: PlannerArgs<T>,
    effect: 'change' | 'release',
    signal: AbortSignal,
    viewer?: Viewer,
  ): Promise<ChangeView> {
    const planner = planOf(tool, args, { ...deps, filesDirs: [] });
    const by = partyOf(viewer);
    return waits.view(await deps.propose({ tool, args, effect, planner, ...definedFields({ by }) }, signal), signal, viewer);
  }

  return {
    view,
    async list(page: number, viewer?: Viewer): Promise<ChangeList> {
      const number = Math.max(1, page);
      const end = number * PAGE_SIZE;
      const { waits: open, others, damaged, newer } = await listChanges({ limit: end + 1 }, stores);
      const shown = others.slice(end - PAGE_SIZE, end);
      const records = shown.flatMap(({ record }) => record ?? []);
      note(records);
      const oldest = records.at(-1)?.intent.changeId;
      const undone = oldest === undefined ? undefined : await undoneSince(oldest, journal);
      const ended = shown.map(({ record, proposal }) =>
        record === undefined ? summaryOfProposal(proposal) : summaryInList(record, undone?.get(record.intent.changeId)),
      );
      const waiting = open.map((change) => ({ ...summaryOfProposal(change), ...fits.unfitIn(change), ...waits.forViewer(change, viewer) }));
      // Not in the browser too: no row moves away from whoever is about to press it.
      waiting.sort((one, other) => Number(other.isMine === true) - Number(one.isMine === true) || rankOf(one) - rankOf(other));
      const problems = [...damaged, ...newer].map(({ problem }) => problem);
      const read = new Set(records.map(({ intent }) => intent.changeId));
      const [newest, last] = [shown[0], others.length > end ? (oldest ?? '') : ''];
      const unreadable = await journal.unreadable(last, number === 1 ? undefined : newest && idOf(newest), read);
      return {
        changes: number === 1 ? [...waiting, ...ended] : ended,
        ...(problems.length === 0 ? {} : { problems }),
        ...(unreadable.length === 0 ? {} : { unreadable }),
        ...{ page: number, pages: others.length > end ? number + 1 : number },
      };
    },
    async decide(changeId: string, { decision, planDigest, note: given }: Body, signal: AbortSignal, viewer?: Viewer): Promise<Decided> {
      const note = typeof given === 'string' ? cleanText(given, MAX_NOTE) : '';
      if (decision !== 'decline' && (decision !== 'apply' || typeof planDigest !== 'string'))
        throw new PageProblem(400, sentence`A decision is apply or decline, with the digest of what was shown. Nothing was changed.`);
      const about = { decision, planDigest: typeof planDigest === 'string' ? planDigest : '' } as const;
      const { proposal } = (await findChange(changeId, stores)) ?? {};
      const result = proposal === undefined ? 'changed' : await waits.decide(proposal, about, note, signal, viewer);
      if (result === 'decided' && decision === 'apply') {
        await waitShortly(proposal === undefined ? changeId : recordId(proposal), signal);
      }
      const found = await view(changeId, signal, viewer);
      const notes = result === 'decided-before' ? [DECIDED_BEFORE, ...found.notes] : found.notes;
      return { isRefused: result !== 'decided', view: { ...found, notes } };
    },
    async stop(changeId: string, signal: AbortSignal, viewer?: Viewer): Promise<ChangeView> {
      if (!(await askToStop(changeId, viewer))) vain.add(changeId);
      await waitShortly(changeId, signal, STOP_SHORT_WAIT_MS);
      return view(changeId, signal, viewer);
    },
    /** Proposes the undo of a change. One that runs is stopped first, unless it is known that it can’t be undone. */
    async undo(changeId: string, signal: AbortSignal, viewer?: Viewer): Promise<ChangeView> {
      const record = await journal.read(changeId);
      const isStopped =
        !deps.readOnly && record?.status === 'running' && undoOf(record).possible !== 'no' && (await askToStop(changeId, viewer));
      if (isStopped && !(await hasEnded(changeId, signal))) throw new PageProblem(409, STILL_RUNNING);
      const proposed = propose('undo_change', { changeId }, 'change', signal, viewer);
      return isStopped ? proposed.catch(toldAsStopped) : proposed;
    },
    propose,
    emails: emails.download,
    /** The file of what failed or is not known. */
    async outcomes(changeId: string): Promise<PageResponse> {
      const record = await journal.read(changeId);
      const path = record && (await outcomesFileOf(record, journal));
      if (path === undefined) throw new PageProblem(404, sentence`There is no file of what was not done of this change.`);
      return { status: 200, contentType: 'text/csv; charset=utf-8', body: createReadStream(path), fileName: `${changeId}-not-done.csv` };
    },
  };
}
