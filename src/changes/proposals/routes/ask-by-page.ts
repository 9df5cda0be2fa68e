import { joined, type Sentence, sentence } from '../../../text/sentence.ts';
import type { ApprovalPage } from '../../confirm/approval-page.ts';
import { type Decision, declined, inTheirWords, NOTHING_SENT, type Question } from '../../confirm/decision.ts';
import { TRAITS } from '../../kinds/traits.ts';
import { wordsOf } from '../../tell/waited.ts';
import type { MemoryStore } from '../memory.ts';
import type { Proposal } from '../proposal.ts';
import { pageRoute } from './page.ts';

interface PageRoute {
  readonly waiting: MemoryStore;
  readonly page: ApprovalPage;
}

/**
 * Proposes a change on the page and waits for the answer within the call's time. A call that is given up withdraws the
 * proposal. Returns undefined where no browser loads the page and the call can go on in another way.
 */
export async function askByPage(question: Question, { waiting, page }: PageRoute): Promise<Decision | undefined> {
  const { plan, signal, answerBy } = question;
  const hasNext = question.routes.at(-1)?.name !== pageRoute.name;
  const { isForItsCall = false } = TRAITS[plan.kind];
  const { change, leave } = waiting.propose({ ...question, route: pageRoute.name });
  const { changeId } = change;
  let isMissed = false;
  try {
    const failed = new AbortController();
    const shown = await page.show(changeId).catch(() => undefined);
    if (shown === undefined) failed.abort();
    void shown?.failed.then(() => failed.abort());
    await waiting.wait(changeId, answerBy, signal, failed.signal);
    const { status, note } = change;
    if (status === 'started') return { started: { changeId: change.resumes ?? changeId, note } };
    if (status === 'needless') return { reply: { kind: 'nothing-to-do', plan: change.plan } };
    if (status !== 'waiting') return declined(plan, pageOutcomeText(change), NOTHING_SENT);
    if (signal.aborted) return declined(plan, GIVEN_UP, NOTHING_SENT);
    // What is shown to the assistant is part of this call's answer: nobody would get it later.
    if (isForItsCall) return declined(plan, NOT_ANSWERED_IN_TIME, NOTHING_SENT);
    const isLoaded = shown?.isLoaded() ?? false;
    const isLost = failed.signal.aborted || (hasNext && page.isMissed());
    if (isLoaded || !isLost) return { reply: { kind: 'waiting', change, isLoaded } };
    isMissed = true;
    return hasNext ? undefined : declined(plan, NO_BROWSER_STARTED, NOTHING_SENT);
  } finally {
    leave(isMissed || signal.aborted || isForItsCall);
  }
}

const GIVEN_UP = sentence`The call was given up while the user was asked on the approval page.`;
const NOT_ANSWERED_IN_TIME = sentence`The user did not answer on the approval page while this call waited. Make the same call again to ask once more.`;
const NO_BROWSER_STARTED = sentence`The approval page could not be opened: the browser did not start. Set VIDEO_HOSTING_BROWSER to a program that opens it, and restart the server.`;

/** What came of a change on the page, for the assistant; nothing was sent unless it is `started`. */
export const pageOutcomeText = (proposal: Pick<Proposal, 'status' | 'decidedAt' | 'isAnswered' | 'note'>): Sentence =>
  joined([wordsOf(proposal).asked.assistant, ...(proposal.note === '' ? [] : [inTheirWords(proposal.note)])]);
