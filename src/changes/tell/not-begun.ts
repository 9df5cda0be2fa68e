import { CONTENTS } from '../../account/contents.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import type { GuardReply } from '../life/guard.ts';
import { heaviest, isFact, isNotice, moreWarnings, phrases } from '../notices/notices.ts';
import { personIn } from '../plan/asked-and-decided.ts';
import { listed } from '../plan/notice.ts';
import { itemsOf, type ShownPlan } from '../plan/plan.ts';
import { summaryText } from '../plan/preview.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { inTheirWords } from '../proposals/decision.ts';
import { proposalEnded } from '../proposals/ended-text.ts';
import type { PlanConflict } from '../proposals/plan-conflicts.ts';
import { type Proposal, shownStatus } from '../proposals/proposal.ts';
import { waitsOf } from '../proposals/routes/index.ts';
import { tokenRoute } from '../proposals/routes/token.ts';
import { wordsOf } from '../proposals/waited.ts';
import { overtakesText } from '../proposals/waited-labels.ts';
import { previewAnswer } from './preview.ts';
import { confirmSummary } from './summary.ts';
import { proposalTitle } from './title.ts';

// What an assistant is told of a change that was not begun.

type Unbegun = Exclude<GuardReply, { readonly kind: 'form' | 'started' }>;

export function unconfirmedAnswer(reply: Unbegun) {
  switch (reply.kind) {
    case 'token':
      return { answer: tokenAnswer(reply) };
    case 'conflict': {
      const message = sentence`The account changed after the user was shown the plan, so nothing was sent. ${joined([...reply.conflicts, ...unmovedText(reply)])} ${joined([afterConflict(reply.plan), ...stillStopped(reply.plan)])}`;
      return {
        answer: { status: 'failed' as const, message, preview: { ...previewAnswer(reply.plan), ...agreedTo(reply.plan) } },
        isError: true,
      };
    }
    case 'waiting':
      return { answer: andStopped(waitingAnswer(reply.change, reply.isLoaded), reply.change.plan) };
    case 'kept':
      return { answer: andStopped(keptAnswer(reply.change, reply.isNew), reply.change.plan) };
    case 'approved':
      return { answer: approvedAnswer(reply.change) };
    case 'declined':
      // What it stopped on its way is not all that the no was about.
      return { answer: { status: 'declined' as const, message: joined([reply.reason, ...stillStopped(reply.plan)]) } };
    case 'nothing-to-do':
      return { answer: { status: 'applied' as const, message: sentence`${summaryText(reply.plan.preview)} Nothing had to be sent.` } };
  }
}

function tokenAnswer({ changeId, plan, token, why, isFurther }: Extract<GuardReply, { kind: 'token' }>) {
  const further = isFurther ? sentence` A yes to an earlier preview does not count for this one.` : sentence``;
  return {
    status: 'confirmation_required' as const,
    message: sentence`${why === '' ? '' : sentence`${why} `}NOT DONE YET. Show the user the preview. ${NEXT_WITH_TOKEN}${further}`,
    changeId,
    confirmationToken: token,
    // Who carries on a change may not have the lists that it states.
    preview: previewOf(plan, changeId, plan.resumes === undefined || 'ids' in plan ? 'brief' : 1),
  };
}

function previewOf(plan: ShownPlan, changeId: string, part?: number | 'brief') {
  const { summary: _, ...rest } = previewAnswer(plan, changeId, part);
  return { ...agreedTo(plan), ...rest };
}

/** The summary as a person agrees to it; what it leaves out is in `meaning`, if there is anything. */
function agreedTo(plan: ShownPlan) {
  const [summary, meaning] = [confirmSummary(plan), summaryText(plan.preview)];
  return summary.startsWith(meaning.slice(0, -1)) ? { summary } : { summary, meaning };
}

/** A page of what was previewed, and waits for its token. */
export const previewPage = ({ changeId, plan }: Proposal, page?: number) => ({
  status: 'confirmation_required' as const,
  message: sentence`NOT DONE YET. ${NEXT_WITH_TOKEN} stop_change withdraws it.`,
  changeId,
  preview: previewOf(plan, changeId, page),
});

/** What became of a preview whose token was not spent. */
export function lapsedPreview(proposal: Proposal) {
  const { changeId, plan } = proposal;
  const status = shownStatus(proposal);
  const why =
    status === 'expired' ? NOT_CONFIRMED : status === 'withdrawn' && !proposal.isAnswered ? WITHDRAWN : wordsOf(proposal).asked.assistant;
  const told = proposal.by === undefined ? sentence`${why} Nothing was sent for it.` : proposalEnded(proposal, 'assistant');
  return { status, changeId, message: sentence`${summaryText(plan.preview)} ${told}` };
}

const WITHDRAWN = sentence`Its preview was withdrawn, so its token counts no more.`;
const NOT_CONFIRMED = sentence`Its preview was not confirmed within ${tokenRoute.waits.lifetime}, so its token counts no more. If it is still wanted, make the call again.`;
const stillStopped = ({ preview }: ShownPlan): Sentence[] =>
  preview.notices.filter(isNotice('stopped_before')).map(({ by }) => sentence`${word(by)} stays stopped; resume_change carries it on.`);

const andStopped = <Answer extends { readonly message: Sentence }>(answer: Answer, plan: ShownPlan): Answer => ({
  ...answer,
  message: joined([answer.message, ...stillStopped(plan)]),
});

/** What a person approved and nobody has begun yet. */
function approvedAnswer(change: Proposal) {
  const { changeId, plan } = change;
  const isBeginning = shownStatus(change) === 'running';
  const now = isBeginning
    ? sentence`A person approved it, and it is about to begin: get_change ${word(changeId)} tells what comes of it.`
    : sentence`A person approved it, and it was not begun: get_change ${word(changeId)} tells whether it still is.`;
  return {
    status: isBeginning ? ('running' as const) : ('failed' as const),
    changeId,
    message: sentence`${summaryText(plan.preview)} ${now}`,
  };
}

const NEXT_WITH_TOKEN = tokenRoute.waits.told().where;

/** A change that waits in a form or on the approval page, in the answers to its call and of get_change. */
export function waitingAnswer(change: Proposal, isLoaded = true) {
  const { changeId, plan, conflicts, expiresAt, route } = change;
  const waits = waitsOf(route);
  if (waits.isForLater) return keptAnswer(change, false);
  const minutes = Math.max(1, Math.round((expiresAt - Date.now()) / 60_000));
  const asker = change.isOwn ? personIn(change.asked.by) : undefined;
  const lapses = asker === undefined ? sentence`lapses in ${minutes} minutes` : sentence`expires on ${timeText(expiresAt)}`;
  const { where, next } = waits.told({ changeId: word(changeId), lapses, isLoaded, by: asker === undefined ? undefined : word(asker) });
  const message = [
    sentence`NOT DONE YET. ${summaryText(plan.preview)}`,
    where,
    ...(conflicts.length === 0 ? [] : [sentence`The account changed meanwhile, so the page shows the plan anew: ${joined(conflicts)}`]),
    ...(next === undefined ? [] : [next]),
  ];
  return { status: 'waiting' as const, changeId, message: joined(message) };
}

/** What a conflict means for the records beside it. */
function unmovedText({ unmoved = [], conflicts }: PlanConflict): Sentence[] {
  if (unmoved.length === 0 || conflicts.length === 0) return [];
  const [only, ...more] = unmoved;
  return [
    more.length === 0
      ? sentence`Nothing was sent for the others either: ${only ?? ''} is as it was shown, and can be sent unchanged in a call by itself.`
      : sentence`Nothing was sent for the others either: ${listed(unmoved, MAX_UNMOVED)} are as they were shown, and can be sent unchanged in a call by themselves.`,
  ];
}

const MAX_UNMOVED = 10;

/** What to do after a conflict. A list that the user stated may be older than another person's change. */
function afterConflict(plan: ShownPlan): Sentence {
  const hasLists = itemsOf(plan).some(({ after }) => CONTENTS.some((list) => after[list] !== undefined));
  return hasLists
    ? sentence`Tell the user what moved. A list that was stated before may be out of date: ask the user for the list as it is now, and never send the same one again without asking. Then make the call of the change again: what is below can’t be confirmed.`
    : sentence`Tell the user what moved, and ask whether the change is still wanted; if so, make the call of the change again, and the user is shown the plan as it is now.`;
}

/** A change that waits on disk for a person, for an assistant. */
function keptAnswer(change: Proposal, isNew: boolean, page?: number) {
  const { changeId, plan, why, lacks, expiresAt } = change;
  const { onDisk } = waitsOf(change.route);
  const told = onDisk === undefined ? [] : [onDisk(word(changeId), change.isAskedElsewhere)];
  const message = [
    sentence`NOT DONE YET. ${proposalTitle(change)}`,
    ...weightText(plan, page === undefined),
    isNew ? sentence`It is kept until a person decides on it.` : sentence`It waits already for a person to decide on it.`,
    // Why nothing covers what was declined tells of that by itself.
    ...(why === undefined ? [...told.map(({ why: unasked }) => unasked), ...decidedBefore(change)] : [why]),
    ...overtakesOthers(change),
    ...told.map(({ where }) => sentence`${where}, and it expires on ${timeText(expiresAt)}.`),
    lacks === undefined
      ? sentence`The same call again changes nothing${canBeCovered(plan) ? ' until a standing approval covers it' : ''}: ${laterText(changeId)}.`
      : sentence`${lacks} Once all of it is begun that way, this one is withdrawn by itself; after a part, withdraw it. The same call again changes nothing: ${laterText(changeId)}.`,
  ];
  const preview = page === undefined ? undefined : previewAnswer(plan, changeId, page);
  return { status: 'waiting', changeId, message: joined(message), ...definedFields({ preview }) } as const;
}

/** What its person must know first, in numbers; and how many warnings there are besides, where they are not shown. */
function weightText({ preview }: ShownPlan, isAlone: boolean): Sentence[] {
  const heavy = heaviest(preview.notices);
  const told = new Set(heavy.flatMap(({ of }) => of));
  const others = (isAlone ? phrases(preview, 'short') : []).filter((one) => !isFact(one) && one.of.some((notice) => !told.has(notice)));
  const more = moreWarnings(others.length, heavy.length).map((count) => sentence`${count} (get_change with page 1)`);
  if (heavy.length === 0) return more.map((count) => sentence`It has ${count}.`);
  const texts = [...heavy.map(({ text }) => text), ...more.map((count) => sentence`and ${count}`)];
  return [sentence`What weighs most: ${joined(texts, '; ')}.`];
}

/** What gives out personal data is covered by nothing. */
const canBeCovered = ({ kind }: ShownPlan): boolean => TRAITS[kind].waitsAtMostMs === undefined;

const laterText = (changeId: string): Sentence => sentence`get_change ${word(changeId)} tells what became of it, stop_change withdraws it`;

/** A change that waits, or waited and was not begun; with what its plan warned of where that is asked for. */
export function keptResult(change: Proposal, page?: number) {
  const { changeId, status, note } = change;
  if (status === 'waiting') return { ...keptAnswer(change, false, page), status };
  const message = joined([proposalTitle(change), proposalEnded(change, 'assistant'), ...noteText(note)]);
  return { status: shownStatus(change), changeId, message };
}

/** The person’s words with their decision. */
export const noteText = (note: string): Sentence[] => (note === '' ? [] : [inTheirWords(note)]);

/** That a person declined the same before, or approved it in vain, so that nobody decides twice unknowingly. */
export const decidedBefore = ({ declinedAt, leftAt }: Pick<Proposal, 'declinedAt' | 'leftAt'>): Sentence[] => [
  ...(leftAt === undefined
    ? []
    : [
        sentence`A person approved it on ${timeText(Date.parse(leftAt))}, and the process ended before it was begun: it has to be decided on again.`,
      ]),
  ...(declinedAt === undefined ? [] : [sentence`A person declined the same on ${timeText(Date.parse(declinedAt))}.`]),
];

/** Which older changes it would overtake. */
export function overtakesOthers({ overtakes }: Pick<Proposal, 'overtakes'>): Sentence[] {
  if (overtakes.length === 0) return [];
  return [sentence`${overtakesText(overtakes.length)} ${wordList(overtakes)}.`];
}
