import { CONTENTS } from '../../account/contents.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Values } from '../../platform/is-object.ts';
import type { WaitingChange } from '../confirm/waiting-change.ts';
import { answerTimeText } from '../confirm/waiting-limits.ts';
import type { GuardReply } from '../guard.ts';
import type { ShownPlan } from '../plan.ts';
import { confirmSummary } from './confirm-summary.ts';
import { pagedIdLines } from './id-lines.ts';
import { keptAnswer } from './kept-answer.ts';
import { summaryText } from './preview.ts';
import { previewAnswer } from './preview-answer.ts';

// What an assistant is told of a change that was not begun.

type Unbegun = Exclude<GuardReply, { readonly kind: 'form' | 'started' }>;

export function unconfirmedAnswer(reply: Unbegun): { readonly answer: Values; readonly isError?: true } {
  switch (reply.kind) {
    case 'token':
      return { answer: tokenAnswer(reply) };
    case 'conflict': {
      const message = `The account changed after the user was shown the plan, so nothing was sent. ${reply.conflicts.join(' ')} ${afterConflict(reply.plan)}`;
      return {
        answer: { status: 'failed', message, preview: { ...previewAnswer(reply.plan.preview), ...agreedTo(reply.plan) } },
        isError: true,
      };
    }
    case 'waiting':
      return { answer: waitingAnswer(reply.change, reply.isLoaded) };
    case 'kept':
      return { answer: keptAnswer(reply.change, reply.isNew) };
    case 'declined':
      return { answer: { status: 'declined', message: reply.reason } };
    case 'nothing-to-do':
      return { answer: { status: 'applied', message: `${summaryText(reply.plan.preview)} Nothing had to be sent.` } };
  }
}

function tokenAnswer({ changeId, plan, token, why, isFurther }: Extract<GuardReply, { kind: 'token' }>): Values {
  const further = isFurther ? ' A yes to an earlier preview does not count for this one.' : '';
  return {
    status: 'confirmation_required',
    message: `${why === '' ? '' : `${why} `}NOT DONE YET. Show the user the preview. ${NEXT_WITH_TOKEN}${further}`,
    changeId,
    confirmationToken: token,
    // Who carries on a change may not have the lists that it states.
    preview: previewOf(plan, changeId, plan.resumes === undefined || 'ids' in plan ? 'brief' : 1),
  };
}

const previewOf = (plan: ShownPlan, changeId: string, part?: number | 'brief'): Values => ({
  ...previewAnswer(plan.preview, changeId, part, pagedIdLines(plan)),
  ...agreedTo(plan),
});

/** The summary as a person agrees to it, in the place of the preview's own. */
const agreedTo = (plan: ShownPlan): Values => definedFields({ summary: confirmSummary(plan), meaning: plan.preview.meaning });

/** A page of what was previewed, and waits for its token. */
export const previewPage = ({ changeId, plan }: WaitingChange, page?: number): Values => ({
  status: 'confirmation_required',
  message: `NOT DONE YET. ${NEXT_WITH_TOKEN} stop_change withdraws it.`,
  changeId,
  preview: previewOf(plan, changeId, page),
});

const NEXT_WITH_TOKEN = `Only if they agree, call confirm_change with that summary (once, within ${answerTimeText('token')}).`;

/** A change that waits on the approval page, in the answers to its call and of get_change. */
export function waitingAnswer(
  { changeId, plan, conflicts, expiresAt }: WaitingChange,
  isLoaded = true,
): Values & { readonly status: 'waiting' } {
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  const message = [
    `NOT DONE YET. ${summaryText(plan.preview)}`,
    isLoaded ? 'The user sees it on the approval page in their browser, and has not answered.' : NOT_LOADED,
    ...(conflicts.length === 0 ? [] : [`The account changed meanwhile, so the page shows the plan anew: ${conflicts.join(' ')}`]),
    `Ask them to look there, and wait with get_change ${changeId}: it is carried out once they press Apply, and lapses in ${minutes} minutes.`,
  ];
  return { status: 'waiting', changeId, message: message.join(' ') };
}

const NOT_LOADED = 'The approval page was opened in the user’s browser, which has not loaded it yet.';

/** What to do after a conflict. A list that the user stated may be older than another person's change. */
function afterConflict(plan: ShownPlan): string {
  const hasLists = 'items' in plan && plan.items.some(({ after }) => CONTENTS.some((list) => after[list] !== undefined));
  return hasLists
    ? 'Tell the user what moved. A list that was stated before may be out of date: ask the user for the list as it is now, and never send the same one again without asking.'
    : 'Tell the user what moved, and ask whether the change is still wanted; if so, call again, and the user is shown the plan as it is now.';
}
