import { setTimeout as sleep } from 'node:timers/promises';
import { refusal, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { withTimeLimit } from '../../platform/limited-signal.ts';
import { mintApproval } from '../../service/approval.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import { isFormAnswer } from '../asking/form.ts';
import type { Journal } from '../journal/journal.ts';
import { asToldInForm } from '../notices/notices.ts';
import { stoppedNow } from '../plan/asked-and-decided.ts';
import { CONFIRMED_BY } from '../plan/confirmed-by.ts';
import { kindFactsOf } from '../plan/facts.ts';
import { type ChangePlan, type ChangePlanner, type Progress, type ShownPlan, shownPlan } from '../plan/plan.ts';
import { descriptionIn, summaryText } from '../plan/preview.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { actionDigest } from '../proposals/action-digest.ts';
import type { DecidedRequest } from '../proposals/decided-requests.ts';
import type { Confirmation, ConfirmRequest, Decision, Unconfirmed } from '../proposals/decision.ts';
import { type PlanConflict, planConflicts, unmovedIn } from '../proposals/plan-conflicts.ts';
import type { BeginApproved, Proposal } from '../proposals/proposal.ts';
import type { Standing } from '../standing/standing.ts';
import type { Uncovered } from '../standing/uses.ts';
import { untoldInForm } from '../tell/form.ts';
import { type ConfirmOptions, createConfirm } from './confirm.ts';
import type { Job, JobStart, Jobs } from './jobs.ts';

/** A tool's request for a change. */
export interface ChangeRequest extends ConfirmRequest {
  readonly planner: ChangePlanner;
  readonly progress: Progress;
  /** Reads the account with a signal that is aborted at a time: milliseconds since the epoch. */
  readonly readWithin: <T>(read: (signal: AbortSignal) => Promise<T>, until: number) => Promise<T>;
}

export type GuardReply =
  /** Carried out, or under way: the journal has the rest. `note` is what the person wrote in the form. */
  | { readonly kind: 'started'; readonly changeId: string; readonly note: string }
  | Unconfirmed
  | ({ readonly kind: 'conflict' } & PlanConflict);

export interface GuardOptions extends ConfirmOptions {
  readonly readOnly: boolean;
  readonly journal: Journal;
  readonly jobs: Jobs;
  /** Throws where what is done can’t be noted, which is looked at before anybody is asked. */
  readonly assertWritable: () => Promise<void>;
  /** What a person allowed in advance, where that is set. */
  readonly standing?: Standing | undefined;
}

interface BegunJob {
  readonly job: Job;
  readonly changeId: string;
}
type Start = (covered?: Pick<Confirmation, 'receipt' | 'at'>) => Promise<BegunJob>;

/** How a change that was kept is approved. */
interface Later extends Partial<Pick<Confirmation, 'how'>> {
  /** The person asked for it on the page, where it is theirs to cancel. */
  readonly isOwn?: true;
}

interface Within {
  readonly signal: AbortSignal;
  readonly until: number;
  /** The last decision on the request when it was confirmed; `always`: no other one keeps it from beginning. */
  readonly since?: { readonly last: DecidedRequest | undefined } | 'always';
}

const SHORT_WAIT_MS = 5_000;

/** The only way to a mutation: plan, confirm, plan again and compare, write the intent, apply. What a plan applies includes verification. */
export function createGuard(options: GuardOptions) {
  const confirmation = createConfirm(options);
  const { jobs, journal, standing } = options;

  function assertWritable(effect: ChangeRequest['effect']): void {
    if (options.readOnly && effect === 'change')
      throw new VideoHostingError('not_approved', 'This server is read-only: VIDEO_HOSTING_READ_ONLY is set.', {
        hint: 'Reads work. For changes, unset VIDEO_HOSTING_READ_ONLY and restart the server.',
      });
  }

  /** Begins a change, by `decide`, if it is still as it was approved; else returns how the plan differs. */
  async function beginChecked<Refused extends object = never>(
    request: ProposedChange,
    confirmed: Omit<Confirmation, 'changeId'> & Partial<Pick<Confirmation, 'changeId'>>,
    read: () => Promise<ChangePlan>,
    { signal, until, since }: Within,
    decide: (plan: ChangePlan, start: Start) => Promise<BegunJob | Refused> = (_plan, start) => start(),
  ): Promise<BegunJob | PlanConflict | Refused> {
    // It is confirmed at this moment: a no that comes while it is planned again counts.
    const decidedAt = new Date().toISOString();
    const decided = since === 'always' ? undefined : (since ?? confirmation.lastDecision(request));
    const beginSame = async () => {
      const plan = await read();
      assertWritable(TRAITS[plan.kind].isLocal ? 'release' : 'change');
      const now = shownPlan(plan);
      const conflicts = planConflicts(confirmed.plan, now);
      if (conflicts.length > 0) return { plan: now, conflicts, unmoved: unmovedIn(confirmed.plan, now) };
      signal.throwIfAborted();
      const start: Start = async (covered = {}) => {
        // What was asked for under an id of its own is carried on in the record of the change.
        const changeId = plan.resumes ?? confirmed.changeId ?? (await journal.newChangeId(covered.at));
        await confirmation.begins(request, plan.resumes, decided);
        return { changeId, job: await begin(options, plan, { ...confirmed, changeId, ...covered }, decidedAt) };
      };
      const begun = await decide(plan, start);
      if ('job' in begun) await confirmation.endOthers(request, plan, { ...confirmed, begun: begun.changeId });
      return begun;
    };
    const { kind } = confirmed.plan;
    if (!TRAITS[kind].beginsAlone) return beginSame();
    // Whichever is planned after it then sees it in the journal.
    return withTimeLimit(until - Date.now(), signal, (limited) => journal.withLock(kind, limited, beginSame));
  }

  /** Why a person's no keeps a plan from being covered. What is asked for in another way may do what they declined. */
  async function declinedBefore({ tool }: ChangeRequest, plan: ChangePlan): Promise<Sentence | undefined> {
    const same = await options.decided.declinedAt(() => actionDigest(tool, plan));
    if (same !== undefined) return declinedText(sentence`the same`, same);
    const some = await options.decided.someDeclinedAt(plan);
    return some === undefined ? undefined : declinedText(sentence`this, or some of it,`, some);
  }

  /** Begins a plan that was allowed in advance; else tells why it is not, where anything is. */
  async function beginCovered(request: ChangeRequest, plan: ChangePlan): Promise<{ readonly reply: GuardReply } | Partial<Uncovered>> {
    if (standing === undefined) return {};
    const since = confirmation.lastDecision(request);
    const why = await declinedBefore(request, plan);
    if (why !== undefined) return { why };
    const uncovered = await standing.judge(plan, request.signal);
    if (uncovered !== undefined) return uncovered;
    const confirmed = { how: 'standing', asked: confirmation.askedBy(request), plan: shownPlan(plan) } as const;
    const read = async () => (TRAITS[plan.kind].beginsAlone ? readPlan(request) : plan);
    const within = { signal: request.signal, until: request.answerBy, since };
    const begun = await beginChecked(request, confirmed, read, within, async (again, start) => {
      const no = await declinedBefore(request, again);
      return no === undefined ? standing.begin(again, request.signal, start) : { why: no };
    });
    if ('why' in begun) return begun;
    return { reply: 'plan' in begun ? { kind: 'conflict', ...begun } : await waitFor(begun.job, request, { ...confirmed, ...begun }) };
  }

  /** Begins what was approved when the call that asked may have been answered long ago. */
  const beginLater =
    (request: ProposedChange, { how = 'page', isOwn }: Later = {}): BeginApproved =>
    async ({ changeId, asked, plan: approved, note }, signal, decide) => {
      const read = () => planAgain(request.planner, signal);
      const within = { signal, until: Date.now() + PAGE_PLAN_MS, ...(isOwn && { since: 'always' as const }) };
      const begun = await beginChecked(request, { how, asked, changeId, plan: approved, note }, read, within, (_plan, start) =>
        decide(start),
      );
      if ('plan' in begun) return isNothing(begun.plan) ? { needless: begun.plan } : begun;
      // It was given up while its intent was written.
      if (signal.aborted) begun.job.stop(stoppedNow('call'));
      return 'started';
    };

  return {
    previewedCall: confirmation.previewedCall,
    beginLater,
    /** Plans what was kept, in the process of the person who decides on it, with what would cover it now for its agent. */
    async planLater(request: ProposedChange, signal: AbortSignal, agent?: string): Promise<ShownPlan> {
      const plan = await planAgain(request.planner, signal);
      await options.assertWritable();
      const { preview, ...shown } = shownPlan(plan);
      const covers = await standing?.coverage(plan, signal, agent);
      return { ...shown, preview: { ...preview, ...definedFields({ standing: covers }) } };
    },
    async guard(request: ChangeRequest): Promise<GuardReply> {
      assertWritable(request.effect);
      let plan: ChangePlan | undefined = await readPlan(request);
      if (isNothing(plan)) return { kind: 'nothing-to-do', plan: shownPlan(plan) };
      await options.assertWritable();
      let shown = shownPlan(plan);
      let decision: Decision;
      if (request.token === undefined) {
        // What a person was asked is theirs to decide, also where it is covered by now.
        const covered = isFormAnswer(request.forms) ? {} : await beginCovered(request, plan);
        if ('reply' in covered) return covered.reply;
        shown = { ...shown, preview: { ...shown.preview, ...definedFields({ standing: covered.why, lacks: covered.lacks }) } };
        const { files } = plan;
        const routes = await confirmation.routes(request);
        const action = routes.some(({ waits }) => waits?.canDecline) ? actionDigest(request.tool, plan) : undefined;
        if (routes[0]?.plansAgain(request.forms)) plan = undefined;
        decision = await confirmation.confirm(request, shown, routes, beginLater(request), { action, files });
      } else decision = { confirmed: await confirmation.redeemToken(request, request.token) };
      if ('reply' in decision) return decision.reply;
      if ('started' in decision) {
        const { answerBy, waitMs = Number.POSITIVE_INFINITY, signal, progress } = request;
        const { changeId } = decision.started;
        const until = Math.min(answerBy, Date.now() + waitMs);
        const job = jobs.get(changeId);
        await (job === undefined ? waitElsewhere(changeId, journal, until, signal) : job.wait({ until, signal, progress }));
        return { kind: 'started', ...decision.started };
      }
      const { confirmed } = decision;
      const { personMs = 0 } = confirmed;
      // A change that must not be made twice is planned again where no other one begins.
      const planned = TRAITS[shown.kind].beginsAlone ? undefined : plan;
      const read = async () => planned ?? (await readPlan(request, personMs));
      const within = { signal: request.signal, until: request.answerBy + personMs };
      const begun = await beginChecked(request, confirmed, read, within).catch(async (error: unknown) => {
        await confirmation.neverBegun(confirmed.changeId);
        throw error;
      });
      if ('plan' in begun) {
        await confirmation.neverBegun(confirmed.changeId);
        return { kind: 'conflict', ...begun };
      }
      return waitFor(begun.job, request, { ...confirmed, ...begun });
    },
    /** A request that was made on the approval page, and waits there. Throws where there is nothing to do. */
    async propose(request: ProposedChange & Pick<ChangeRequest, 'effect'>, signal: AbortSignal): Promise<Proposal> {
      assertWritable(request.effect);
      const plan = await planAgain(request.planner, signal);
      if (isNothing(plan))
        throw refusal('invalid_arguments', sentence`${summaryText(plan.preview)} Nothing is to be done.`, 'It is so already.');
      await options.assertWritable();
      return confirmation.proposeOnPage(request, shownPlan(plan), beginLater(request, { isOwn: true }), signal);
    },
  };
}

/** Of one that another process carries out, which a person approved there. */
async function waitElsewhere(changeId: string, journal: Pick<Journal, 'read'>, until: number, signal: AbortSignal): Promise<void> {
  while (Date.now() < until && !signal.aborted && (await journal.read(changeId))?.status === 'running')
    await sleep(Math.min(ELSEWHERE_MS, until - Date.now()), undefined, { signal }).catch(() => undefined);
}
const ELSEWHERE_MS = 250;

/** A change that no call waits for. */
export type ProposedChange = Pick<ChangeRequest, 'tool' | 'args' | 'planner'>;
export type Guard = ReturnType<typeof createGuard>;

const isNothing = (plan: ChangePlan | ShownPlan): boolean => ('ids' in plan ? plan.ids : plan.items).length === 0;

const declinedText = (what: Sentence, at: string): Sentence =>
  sentence`A person declined ${what} on ${timeText(Date.parse(at))}, so no standing approval covers it.`;

const PAGE_PLAN_MS = 60_000;

/** Plans with a time limit of its own. */
const planAgain = (planner: ChangePlanner, signal: AbortSignal): Promise<ChangePlan> =>
  withTimeLimit(PAGE_PLAN_MS, signal, (limited) => planner({ signal: limited, progress: () => undefined }));

function readPlan(
  { planner, readWithin, progress, answerBy, waitMs = Number.POSITIVE_INFINITY }: ChangeRequest,
  personMs = 0,
): Promise<ChangePlan> {
  const until = answerBy + personMs;
  const waitUntil = Math.min(until, Date.now() + waitMs);
  return readWithin((signal) => planner({ signal, progress, waitUntil }), until);
}

async function waitFor(job: Job, request: ChangeRequest, confirmed: Confirmation): Promise<GuardReply> {
  const { changeId, personMs = 0, note = '' } = confirmed;
  // After a person's answer a small change is waited for, but only their time is added to the call's.
  const until = Math.max(request.answerBy, Math.min(request.answerBy + personMs, Date.now() + SHORT_WAIT_MS));
  const { waitMs = Number.POSITIVE_INFINITY } = request;
  await job.wait({ until: Math.min(until, Date.now() + waitMs), signal: request.signal, progress: request.progress });
  return { kind: 'started', changeId, note };
}

async function begin(
  { journal, jobs, standing }: GuardOptions,
  plan: ChangePlan,
  confirmed: Confirmation,
  decidedAt: string,
): Promise<Job> {
  const { changeId, receipt } = confirmed;
  const opened = await openJournal(journal, plan, confirmed, decidedAt);
  const approval = mintApproval();
  // It needs no request that changes anything, so none is possible.
  if (TRAITS[plan.kind].isLocal) approval.close();
  const assertCovered = receipt && standing && (() => standing.assertStillCovered(changeId, receipt));
  return jobs.start({
    ...{ changeId, plan, approval, outcomesLocation: journal.outcomesLocation(changeId), ...opened },
    ...definedFields({ assertCovered }),
  });
}

/** Writes the intent to disk: to a file of its own, or to that of the change which is resumed. */
async function openJournal(
  journal: Journal,
  plan: ChangePlan,
  { how, asked, changeId, receipt, at, plan: shown, note = '' }: Confirmation,
  decidedAt: string,
): Promise<Pick<JobStart, 'writer' | 'earlier'>> {
  const description = descriptionIn(plan.preview);
  const agreed = {
    asked,
    decided: { how, at: at ?? decidedAt, ...(note !== '' && { note }) },
    notices:
      CONFIRMED_BY[how].warned === 'person-in-part' ? asToldInForm(description.notices, untoldInForm(shown)) : [...description.notices],
  };
  const intent = { ...kindFactsOf(plan), changeId, ...description, ...agreed, ...definedFields({ standing: receipt, at }) };
  const isBulk = 'ids' in plan;
  if (plan.resumes === undefined)
    return {
      writer: await (isBulk
        ? journal.begin({ ...intent, items: [] }, plan.ids, plan.rows)
        : journal.begin({ ...intent, items: [...plan.items] })),
    };
  const epoch = isBulk || plan.epoch === undefined ? {} : { epoch: plan.epoch };
  const resumed = await journal.resume(plan.resumes, { ...agreed, ...epoch });
  if (resumed !== undefined) return { writer: resumed.writer, earlier: resumed.record };
  throw refusal('running_elsewhere', sentence`${word(plan.resumes)} is carried on by another process already. This one sent nothing.`);
}
