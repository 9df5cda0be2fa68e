import { CONTENTS } from '../../account/contents.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { GuardReply } from '../life/guard.ts';
import { itemsOf, type ShownPlan } from '../plan/plan.ts';
import { summaryText } from '../plan/preview.ts';
import { type Proposal, shownStatus } from '../proposals/proposal.ts';
import { waitsOf } from '../proposals/routes/index.ts';
import { tokenRoute } from '../proposals/routes/token.ts';
import { wordsOf } from '../proposals/waited.ts';
import { confirmSummary } from './confirm-summary.ts';
import { keptAnswer } from './kept-answer.ts';
import { previewAnswer } from './preview-answer.ts';

// What an assistant is told of a change that was not begun.

type Unbegun = Exclude<GuardReply, { readonly kind: 'form' | 'started' }>;

export function unconfirmedAnswer(reply: Unbegun) {
  switch (reply.kind) {
    case 'token':
      return { answer: tokenAnswer(reply) };
    case 'conflict': {
      const message = sentence`The account changed after the user was shown the plan, so nothing was sent. ${joined(reply.conflicts)} ${afterConflict(reply.plan)}`;
      return {
        answer: { status: 'failed' as const, message, preview: { ...previewAnswer(reply.plan), ...agreedTo(reply.plan) } },
        isError: true,
      };
    }
    case 'waiting':
      return { answer: waitingAnswer(reply.change, reply.isLoaded) };
    case 'kept':
      return { answer: keptAnswer(reply.change, reply.isNew) };
    case 'declined':
      return { answer: { status: 'declined' as const, message: reply.reason } };
    case 'nothing-to-do':
      return { answer: { status: 'applied' as const, message: sentence`${summaryText(reply.plan.preview)} Nothing had to be sent.` } };
  }
}

function tokenAnswer({ changeId, plan, token, why, isFurther }: Extract<GuardReply, { kind: 'token' }>) {
  const further = isFurther ? sentence` A yes to an earlier preview does not count for this one.` : sentence``;
  return {
    status: 'confirmation_required' as const,
    message: sentence`${why === '' ? '' : sentence`${why} `}NOT DONE YET. Show the user the preview. ${NEXT_WITH_TOKEN}${further}`,
    changeId,
    confirmationToken: token,
    // Who carries on a change may not have the lists that it states.
    preview: previewOf(plan, changeId, plan.resumes === undefined || 'ids' in plan ? 'brief' : 1),
  };
}

function previewOf(plan: ShownPlan, changeId: string, part?: number | 'brief') {
  const { summary: _, ...rest } = previewAnswer(plan, changeId, part);
  return { ...agreedTo(plan), ...rest };
}

/** The summary as a person agrees to it; what it leaves out is in `meaning`, if there is anything. */
function agreedTo(plan: ShownPlan) {
  const [summary, meaning] = [confirmSummary(plan), summaryText(plan.preview)];
  return summary.startsWith(meaning.slice(0, -1)) ? { summary } : { summary, meaning };
}

/** A page of what was previewed, and waits for its token. */
export const previewPage = ({ changeId, plan }: Proposal, page?: number) => ({
  status: 'confirmation_required' as const,
  message: sentence`NOT DONE YET. ${NEXT_WITH_TOKEN} stop_change withdraws it.`,
  changeId,
  preview: previewOf(plan, changeId, page),
});

/** What became of a preview whose token was not spent. */
export function lapsedPreview(proposal: Proposal) {
  const { changeId, plan } = proposal;
  const status = shownStatus(proposal);
  const why =
    status === 'expired' ? NOT_CONFIRMED : status === 'withdrawn' && !proposal.isAnswered ? WITHDRAWN : wordsOf(proposal).asked.assistant;
  return { status, changeId, message: sentence`${summaryText(plan.preview)} ${why} Nothing was sent for it.` };
}

const WITHDRAWN = sentence`Its preview was withdrawn, so its token counts no more.`;
const NOT_CONFIRMED = sentence`Its preview was not confirmed within ${tokenRoute.waits.lifetime}, so its token counts no more. If it is still wanted, make the call again.`;
const NEXT_WITH_TOKEN = tokenRoute.waits.told().where;

/** A change that waits in a form or on the approval page, in the answers to its call and of get_change. */
export function waitingAnswer({ changeId, plan, conflicts, expiresAt, route }: Proposal, isLoaded = true) {
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  const { where, next } = waitsOf(route).told({ changeId: word(changeId), minutes, isLoaded });
  const message = [
    sentence`NOT DONE YET. ${summaryText(plan.preview)}`,
    where,
    ...(conflicts.length === 0 ? [] : [sentence`The account changed meanwhile, so the page shows the plan anew: ${joined(conflicts)}`]),
    ...(next === undefined ? [] : [next]),
  ];
  return { status: 'waiting' as const, changeId, message: joined(message) };
}

/** What to do after a conflict. A list that the user stated may be older than another person's change. */
function afterConflict(plan: ShownPlan): Sentence {
  const hasLists = itemsOf(plan).some(({ after }) => CONTENTS.some((list) => after[list] !== undefined));
  return hasLists
    ? sentence`Tell the user what moved. A list that was stated before may be out of date: ask the user for the list as it is now, and never send the same one again without asking.`
    : sentence`Tell the user what moved, and ask whether the change is still wanted; if so, call again, and the user is shown the plan as it is now.`;
}
