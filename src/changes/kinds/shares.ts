import { definedFields } from '../../platform/defined-fields.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { byWeight, mayBeCovered, type Notice, noticeTexts } from '../notices/notices.ts';
import { moveIn } from '../plan/facts.ts';
import type { Coverable } from '../plan/notice.ts';
import { type ChangePlan, sentIdsOf } from '../plan/plan.ts';
import type { Rule, RuleKind } from '../standing/rules.ts';

/** One part of a plan, which falls under one kind of rule. */
export interface Share {
  readonly rule: RuleKind;
  /** Videos, channels or changes. */
  readonly units: number;
  /** The record that it changes, of a plan of records. */
  readonly item?: string;
  /** Of a bulk change. */
  readonly ids?: readonly string[];
  /** Whether a rule of that kind is about it, its list of ids aside. */
  readonly isUnder: (rule: Rule) => boolean;
  readonly words: Sentence;
  /** The names that its records have now, by id, where they are known. */
  readonly names?: ReadonlyMap<string, string>;
}

/** The parts of a plan, or why no standing approval can cover it, and what the call lacks where it could with other arguments. */
export type Shares = { readonly shares: readonly Share[] } | { readonly never: Sentence; readonly lacks?: Lacking };

interface Lacking {
  /** The parts of the plan that was meant. */
  readonly shares: readonly Share[];
  /** The argument by its name, for a call that is covered where these are. */
  readonly words: Sentence;
}

export const never = (words: Sentence, lacks?: Lacking) => ({ never: words, ...definedFields({ lacks }) });

interface Coverage {
  /** Which notices it may have is told by this word of theirs. */
  readonly as: Coverable;
  readonly parts: (plan: ChangePlan) => Shares;
  /** What is said of the notices that keep it from being covered, where that is more than the first of them. */
  readonly blocked?: (blocking: readonly Notice[]) => { readonly never?: Sentence | undefined; readonly lacks?: Sentence | undefined };
}

/** The parts of a plan of which some can be covered: only of what can all be undone, is not carried on and warns of nothing else. */
export function coverableShares(plan: ChangePlan, { as, parts, blocked = () => ({}) }: Coverage): Shares {
  if (plan.resumes !== undefined) return never(sentence`No standing approval covers carrying a change on.`);
  const blocking = byWeight(plan.preview.notices.filter((notice) => !mayBeCovered(notice, as)));
  const [first] = blocking;
  const found = parts(plan);
  if ('never' in found) return first === undefined && isUndoable(plan) ? found : never(found.never);
  if (first === undefined)
    return isUndoable(plan) ? found : never(sentence`No standing approval covers what can’t all be undone. ${plan.preview.undo.how}`);
  const { never: why, lacks: words } = blocked(blocking);
  const told = () => joined(noticeTexts({ notices: [first], undo: plan.preview.undo }));
  return never(why ?? sentence`No standing approval covers a change with this warning: ${told()}`, words && { ...found, words });
}

/** Of a move, videos that are in their target already need no way back; a copy never has one, as its rule says. */
function isUndoable({ facts, preview, ...plan }: ChangePlan): boolean {
  const { possible } = preview.undo;
  if ('items' in plan) return possible === 'yes';
  return possible !== 'partly' && moveIn(facts)?.fromProjects.length !== 0;
}

export const areNamed = (ids: readonly string[], refs: readonly { readonly id: string }[]): boolean =>
  ids.every((id) => refs.some((ref) => ref.id === id));

/** All ids of a plan in one part. */
export function shareOfIds(plan: ChangePlan, share: Omit<Share, 'units' | 'ids'>): Shares {
  const ids = sentIdsOf(plan);
  return { shares: [{ ...share, units: ids.length, ids }] };
}
