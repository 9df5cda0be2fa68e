import { undefinedIfRefused } from '../../errors.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { type Decision, declined, inTheirWords, NOTHING_SENT, type Question } from '../proposals/decision.ts';
import { isWaiting, type Proposal } from '../proposals/proposal.ts';
import { keepOnDisk } from '../proposals/routes/keep.ts';
import { pageRoute } from '../proposals/routes/page.ts';
import type { RouteDeps } from '../proposals/routes/route-deps.ts';
import { wordsOf } from '../proposals/waited.ts';

type PageRouteDeps = Pick<RouteDeps, 'waiting' | 'page' | 'journal' | 'kept' | 'decided'>;

/**
 * Proposes a change on the page and waits for the answer within the call's time. A call that is given up withdraws the
 * proposal. Returns undefined where no browser loads the page and the call can go on in another way.
 */
export async function askByPage(question: Question, deps: PageRouteDeps): Promise<Decision | undefined> {
  const { waiting, page } = deps;
  const { plan, signal, answerBy, hasLeft = () => false } = question;
  const hasNext = question.routes.at(-1)?.name !== pageRoute.name;
  const { isForItsCall = false } = TRAITS[plan.kind];
  const { change, leave } = waiting.propose({ ...question, route: pageRoute.name });
  const { changeId } = change;
  let isMissed = false;
  try {
    // Without a copy it waits for as long as this process runs.
    await keepOnDisk(pageRoute.name, { ...question, ...change }, deps, signal).catch(undefinedIfRefused);
    const failed = new AbortController();
    const shown = await page.show(changeId).catch(() => undefined);
    if (shown === undefined) failed.abort();
    void shown?.failed.then(() => failed.abort());
    await waiting.wait(changeId, answerBy, signal, failed.signal);
    const proposal = change.isAnswered ? await decidedElsewhere(change, deps) : change;
    const { status, note } = proposal;
    if (status === 'started') return { started: { changeId: change.resumes ?? changeId, note } };
    if (status === 'needless') return { reply: { kind: 'nothing-to-do', plan: change.plan } };
    if (status !== 'waiting') return declined(plan, pageOutcomeText(proposal), NOTHING_SENT);
    if (signal.aborted) return declined(plan, GIVEN_UP, NOTHING_SENT);
    // What is shown to the assistant is part of this call's answer: nobody would get it later.
    if (isForItsCall) return declined(plan, NOT_ANSWERED_IN_TIME, NOTHING_SENT);
    const isLoaded = shown?.isLoaded() ?? false;
    const isLost = failed.signal.aborted || (hasNext && page.isMissed());
    if (isLoaded || !isLost) return { reply: { kind: 'waiting', change, isLoaded } };
    isMissed = true;
    return hasNext ? undefined : declined(plan, NO_BROWSER_STARTED, NOTHING_SENT);
  } finally {
    // What was asked for outlives its client, but not a call that is given up.
    leave(isMissed || (signal.aborted && !hasLeft()) || isForItsCall);
  }
}

/** A proposal as another process left it that decided on it. */
async function decidedElsewhere(change: Proposal, { journal, kept }: PageRouteDeps): Promise<Proposal> {
  const { changeId } = change;
  const copy = await kept.get(changeId).catch(undefinedIfRefused);
  if (copy?.status === 'started' || journal.has(changeId)) return { ...change, status: 'started', note: copy?.note ?? '' };
  return copy === undefined || isWaiting(copy) ? change : copy;
}

const GIVEN_UP = sentence`The call was given up while the user was asked on the approval page.`;
const NOT_ANSWERED_IN_TIME = sentence`The user did not answer on the approval page while this call waited. Make the same call again to ask once more.`;
const NO_BROWSER_STARTED = sentence`The approval page could not be opened: the browser did not start. Set VIDEO_HOSTING_BROWSER to a program that opens it, and restart the server.`;

/** What came of a change on the page, for the assistant; nothing was sent unless it is `started`. */
export const pageOutcomeText = (proposal: Pick<Proposal, 'status' | 'decidedAt' | 'isAnswered' | 'note'>): Sentence =>
  joined([wordsOf(proposal).asked.assistant, ...(proposal.note === '' ? [] : [inTheirWords(proposal.note)])]);
