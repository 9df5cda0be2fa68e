import { VideoHostingError } from '../errors.ts';
import { mintApproval } from '../service/approval.ts';
import { type Confirmation, type ConfirmOptions, type ConfirmRequest, createConfirm, type Unconfirmed } from './confirm/confirm.ts';
import { planConflicts } from './confirm/plan-conflicts.ts';
import type { JobStart, Jobs } from './jobs.ts';
import type { Journal } from './journal/journal.ts';
import { type ChangePlanner, type Plan, type Progress, type ShownPlan, shownPlan } from './plan.ts';

/** A tool's request for a change. */
export interface ChangeRequest extends ConfirmRequest {
  /** A release gives data out and changes nothing in the account. */
  readonly effect: 'change' | 'release';
  readonly planner: ChangePlanner;
  readonly progress: Progress;
  /** When the call must be answered, in milliseconds since the epoch. The time that a person takes is added. */
  readonly answerBy: number;
  /** For how long the caller waits once it is being carried out, if shorter. */
  readonly waitMs?: number;
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
  return async function guard(request: ChangeRequest): Promise<GuardReply> {
    if (options.readOnly && request.effect === 'change')
      throw new VideoHostingError('not_approved', 'This server is read-only: VIDEO_HOSTING_READ_ONLY is set.');
    let plan: Plan | undefined = await readPlan(request);
    const shown = shownPlan(plan);
    if (('ids' in plan ? plan.ids : plan.items).length === 0) return { kind: 'nothing-to-do', plan: shown };
    // A million ids would take 100 MB while a person reads a form; the plan is made again after their answer.
    const routes = await confirmation.routes(request);
    if (request.forms.kind === 'push' && routes[0] === 'form') plan = undefined;
    const decision = await confirmation.confirm(request, shown, routes);
    if ('reply' in decision) return decision.reply;
    const { confirmed } = decision;
    plan ??= await readPlan(request, confirmed.personMs);
    const now = shownPlan(plan);
    const conflicts = planConflicts(confirmed.plan, now);
    if (conflicts.length > 0) return { kind: 'conflict', plan: now, conflicts };
    return execute(options, request, plan, confirmed);
  };
}

function readPlan({ planner, readWithin, progress, answerBy }: ChangeRequest, personMs = 0): Promise<Plan> {
  return readWithin((signal) => planner({ signal, progress }), answerBy + personMs);
}

async function execute({ journal, jobs }: GuardOptions, request: ChangeRequest, plan: Plan, confirmed: Confirmation): Promise<GuardReply> {
  const { changeId, personMs = 0, note = '' } = confirmed;
  request.signal.throwIfAborted();
  const opened = await openJournal(journal, plan, confirmed);
  const approval = mintApproval();
  // A release needs no request that changes anything, so none is possible.
  if (request.effect === 'release') approval.close();
  const job = jobs.start({ changeId, plan, approval, outcomesPlace: journal.outcomesPlace(changeId), ...opened });
  // After a person's answer a small change is waited for, but only their time is added to the call's.
  const until = Math.max(request.answerBy, Math.min(request.answerBy + personMs, Date.now() + SHORT_WAIT_MS));
  const { waitMs = Number.POSITIVE_INFINITY } = request;
  await job.wait({ until: Math.min(until, Date.now() + waitMs), signal: request.signal, progress: request.progress });
  return { kind: 'started', changeId, note };
}

/** Writes the intent to disk: to a file of its own, or to that of the change which is resumed. */
async function openJournal(journal: Journal, plan: Plan, { by, changeId }: Confirmation): Promise<Pick<JobStart, 'writer' | 'earlier'>> {
  const { preview, kind, facts = {} } = plan;
  const { summary, warnings, onFailure, undo } = preview;
  const intent = { changeId, kind, confirmedBy: by, summary, warnings: [...warnings], onFailure, undo, facts };
  const isBulk = 'ids' in plan;
  if (plan.resumes === undefined)
    return {
      writer: await (isBulk
        ? journal.begin({ ...intent, items: [] }, plan.ids, plan.rows)
        : journal.begin({ ...intent, items: [...plan.items] })),
    };
  const epoch = isBulk || plan.epoch === undefined ? {} : { epoch: plan.epoch };
  const resumed = await journal.resume(plan.resumes, { confirmedBy: by, warnings: intent.warnings, ...epoch });
  if (resumed !== undefined) return { writer: resumed.writer, earlier: resumed.record };
  throw new VideoHostingError('running_elsewhere', `${plan.resumes} is carried on by another process already. This one sent nothing.`, {
    facts: { outcome: 'nothing-sent' },
  });
}
