import { type ConfirmMode, type Route, withoutRoute } from '../../config/confirm-routes.ts';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Journal } from '../journal/journal.ts';
import type { ShownPlan } from '../plan.ts';
import { digestOf } from '../stable-json.ts';
import type { ApprovalPage } from './approval-page.ts';
import { askByForm } from './ask-by-form.ts';
import { askByPage } from './ask-by-page.ts';
import { type Asked, type ConfirmRequest, type Decision, NOTHING_SENT } from './decision.ts';
import type { FormSupport } from './form.ts';
import { routesFor } from './routes.ts';
import { type UnseenForms, unseenText } from './unseen-forms.ts';
import type { BeginApproved, WaitingChange, WaitingChanges } from './waiting-changes.ts';
import { answerTimeText } from './waiting-limits.ts';

export interface ConfirmOptions {
  readonly accountId: string;
  readonly mode: ConfirmMode;
  readonly journal: Pick<Journal, 'newChangeId'>;
  readonly unseenForms: UnseenForms;
  readonly waiting: WaitingChanges;
  readonly page: ApprovalPage;
}

const PAGE_MISSED = 'The approval page was opened, but no browser loaded it.';

const TOKEN_REFUSED = {
  unknown:
    'That token is not one that waits here: it was used before, lapsed when the same request was answered otherwise, made way for later ones, or was never given out. Nothing was sent.',
  expired: `That token was older than ${answerTimeText('token')}. Nothing was sent.`,
  'other-arguments': 'That token was for other arguments, and is spent. Nothing was sent.',
} as const;

type Requested = Pick<ConfirmRequest, 'tool' | 'args'>;

/** Asks a person for their approval, in the first way that works. */
export function createConfirm(options: ConfirmOptions) {
  const { accountId, mode, journal, unseenForms, waiting, page } = options;

  /** What a person is asked about. A resumed change keeps its id. */
  const toBeAsked = async ({ tool, args }: Requested, plan: ShownPlan, begin: BeginApproved) => ({
    ...{ changeId: plan.resumes ?? (await journal.newChangeId()), requestDigest: digestOf(accountId, tool, args), plan, begin },
  });

  const unseenBy = async (forms: FormSupport) => (mode !== 'ask' || forms.kind === 'none' ? undefined : unseenForms.find(forms.client));

  async function askByToken(asked: Asked): Promise<Decision> {
    const { token, plan, changeId, requestDigest, forms } = asked;
    const redeemed = token === undefined ? undefined : waiting.redeem('token', token, requestDigest);
    if (redeemed?.ok) return { confirmed: { by: 'token', changeId: redeemed.change.changeId, plan: redeemed.change.plan } };
    const unseen = await unseenBy(forms);
    const why = [
      ...(unseen === undefined ? [] : [unseenText(unseen.how)]),
      ...(mode === 'ask' && page.isMissed() ? [PAGE_MISSED] : []),
      ...(redeemed === undefined ? [] : [TOKEN_REFUSED[redeemed.why]]),
    ];
    const isFurther = waiting.hasTokens();
    return { reply: { kind: 'token', isFurther, changeId, plan, token: waiting.issue('token', asked), refusal: why.join(' ') } };
  }

  return {
    /** The request's change waits on the page, and no call waits for it. */
    proposeOnPage: async (request: Requested, plan: ShownPlan, begin: BeginApproved): Promise<WaitingChange> =>
      // Its call never leaves: one for the same that is given up must not take the person's own proposal with it.
      waiting.propose({ ...(await toBeAsked(request, plan, begin)), isOwn: true }).change,
    /** A change of this request begins: what else waits for the same request, in whichever way, counts no more. */
    endOthers({ tool, args }: Requested, begun: string): void {
      waiting.endRequest(digestOf(accountId, tool, args), ({ route, changeId }) => route === 'page' && changeId === begun);
    },
    /** The ways that are tried for a request, in order. An answer to a form that was shown is always looked at. */
    async routes({ forms }: Pick<ConfirmRequest, 'forms'>): Promise<readonly Route[]> {
      const isAnswer = forms.kind === 'retry' && forms.state !== undefined;
      return routesFor(mode, {
        forms: { areDeclared: forms.kind !== 'none', areUnseen: !isAnswer && (await unseenBy(forms)) !== undefined },
        page: { hasBrowser: page.unavailable() === undefined, isMissed: page.isMissed() },
      });
    },
    async confirm(request: ConfirmRequest, plan: ShownPlan, routes: readonly Route[], begin: BeginApproved): Promise<Decision> {
      const asked: Asked = { ...request, ...(await toBeAsked(request, plan, begin)), routes };
      const ask: Readonly<Record<Route, () => Promise<Decision | undefined>>> = {
        form: () => askByForm(asked, options),
        page: () => askByPage(asked, options),
        token: () => askByToken(asked),
        never: async () => ({ confirmed: { by: 'never', changeId: asked.changeId, plan } }),
      };
      for (const route of routes) {
        const decision = await ask[route]();
        if (decision !== undefined) return decision;
      }
      throw noRoute(mode, page.unavailable());
    },
  };
}

const WITHOUT_ROUTE_HINT: Partial<Record<ConfirmMode, string>> = {
  page: 'Set VIDEO_HOSTING_BROWSER to a program that opens the user’s browser, or VIDEO_HOSTING_CONFIRM to "ask", and restart the server.',
  form: 'Use a client that shows forms, or set VIDEO_HOSTING_CONFIRM to "token" and restart the server.',
};

function noRoute(mode: ConfirmMode, noBrowser = ''): VideoHostingError {
  const sentences = [withoutRoute(mode), mode === 'page' ? noBrowser : '', NOTHING_SENT].filter((sentence) => sentence !== '');
  return new VideoHostingError('not_approved', sentences.join(' '), definedFields({ hint: WITHOUT_ROUTE_HINT[mode] }));
}
