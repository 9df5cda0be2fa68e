import { undefinedIfRefused } from '../../errors.ts';
import { toTakeEffect } from '../../text/own-command.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { type Decision, declined, inTheirWords, NOTHING_SENT, type Question } from '../proposals/decision.ts';
import { proposalEnded } from '../proposals/ended-text.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { pageRoute } from '../proposals/routes/page.ts';
import type { RouteDeps } from '../proposals/routes/route-deps.ts';
import { wordsOf } from '../proposals/waited.ts';
import { begunOtherwise } from './begun-otherwise.ts';

/**
 * Proposes a change on the page and waits for the answer within the call's time. A call that is given up withdraws the
 * proposal. Returns undefined where no browser loads the page and the call can go on in another way.
 */
export async function askByPage(
  question: Question,
  { proposals, askedHere, page, journal }: Pick<RouteDeps, 'proposals' | 'askedHere' | 'page' | 'journal'>,
): Promise<Decision | undefined> {
  const { plan, signal, answerBy, hasLeft = () => false } = question;
  const hasNext = question.routes.at(-1)?.name !== pageRoute.name;
  const { isForItsCall = false } = TRAITS[plan.kind];
  const { change, leave } = await askedHere.propose({ ...question, route: pageRoute.name }, question.begin, signal);
  const { changeId } = change;
  let isMissed = false;
  try {
    const failed = new AbortController();
    const shown = await page.show(changeId).catch(() => undefined);
    if (shown === undefined) failed.abort();
    void shown?.failed.then(() => failed.abort());
    await askedHere.wait(changeId, answerBy, signal, failed.signal);
    const proposal = (await proposals.get(changeId).catch(undefinedIfRefused)) ?? change;
    const { status, note } = proposal;
    // Its time may be over while another process is about to begin it.
    if (status === 'started' && !(await proposals.isBegun(proposal))) return { reply: { kind: 'approved', change: proposal } };
    if (status === 'started' || (proposal.isAnswered && journal.has(changeId)))
      return { started: { changeId: change.resumes ?? changeId, note } };
    if (status === 'needless') return { reply: { kind: 'nothing-to-do', plan: proposal.plan } };
    if (status !== 'waiting') return begunOtherwise(proposal) ?? declined(plan, pageOutcomeText(proposal));
    if (signal.aborted) return declined(plan, GIVEN_UP, NOTHING_SENT);
    // What is shown to the assistant is part of this call's answer: nobody would get it later.
    if (isForItsCall) return declined(plan, NOT_ANSWERED_IN_TIME, NOTHING_SENT);
    const isLoaded = shown?.isLoaded() ?? false;
    const isLost = failed.signal.aborted || (hasNext && page.isMissed());
    if (isLoaded || !isLost) return { reply: { kind: 'waiting', change: proposal, isLoaded } };
    isMissed = true;
    return hasNext ? undefined : declined(plan, noBrowserStarted(), NOTHING_SENT);
  } finally {
    // What was asked for outlives its client, but not a call that is given up.
    await leave(isMissed || (signal.aborted && !hasLeft()) || isForItsCall);
  }
}

const GIVEN_UP = sentence`The call was given up while the user was asked on the approval page.`;
const NOT_ANSWERED_IN_TIME = sentence`The user did not answer on the approval page while this call waited. Make the same call again to ask once more.`;
const noBrowserStarted = (): Sentence =>
  sentence`The approval page could not be opened: the browser did not start. Set VIDEO_HOSTING_BROWSER to a program that opens it, and ${toTakeEffect()}.`;

/** What came of a change on the page that was not `started`, for the assistant. */
export const pageOutcomeText = (proposal: Proposal): Sentence =>
  proposal.by === undefined
    ? joined([wordsOf(proposal).asked.assistant, ...(proposal.note === '' ? [] : [inTheirWords(proposal.note)]), NOTHING_SENT])
    : proposalEnded(proposal, 'assistant');
