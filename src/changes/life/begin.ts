import type { SecondPersonRule } from '../../config/second-person.ts';
import { BY_NEWER, refusal, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { withTimeLimit } from '../../platform/limited-signal.ts';
import { asWorkOf } from '../../platform/whose-work.ts';
import { mintApproval } from '../../service/approval.ts';
import { toTakeEffect } from '../../text/own-command.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import type { Journal } from '../journal/journal.ts';
import { asToldInForm } from '../notices/notices.ts';
import { stoppedNow } from '../plan/asked-and-decided.ts';
import { CONFIRMED_BY } from '../plan/confirmed-by.ts';
import { kindFactsOf } from '../plan/facts.ts';
import { type ChangePlan, shownPlan } from '../plan/plan.ts';
import { descriptionIn } from '../plan/preview.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { actionDigest } from '../proposals/action-digest.ts';
import type { DecidedRequest, DecidedRequests } from '../proposals/decided-requests.ts';
import { type Confirmation, NOTHING_SENT } from '../proposals/decision.ts';
import { type PlanConflict, planConflicts, planDigest, unmovedIn } from '../proposals/plan-conflicts.ts';
import type { BeginApproved } from '../proposals/proposal.ts';
import { secondPersonProblem } from '../proposals/second-person.ts';
import type { Standing } from '../standing/standing.ts';
import type { Uncovered } from '../standing/uses.ts';
import { untoldInForm } from '../tell/form.ts';
import { type ChangeRequest, isNothing, PLAN_MS, type ProposedChange, planAlone, planInCall } from './change-request.ts';
import type { Confirm } from './confirm.ts';
import type { Job, JobStart, Jobs } from './jobs.ts';

export interface BeginOptions {
  readonly readOnly: boolean;
  /** Which changes need somebody else than who asked. */
  readonly secondPerson: SecondPersonRule;
  readonly journal: Journal;
  readonly jobs: Jobs;
  /** What processes with this data folder decided on requests. */
  readonly decided: DecidedRequests;
  /** What a person allowed in advance, where that is set. */
  readonly standing?: Standing | undefined;
}

export interface BegunJob {
  readonly job: Job;
  readonly changeId: string;
}

/** Writes the intent, and begins. */
type Start = (covered?: Pick<Confirmation, 'receipt' | 'at'>) => Promise<BegunJob>;

/** What was confirmed. Its id may be given out only once it begins. */
type Confirmed = Omit<Confirmation, 'changeId'> & Partial<Pick<Confirmation, 'changeId'>>;

interface ToBegin<Refused> {
  readonly request: ProposedChange;
  readonly confirmed: Confirmed;
  /** Plans it again, unless nothing can have changed. */
  readonly planAgain: () => Promise<ChangePlan>;
  readonly signal: AbortSignal;
  /** Until when it may wait for another change to be begun: milliseconds since the epoch. */
  readonly until: number;
  /** From when on a person’s no to the same request keeps it from beginning: after the last decision that was known, from `now` on, or `never`. */
  readonly noCountsFrom: { readonly last: DecidedRequest | undefined } | 'now' | 'never';
  /** Decides on what was planned, and begins it by `start` at a moment when nobody else can. By default it is begun at once. */
  readonly around?: (plan: ChangePlan, start: Start) => Promise<BegunJob | Refused>;
}

/** How a person approves what no call need wait for. */
interface Later extends Partial<Pick<Confirmation, 'how'>> {
  /** They asked for it on the page themselves, where it is theirs to cancel. */
  readonly isOwn?: true;
}

/** Throws where the setting allows no changes. */
export function assertChangesAllowed(readOnly: boolean, effect: ChangeRequest['effect']): void {
  if (readOnly && effect === 'change')
    throw new VideoHostingError('not_approved', 'This server is read-only: VIDEO_HOSTING_READ_ONLY is set.', {
      hint: sentence`Reads work. For changes, unset VIDEO_HOSTING_READ_ONLY and ${toTakeEffect()}.`,
    });
}

/** A part of the guard, which alone may use it: begins what was confirmed, by a call, by what was allowed in advance, or by a person later. */
export function createBegin(options: BeginOptions, confirmation: Confirm) {
  const { readOnly, secondPerson, journal, standing, decided: decidedRequests } = options;

  /** Begins a change if it is still as it was confirmed; else returns how the plan differs, or what `around` refused. */
  async function beginChecked<Refused extends object = never>({
    request,
    confirmed,
    planAgain,
    signal,
    until,
    noCountsFrom,
    around,
  }: ToBegin<Refused>): Promise<BegunJob | PlanConflict | Refused> {
    // It is confirmed at this moment: a no that comes while it is planned again counts.
    const confirmedAt = new Date().toISOString();
    const lastKnown = noCountsFrom === 'now' ? confirmation.lastDecision(request) : noCountsFrom;
    const beginSame = async () => {
      const plan = await planAgain();
      assertChangesAllowed(readOnly, TRAITS[plan.kind].isLocal ? 'release' : 'change');
      const now = shownPlan(plan);
      const conflicts = planConflicts(confirmed.plan, now);
      if (conflicts.length > 0) return { plan: now, conflicts, unmoved: unmovedIn(confirmed.plan, now) };
      const problem = secondPersonProblem(secondPerson, now, confirmed);
      if (problem !== undefined) throw refusal('not_approved', sentence`${problem} ${NOTHING_SENT}`);
      signal.throwIfAborted();
      const start: Start = async (covered = {}) => {
        // What was asked for under an id of its own is carried on in the record of the change.
        const changeId = plan.resumes ?? confirmed.changeId ?? (await journal.newChangeId(covered.at));
        await confirmation.begins(request, changeId, plan.resumes, lastKnown === 'never' ? undefined : lastKnown);
        return { changeId, job: await begin(options, plan, { ...confirmed, changeId, ...covered }, confirmedAt) };
      };
      const begun = await (around === undefined ? start() : around(plan, start));
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
    const same = await decidedRequests.declinedAt(() => actionDigest(tool, plan));
    if (same !== undefined) return declinedText(sentence`the same`, same);
    const some = await decidedRequests.someDeclined(plan);
    if (some?.isNewer)
      return sentence`What a person declined on ${timeText(Date.parse(some.at))} was ${BY_NEWER}, so no standing approval covers anything that it may be about.`;
    return some && declinedText(sentence`this, or some of it,`, some.at);
  }

  /** Begins a plan that was allowed in advance; else tells why it is not, where anything is. */
  async function beginCovered(
    request: ChangeRequest,
    plan: ChangePlan,
  ): Promise<{ readonly begun: BegunJob | PlanConflict; readonly confirmed: Confirmed } | Partial<Uncovered>> {
    if (standing === undefined) return {};
    const noCountsFrom = confirmation.lastDecision(request);
    const why = await declinedBefore(request, plan);
    if (why !== undefined) return { why };
    const uncovered = await standing.judge(plan, request.signal, request.by);
    if (uncovered !== undefined) return uncovered;
    const confirmed = { how: 'standing', asked: confirmation.askedBy(request), plan: shownPlan(plan) } as const;
    const begun = await beginChecked({
      ...{ request, confirmed, noCountsFrom, signal: request.signal, until: request.answerBy },
      planAgain: async () => (TRAITS[plan.kind].beginsAlone ? planInCall(request) : plan),
      around: async (again, start) => {
        const no = await declinedBefore(request, again);
        return no === undefined ? standing.begin(again, request.signal, start, request.by) : { why: no };
      },
    });
    return 'why' in begun ? begun : { begun, confirmed };
  }

  /** Begins what a person approves, whether or not the call that asked still waits for it. */
  const beginLater =
    (request: ProposedChange, { how = 'page', isOwn }: Later = {}): BeginApproved =>
    async ({ changeId, asked, by, plan: approved, note }, signal, decide) => {
      const begun = await beginChecked({
        ...{ request, confirmed: { how, asked, changeId, plan: approved, note, ...definedFields({ by }) } },
        planAgain: () => planAlone(request, signal),
        ...{ signal, until: Date.now() + PLAN_MS, noCountsFrom: isOwn ? 'never' : 'now' },
        around: (_plan, start) => decide(start),
      });
      if ('plan' in begun) return isNothing(begun.plan) ? { needless: begun.plan } : begun;
      // It was given up while its intent was written.
      if (signal.aborted) begun.job.stop(stoppedNow('call'));
      return 'started';
    };

  return { beginChecked, beginCovered, beginLater };
}

const declinedText = (what: Sentence, at: string): Sentence =>
  sentence`A person declined ${what} on ${timeText(Date.parse(at))}, so no standing approval covers it.`;

async function begin(
  { journal, jobs, standing }: BeginOptions,
  plan: ChangePlan,
  confirmed: Confirmation,
  confirmedAt: string,
): Promise<Job> {
  const { changeId, receipt } = confirmed;
  const opened = await openJournal(journal, plan, confirmed, confirmedAt);
  const approval = mintApproval();
  // It needs no request that changes anything, so none is possible.
  if (TRAITS[plan.kind].isLocal) approval.close();
  const assertCovered = receipt && standing && (() => standing.assertStillCovered(changeId, receipt));
  const start = (): Job =>
    jobs.start({
      ...{ changeId, plan, approval, outcomesLocation: journal.outcomesLocation(changeId), ...opened },
      ...definedFields({ assertCovered }),
    });
  // Whoever presses Apply doesn’t do without their own share for it.
  const { id: asker } = confirmed.asked.by ?? {};
  return asker === undefined ? start() : asWorkOf(asker, start);
}

/** Writes the intent to disk: to a file of its own, or to that of the change which is resumed. */
async function openJournal(
  journal: Journal,
  plan: ChangePlan,
  { how, asked, by, changeId, receipt, at, plan: shown, note = '' }: Confirmation,
  confirmedAt: string,
): Promise<Pick<JobStart, 'writer' | 'earlier'>> {
  const description = descriptionIn(plan.preview);
  const agreed = {
    asked,
    decided: { ...definedFields({ by }), how, at: at ?? confirmedAt, ...(note !== '' && { note }) },
    ...(CONFIRMED_BY[how].warned === 'nobody' ? {} : { shown: planDigest(shown) }),
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
