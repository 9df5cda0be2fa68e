import { type ConfirmMode, type ConfirmRoute, withoutRoute } from '../../config/confirm-routes.ts';
import { invalidArguments, refusal, undefinedIfRefused, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { inQuotes, joined, type Sentence, sentence } from '../../text/sentence.ts';
import { type Asked, askedByCall, askedOnPage } from '../asked-and-decided.ts';
import { CONFIRMED_BY, type ConfirmedBy } from '../confirmed-by.ts';
import type { Journal } from '../journal/journal.ts';
import { canBeKept } from '../kept/planners.ts';
import type { ChangePlan, ShownPlan } from '../plan.ts';
import { actionDigest } from '../proposals/action-digest.ts';
import type { DecidedRequests } from '../proposals/decided-requests.ts';
import type { DiskStore } from '../proposals/disk.ts';
import type { MemoryStore } from '../proposals/memory.ts';
import type { BeginApproved, PreviewedCall, Proposal } from '../proposals/proposal.ts';
import { answerTimeText } from '../proposals/proposal-limits.ts';
import { digestOf } from '../stable-json.ts';
import { confirmSummary, isSameSummary } from '../tell/confirm-summary.ts';
import type { Preview } from '../tell/preview.ts';
import type { ApprovalPage } from './approval-page.ts';
import { askByForm } from './ask-by-form.ts';
import { askByPage } from './ask-by-page.ts';
import { type Confirmation, type ConfirmRequest, type Decision, NOTHING_SENT, type Question } from './decision.ts';
import { type FormSupport, isFormAnswer } from './form.ts';
import { routesFor } from './routes.ts';
import { type UnseenForms, unseenText } from './unseen-forms.ts';

export interface ConfirmOptions {
  readonly accountId: string;
  readonly mode: ConfirmMode;
  readonly journal: Pick<Journal, 'newChangeId'>;
  readonly unseenForms: UnseenForms;
  readonly waiting: MemoryStore;
  readonly kept: DiskStore;
  readonly decided: DecidedRequests;
  readonly page: ApprovalPage;
  /** For whom this server acts. */
  readonly agent: string | undefined;
}

const PERSONAL = sentence`Personal data is given out only while a person is asked, so this can’t wait. ${NOTHING_SENT}`;
const WITH_A_PERSON = 'Have a person ask for it in a client of their own, where VIDEO_HOSTING_CONFIRM is not wait.';

const PAGE_MISSED = sentence`The approval page was opened, but no browser loaded it.`;

const TOKEN_REFUSED = {
  unknown:
    'That token is not one that waits here: it was used before, lapsed when the same request was answered otherwise, made way for later ones, was given out before this server was started anew, or never.',
  expired: sentence`That token was older than ${answerTimeText('token')}.`,
  'other-arguments': 'That token was for another request, and is spent.',
} as const;

const NEW_PREVIEW_HINT =
  'If it may have been carried out already, see get_change or list_changes. Else make the call of the change again, and show the user its new preview.';

const tokenRefused = (why: keyof typeof TOKEN_REFUSED) => refusal('not_approved', sentence`${TOKEN_REFUSED[why]}`, NEW_PREVIEW_HINT);

/** What an assistant sends once the user agreed to a preview. */
export interface Agreement {
  readonly changeId: string;
  readonly confirmationToken: string;
  /** The preview’s own, for the person whom the client asks. */
  readonly summary: string;
}

const STILL_GOOD = 'The token is still good: if the user agreed to exactly that, call again with it.';
const OTHER_CHANGE = 'That token was given out for another change than this changeId. The token is still good.';
const OTHER_CHANGE_HINT = 'Take changeId, confirmationToken and summary from one and the same preview: the one that the user agreed to.';

type Requested = Pick<ConfirmRequest, 'tool' | 'args'>;

/** Asks a person for their approval, in the first way that works. */
export function createConfirm(options: ConfirmOptions) {
  const { accountId, mode, journal, unseenForms, waiting, kept, decided, page, agent } = options;

  /** What a person is asked about. A resumed change keeps its id. */
  const toBeAsked = async ({ tool, args }: Requested, plan: ShownPlan, asked: Asked, begin: BeginApproved) => ({
    ...{
      changeId: plan.resumes ?? (await journal.newChangeId()),
      tool,
      asked,
      requestDigest: digestOf(accountId, tool, args),
      plan,
      begin,
    },
  });

  const askedBy = ({ client }: Pick<ConfirmRequest, 'client'>): Asked => askedByCall(agent, client);

  const unseenBy = async (forms: FormSupport) => (mode !== 'ask' || forms.kind === 'none' ? undefined : unseenForms.find(forms.client));

  async function askByToken(question: Question): Promise<Decision> {
    const { tool, args, waitMs, plan, changeId, forms } = question;
    const unseen = await unseenBy(forms);
    const why = [...(unseen === undefined ? [] : [unseenText(unseen.how)]), ...(mode === 'ask' && page.isMissed() ? [PAGE_MISSED] : [])];
    const isFurther = waiting.hasTokens();
    const token = waiting.issue('token', { ...question, call: { tool, args, ...definedFields({ waitMs }) } });
    return { reply: { kind: 'token', isFurther, changeId, plan, token, why: joined(why) } };
  }

  /** Keeps a change until a person decides on it, which nobody waits for. */
  async function keepForPerson({ changeId, asked, requestDigest, tool, args, plan, signal, action = '' }: Question): Promise<Decision> {
    if (!canBeKept(tool)) throw refusal('not_approved', PERSONAL, WITH_A_PERSON);
    const { standing: why, lacks } = plan.preview;
    const declinedAt = await decided.declinedAt(() => action);
    const proposed = { changeId, requestDigest, action, tool, args: fieldsIn(args), plan, asked, why, lacks, declinedAt };
    return { reply: { kind: 'kept', ...(await kept.keep(proposed, signal)) } };
  }

  return {
    askedBy,
    /** The request's change waits on the page, and no call waits for it. */
    proposeOnPage: async (request: Requested, plan: ShownPlan, begin: BeginApproved): Promise<Proposal> =>
      // Its call never leaves: one for the same that is given up must not take the person's own proposal with it.
      waiting.propose({ ...(await toBeAsked(request, plan, askedOnPage(), begin)), isOwn: true }).change,
    /** A change of this request is about to begin: what waits for it in another process counts no more, also if this one is killed then. */
    begins: ({ tool, args }: Requested, since?: Parameters<DecidedRequests['begins']>[1]): Promise<void> =>
      decided.begins(digestOf(accountId, tool, args), since),
    /** The last decision on a request, in any process. */
    lastDecision: ({ tool, args }: Requested) => ({ last: decided.last(digestOf(accountId, tool, args)) }),
    /** It begins: what else waits for the same request, in whichever way, counts no more, nor that it was declined before. */
    async endOthers({ tool, args }: Requested, plan: ChangePlan, begun: string, how: ConfirmedBy): Promise<void> {
      const requestDigest = digestOf(accountId, tool, args);
      if (how !== 'standing' && CONFIRMED_BY[how].isApproval) await decided.approved(() => actionDigest(tool, plan), plan);
      waiting.endRequest(requestDigest, ({ route, changeId }) => route === 'page' && changeId === begun, begun);
      // It is begun, whatever can’t be read of others.
      await kept.endRequest(requestDigest, () => actionDigest(tool, plan), begun, plan).catch(undefinedIfRefused);
    },
    /** The call of a preview that the user agreed to. Throws, and spends nothing, unless token, change and summary belong together. */
    previewedCall({ changeId, confirmationToken, summary }: Agreement): PreviewedCall {
      const previewed = waiting.previewed(confirmationToken);
      if (!previewed.ok) throw tokenRefused(previewed.why);
      const { change, call } = previewed;
      if (change.changeId !== changeId) throw refusal('not_approved', OTHER_CHANGE, OTHER_CHANGE_HINT);
      const expected = confirmSummary(change.plan);
      if (isSameSummary(summary, expected)) return call;
      throw invalidArguments([
        { field: sentence`summary`, problem: sentence`expected ${inQuotes(expected, expected.length)}, as in the preview. ${STILL_GOOD}` },
      ]);
    },
    /** The approval of a request by the token of its preview, which is spent. Throws where the token does not count any more. */
    redeemToken({ tool, args }: Requested, token: string): Confirmation {
      const redeemed = waiting.redeem('token', token, digestOf(accountId, tool, args));
      if (!redeemed.ok) throw tokenRefused(redeemed.why);
      const { changeId, asked, plan } = redeemed.change;
      return { how: 'token', asked, changeId, plan };
    },
    /** The ways that are tried for a request, in order. An answer to a form that was shown is always looked at. */
    async routes({ forms }: Pick<ConfirmRequest, 'forms'>): Promise<readonly ConfirmRoute[]> {
      return routesFor(mode, {
        forms: { areDeclared: forms.kind !== 'none', areUnseen: !isFormAnswer(forms) && (await unseenBy(forms)) !== undefined },
        page: { hasBrowser: page.unavailable() === undefined, isMissed: page.isMissed() },
      });
    },
    /** `action`: the digest of what it would do, where a person can decline it. */
    async confirm(
      request: ConfirmRequest,
      plan: ShownPlan,
      routes: readonly ConfirmRoute[],
      begin: BeginApproved,
      action?: string,
    ): Promise<Decision> {
      const question: Question = { ...request, ...(await toBeAsked(request, plan, askedBy(request), begin)), routes, action };
      const ask: Readonly<Record<ConfirmRoute, () => Promise<Decision | undefined>>> = {
        form: () => askByForm(question, options),
        page: () => askByPage(question, options),
        token: () => askByToken(question),
        wait: () => keepForPerson(question),
        never: async () => ({ confirmed: { how: 'never', asked: question.asked, changeId: question.changeId, plan } }),
      };
      for (const route of routes) {
        const decision = await ask[route]();
        if (decision !== undefined) return decision;
      }
      throw noRoute(mode, { ...plan.preview, noBrowser: page.unavailable() });
    },
  };
}

const WITHOUT_ROUTE_HINT: Partial<Record<ConfirmMode, Sentence>> = {
  page: sentence`Set VIDEO_HOSTING_BROWSER to a program that opens the user’s browser, or VIDEO_HOSTING_CONFIRM to "ask", and restart the server.`,
  form: sentence`Use a client that shows forms, or set VIDEO_HOSTING_CONFIRM to "token" and restart the server.`,
};

/** What an agent without a person is told. Nothing weaker is named: its rest is for a person. */
const UNCOVERED_HINT = sentence`Report it to the user, or to whoever runs you: only a person can make it, or allow it.`;

/** `standing`: why no standing approval covers the change, where there are any; `lacks`: by which argument one would. */
function noRoute(
  mode: ConfirmMode,
  { standing, lacks = UNCOVERED_HINT, noBrowser = sentence`` }: Pick<Preview, 'standing' | 'lacks'> & { noBrowser: Sentence | undefined },
) {
  if (standing !== undefined)
    return new VideoHostingError('not_approved', sentence`${standing} Nobody can be asked here: ${withoutRoute(mode)} ${NOTHING_SENT}`, {
      hint: lacks,
    });
  const sentences = [withoutRoute(mode), mode === 'page' ? noBrowser : sentence``, NOTHING_SENT].filter((sentence) => sentence !== '');
  return new VideoHostingError('not_approved', joined(sentences), definedFields({ hint: WITHOUT_ROUTE_HINT[mode] }));
}
