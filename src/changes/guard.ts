import { VideoHostingError } from '../errors.ts';
import { mintApproval } from '../service/approval.ts';
import type { BulkState } from './bulk/bulk-state.ts';
import { type Confirmation, type ConfirmOptions, type ConfirmRequest, createConfirm, type Unconfirmed } from './confirm/confirm.ts';
import { planConflicts } from './confirm/plan-conflicts.ts';
import type { CarryOut, WaitingChange } from './confirm/waiting-changes.ts';
import type { Job, Jobs } from './jobs.ts';
import type { Journal } from './journal/journal.ts';
import type { ChangeWriter } from './journal/writer.ts';
import { type ChangePlanner, type Plan, type Progress, type ShownPlan, shownPlan } from './plan.ts';

/** A tool's request for a change. */
export interface ChangeRequest extends ConfirmRequest {
  /** A release gives data out and changes nothing in the account. */
  readonly effect: 'change' | 'release';
  readonly planner: ChangePlanner;
  readonly progress: Progress;
  /** Reads the account with a signal that is aborted at a time: milliseconds since the epoch. */
  readonly readWithin: <T>(read: (signal: AbortSignal) => Promise<T>, until: number) => Promise<T>;
}

export type GuardReply =
  /** Carried out, or under way: the journal has the rest. `note` is what the person wrote in the form. */
  | { readonly kind: 'started'; readonly changeId: string; readonly note: string }
  | Unconfirmed
  | { readonly kind: 'conflict'; readonly plan: ShownPlan; readonly conflicts: readonly string[] }
  | { readonly kind: 'nothing-to-do'; readonly plan: ShownPlan };

export interface GuardOptions extends ConfirmOptions {
  readonly readOnly: boolean;
  readonly journal: Journal;
  readonly jobs: Jobs;
}

const SHORT_WAIT_MS = 5_000;

/** The only way to a mutation: plan, confirm, plan again and compare, write the intent, apply. What a plan applies includes verification. */
export function createGuard(options: GuardOptions) {
  const confirmation = createConfirm(options);
  const { jobs } = options;

  function assertWritable(effect: ChangeRequest['effect']): void {
    if (options.readOnly && effect === 'change')
      throw new VideoHostingError('not_approved', 'This server is read-only: VIDEO_HOSTING_READ_ONLY is set.');
  }

  /** Carries out what was approved on the page, when the call that asked may have been answered long ago. */
  const carryOut =
    (request: ProposedChange): CarryOut =>
    async ({ changeId, plan: approved, note }, signal) => {
      const plan = await planAgain(request.planner, signal);
      const now = shownPlan(plan);
      const conflicts = planConflicts(approved, now);
      if (conflicts.length > 0) return { plan: now, conflicts };
      signal.throwIfAborted();
      await begin(options, request, plan, { by: 'page', changeId, plan: approved, note });
      // It was given up while its intent was written.
      if (signal.aborted) jobs.get(changeId)?.stop();
      return 'started';
    };

  return {
    /** A tool's request. */
    async guard(request: ChangeRequest): Promise<GuardReply> {
      assertWritable(request.effect);
      let plan: Plan | undefined = await readPlan(request);
      const shown = shownPlan(plan);
      if (isNothing(plan)) return { kind: 'nothing-to-do', plan: shown };
      // A million ids would take 100 MB while a person reads a form or a page; the plan is made again after their answer.
      const routes = await confirmation.routes(request);
      if (routes[0] === 'page' || (request.forms.kind === 'push' && routes[0] === 'form')) plan = undefined;
      const decision = await confirmation.confirm(request, shown, routes, carryOut(request));
      if ('reply' in decision) return decision.reply;
      if ('started' in decision) {
        await jobs.get(decision.started.changeId)?.wait({ until: request.answerBy, signal: request.signal, progress: request.progress });
        return { kind: 'started', ...decision.started };
      }
      const { confirmed } = decision;
      plan ??= await readPlan(request, confirmed.personMs);
      const now = shownPlan(plan);
      const conflicts = planConflicts(confirmed.plan, now);
      if (conflicts.length > 0) return { kind: 'conflict', plan: now, conflicts };
      return execute(options, request, plan, confirmed);
    },
    /** A request that was made on the approval page, and waits there. Throws where there is nothing to do. */
    async propose(request: ProposedChange, signal: AbortSignal): Promise<WaitingChange> {
      assertWritable(request.effect);
      const plan = await planAgain(request.planner, signal);
      if (isNothing(plan))
        throw new VideoHostingError('invalid_arguments', `${plan.preview.summary} Nothing is to be done.`, {
          facts: { outcome: 'nothing-sent' },
        });
      return confirmation.proposeOnPage(request, shownPlan(plan), carryOut(request));
    },
  };
}

/** A change that no call waits for. */
export type ProposedChange = Pick<ChangeRequest, 'tool' | 'args' | 'effect' | 'planner'>;
export type Guard = ReturnType<typeof createGuard>;

const isNothing = (plan: Plan): boolean => ('ids' in plan ? plan.ids : plan.items).length === 0;

const PAGE_PLAN_MS = 60_000;

/** Plans with a time limit of its own. */
async function planAgain(planner: ChangePlanner, signal: AbortSignal): Promise<Plan> {
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, PAGE_PLAN_MS);
  timer.unref();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await planner({ signal: over.signal, progress: () => undefined });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function readPlan({ planner, readWithin, progress, answerBy }: ChangeRequest, personMs = 0): Promise<Plan> {
  return readWithin((signal) => planner({ signal, progress }), answerBy + personMs);
}

async function execute(options: GuardOptions, request: ChangeRequest, plan: Plan, confirmed: Confirmation): Promise<GuardReply> {
  const { changeId, personMs = 0, note = '' } = confirmed;
  request.signal.throwIfAborted();
  const job = await begin(options, request, plan, confirmed);
  // After a person's answer a small change is waited for, but only their time is added to the call's.
  const until = Math.max(request.answerBy, Math.min(request.answerBy + personMs, Date.now() + SHORT_WAIT_MS));
  await job.wait({ until, signal: request.signal, progress: request.progress });
  return { kind: 'started', changeId, note };
}

async function begin(
  { journal, jobs }: GuardOptions,
  { effect }: Pick<ChangeRequest, 'effect'>,
  plan: Plan,
  confirmed: Confirmation,
): Promise<Job> {
  const { changeId } = confirmed;
  const opened = await openJournal(journal, plan, confirmed);
  const approval = mintApproval();
  // A release needs no request that changes anything, so none is possible.
  if (effect === 'release') approval.close();
  return jobs.start({ changeId, plan, approval, fatesFile: journal.pathOf(changeId, 'fates.csv'), ...opened });
}

/** Writes the intent to disk: to a file of its own, or to that of the change which is resumed. */
async function openJournal(
  journal: Journal,
  plan: Plan,
  { by, changeId }: Confirmation,
): Promise<{ writer: ChangeWriter; state?: BulkState }> {
  const { preview, kind, facts = {} } = plan;
  const { summary, warnings, onFailure, undo } = preview;
  const intent = { changeId, kind, confirmedBy: by, summary, warnings: [...warnings], onFailure, undo, facts };
  if (!('ids' in plan)) return { writer: await journal.begin({ ...intent, items: [...plan.items] }) };
  if (plan.resumes === undefined) return { writer: await journal.begin({ ...intent, items: [] }, plan.ids) };
  const resumed = await journal.resume(plan.resumes);
  if (resumed !== undefined) return resumed;
  throw new VideoHostingError('running_elsewhere', `${plan.resumes} is carried on by another process already. This one sent nothing.`, {
    facts: { outcome: 'nothing-sent' },
  });
}
