import type { ConfirmMode } from '../config/settings.ts';
import { VideoHostingError } from '../errors.ts';
import { mintApproval } from '../service/approval.ts';
import { cleanText } from '../service/sanitize-text.ts';
import type { BulkState } from './bulk/bulk-state.ts';
import { confirmationForm, type FormAnswer, type FormRequest, type FormSupport } from './confirm/form.ts';
import { previewText } from './confirm/preview-text.ts';
import type { Proposals } from './confirm/proposals.ts';
import { whatMoved } from './confirm/what-moved.ts';
import type { Jobs } from './jobs.ts';
import type { Journal } from './journal/journal.ts';
import type { ChangeWriter } from './journal/writer.ts';
import { type ChangePlanner, type Plan, type Progress, type ShownPlan, shownPlan } from './plan.ts';
import { digestOf } from './stable-json.ts';

/** One request for a change, as a tool hands it over. */
export interface ChangeRequest {
  readonly tool: string;
  /** A release gives something out and changes nothing in the account. */
  readonly effect: 'change' | 'release';
  /** Without the token. */
  readonly args: unknown;
  readonly token: string | undefined;
  readonly planner: ChangePlanner;
  readonly forms: FormSupport;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Milliseconds since the epoch, by when the call is to be answered; only a person may take longer. */
  readonly answerBy: number;
  /** Reads the account with a signal that ends with the call, and at a moment: milliseconds since the epoch. */
  readonly reading: <T>(read: (signal: AbortSignal) => Promise<T>, until: number) => Promise<T>;
}

export type GuardReply =
  /** Carried out, or under way: the journal tells the rest. */
  | { readonly kind: 'begun'; readonly changeId: string; readonly words?: string }
  | { readonly kind: 'form'; readonly form: FormRequest; readonly state: string }
  | { readonly kind: 'token'; readonly changeId: string; readonly plan: ShownPlan; readonly token: string; readonly note: string }
  | { readonly kind: 'declined'; readonly plan: ShownPlan; readonly reason: string }
  | { readonly kind: 'moved'; readonly plan: ShownPlan; readonly moved: readonly string[] }
  | { readonly kind: 'nothing-to-do'; readonly plan: ShownPlan };

export interface GuardOptions {
  readonly accountId: string;
  readonly mode: ConfirmMode;
  readonly readOnly: boolean;
  readonly journal: Journal;
  readonly jobs: Jobs;
  readonly proposals: Proposals;
}

interface Agreement {
  readonly by: 'form' | 'token' | 'never';
  readonly changeId: string;
  /** What was agreed to. */
  readonly shown: ShownPlan;
  /** How long a person thought it over while this call waited, so that the account has to be read again. */
  readonly personMs?: number;
  /** What they wrote to the assistant. */
  readonly words?: string;
}
type Decision = { readonly agreed: Agreement } | { readonly reply: GuardReply };

const SHORT_WAIT_MS = 5_000;
/** A person may think for as long as a token would wait. */
const FORM_TIMEOUT_MS = 10 * 60_000;

/** The one way to a mutation: plan, confirm, check again, apply. Verification is part of what the plan applies. */
export function createGuard(options: GuardOptions) {
  const { journal, jobs } = options;

  async function carryOut(plan: Plan, { by, changeId, personMs = 0, words = '' }: Agreement, request: ChangeRequest): Promise<GuardReply> {
    request.signal.throwIfAborted();
    const begun = await begin(journal, plan, { by, changeId });
    const approval = mintApproval(changeId);
    // What is given out needs no request that changes anything, so none is possible.
    if (request.effect === 'release') approval.close();
    const job = jobs.start({
      changeId,
      plan,
      approval,
      fatesFile: journal.pathOf(changeId, 'fates.csv'),
      ...begun,
    });
    // However long a person thought, a small change is waited for; but their time alone is added to the call's.
    const until = Math.max(request.answerBy, Math.min(request.answerBy + personMs, Date.now() + SHORT_WAIT_MS));
    await job.wait({ until, signal: request.signal, progress: request.progress });
    return { kind: 'begun', changeId, ...(words === '' ? {} : { words }) };
  }

  return async function guard(request: ChangeRequest): Promise<GuardReply> {
    if (options.readOnly && request.effect === 'change')
      throw new VideoHostingError('not_approved', 'This server is read-only: VIDEO_HOSTING_READ_ONLY is set.');
    let plan: Plan | undefined = await readPlan(request);
    const shown = shownPlan(plan);
    if (('ids' in plan ? plan.ids : plan.items).length === 0) return { kind: 'nothing-to-do', plan: shown };
    // While a person reads a form, a million ids would take 100 MB; the plan is made again once they agree.
    if (request.forms.kind === 'push' && (options.mode === 'ask' || options.mode === 'form')) plan = undefined;
    const requestDigest = digestOf(options.accountId, request.tool, request.args);
    const decision = await confirm(options, request, shown, requestDigest);
    if ('reply' in decision) return decision.reply;
    const { agreed } = decision;
    plan ??= await readPlan(request, agreed.personMs);
    const now = shownPlan(plan);
    const moved = whatMoved(agreed.shown, now);
    if (moved.length > 0) return { kind: 'moved', plan: now, moved };
    return carryOut(plan, agreed, request);
  };
}

/** Puts the intent on disk: in a file of its own, or in that of the change which is carried on. */
async function begin(
  journal: Journal,
  plan: Plan,
  { by, changeId }: Pick<Agreement, 'by' | 'changeId'>,
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

/** A change that is carried on keeps its id. */
const idFor = (shown: ShownPlan, journal: Journal): string => ('ids' in shown ? shown.resumes : undefined) ?? journal.newChangeId();

const readPlan = ({ planner, reading, progress, answerBy }: ChangeRequest, personMs = 0): Promise<Plan> =>
  reading((signal) => planner({ signal, progress }), answerBy + personMs);

async function confirm(options: GuardOptions, request: ChangeRequest, shown: ShownPlan, requestDigest: string): Promise<Decision> {
  const { mode, journal } = options;
  const { forms } = request;
  if (mode === 'never') return { agreed: { by: 'never', changeId: idFor(shown, journal), shown } };
  if (mode === 'token' || (mode === 'ask' && forms.kind === 'none')) return confirmByToken(options, request, shown, requestDigest);
  if (forms.kind === 'push') {
    const changeId = idFor(shown, journal);
    // Kept while the form is open, so that the whole plan can be read as a resource; its secret is told to nobody.
    const secret = options.proposals.add(changeId, shown, requestDigest);
    const askedAt = Date.now();
    const answer = await forms.ask(confirmationForm(previewText(shown.preview, changeId)), FORM_TIMEOUT_MS);
    options.proposals.redeem(secret, requestDigest);
    const personMs = Date.now() - askedAt;
    return judge(answer, { by: 'form', changeId, shown, personMs }, personMs);
  }
  if (forms.kind === 'retry') return confirmByRetry(options, shown, requestDigest, forms);
  throw new VideoHostingError('not_approved', 'VIDEO_HOSTING_CONFIRM is "form" and this client can’t show a form. Nothing was sent.', {
    hint: 'Use a client that shows forms, or set VIDEO_HOSTING_CONFIRM to "token" and restart the server.',
  });
}

function confirmByRetry(
  { journal, proposals }: GuardOptions,
  shown: ShownPlan,
  requestDigest: string,
  { answer, state }: Extract<FormSupport, { kind: 'retry' }>,
): Decision {
  const formDigest = digestOf(requestDigest, 'form');
  // An answer counts only with the state of a form that this process sent for this very request; a token is no such state.
  if (state !== undefined) {
    const redeemed = proposals.redeem(state, formDigest);
    if (redeemed.ok) {
      const { changeId, plan: approved, givenAt } = redeemed.proposal;
      return judge(answer ?? UNREADABLE, { by: 'form', changeId, shown: approved }, performance.now() - givenAt);
    }
  }
  const changeId = idFor(shown, journal);
  const secret = proposals.add(changeId, shown, formDigest);
  return { reply: { kind: 'form', form: confirmationForm(previewText(shown.preview, changeId)), state: secret } };
}

/** What comes back with a form's state and is no answer: asking again could go on for ever. */
const UNREADABLE: FormAnswer = { action: 'unanswered', reason: 'the client sent nothing that is a form’s answer' };

function confirmByToken({ journal, proposals }: GuardOptions, request: ChangeRequest, shown: ShownPlan, requestDigest: string): Decision {
  const tokenDigest = digestOf(requestDigest, 'token');
  const redeemed = request.token === undefined ? undefined : proposals.redeem(request.token, tokenDigest);
  if (redeemed?.ok) return { agreed: { by: 'token', changeId: redeemed.proposal.changeId, shown: redeemed.proposal.plan } };
  const changeId = idFor(shown, journal);
  const token = proposals.add(changeId, shown, tokenDigest);
  return { reply: { kind: 'token', changeId, plan: shown, token, note: redeemed === undefined ? '' : TOKEN_REFUSED[redeemed.why] } };
}

const TOKEN_REFUSED = {
  unknown: 'That token is not one that waits here: it was used before, made way for later ones, or was never given out. Nothing was sent.',
  expired: 'That token was older than ten minutes. Nothing was sent.',
  'other-arguments': 'That token was for other arguments, and is spent. Nothing was sent.',
} as const;

/** A client that answers sooner drew the form for nobody. */
const SOONEST_MS = 500;

const HOW_TO_SWITCH =
  'If the user saw no form, this client answers forms without showing them: set VIDEO_HOSTING_CONFIRM to "token" and restart the server; the assistant then shows the preview itself.';

function judge(answer: FormAnswer, agreement: Agreement, tookMs: number): Decision {
  const words = wordsIn(answer);
  if (answer.action === 'accept' && answer.content.confirm === true) return { agreed: { ...agreement, words } };
  const wasSeen = answer.action !== 'unanswered' && tookMs >= SOONEST_MS;
  const said = words === '' ? [] : [`In their words: ${JSON.stringify(words)}.`];
  const reason = [refusalOf(answer), ...said, 'Nothing was sent.', ...(wasSeen ? [] : [HOW_TO_SWITCH])].join(' ');
  return { reply: { kind: 'declined', plan: agreement.shown, reason } };
}

const MAX_NOTE = 1_000;

/** What a person wrote to the assistant. */
function wordsIn(answer: FormAnswer): string {
  const note = answer.action === 'unanswered' ? undefined : answer.content?.note;
  return typeof note === 'string' ? cleanText(note, MAX_NOTE) : '';
}

function refusalOf(answer: FormAnswer): string {
  if (answer.action === 'unanswered') return `The form was not answered (${answer.reason}).`;
  return {
    accept: 'The user refused: the form came back without its box ticked.',
    decline: 'The user refused.',
    cancel: 'The user closed the form without an answer.',
  }[answer.action];
}
