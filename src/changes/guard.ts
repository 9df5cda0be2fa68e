import type { ConfirmMode } from '../config/settings.ts';
import { VideoHostingError } from '../errors.ts';
import { mintApproval } from '../service/approval.ts';
import { cleanText } from '../service/sanitize-text.ts';
import type { BulkState } from './bulk/bulk-state.ts';
import { confirmationForm, type FormAnswer, type FormRequest, type FormSupport } from './confirm/form.ts';
import { planConflicts } from './confirm/plan-conflicts.ts';
import { previewText } from './confirm/preview-text.ts';
import type { Proposals } from './confirm/proposals.ts';
import type { Jobs } from './jobs.ts';
import type { Journal } from './journal/journal.ts';
import type { ChangeWriter } from './journal/writer.ts';
import { type ChangePlanner, type Plan, type Progress, type ShownPlan, shownPlan } from './plan.ts';
import { digestOf } from './stable-json.ts';

/** A tool's request for a change. */
export interface ChangeRequest {
  readonly tool: string;
  /** A release gives data out and changes nothing in the account. */
  readonly effect: 'change' | 'release';
  /** Without the token. */
  readonly args: unknown;
  readonly token: string | undefined;
  readonly planner: ChangePlanner;
  readonly forms: FormSupport;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** When the call must be answered, in milliseconds since the epoch. The time that a person takes is added. */
  readonly answerBy: number;
  /** Reads the account with a signal that is aborted at a time: milliseconds since the epoch. */
  readonly readWithin: <T>(read: (signal: AbortSignal) => Promise<T>, until: number) => Promise<T>;
}

export type GuardReply =
  /** Carried out, or under way: the journal has the rest. `note` is what the person wrote in the form. */
  | { readonly kind: 'started'; readonly changeId: string; readonly note: string }
  | { readonly kind: 'form'; readonly form: FormRequest; readonly state: string }
  /** `refusal` tells why the token of the request did not count; empty if it had none. */
  | { readonly kind: 'token'; readonly changeId: string; readonly plan: ShownPlan; readonly token: string; readonly refusal: string }
  | { readonly kind: 'declined'; readonly plan: ShownPlan; readonly reason: string }
  | { readonly kind: 'conflict'; readonly plan: ShownPlan; readonly conflicts: readonly string[] }
  | { readonly kind: 'nothing-to-do'; readonly plan: ShownPlan };

export interface GuardOptions {
  readonly accountId: string;
  readonly mode: ConfirmMode;
  readonly readOnly: boolean;
  readonly journal: Journal;
  readonly jobs: Jobs;
  readonly proposals: Proposals;
}

interface Confirmation {
  readonly by: 'form' | 'token' | 'never';
  readonly changeId: string;
  /** The plan that was confirmed. */
  readonly plan: ShownPlan;
  /** How long a person took while this call waited; then the account has to be read again. */
  readonly personMs?: number;
  readonly note?: string;
}
type Decision = { readonly confirmed: Confirmation } | { readonly reply: GuardReply };

const SHORT_WAIT_MS = 5_000;
/** As long as a token is valid. */
const FORM_TIMEOUT_MS = 10 * 60_000;
/** A client that answers a form sooner did not show it to anybody. */
const MIN_ANSWER_MS = 500;
const MAX_NOTE = 1_000;

const NO_FORM_HINT =
  'If the user saw no form, this client answers forms without showing them: set VIDEO_HOSTING_CONFIRM to "token" and restart the server; the assistant then shows the preview itself.';

const TOKEN_REFUSED = {
  unknown: 'That token is not one that waits here: it was used before, made way for later ones, or was never given out. Nothing was sent.',
  expired: 'That token was older than ten minutes. Nothing was sent.',
  'other-arguments': 'That token was for other arguments, and is spent. Nothing was sent.',
} as const;

/** The only way to a mutation: plan, confirm, plan again and compare, write the intent, apply. What a plan applies includes verification. */
export function createGuard(options: GuardOptions) {
  return async function guard(request: ChangeRequest): Promise<GuardReply> {
    if (options.readOnly && request.effect === 'change')
      throw new VideoHostingError('not_approved', 'This server is read-only: VIDEO_HOSTING_READ_ONLY is set.');
    let plan: Plan | undefined = await readPlan(request);
    const shown = shownPlan(plan);
    if (('ids' in plan ? plan.ids : plan.items).length === 0) return { kind: 'nothing-to-do', plan: shown };
    // A million ids would take 100 MB while a person reads a form; the plan is made again after their answer.
    if (request.forms.kind === 'push' && (options.mode === 'ask' || options.mode === 'form')) plan = undefined;
    const decision = await confirm(options, request, shown);
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
  const job = jobs.start({ changeId, plan, approval, fatesFile: journal.pathOf(changeId, 'fates.csv'), ...opened });
  // After a person's answer a small change is waited for, but only their time is added to the call's.
  const until = Math.max(request.answerBy, Math.min(request.answerBy + personMs, Date.now() + SHORT_WAIT_MS));
  await job.wait({ until, signal: request.signal, progress: request.progress });
  return { kind: 'started', changeId, note };
}

/** Writes the intent to disk: to a file of its own, or to that of the change which is resumed. */
async function openJournal(
  journal: Journal,
  plan: Plan,
  { by, changeId }: Confirmation,
): Promise<{ writer: ChangeWriter; state?: BulkState }> {
  const { preview, kind, facts = {} } = plan;
  const intent = { changeId, kind, confirmedBy: by, ...preview, warnings: [...preview.warnings], facts };
  if (!('ids' in plan)) return { writer: await journal.begin({ ...intent, items: [...plan.items] }) };
  if (plan.resumes === undefined) return { writer: await journal.begin({ ...intent, items: [] }, plan.ids) };
  const resumed = await journal.resume(plan.resumes);
  if (resumed !== undefined) return resumed;
  throw new VideoHostingError('running_elsewhere', `${plan.resumes} is carried on by another process already. This one sent nothing.`, {
    facts: { outcome: 'nothing-sent' },
  });
}

async function confirm(options: GuardOptions, request: ChangeRequest, plan: ShownPlan): Promise<Decision> {
  const { mode, journal, proposals } = options;
  const { forms, token } = request;
  // A resumed change keeps its id.
  const changeId = ('ids' in plan ? plan.resumes : undefined) ?? journal.newChangeId();
  // A token of the assistant is no form state, and the other way round.
  const digest = (use: 'token' | 'form') => digestOf(options.accountId, request.tool, request.args, use);
  if (mode === 'never') return { confirmed: { by: 'never', changeId, plan } };
  if (mode === 'token' || (mode === 'ask' && forms.kind === 'none')) {
    const redeemed = token === undefined ? undefined : proposals.redeem(token, digest('token'));
    if (redeemed?.ok) return { confirmed: { by: 'token', ...redeemed.proposal } };
    const refusal = redeemed === undefined ? '' : TOKEN_REFUSED[redeemed.why];
    return { reply: { kind: 'token', changeId, plan, token: proposals.add(changeId, plan, digest('token')), refusal } };
  }
  if (forms.kind === 'none')
    throw new VideoHostingError('not_approved', 'VIDEO_HOSTING_CONFIRM is "form" and this client can’t show a form. Nothing was sent.', {
      hint: 'Use a client that shows forms, or set VIDEO_HOSTING_CONFIRM to "token" and restart the server.',
    });
  const form = confirmationForm(previewText(plan.preview, changeId));
  if (forms.kind === 'push') {
    // While the form is open, the whole plan can be read as a resource. Nobody is given the secret.
    const secret = proposals.add(changeId, plan, digest('form'));
    const askedAt = Date.now();
    const answer = await forms.ask(form, FORM_TIMEOUT_MS);
    proposals.redeem(secret, digest('form'));
    const personMs = Date.now() - askedAt;
    return decide(answer, { by: 'form', changeId, plan, personMs }, personMs);
  }
  // An answer counts only with the state of a form that this process sent for this request.
  const redeemed = forms.state === undefined ? undefined : proposals.redeem(forms.state, digest('form'));
  if (redeemed?.ok) {
    const { changeId, plan, issuedAt } = redeemed.proposal;
    // Asking again after an answer that can't be read could go on for ever.
    const answer = forms.answer ?? { action: 'unanswered', reason: 'the client sent nothing that is a form’s answer' };
    return decide(answer, { by: 'form', changeId, plan }, performance.now() - issuedAt);
  }
  return { reply: { kind: 'form', form, state: proposals.add(changeId, plan, digest('form')) } };
}

function decide(answer: FormAnswer, confirmation: Confirmation, tookMs: number): Decision {
  const given = answer.action === 'unanswered' ? undefined : answer.content?.note;
  const note = typeof given === 'string' ? cleanText(given, MAX_NOTE) : '';
  if (answer.action === 'accept' && answer.content.confirm === true) return { confirmed: { ...confirmation, note } };
  const wasSeen = answer.action !== 'unanswered' && tookMs >= MIN_ANSWER_MS;
  const sentences = [
    refusalText(answer),
    ...(note === '' ? [] : [`In their words: ${JSON.stringify(note)}.`]),
    'Nothing was sent.',
    ...(wasSeen ? [] : [NO_FORM_HINT]),
  ];
  return { reply: { kind: 'declined', plan: confirmation.plan, reason: sentences.join(' ') } };
}

function refusalText(answer: FormAnswer): string {
  if (answer.action === 'unanswered') return `The form was not answered (${answer.reason}).`;
  return {
    accept: 'The user refused: the form came back without its box ticked.',
    decline: 'The user refused.',
    cancel: 'The user closed the form without an answer.',
  }[answer.action];
}
