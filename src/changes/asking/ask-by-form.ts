import { undefinedIfRefused } from '../../errors.ts';
import { startStopwatch } from '../../platform/stopwatch.ts';
import { toTakeEffect } from '../../text/own-command.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { type Confirmation, type Decision, declined, inTheirWords, NOTHING_SENT, type Question } from '../proposals/decision.ts';
import { proposalEnded } from '../proposals/ended-text.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { formRoute } from '../proposals/routes/form.ts';
import type { RouteDeps } from '../proposals/routes/route-deps.ts';
import { formText, formTitle } from '../tell/form.ts';
import { begunOtherwise } from './begun-otherwise.ts';
import { confirmationForm, type FormAnswer, isApproval, isWithoutChoice } from './form.ts';
import { type ClientIdentity, formStyleOf } from './form-clients.ts';
import { type UnseenForm, type UnseenForms, unseenText } from './unseen-forms.ts';

type FormDeps = Pick<RouteDeps, 'proposals' | 'askedHere' | 'unseenForms'>;

/** A client that refuses a form sooner did not show it to anybody. */
const MIN_ANSWER_MS = 500;
/** How `claude -p` calls itself. Nobody sits there: it cancels each form itself, on a busy machine after seconds. */
const CLAUDE_WITHOUT_TERMINAL = 'sdk-cli';
const MIN_CANCEL_WITHOUT_TERMINAL_MS = 10_000;
const MAX_NOTE = 1_000;

const noFormHint = (): Sentence =>
  sentence`If the user saw no form, this client answers forms without showing them: set VIDEO_HOSTING_CONFIRM to "token" and ${toTakeEffect()}; the assistant then shows the preview itself.`;
const formOnly = (): Sentence =>
  sentence`VIDEO_HOSTING_CONFIRM is "form", so nothing else counts: use a client that shows forms, or set it to "token" and ${toTakeEffect()}.`;
const ANSWERED_OTHERWISE = sentence`The same request was answered in another way while this form was open.`;
const NEXT_CALL = sentence`Make the same call once more: the user is then asked in another way.`;

const REFUSED = {
  accept: sentence`The user chose to change nothing.`,
  decline: sentence`The user refused.`,
  cancel: sentence`The user closed the form without an answer.`,
  unanswered: sentence`The form was not answered.`,
} as const;

const WITHOUT_CHOICE = sentence`The form came back without one of its choices, which is neither a yes nor a no.`;

/** Shows a form, or looks at the answer to one. Returns undefined where no form is drawn, and another way is to be taken in the same call. */
export async function askByForm(question: Question, deps: FormDeps): Promise<Decision | undefined> {
  const { plan, changeId, requestDigest, forms, asked } = question;
  const { proposals, askedHere, unseenForms } = deps;
  if (forms.kind === 'none') return undefined;
  const { client } = forms;
  const issue = () => askedHere.issue({ ...question, route: formRoute.name }, question.signal);
  const form = confirmationForm(formText(plan, changeId), formTitle(plan), formStyleOf(client));
  if (forms.kind === 'push') {
    // While the form is open, the whole plan can be read as a resource. Nobody is given the secret.
    const secret = await issue();
    const elapsedMs = startStopwatch();
    const answer = await forms.ask(form, formRoute.waits.lifetimeMs);
    const redeemed = await askedHere.redeem(formRoute.name, secret, requestDigest);
    if (!redeemed.ok && redeemed.why === 'unknown') {
      const ended = await proposals.get(changeId).catch(undefinedIfRefused);
      if (ended?.by === undefined) return declined(plan, ANSWERED_OTHERWISE, NOTHING_SENT);
      return begunOtherwise(ended) ?? declined(plan, proposalEnded(ended, 'assistant'));
    }
    const personMs = elapsedMs();
    const confirmation = { how: 'form', asked, changeId, plan, personMs } as const;
    return decide(question, deps, client, answer, confirmation, { change: redeemed.ok ? redeemed.change : undefined, tookMs: personMs });
  }
  // An answer counts only with the state of a form that this process sent for this request.
  const redeemed = forms.state === undefined ? undefined : await askedHere.redeem(formRoute.name, forms.state, requestDigest);
  if (redeemed?.ok) {
    const { change, tookMs } = redeemed;
    // Asking again after an answer that can't be read could go on for ever.
    const answer = forms.answer ?? { action: 'unanswered', reason: 'the client sent nothing that is a form’s answer' };
    const { action } = change;
    const confirmation = { how: 'form', asked: change.asked, changeId: change.changeId, plan: change.plan } as const;
    return decide({ ...question, action }, deps, client, answer, confirmation, { change, tookMs });
  }
  if ((await askedHere.dropExpired(formRoute.name)) && (await unseenForms.remember(client, 'unanswered')) && question.routes.length > 1)
    return undefined;
  return { reply: { kind: 'form', form, state: await issue() } };
}

/** `change`: what waited for the answer. */
async function decide(
  question: Question,
  { proposals, unseenForms }: FormDeps,
  client: ClientIdentity,
  answer: FormAnswer,
  confirmation: Confirmation,
  { change, tookMs }: { readonly change: Proposal | undefined; readonly tookMs: number },
): Promise<Decision | undefined> {
  const { plan } = confirmation;
  const forget = async () => change && proposals.remove(change);
  const end = async (status: 'started' | 'declined') => change && proposals.decide(change.changeId, { status, how: 'form', note });
  const how = unseenHow(answer, tookMs, unseenForms.mode);
  const note = noteIn(answer);
  if (question.signal.aborted) {
    // A person may have ended the call; a client's time limit is nobody's answer.
    await forget();
    if (how === 'unanswered' && isTimeLimit(question.signal.reason)) await unseenForms.remember(client, how);
    return declined(plan, sentence`The call was given up while its form was open.`, NOTHING_SENT);
  }
  if (how !== undefined) {
    await forget();
    return afterUnseen(question, unseenForms, client, how, answer);
  }
  const isApproved = isApproval(answer, formStyleOf(client).field);
  const isAtOnce = tookMs < MIN_ANSWER_MS;
  if (isApproved || !isAtOnce) await unseenForms.forget(client);
  if (isApproved) {
    await end('started');
    return { confirmed: { ...confirmation, note } };
  }
  const isWithout = isWithoutChoice(answer, formStyleOf(client).field);
  const isNo = answer.action !== 'cancel' && !isWithout;
  await (isNo ? end('declined') : forget());
  // Who closes a form said nothing of what is asked for later.
  const { requestDigest, action } = question;
  const refused = { requestDigest, action: isNo ? action : undefined, plan };
  await proposals.declineRequest(refused, { how: 'form', note });
  return declined(
    plan,
    isWithout ? WITHOUT_CHOICE : REFUSED[answer.action],
    inTheirWords(note),
    NOTHING_SENT,
    isAtOnce ? noFormHint() : sentence``,
  );
}

/** Returns undefined where the same call goes on in the next way. */
async function afterUnseen(
  { plan, routes }: Question,
  unseenForms: UnseenForms,
  client: ClientIdentity,
  how: UnseenForm['how'],
  answer: FormAnswer,
): Promise<Decision | undefined> {
  const isRemembered = await unseenForms.remember(client, how);
  const hasNext = routes.length > 1;
  if (how === 'cancelled' && hasNext) return undefined;
  const why = answer.action === 'unanswered' ? sentence`(${word(answer.reason, 200)})` : sentence``;
  const next = isRemembered ? NEXT_CALL : noFormHint();
  return declined(plan, unseenText(how), why, NOTHING_SENT, hasNext ? next : formOnly());
}

/** How a client treated a form that nobody saw; undefined where a person may have answered it. */
function unseenHow({ action }: FormAnswer, tookMs: number, mode: string): UnseenForm['how'] | undefined {
  if (action === 'unanswered') return action;
  if (action === 'accept') return undefined;
  const minMs = action === 'cancel' && mode === CLAUDE_WITHOUT_TERMINAL ? MIN_CANCEL_WITHOUT_TERMINAL_MS : MIN_ANSWER_MS;
  if (tookMs >= minMs) return undefined;
  return action === 'cancel' ? 'cancelled' : 'declined';
}

/** Whether a client gave a call up because it took too long, by the reason that the SDKs give. */
const isTimeLimit = (reason: unknown): boolean => /time(?:d|s)?[ -]?out/i.test(String(reason));

function noteIn(answer: FormAnswer): string {
  const given = answer.action === 'unanswered' ? undefined : answer.content?.note;
  return typeof given === 'string' ? cleanText(given, MAX_NOTE) : '';
}
