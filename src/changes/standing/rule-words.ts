import { counted } from '../../text/counted.ts';
import { asSentence, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { dayIn, daysBetween } from './days.ts';
import { numberOf } from './receipt.ts';
import type { Revoked } from './revocations.ts';
import type { Rule, RuleKind, RuleOf, StandingApproval } from './rules.ts';
import type { Used } from './usage.ts';

type Refs = RuleOf<'move_videos'>['to'];

const refsText = (refs: Refs): Sentence =>
  joined(
    refs.map(({ id, name }) => (name === undefined ? word(id) : sentence`${asSentence(JSON.stringify(name))} (${word(id)})`)),
    ' or ',
  );

/** What each kind of rule allows, and what its limits count. */
const ALLOWED: { readonly [Kind in RuleKind]: { readonly unit: string; readonly does: (rule: RuleOf<Kind>) => Sentence } } = {
  move_videos: {
    unit: 'video',
    does: ({ to, onlyIdsIn }) =>
      sentence`move videos into ${refsText(to)}${onlyIdsIn === undefined ? sentence`` : sentence`, only those in ${word(onlyIdsIn)}`}`,
  },
  add_videos: { unit: 'video', does: ({ channels }) => sentence`add videos to ${refsText(channels)}` },
  reorder_videos: { unit: 'channel', does: ({ channels }) => sentence`change the order of the videos in ${refsText(channels)}` },
  change_texts: {
    unit: 'channel',
    does: ({ channels, fields }) =>
      sentence`change the ${joined(
        fields.map((field) => word(field)),
        ' and ',
      )} of ${refsText(channels)}`,
  },
  copy_cta: { unit: 'video', does: ({ from }) => sentence`copy the CTAs of ${refsText(from)} to videos that have none of them` },
  undo_own: { unit: 'change', does: () => sentence`undo what it did itself under a standing approval` },
};

/** A rule in a sentence that a person can read back. */
export function ruleText({ id, for: agent, until }: StandingApproval, rule: Rule, timeZone: string): Sentence {
  const { unit, does } = ALLOWED[rule.kind];
  const each = rule.perChange === undefined ? sentence`` : sentence`, ${numberOf(rule.perChange)} in one change`;
  const inAll = rule.total === undefined ? sentence`` : sentence`, ${numberOf(rule.total)} in all`;
  const what = (does as (rule: Rule) => Sentence)(rule); // of its own kind
  return sentence`${word(id)}: ${word(agent)} may ${what}; at most ${asSentence(counted(rule.perDay, unit))} a day (${word(timeZone)})${each}${inAll}; until ${word(until)} begins.`;
}

export type ApprovalState = 'counts' | 'ended' | 'revoked';

/** Whether an approval counts, by its day and by what was revoked. */
export function approvalState({ id, until }: StandingApproval, timeZone: string, now: Date, revoked: Revoked): ApprovalState {
  if (revoked.has(id)) return 'revoked';
  return dayIn(timeZone, now) < until ? 'counts' : 'ended';
}

/** A rule as it counts now: whoever reads the beginning of it alone must not take it for allowed. */
function inState(state: ApprovalState, text: Sentence): Sentence {
  if (state === 'counts') return text;
  return sentence`no longer, since it ${state === 'ended' ? 'has ended' : 'was revoked'}: ${text}`;
}

/** A rule of a file that need not be in use, and how long it counts. */
export function fileRuleText(approval: StandingApproval, rule: Rule, timeZone: string, now: Date, revoked: Revoked): Sentence {
  const state = approvalState(approval, timeZone, now, revoked);
  const text = inState(state, ruleText(approval, rule, timeZone));
  if (state === 'revoked') return sentence`${text} Give the approval a new id.`;
  if (state === 'ended') return text;
  const days = daysBetween(dayIn(timeZone, now), approval.until);
  return sentence`${text} It ends in ${days} ${days === 1 ? 'day' : 'days'}.`;
}

export const NO_AGENT = sentence`No agent is named here (VIDEO_HOSTING_AGENT), so no standing approval counts.`;

/** Why nothing is covered where there is no approval for an agent, or none is named. */
export function noneForText(agent: string | undefined, approvals: readonly { readonly agent: string }[]): Sentence {
  const others = [...new Set(approvals.map((approval) => approval.agent))].map((name) => word(name));
  const has = others.length === 0 ? sentence`The file has none` : sentence`The file has some for: ${joined(others, ', ')}`;
  const none = agent === undefined ? NO_AGENT : sentence`No standing approval is for ${word(agent)}.`;
  return sentence`${none} ${has}. Capital letters count.`;
}

/** Why nothing is covered where something is wrong with the file. */
export const unusableText = (problems: readonly Sentence[]): Sentence =>
  sentence`The file of standing approvals can’t be used, so nothing is covered. ${joined(problems)}`;

/** A rule of the file, and how much of it is used. */
export interface RuleReport {
  readonly approval: string;
  readonly agent: string;
  readonly state: ApprovalState;
  /** Since when it is revoked: ISO 8601. */
  readonly revokedAt?: string;
  readonly text: Sentence;
  /** It ends as this day begins. */
  readonly until: string;
  readonly perDay: number;
  readonly total: number | undefined;
  readonly used: Used;
}

/** A rule with what is left of it, where it counts. */
export function reportText({ state, text, perDay, total, used }: RuleReport): Sentence {
  if (state !== 'counts') return inState(state, text);
  const inAll = total === undefined ? sentence`` : sentence`, and ${numberOf(Math.max(0, total - used.total))} in all`;
  return sentence`${text} Left today: ${numberOf(Math.max(0, perDay - used.today))}${inAll}.`;
}

/** What was used of a rule, and when. */
export function useText({ used: { today, total, last } }: RuleReport): Sentence {
  if (last === undefined) return sentence`It was never used.`;
  return sentence`Used today: ${numberOf(today)}, in all ${numberOf(total)}; last on ${word(last.slice(0, 10))} at ${word(last.slice(11, 16))} UTC.`;
}
