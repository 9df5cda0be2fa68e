import type { ConfirmMode } from '../../config/settings.ts';
import { VideoHostingError } from '../../errors.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import type { Journal } from '../journal/journal.ts';
import type { ShownPlan } from '../plan.ts';
import { digestOf } from '../stable-json.ts';
import { formText, formTitle } from '../view/form-text.ts';
import type { ApprovalPage } from './approval-page.ts';
import { askByPage, inTheirWords } from './ask-by-page.ts';
import { confirmationForm, type FormAnswer, type FormRequest, type FormSupport, isApproval } from './form.ts';
import { type ClientIdentity, formStyleOf } from './form-clients.ts';
import type { Proposals } from './proposals.ts';
import { type Route, routesFor } from './routes.ts';
import { type UnseenForm, type UnseenForms, unseenText } from './unseen-forms.ts';
import type { CarryOut, WaitingChange, WaitingChanges } from './waiting-changes.ts';

export interface ConfirmOptions {
  readonly accountId: string;
  readonly mode: ConfirmMode;
  readonly journal: Pick<Journal, 'newChangeId'>;
  readonly proposals: Proposals;
  readonly unseenForms: UnseenForms;
  readonly waiting: WaitingChanges;
  readonly page: ApprovalPage;
}

export interface ConfirmRequest {
  readonly tool: string;
  /** Without the token. */
  readonly args: unknown;
  readonly token: string | undefined;
  readonly forms: FormSupport;
  readonly signal: AbortSignal;
  /** When the call must be answered, in milliseconds since the epoch. The time that a person takes over a form is added. */
  readonly answerBy: number;
}

export interface Confirmation {
  readonly by: Route;
  readonly changeId: string;
  /** The plan that was confirmed. */
  readonly plan: ShownPlan;
  /** How long a person took while this call waited; then the account has to be read again. */
  readonly personMs?: number;
  readonly note?: string;
}

/** The reply to a request that is not confirmed, or not yet. */
export type Unconfirmed =
  | { readonly kind: 'form'; readonly form: FormRequest; readonly state: string }
  /** `refusal` tells why the token of the request did not count, or why no form is shown; empty if there was none. */
  | {
      readonly kind: 'token';
      readonly changeId: string;
      readonly plan: ShownPlan;
      readonly token: string;
      readonly refusal: string;
      /** Whether an earlier preview waits for the user's answer as well. */
      readonly isFurther: boolean;
    }
  /** The approval page shows it. `isLoaded`: a browser has loaded the page. */
  | { readonly kind: 'waiting'; readonly change: WaitingChange; readonly isLoaded: boolean }
  | { readonly kind: 'declined'; readonly plan: ShownPlan; readonly reason: string }
  | { readonly kind: 'nothing-to-do'; readonly plan: ShownPlan };

export type Decision =
  | { readonly confirmed: Confirmation }
  /** It was confirmed on the approval page, which carries it out. */
  | { readonly started: { readonly changeId: string; readonly note: string } }
  | { readonly reply: Unconfirmed };

/** As long as a token is valid. */
const FORM_TIMEOUT_MS = 10 * 60_000;
/** A client that refuses a form sooner did not show it to anybody. */
const MIN_ANSWER_MS = 500;
const MAX_NOTE = 1_000;

const NO_FORM_HINT =
  'If the user saw no form, this client answers forms without showing them: set VIDEO_HOSTING_CONFIRM to "token" and restart the server; the assistant then shows the preview itself.';
const FORM_ONLY =
  'VIDEO_HOSTING_CONFIRM is "form", so nothing else counts: use a client that shows forms, or set it to "token" and restart the server.';
const NOTHING_SENT = 'Nothing was sent.';
const ANSWERED_OTHERWISE = 'The same request was answered in another way while this form was open.';
const PAGE_MISSED = 'The approval page was opened, but no browser loaded it.';
const NEXT_CALL = 'Make the same call once more: the user is then asked in another way.';

const REFUSED = {
  accept: 'The user chose to change nothing.',
  decline: 'The user refused.',
  cancel: 'The user closed the form without an answer.',
  unanswered: 'The form was not answered.',
} as const;

const TOKEN_REFUSED = {
  unknown:
    'That token is not one that waits here: it was used before, lapsed when the same request was answered otherwise, made way for later ones, or was never given out. Nothing was sent.',
  expired: 'That token was older than ten minutes. Nothing was sent.',
  'other-arguments': 'That token was for other arguments, and is spent. Nothing was sent.',
} as const;

type Requested = Pick<ConfirmRequest, 'tool' | 'args'>;

type Asked = ConfirmRequest & {
  readonly changeId: string;
  readonly plan: ShownPlan;
  readonly routes: readonly Route[];
  /** For the approval page, where it may be confirmed when no call waits any more. */
  readonly carryOut: CarryOut;
};

/** Asks a person for their approval, in the first way that works. */
export function createConfirm(options: ConfirmOptions) {
  const { accountId, mode, journal, proposals, unseenForms, waiting, page } = options;
  const digest = ({ tool, args }: Requested): string => digestOf(accountId, tool, args);

  // What a person declines, perhaps after its call has ended, must not be confirmed by a token that was given out before.
  waiting.onDeclined(proposals.withdraw);

  const unseenBy = async (forms: FormSupport) => (mode !== 'ask' || forms.kind === 'none' ? undefined : unseenForms.find(forms.client));

  async function askByToken(asked: Asked): Promise<Decision> {
    const { token, plan, changeId, forms } = asked;
    const redeemed = token === undefined ? undefined : proposals.redeem(token, digest(asked));
    if (redeemed?.ok) return { confirmed: { by: 'token', ...redeemed.proposal } };
    const unseen = await unseenBy(forms);
    const why = [
      ...(unseen === undefined ? [] : [unseenText(unseen.how)]),
      ...(mode === 'ask' && page.isMissed() ? [PAGE_MISSED] : []),
      ...(redeemed === undefined ? [] : [TOKEN_REFUSED[redeemed.why]]),
    ];
    return {
      reply: {
        kind: 'token',
        isFurther: proposals.hasTokens(),
        changeId,
        plan,
        token: proposals.add(changeId, plan, digest(asked)),
        refusal: why.join(' '),
      },
    };
  }

  /** Returns undefined where no browser loads the page, and another way is to be taken in the same call. */
  async function askOnPage(asked: Asked): Promise<Decision | undefined> {
    const { plan, routes } = asked;
    const answer = await askByPage({ ...asked, requestDigest: digest(asked), hasNext: routes.at(-1) !== 'page' }, options);
    if (answer?.kind === 'started') return { started: answer };
    if (answer?.kind === 'waiting' || answer?.kind === 'nothing-to-do') return { reply: answer };
    return answer && declined(plan, answer.reason, NOTHING_SENT);
  }

  /** Returns undefined where no form is drawn, and another way is to be taken in the same call. */
  async function askByForm(asked: Asked): Promise<Decision | undefined> {
    const { plan, changeId, forms } = asked;
    if (forms.kind === 'none') return undefined;
    const form = confirmationForm(formText(plan.preview, changeId), formTitle(plan.preview), formStyleOf(forms.client));
    if (forms.kind === 'push') {
      // While the form is open, the whole plan can be read as a resource. Nobody is given the secret.
      const secret = proposals.add(changeId, plan, digest(asked), 'form');
      const [askedAt, startedAt] = [Date.now(), performance.now()];
      const answer = await forms.ask(form, FORM_TIMEOUT_MS);
      const redeemed = proposals.redeem(secret, digest(asked), 'form');
      if (!redeemed.ok && redeemed.why === 'unknown') return declined(plan, ANSWERED_OTHERWISE, NOTHING_SENT);
      const personMs = Date.now() - askedAt;
      // Either clock may have stood still or been set back.
      const tookMs = Math.max(personMs, performance.now() - startedAt);
      return decide(asked, forms.client, answer, { by: 'form', changeId, plan, personMs }, tookMs);
    }
    // An answer counts only with the state of a form that this process sent for this request.
    const redeemed = forms.state === undefined ? undefined : proposals.redeem(forms.state, digest(asked), 'form');
    if (redeemed?.ok) {
      const { changeId, plan, issuedAt } = redeemed.proposal;
      // Asking again after an answer that can't be read could go on for ever.
      const answer = forms.answer ?? { action: 'unanswered', reason: 'the client sent nothing that is a form’s answer' };
      return decide(asked, forms.client, answer, { by: 'form', changeId, plan }, performance.now() - issuedAt);
    }
    if (proposals.dropAbandoned('form') && (await unseenForms.remember(forms.client, 'unanswered')) && asked.routes.length > 1)
      return undefined;
    return { reply: { kind: 'form', form, state: proposals.add(changeId, plan, digest(asked), 'form') } };
  }

  async function decide(
    asked: Asked,
    client: ClientIdentity,
    answer: FormAnswer,
    confirmation: Confirmation,
    tookMs: number,
  ): Promise<Decision | undefined> {
    const { plan } = confirmation;
    const how = unseenHow(answer, tookMs);
    if (asked.signal.aborted) {
      // A person may have ended the call; a client's time limit is nobody's answer.
      if (how === 'unanswered' && isTimeLimit(asked.signal.reason)) await unseenForms.remember(client, how);
      return declined(plan, 'The call was given up while its form was open.', NOTHING_SENT);
    }
    if (how !== undefined) return afterUnseen(asked, client, how, answer);
    const isApproved = isApproval(answer, formStyleOf(client).field);
    const isAtOnce = tookMs < MIN_ANSWER_MS;
    if (isApproved || !isAtOnce) await unseenForms.forget(client);
    const note = noteIn(answer);
    if (isApproved) return { confirmed: { ...confirmation, note } };
    proposals.withdraw(digest(asked));
    // What a person asked for on the page is theirs to cancel there.
    waiting.withdrawSame(digest(asked), ({ isOwn }) => !isOwn);
    return declined(plan, REFUSED[answer.action], inTheirWords(note), NOTHING_SENT, isAtOnce ? NO_FORM_HINT : '');
  }

  /** Returns undefined where the same call goes on in the next way. */
  async function afterUnseen({ plan, routes }: Asked, client: ClientIdentity, how: UnseenForm['how'], answer: FormAnswer) {
    const isRemembered = await unseenForms.remember(client, how);
    const hasNext = routes.length > 1;
    if (how === 'cancelled' && hasNext) return undefined;
    const why = answer.action === 'unanswered' ? `(${cleanText(answer.reason, 200)})` : '';
    const next = isRemembered ? NEXT_CALL : NO_FORM_HINT;
    return declined(plan, unseenText(how), why, NOTHING_SENT, hasNext ? next : FORM_ONLY);
  }

  return {
    /** The request's change waits on the page, and no call waits for it. */
    proposeOnPage(request: Requested, plan: ShownPlan, carryOut: CarryOut): WaitingChange {
      const changeId = changeIdOf(plan, journal);
      const change = waiting.propose({ changeId, requestDigest: digest(request), plan, carryOut, isOwn: true });
      // A call for the same that is given up must not take the person's own proposal with it.
      waiting.join(change.changeId);
      return change;
    },
    /** A change of this request begins: what else waits for the same request, in whichever way, counts no more. */
    withdrawOthers(request: Requested, begun: string): void {
      proposals.withdraw(digest(request));
      waiting.withdrawSame(digest(request), ({ changeId }) => changeId !== begun);
    },
    /** The ways that are tried for a request, in order. An answer to a form that was shown is always looked at. */
    async routes({ forms }: Pick<ConfirmRequest, 'forms'>): Promise<readonly Route[]> {
      const isAnswer = forms.kind === 'retry' && forms.state !== undefined;
      return routesFor(mode, {
        forms: { areDeclared: forms.kind !== 'none', areUnseen: !isAnswer && (await unseenBy(forms)) !== undefined },
        page: { hasBrowser: page.unavailable() === undefined, isMissed: page.isMissed() },
      });
    },
    async confirm(request: ConfirmRequest, plan: ShownPlan, routes: readonly Route[], carryOut: CarryOut): Promise<Decision> {
      const changeId = changeIdOf(plan, journal);
      const asked = { ...request, changeId, plan, routes, carryOut };
      const ask: Record<Route, () => Promise<Decision | undefined>> = {
        form: () => askByForm(asked),
        page: () => askOnPage(asked),
        token: () => askByToken(asked),
        never: async () => ({ confirmed: { by: 'never', changeId, plan } }),
      };
      for (const route of routes) {
        const decision = await ask[route]();
        if (decision !== undefined) return decision;
      }
      throw noRoute(mode, page.unavailable());
    },
  };
}

function noRoute(mode: ConfirmMode, noBrowser = ''): VideoHostingError {
  if (mode === 'page')
    return new VideoHostingError(
      'not_approved',
      `VIDEO_HOSTING_CONFIRM is "page" and no page can be opened. ${noBrowser} Nothing was sent.`,
      {
        hint: 'Set VIDEO_HOSTING_BROWSER to a program that opens the user’s browser, or VIDEO_HOSTING_CONFIRM to "ask", and restart the server.',
      },
    );
  return new VideoHostingError('not_approved', 'VIDEO_HOSTING_CONFIRM is "form" and this client can’t show a form. Nothing was sent.', {
    hint: 'Use a client that shows forms, or set VIDEO_HOSTING_CONFIRM to "token" and restart the server.',
  });
}

/** A resumed change keeps its id. */
const changeIdOf = ({ resumes }: ShownPlan, journal: Pick<Journal, 'newChangeId'>): string => resumes ?? journal.newChangeId();

/** How a client treated a form that nobody saw; undefined where a person may have answered it. */
function unseenHow({ action }: FormAnswer, tookMs: number): UnseenForm['how'] | undefined {
  if (action === 'unanswered') return 'unanswered';
  if (action === 'accept' || tookMs >= MIN_ANSWER_MS) return undefined;
  return action === 'cancel' ? 'cancelled' : 'declined';
}

/** Whether a client gave a call up because it took too long, by the reason that the SDKs give. */
const isTimeLimit = (reason: unknown): boolean => /time(?:d|s)?[ -]?out/i.test(String(reason));

function noteIn(answer: FormAnswer): string {
  const given = answer.action === 'unanswered' ? undefined : answer.content?.note;
  return typeof given === 'string' ? cleanText(given, MAX_NOTE) : '';
}

const declined = (plan: ShownPlan, ...sentences: readonly string[]): Decision => ({
  reply: { kind: 'declined', plan, reason: sentences.filter((sentence) => sentence !== '').join(' ') },
});
