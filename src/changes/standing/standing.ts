import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { undoneIn } from '../journal/facts.ts';
import type { Journal } from '../journal/journal.ts';
import type { Plan } from '../plan.ts';
import { dayIn } from './days.ts';
import { createLook } from './look.ts';
import { whyNotOwn } from './own-changes.ts';
import { readStandingFile, type StandingFileRead } from './read-file.ts';
import type { Receipt } from './receipt.ts';
import { revocations, revoke } from './revocations.ts';
import { noneForText, type RuleReport, ruleText, unusableText } from './rule-words.ts';
import type { StandingApproval, StandingFile } from './rules.ts';
import { sharesOf } from './shares.ts';
import { createUsage } from './usage.ts';
import { digestOf, receiptOf, usesOf, type Verdict } from './uses.ts';

export interface StandingOptions {
  /** The file of standing approvals. */
  readonly path: string;
  /** For whom this server acts; where none is named, nothing is covered. */
  readonly agent: string | undefined;
  /** The folders that this server writes to. */
  readonly outside: readonly string[];
  /** The file of what was revoked. */
  readonly revoked: string;
  readonly journal: Journal;
  readonly now?: () => Date;
}

/** Of all standing approvals: a lock for what is decided and its intent. */
const LOCK = 'standing-approvals';
/** The longest day, and the longest time from the id of a change to its beginning. */
const LONGEST_DAY_MS = 27 * 3_600_000;
/** Ids of changes run ahead of the clock by a millisecond each. */
const CLOCK_TOLERANCE_MS = 5_000;

export interface StandingReport {
  /** What is wrong with the file; then nothing is covered. */
  readonly problems: readonly Sentence[];
  readonly rules: readonly RuleReport[];
}

export type Standing = ReturnType<typeof createStanding>;

/** What a person allowed in advance, and how much of it is used. Counts are added up from the journal. */
export function createStanding({ path, agent, outside, revoked, journal, now = () => new Date() }: StandingOptions) {
  const read = (): Promise<StandingFileRead> => readStandingFile(path, outside, now());

  const usage = createUsage(journal);

  /** Whether all of a plan is covered now, and by what. Throws where the journal or the revocations can’t be read. */
  async function decide(plan: Plan, signal: AbortSignal): Promise<Verdict> {
    const found = await read();
    if (!found.ok) return { why: unusableText(found.problems) };
    if (agent === undefined) return { why: sentence`No agent is named here (VIDEO_HOSTING_AGENT), so no standing approval counts.` };
    const isRevoked = await revocations(revoked);
    const active = found.file.approvals.filter(({ id, for: named }) => named === agent && !isRevoked.has(id));
    const current = active.filter(({ until }) => dayIn(found.file.timeZone, now()) < until);
    if (current.length === 0) return { why: noneText(found.file, agent, isRevoked, active) };
    const shares = sharesOf(plan, undoneIn(plan.facts).length > 0 ? await whyNotOwn(plan, agent, journal) : undefined);
    if ('never' in shares) return { why: shares.never };
    const uses = await usesOf(shares.shares, current, { outside, signal });
    if ('why' in uses) return uses;
    const {
      sha256,
      file: { timeZone },
    } = found;
    const since = uses.some(({ rule }) => rule.total !== undefined) ? 0 : now().getTime() - LONGEST_DAY_MS;
    const usedOf = await usage(since, timeZone, dayIn(timeZone, now()));
    return receiptOf(uses, { agent, file: sha256, timeZone, usedOf });
  }

  /** As `decide`, unless the clock can’t be right. */
  async function judge(plan: Plan, signal: AbortSignal): Promise<Verdict> {
    const latest = await journal.latestTime();
    if (now().getTime() >= latest - CLOCK_TOLERANCE_MS) return decide(plan, signal);
    return {
      why: sentence`The clock stands at ${word(now().toISOString())}, before the journal’s latest entry (${word(new Date(latest).toISOString())}), so no standing approval counts.`,
    };
  }

  return {
    path,
    agent,
    read,
    judge,
    /** Judges a plan and begins it, while no other process with this journal does: `begin` writes the intent with the receipt. */
    begin: <T>(plan: Plan, signal: AbortSignal, begin: (receipt: Receipt) => Promise<T>): Promise<T | { readonly why: Sentence }> =>
      journal.withLock(LOCK, signal, async () => {
        const verdict = await decide(plan, signal);
        return 'why' in verdict ? verdict : begin(verdict.receipt);
      }),
    /** Looks again at what covers a change that runs. Throws `not_approved` once it is covered no more. */
    assertStillCovered: createLook({ path, outside, revoked, read, now }),
    /** Adds entries that win over the file, and are never taken back. */
    revoke: (ids: readonly string[]) => revoke(revoked, ids, now()),
    /** Each rule of the file with what is used of it; or what is wrong with the file. */
    async report(): Promise<StandingReport> {
      const found = await read();
      if (!found.ok) return { problems: found.problems, rules: [] };
      const { approvals, timeZone } = found.file;
      const today = dayIn(timeZone, now());
      const [usedOf, gone] = [await usage(0, timeZone, today), await revocations(revoked)];
      const stateOf = ({ id, until }: StandingApproval) => (gone.has(id) ? 'revoked' : today >= until ? 'ended' : 'counts');
      const rules = approvals.flatMap((approval) =>
        approval.allow.map((rule) => ({
          ...({ approval: approval.id, agent: approval.for, state: stateOf(approval), text: ruleText(approval, rule, timeZone) } as const),
          ...{ until: approval.until, perDay: rule.perDay, total: rule.total },
          used: usedOf({ approval: approval.id, rule: digestOf(rule) }),
        })),
      );
      return { problems: [], rules };
    },
  };
}

function noneText(
  { approvals }: StandingFile,
  agent: string,
  isRevoked: ReadonlySet<string>,
  active: readonly StandingApproval[],
): Sentence {
  const named = approvals.filter((approval) => approval.for === agent);
  if (named.length === 0)
    return noneForText(
      agent,
      approvals.map((approval) => ({ agent: approval.for })),
    );
  const ended = active.map(({ id, until }) => sentence`${word(id)} ended on ${word(until)}`);
  const taken = named.filter(({ id }) => isRevoked.has(id)).map(({ id }) => sentence`${word(id)} was revoked`);
  return sentence`No standing approval for ${word(agent)} counts now: ${joined([...ended, ...taken], '; ')}.`;
}
