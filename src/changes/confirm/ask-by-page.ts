import { KINDS } from '../kinds.ts';
import type { ShownPlan } from '../plan.ts';
import type { ApprovalPage } from './approval-page.ts';
import type { CarryOut, WaitingChange, WaitingChanges } from './waiting-changes.ts';

/** A call whose change is to be confirmed on the approval page. */
interface AskedOnPage {
  readonly changeId: string;
  readonly plan: ShownPlan;
  readonly requestDigest: string;
  readonly carryOut: CarryOut;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly answerBy: number;
  /** Whether the same call can go on in another way. */
  readonly hasNext: boolean;
}

type PageAnswer =
  | { readonly kind: 'started'; readonly changeId: string; readonly note: string }
  /** The call's time is over, and the page still shows it. `isLoaded`: a browser has loaded the page. */
  | { readonly kind: 'waiting'; readonly change: WaitingChange; readonly isLoaded: boolean }
  /** Nothing was sent. */
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'nothing-to-do'; readonly plan: ShownPlan };

interface PageRoute {
  readonly waiting: WaitingChanges;
  readonly page: ApprovalPage;
}

/**
 * Proposes a change on the page and waits for the answer within the call's time. A call that is given up withdraws the
 * proposal. Returns undefined where no browser loads the page and the call can go on in another way.
 */
export async function askByPage(asked: AskedOnPage, { waiting, page }: PageRoute): Promise<PageAnswer | undefined> {
  const { plan, signal, answerBy, hasNext } = asked;
  const { changeId } = waiting.propose(asked);
  const call = waiting.join(changeId);
  const { isForItsCall = false } = KINDS[plan.kind];
  let isMissed = false;
  try {
    const failed = new AbortController();
    const shown = await page.show(changeId).catch(() => undefined);
    if (shown === undefined) failed.abort();
    void shown?.failed.then(() => failed.abort());
    await waiting.wait(changeId, answerBy, signal, failed.signal);
    const { status, note, ...change } = waiting.get(changeId) ?? WITHDRAWN;
    if (status === 'started') return { kind: 'started', changeId, note };
    if (status === 'needless' && 'plan' in change) return { kind: 'nothing-to-do', plan: change.plan };
    if (status !== 'waiting' || !('plan' in change)) return declined(waitingText(status, note));
    if (signal.aborted) return declined('The call was given up while the user was asked on the approval page.');
    // What is shown to the assistant is part of this call's answer: nobody would get it later.
    if (isForItsCall) return declined(NOT_ANSWERED_IN_TIME);
    const isLoaded = shown?.isLoaded() ?? false;
    const isLost = failed.signal.aborted || (hasNext && page.isMissed());
    if (isLoaded || !isLost) return { kind: 'waiting', change: { ...change, status, note }, isLoaded };
    isMissed = true;
    return hasNext ? undefined : declined(NO_BROWSER_STARTED);
  } finally {
    call.leave(isMissed || signal.aborted || isForItsCall);
  }
}

const WITHDRAWN = { status: 'withdrawn', note: '' } as const;
const NOT_ANSWERED_IN_TIME =
  'The user did not answer on the approval page while this call waited. Make the same call again to ask once more.';
const NO_BROWSER_STARTED =
  'The approval page could not be opened: the browser did not start. Set VIDEO_HOSTING_BROWSER to a program that opens it, and restart the server.';

const declined = (reason: string): PageAnswer => ({ kind: 'declined', reason });

export const inTheirWords = (note: string): string => (note === '' ? '' : `In their words: ${JSON.stringify(note)}.`);

/** What came of a change on the page, for the assistant; nothing was sent unless it is `started`. */
export function waitingText(status: WaitingChange['status'], note: string): string {
  return {
    declined: `The user declined on the approval page. ${inTheirWords(note)}`.trim(),
    expired: 'Nobody answered on the approval page in half an hour.',
    withdrawn: 'It was withdrawn before the user answered on the approval page.',
    answered: 'The same request was answered in another way meanwhile.',
    needless: 'The user agreed on the approval page, and nothing was left to be done.',
    waiting: 'It waits for the user on the approval page.',
    started: 'The user agreed on the approval page.',
  }[status];
}
