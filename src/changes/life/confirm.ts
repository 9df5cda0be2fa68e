import type { ConfirmMode } from '../../config/confirm-routes.ts';
import type { SecondPersonRule } from '../../config/second-person.ts';
import { invalidArguments } from '../../errors/field-problems.ts';
import { refusal, undefinedIfRefused, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { entriesIn, longPiece } from '../../platform/long-work.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { inQuotes, sentence } from '../../text/sentence.ts';
import type { ApprovalPage } from '../asking/approval-page.ts';
import { ASK } from '../asking/ask.ts';
import { type FormSupport, isFormAnswer } from '../asking/form.ts';
import type { UnseenForms } from '../asking/unseen-forms.ts';
import type { Journal } from '../journal/journal.ts';
import { type Asked, agentParty, askedByCall, askedOnPage } from '../plan/asked-and-decided.ts';
import { CONFIRMED_BY } from '../plan/confirmed-by.ts';
import { undoneIn } from '../plan/facts.ts';
import type { ChangePlan, ShownPlan } from '../plan/plan.ts';
import type { Preview } from '../plan/preview.ts';
import { actionDigest } from '../proposals/action-digest.ts';
import type { EndedRequest } from '../proposals/alike.ts';
import type { AskedHere } from '../proposals/asked-here.ts';
import { type DecidedRequests, resumptionDigest } from '../proposals/decided-requests.ts';
import { type Confirmation, type ConfirmRequest, type Decision, NOTHING_SENT, type Question } from '../proposals/decision.ts';
import type { BeginApproved, PreviewedCall, Proposal } from '../proposals/proposal.ts';
import { hintWithout, routesFor, withoutRoute } from '../proposals/routes/index.ts';
import { pageRoute } from '../proposals/routes/page.ts';
import type { Route, Ways } from '../proposals/routes/route.ts';
import { tokenRoute } from '../proposals/routes/token.ts';
import { waysOfCall } from '../proposals/routes/ways.ts';
import type { ProposalStore } from '../proposals/store.ts';
import { confirmSummary, isSameSummary } from '../tell/summary.ts';

export interface ConfirmOptions {
  readonly accountId: string;
  readonly mode: ConfirmMode;
  readonly journal: Pick<Journal, 'newChangeId' | 'has'>;
  readonly unseenForms: UnseenForms;
  readonly proposals: ProposalStore;
  readonly askedHere: AskedHere;
  readonly decided: DecidedRequests;
  readonly page: ApprovalPage;
  /** For whom this server acts. */
  readonly agent: string | undefined;
  /** Which changes need somebody else than who asked. */
  readonly secondPerson: SecondPersonRule;
}

const TOKEN_REFUSED = {
  unknown:
    'That token is not one that waits here: it was used before, lapsed when the same request was answered otherwise, made way for later ones, was given out before this server was started anew, or never.',
  expired: sentence`That token was older than ${tokenRoute.waits.lifetime}.`,
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

/** Which change was begun, and how that was confirmed. */
type ConfirmedAs = Pick<EndedRequest, 'begun'> & Pick<Confirmation, 'how'>;

type Requested = Pick<ConfirmRequest, 'tool' | 'args'>;

export type Confirm = ReturnType<typeof createConfirm>;

/** Asks a person for their approval, in the first way that works. */
export function createConfirm(options: ConfirmOptions) {
  const { accountId, mode, journal, unseenForms, proposals, askedHere, decided, page, agent, secondPerson } = options;

  /** What a person is asked about, with an id of its own, also where another change would be carried on. */
  const toBeAsked = async ({ tool, args }: Requested, plan: ShownPlan, asked: Asked) => {
    const changeId = await journal.newChangeId();
    await longPiece(entriesIn(args));
    return { changeId, tool, args, asked, requestDigest: digestOf(accountId, tool, args), action: undefined, plan };
  };

  const ruled = secondPerson.text === 'never' ? {} : { secondPerson: secondPerson.text };
  const askedBy = ({ by = agentParty(agent), client }: Pick<ConfirmRequest, 'by' | 'client'>): Asked => ({
    ...askedByCall(by, client),
    ...ruled,
  });

  const waysOf = (forms: FormSupport): Promise<Ways> => waysOfCall(forms, unseenForms, page);

  return {
    askedBy,
    /** The request's change waits on the page, and no call waits for it. */
    async proposeOnPage(
      { by, ...request }: Requested & Pick<ConfirmRequest, 'by'>,
      plan: ShownPlan,
      begin: BeginApproved,
      signal: AbortSignal,
    ): Promise<Proposal> {
      const asked = await toBeAsked(request, plan, { ...askedOnPage(by), ...ruled });
      // Its call never leaves: one for the same that is given up must not take the person's own proposal with it.
      return (await askedHere.propose({ ...asked, route: pageRoute.name, isOwn: true }, begin, signal)).change;
    },
    /** Nothing came of what was confirmed by an answer that can be given once. */
    async neverBegun(changeId: string): Promise<void> {
      const proposal = await proposals.get(changeId).catch(undefinedIfRefused);
      if (proposal?.status === 'started' && !journal.has(changeId)) await proposals.remove(proposal);
    },
    /** A change of this request is about to begin: what waits for it in another process counts no more, also if this one is killed then. */
    async begins(
      { tool, args }: Requested,
      changeId: string,
      resumes: string | undefined,
      since?: Parameters<DecidedRequests['begins']>[2],
    ): Promise<void> {
      await longPiece(entriesIn(args));
      await decided.begins(digestOf(accountId, tool, args), changeId, since);
      // Whoever else was asked to carry that change on.
      if (resumes !== undefined) await decided.begins(resumptionDigest(resumes), changeId);
    },
    /** The last decision on a request, in any process. */
    lastDecision: ({ tool, args }: Requested) => ({ last: decided.last(digestOf(accountId, tool, args)) }),
    /** It begins: what else waits for the same request, in whichever way, counts no more, nor that it was declined before. */
    async endOthers({ tool, args }: Requested, plan: ChangePlan, { begun, how }: ConfirmedAs): Promise<void> {
      await longPiece(entriesIn(args));
      const requestDigest = digestOf(accountId, tool, args);
      if (how !== 'standing' && CONFIRMED_BY[how].isApproval) await decided.approved(() => actionDigest(tool, plan), plan);
      const resumed = [...(plan.resumes === undefined ? [] : [plan.resumes]), ...undoneIn(plan.facts)];
      // It is begun, whatever can’t be read of others.
      await proposals.end({ requestDigest, resumed, begun, plan, actionOf: () => actionDigest(tool, plan) }).catch(undefinedIfRefused);
    },
    /** The call of a preview that the user agreed to. Throws, and spends nothing, unless token, change and summary belong together. */
    async previewedCall({ changeId, confirmationToken, summary }: Agreement): Promise<PreviewedCall> {
      const previewed = await askedHere.previewed(confirmationToken);
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
    async redeemToken({ tool, args }: Requested, token: string): Promise<Confirmation> {
      const redeemed = await askedHere.redeem(tokenRoute.name, token, digestOf(accountId, tool, args));
      if (!redeemed.ok) throw tokenRefused(redeemed.why);
      const { changeId, asked, plan } = redeemed.change;
      await proposals.decide(changeId, { status: 'started', how: tokenRoute.name });
      return { how: tokenRoute.name, asked, changeId, plan };
    },
    /** The ways that are tried for a request, in order. An answer to a form that was shown is always looked at. */
    async routes({ forms }: Pick<ConfirmRequest, 'forms'>): Promise<readonly Route[]> {
      const ways = await waysOf(forms);
      return routesFor(mode, isFormAnswer(forms) ? { ...ways, forms: { areDeclared: true } } : ways);
    },
    /** Throws where nobody can be asked for a request. */
    async assertCanAsk({ forms }: Pick<ConfirmRequest, 'forms'>): Promise<void> {
      const ways = await waysOf(forms);
      if (!isFormAnswer(forms) && routesFor(mode, ways).length === 0) throw noRoute(mode, ways, {});
    },
    async confirm(
      request: ConfirmRequest,
      plan: ShownPlan,
      routes: readonly Route[],
      begin: BeginApproved,
      { action, files }: Pick<Question, 'action' | 'files'> = {},
    ): Promise<Decision> {
      let question: Question = { ...request, ...(await toBeAsked(request, plan, askedBy(request))), begin, routes, action, files };
      for (const { name } of routes) {
        const decision = await ASK[name](question, { ...options, waysOf });
        if (decision !== undefined) return decision;
        // Other calls still wait there for the answer to what has this id.
        const asked = await proposals.get(question.changeId).catch(undefinedIfRefused);
        if (asked?.status === 'waiting') question = { ...question, changeId: await journal.newChangeId() };
      }
      throw noRoute(mode, await waysOf(request.forms), plan.preview);
    },
  };
}

/** What an agent without a person is told. Nothing weaker is named: its rest is for a person. */
const UNCOVERED_HINT = sentence`Report it to the user, or to whoever runs you: only a person can make it, or allow it.`;

/** `standing`: why no standing approval covers the change, where there are any; `lacks`: by which argument one would. */
function noRoute(
  mode: ConfirmMode,
  ways: Ways,
  { standing, lacks = UNCOVERED_HINT }: Pick<Preview, 'standing' | 'lacks'>,
): VideoHostingError {
  if (standing !== undefined)
    return new VideoHostingError('not_approved', sentence`${standing} Nobody can be asked here: ${withoutRoute(mode)} ${NOTHING_SENT}`, {
      hint: lacks,
    });
  return new VideoHostingError(
    'not_approved',
    sentence`${withoutRoute(mode, ways)} ${NOTHING_SENT}`,
    definedFields({ hint: hintWithout(mode) }),
  );
}
