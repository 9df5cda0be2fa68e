import { setTimeout as sleep } from 'node:timers/promises';
import { refusal } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { sentence, word } from '../../text/sentence.ts';
import { isFormAnswer } from '../asking/form.ts';
import type { Journal } from '../journal/journal.ts';
import { isNotice } from '../notices/notices.ts';
import type { Party } from '../plan/asked-and-decided.ts';
import { type ChangePlan, type ShownPlan, shownPlan } from '../plan/plan.ts';
import { summaryText } from '../plan/preview.ts';
import { withStopped } from '../plan/stopped-by.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { actionDigest } from '../proposals/action-digest.ts';
import type { DecidedRequests } from '../proposals/decided-requests.ts';
import type { Confirmation, Decision, Unconfirmed } from '../proposals/decision.ts';
import type { PlanConflict } from '../proposals/plan-conflicts.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { assertChangesAllowed, type BeginOptions, type BegunJob, createBegin } from './begin.ts';
import { type ChangeRequest, isNothing, type ProposedChange, planAlone, planInCall } from './change-request.ts';
import { type ConfirmOptions, createConfirm } from './confirm.ts';

export type GuardReply =
  /** Carried out, or under way: the journal has the rest. `note` is what the person wrote in the form; `isOther`: another call began the same. */
  | { readonly kind: 'started'; readonly changeId: string; readonly note: string; readonly isOther?: true }
  | Unconfirmed
  | ({ readonly kind: 'conflict' } & PlanConflict);

export interface GuardOptions extends ConfirmOptions, BeginOptions {
  readonly journal: Journal;
  readonly decided: DecidedRequests;
  /** Throws where what is done can’t be noted, which is looked at before anybody is asked. */
  readonly assertCanBeNoted: () => Promise<void>;
}

const SHORT_WAIT_MS = 5_000;

/** The only way to a mutation: plan, confirm, plan again and compare, write the intent, apply. What a plan applies includes verification. */
export function createGuard(options: GuardOptions) {
  const confirmation = createConfirm(options);
  const { beginChecked, beginCovered, beginLater } = createBegin(options, confirmation);
  const { jobs, journal, standing } = options;

  const assertAllowed = (effect: ChangeRequest['effect']) => assertChangesAllowed(options.readOnly, effect);

  /** Throws where nothing could be begun by a request: nothing is ended for it then. What standing approvals cover is known by a plan alone. */
  async function assertCanBegin(request: ChangeRequest): Promise<void> {
    await options.assertCanBeNoted();
    if (request.token === undefined && standing === undefined) await confirmation.assertCanAsk(request);
  }

  async function carryOut(request: ChangeRequest, first: ChangePlan): Promise<GuardReply> {
    let plan: ChangePlan | undefined = first;
    if (isNothing(plan)) return { kind: 'nothing-to-do', plan: shownPlan(plan) };
    await options.assertCanBeNoted();
    let shown = shownPlan(plan);
    let decision: Decision;
    if (request.token === undefined) {
      // What a person was asked is theirs to decide, also where it is covered by now.
      const covered = isFormAnswer(request.forms) ? {} : await beginCovered(request, plan);
      if ('begun' in covered) return replyTo(request, covered);
      shown = { ...shown, preview: { ...shown.preview, ...definedFields({ standing: covered.why, lacks: covered.lacks }) } };
      const { files } = plan;
      const routes = await confirmation.routes(request);
      const action = routes.some(({ waits }) => waits?.canDecline) ? await actionDigest(request.tool, plan) : undefined;
      // It is planned again anyway: what may hold a million ids is let go while a person is asked.
      if (routes[0]?.plansAgain(request.forms)) plan = undefined;
      decision = await confirmation.confirm(request, shown, routes, beginLater(request), { action, files });
    } else decision = { confirmed: await confirmation.redeemToken(request, request.token) };
    if ('reply' in decision) return decision.reply;
    if ('started' in decision) {
      const { answerBy, waitMs = Number.POSITIVE_INFINITY, signal, progress } = request;
      const { changeId, isOther } = decision.started;
      const until = Math.min(answerBy, Date.now() + waitMs);
      const job = jobs.get(changeId);
      const within = { until, signal, progress };
      if (job === undefined) await waitElsewhere(changeId, journal, until, anyOf(signal, request.ending));
      // What another call began is not stopped with this one.
      else await (isOther ? job.watch(within) : job.wait(within));
      if (isOther && !journal.has(changeId)) {
        const reason = sentence`Another call was about to begin the same: get_change ${word(changeId)} tells whether it did. ${NOTHING_SENT_HERE}`;
        return { kind: 'declined', plan: shown, reason };
      }
      return { kind: 'started', ...decision.started };
    }
    const { confirmed } = decision;
    const { personMs = 0 } = confirmed;
    // A change that must not be made twice is planned again where no other one begins.
    const planned = TRAITS[shown.kind].beginsAlone ? undefined : plan;
    const begun = await beginChecked({
      ...{ request, confirmed, noCountsFrom: 'now', signal: request.signal, until: request.answerBy + personMs },
      planAgain: async () => planned ?? (await planInCall(request, { personMs })),
    }).catch(async (error: unknown) => {
      await confirmation.neverBegun(confirmed.changeId);
      throw error;
    });
    if ('plan' in begun) await confirmation.neverBegun(confirmed.changeId);
    return replyTo(request, { begun, confirmed });
  }

  return {
    previewedCall: confirmation.previewedCall,
    beginLater,
    /** Plans what was kept, in the process of the person who decides on it, with what would cover it now for who asked. */
    async planLater(request: ProposedChange, signal: AbortSignal, askedBy?: Party): Promise<ShownPlan> {
      const plan = await planAlone(request, signal);
      await options.assertCanBeNoted();
      const { preview, ...shown } = shownPlan(plan);
      const covers = await standing?.coverage(plan, signal, askedBy);
      return { ...shown, preview: { ...preview, ...definedFields({ standing: covers }) } };
    },
    async guard(request: ChangeRequest): Promise<GuardReply> {
      assertAllowed(request.effect);
      const first = await planInCall(request, { assertCanBegin: () => assertCanBegin(request) });
      return carryOut(request, first).catch((error: unknown) => {
        const stopped = first.preview.notices.filter(isNotice('stopped_before'));
        throw withStopped(
          error,
          stopped.map(({ by }) => by),
        );
      });
    },
    /** A request that was made on the approval page, and waits there. Throws where there is nothing to do. */
    async propose(request: ProposedChange & Pick<ChangeRequest, 'effect' | 'by'>, signal: AbortSignal): Promise<Proposal> {
      assertAllowed(request.effect);
      const plan = await planAlone(request, signal);
      if (isNothing(plan))
        throw refusal('invalid_arguments', sentence`${summaryText(plan.preview)} Nothing is to be done.`, 'It is so already.');
      await options.assertCanBeNoted();
      return confirmation.proposeOnPage(request, shownPlan(plan), beginLater(request, { isOwn: true }), signal);
    },
  };
}

/** Of one that another process carries out, which a person approved there. */
async function waitElsewhere(changeId: string, journal: Pick<Journal, 'read'>, until: number, signal: AbortSignal): Promise<void> {
  // Its intent may not be written yet.
  const isOver = async () => ((await journal.read(changeId))?.status ?? 'running') !== 'running';
  while (Date.now() < until && !signal.aborted && !(await isOver()))
    await sleep(Math.min(ELSEWHERE_MS, until - Date.now()), undefined, { signal }).catch(() => undefined);
}
const ELSEWHERE_MS = 250;

const anyOf = (signal: AbortSignal, other: AbortSignal | undefined): AbortSignal =>
  other === undefined ? signal : AbortSignal.any([signal, other]);

const NOTHING_SENT_HERE = sentence`Nothing was sent for this one.`;

export type Guard = ReturnType<typeof createGuard>;

async function replyTo(
  request: ChangeRequest,
  { begun, confirmed }: { readonly begun: BegunJob | PlanConflict; readonly confirmed: Omit<Confirmation, 'changeId'> },
): Promise<GuardReply> {
  if ('plan' in begun) return { kind: 'conflict', ...begun };
  const { personMs = 0, note = '' } = confirmed;
  // After a person's answer a small change is waited for, but only their time is added to the call's.
  const until = Math.max(request.answerBy, Math.min(request.answerBy + personMs, Date.now() + SHORT_WAIT_MS));
  const { waitMs = Number.POSITIVE_INFINITY } = request;
  await begun.job.wait({ until: Math.min(until, Date.now() + waitMs), signal: request.signal, progress: request.progress });
  return { kind: 'started', changeId: begun.changeId, note };
}
