import { zoneName } from '../../platform/time-zones.ts';
import { counted } from '../../text/counted.ts';
import { inQuotes, joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import { numberOf } from '../plan/receipt.ts';
import { dayIn } from './days.ts';
import type { Rule, RuleKind, RuleOf, StandingApproval } from './rules.ts';

type Refs = RuleOf<'move_videos'>['to'];

const refsText = (refs: Refs): Sentence =>
  joined(
    refs.map(({ id, name }) => (name === undefined ? word(id) : sentence`${inQuotes(name, name.length)} (${word(id)})`)),
    ' or ',
  );

/** What each kind of rule allows, and what its limits count. */
const ALLOWED: {
  readonly [Kind in RuleKind]: { readonly unit: 'video' | 'channel' | 'change' | 'text'; readonly does: (rule: RuleOf<Kind>) => Sentence };
} = {
  move_videos: {
    unit: 'video',
    does: ({ to, onlyIdsIn }) =>
      sentence`move videos into ${refsText(to)}${onlyIdsIn === undefined ? sentence`` : sentence`, only those in ${word(onlyIdsIn)}`}`,
  },
  add_videos: { unit: 'video', does: ({ channels }) => sentence`add videos to ${refsText(channels)}` },
  reorder_videos: { unit: 'channel', does: ({ channels }) => sentence`change the order of the videos in ${refsText(channels)}` },
  change_texts: {
    unit: 'channel',
    does: ({ channels, fields }) => sentence`change the ${wordList(fields, ' and ')} of ${refsText(channels)}`,
  },
  copy_cta: { unit: 'video', does: ({ from }) => sentence`copy the CTAs of ${refsText(from)} to videos that have none of them` },
  undo_own: { unit: 'change', does: () => sentence`undo what it did itself under a standing approval` },
};

/** A rule in a sentence that a person can read back. */
export const ruleText = ({ id, agent, until }: Omit<ApprovalReport, 'state'>, rule: Rule, timeZone: string): Sentence =>
  sentence`${word(id)}: ${word(agent)} may ${allowsText(rule, timeZone)}; until ${word(until)} begins.`;

/** What it allows, without whom and until when. */
export function allowsText(rule: Rule, timeZone: string): Sentence {
  const { unit, does } = ALLOWED[rule.kind];
  const each = rule.perChange === undefined ? sentence`` : sentence`, ${numberOf(rule.perChange)} in one change`;
  const inAll = rule.total === undefined ? sentence`` : sentence`, ${numberOf(rule.total)} in all`;
  const what = (does as (rule: Rule) => Sentence)(rule); // of its own kind
  return sentence`${what}; at most ${counted(rule.perDay, unit)} a day (${zoneName(timeZone)})${each}${inAll}`;
}

/** An approval of the file. */
export interface ApprovalReport {
  readonly id: string;
  readonly agent: string;
  readonly state: 'counts' | 'ended' | 'revoked';
  /** It ends as this day begins. */
  readonly until: string;
}

/** The same with its rules. */
export interface ApprovalWithState extends ApprovalReport {
  readonly allow: readonly Rule[];
}

/** An approval and whether it counts, by its day and by what was revoked. */
export function withState(
  { id, for: agent, until, allow }: StandingApproval,
  timeZone: string,
  now: Date,
  revoked: ReadonlySet<string>,
): ApprovalWithState {
  const counts = dayIn(timeZone, now) < until ? 'counts' : 'ended';
  return { id, agent, until, allow, state: revoked.has(id) ? 'revoked' : counts };
}

/** A rule as it counts now: whoever reads the beginning of it alone must not take it for allowed. */
export function inState(state: ApprovalReport['state'], text: Sentence): Sentence {
  if (state === 'counts') return text;
  return sentence`no longer, since it ${state === 'ended' ? 'has ended' : 'was revoked'}: ${text}`;
}

const STATES: Readonly<Record<ApprovalReport['state'], (approval: ApprovalReport) => Sentence>> = {
  counts: ({ id, agent }) => sentence`${word(id)} is for ${word(agent)}`,
  ended: ({ id, until }) => sentence`${word(id)} ended on ${word(until)}`,
  revoked: ({ id }) => sentence`${word(id)} was revoked`,
};

/** What is wrong with the file, and its approvals. */
interface FileReport {
  readonly problems: readonly Sentence[];
  readonly approvals: readonly ApprovalReport[];
}

/** Why nothing is covered for an agent, where that is so. */
export function nothingText({ problems, approvals }: FileReport, agent: string | undefined): Sentence | undefined {
  if (problems.length > 0) return sentence`The file of standing approvals can’t be used, so nothing is covered. ${joined(problems)}`;
  if (approvals.some((approval) => approval.agent === agent && approval.state === 'counts')) return undefined;
  const none =
    agent === undefined
      ? sentence`No agent is named here (VIDEO_HOSTING_AGENT), so no standing approval counts`
      : sentence`No standing approval for ${word(agent)} counts now`;
  const found = approvals.map((approval) => STATES[approval.state](approval));
  return sentence`${none}: ${found.length === 0 ? sentence`the file has none` : joined(found, '; ')}.`;
}

/** A rule of the file, and how much of it is used. */
export interface RuleReport {
  readonly text: Sentence;
  /** The same where it stands under the approval: what it allows. */
  readonly allows: Sentence;
  readonly today: { readonly used: number; readonly limit: number };
  readonly inAll: { readonly used: number; readonly limit?: number };
  /** When the newest change under it was begun: ISO 8601. */
  readonly lastUse?: string;
  /** The channels that it gives by their ids alone. */
  readonly unnamed?: readonly string[];
}

export function unnamedIn(rule: Rule): Pick<RuleReport, 'unnamed'> {
  const unnamed = 'channels' in rule ? rule.channels.flatMap(({ id, name }) => (name === undefined ? [id] : [])) : [];
  return unnamed.length === 0 ? {} : { unnamed };
}

/** What is wrong with the file, or each rule of it. */
export interface StandingReport extends FileReport {
  readonly approvals: readonly (ApprovalReport & { readonly rules: readonly RuleReport[] })[];
}

/** A rule with what is left of it, where it counts. */
export function reportText(state: ApprovalReport['state'], { text, today, inAll }: Omit<RuleReport, 'allows'>): Sentence {
  if (state !== 'counts') return inState(state, text);
  const left = ({ used, limit }: RuleReport['today']) => numberOf(Math.max(0, limit - used));
  const { limit } = inAll;
  return sentence`${text} Left today: ${left(today)}${limit === undefined ? sentence`` : sentence`, and ${left({ ...inAll, limit })} in all`}.`;
}

/** What was used of a rule, and when. */
export function useText({ today, inAll, lastUse }: RuleReport): Sentence {
  if (lastUse === undefined) return sentence`It was never used.`;
  return sentence`Used today: ${numberOf(today.used)}, in all ${numberOf(inAll.used)}; last on ${word(lastUse.slice(0, 10))} at ${word(lastUse.slice(11, 16))} UTC.`;
}
