import { partyKey } from '../plan/asked-and-decided.ts';
import { type ChangePlan, type ShownPlan, shownPlan } from '../plan/plan.ts';
import { TRAITS } from '../plan/traits/index.ts';
import { doesAll, effectOf } from './declined-effect.ts';
import { planConflicts } from './plan-conflicts.ts';
import type { Proposal } from './proposal.ts';
import { surplusOf } from './proposal-limits.ts';
import { isOnPage, waitsOf } from './routes/index.ts';

// Which proposals are the same question, and which share a limit.

/** A request that was begun: what else waits for it counts no more, nor what would carry on or do the same. */
export interface EndedRequest {
  readonly requestDigest: string;
  /** The changes that are carried on or undone by it. */
  readonly resumed?: readonly string[];
  /** The change that began it, and its plan. */
  readonly begun: string;
  readonly plan: ChangePlan;
  /** The digest of what it does, asked for only where anything waits. */
  readonly actionOf: () => string | Promise<string>;
}

/** For whom a server asked that was given a name. */
export const agentOf = ({ asked }: Pick<Proposal, 'asked'>): string | undefined => asked.by?.name;

/** What shows emails to the assistant is in the answer of the call that asked: another call has a question of its own on the page. */
const isForItsCall = ({ route, plan }: Pick<Proposal, 'route' | 'plan'>): boolean =>
  isOnPage({ route }) && TRAITS[plan.kind].isForItsCall === true;

export const isSameRequest = (proposal: Pick<Proposal, 'route' | 'plan' | 'requestDigest'>, wanted: string): boolean =>
  proposal.requestDigest === wanted && !isForItsCall(proposal);

/** What is asked by the same agent or person in the same way. */
export const isAlike = (one: Pick<Proposal, 'route' | 'isOwn' | 'asked'>, other: Pick<Proposal, 'route' | 'isOwn' | 'asked'>): boolean =>
  one.route === other.route && one.isOwn === other.isOwn && partyKey(one.asked.by) === partyKey(other.asked.by);

/** Whether both count for the number that may wait of one agent or person, in whichever way: those of one must not keep another one from asking. */
export const sharesBound = (one: Pick<Proposal, 'route' | 'asked'>, other: Pick<Proposal, 'asked'>): boolean =>
  waitsOf(one.route).ifFull === 'refuse' && partyKey(one.asked.by) === partyKey(other.asked.by);

/**
 * Of some that ended, the newest first, those that ended first, of each agent and route that has more than are kept. What a person declined is counted apart: an agent that asks
 * and withdraws must not make that be forgotten.
 */
export function surplusOfEnded<Ended extends Proposal>(
  ended: readonly Ended[],
  { max, maxKeys }: { readonly max: number; readonly maxKeys: number },
  sizeOf: (one: Ended) => number,
): readonly Ended[] {
  const endOf = ({ decidedAt, expiresAt }: Proposal) => (decidedAt === undefined ? expiresAt : Date.parse(decidedAt));
  const groups = new Map<string, Ended[]>();
  for (const one of ended.toReversed().toSorted((a, b) => endOf(a) - endOf(b))) {
    const { route, asked, status } = one;
    const group = JSON.stringify([route, partyKey(asked.by), status === 'declined']);
    const others = groups.get(group);
    if (others === undefined) groups.set(group, [one]);
    else others.push(one);
  }
  return [...groups.values()].flatMap((group) => group.slice(0, surplusOf(group.map(sizeOf), max, maxKeys)));
}

/** Of those that are alike: what would do the same is asked about once, however it was asked for. */
export const isSameAction = (one: Pick<Proposal, 'route' | 'plan' | 'action'>, { action }: Pick<Proposal, 'action'>): boolean =>
  !isForItsCall(one) && action !== undefined && one.action === action;

/** Of files it is known by what they held that a request is the same, and not by their names. */
const isOfSameFiles = ({ plan }: Pick<Proposal, 'plan'>, begun: ChangePlan | undefined): boolean =>
  begun?.files === undefined || planConflicts(plan, shownPlan(begun)).length === 0;

/** Whether nothing is left to be decided on a proposal once a request was begun, by what is known of it without its lists. */
export const isEndedBy = (proposal: Proposal, { requestDigest, resumed = [], plan }: EndedRequest): boolean =>
  (proposal.resumes !== undefined && resumed.includes(proposal.resumes)) ||
  (isSameRequest(proposal, requestDigest) && isOfSameFiles(proposal, plan));

/** Whether a plan does all that a proposal would do, however it was asked for. `records`: of one of many ids, all of them. */
export function isDoneBy(plan: ChangePlan, waiting: ShownPlan, records: readonly string[] | undefined): boolean {
  const effect = effectOf(waiting, records);
  return effect !== undefined && doesAll(plan, effect);
}
