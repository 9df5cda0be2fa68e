import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { asSentence, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { undoneIn } from '../journal/facts.ts';
import type { Journal } from '../journal/journal.ts';
import type { Plan } from '../plan.ts';
import { stateOf } from './file-state.ts';
import { createLook, type Sending } from './look.ts';
import { limitsReached, type Notify } from './notify.ts';
import { whyNotOwn } from './own-changes.ts';
import { readStandingFile, type StandingFileRead } from './read-file.ts';
import type { Receipt } from './receipt.ts';
import { revocations, revoke } from './revocations.ts';
import { type ApprovalState, approvalState, NO_AGENT, noneForText, type RuleReport, ruleText, unusableText } from './rule-words.ts';
import { sharesOf } from './shares.ts';
import { createUsage } from './usage.ts';
import { receiptOf, ruleDigest, type Uses, usesOf } from './uses.ts';

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
  readonly notify?: Notify;
  readonly now?: () => Date;
}

/** Of all standing approvals: a lock for what is decided and its intent. */
const LOCK = 'standing-approvals';
/** Ids of changes run ahead of the clock by a millisecond each. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Why no standing approval covers a plan. */
export interface Uncovered {
  readonly why: Sentence;
}

/** A plan that may begin. */
interface Covered {
  readonly receipt: Receipt;
  /** When it was decided, and begins: ISO 8601. */
  readonly at: string;
}

/** A plan that the rules of a file are about. */
interface Scope extends Uses {
  readonly agent: string;
  /** SHA-256. */
  readonly file: string;
  readonly timeZone: string;
}

export interface StandingReport {
  /** What is wrong with the file; then nothing is covered. */
  readonly problems: readonly Sentence[];
  readonly rules: readonly RuleReport[];
}

export type Standing = ReturnType<typeof createStanding>;

/** What a person allowed in advance, and how much of it is used. Counts are added up from the journal. */
export function createStanding(options: StandingOptions) {
  const { path, agent, outside, revoked, journal, notify = () => undefined, now = () => new Date() } = options;
  const read = (): Promise<StandingFileRead> => readStandingFile(path, outside, now());

  const usage = createUsage(journal);

  const stopped = new WeakSet<Receipt>();
  const look = createLook({ path, outside, revoked, read, now });
  /** What was found of a plan, since to look for a million ids in a list takes its time. */
  const knownUses = new WeakMap<Plan, Uses & { readonly rules: string }>();

  /** What of a plan falls under which rules, however much is used of them. Throws where the journal or the revocations can’t be read. */
  async function scopeOf(plan: Plan, signal: AbortSignal): Promise<Scope | Uncovered> {
    const found = await read();
    if (!found.ok) return { why: unusableText(found.problems) };
    if (agent === undefined) return { why: NO_AGENT };
    const { sha256, file } = found;
    const gone = await revocations(revoked);
    const named = file.approvals.filter((approval) => approval.for === agent);
    const inState = (state: ApprovalState) => named.filter((one) => approvalState(one, file.timeZone, now(), gone) === state);
    const current = inState('counts');
    if (named.length === 0)
      return {
        why: noneForText(
          agent,
          file.approvals.map((approval) => ({ agent: approval.for })),
        ),
      };
    if (current.length === 0) {
      const ended = inState('ended').map(({ id, until }) => sentence`${word(id)} ended on ${word(until)}`);
      const taken = inState('revoked').map(({ id }) => sentence`${word(id)} was revoked`);
      return { why: sentence`No standing approval for ${word(agent)} counts now: ${joined([...ended, ...taken], '; ')}.` };
    }
    const shares = sharesOf(plan, undoneIn(plan.facts).length > 0 ? await whyNotOwn(plan, agent, journal) : undefined);
    if ('never' in shares) return { why: shares.never };
    const rules = [sha256, ...current.map(({ id }) => id)].join(' ');
    const known = knownUses.get(plan);
    const isSame = known?.rules === rules && areAsBefore(known.lists);
    const uses = isSame ? known : await usesOf(shares.shares, current, { outside, signal });
    if ('why' in uses) return uses;
    knownUses.set(plan, { ...uses, rules });
    return { ...uses, agent, file: sha256, timeZone: file.timeZone };
  }

  /** Whether all of a plan is covered now, and by what. To be asked under the lock. */
  async function decide(plan: Plan, signal: AbortSignal): Promise<Covered | Uncovered> {
    const scope = await scopeOf(plan, signal);
    if ('why' in scope) return scope;
    const { uses, lists, ...by } = scope;
    const at = await journal.nextTime();
    if (now().getTime() < Date.parse(at) - CLOCK_TOLERANCE_MS)
      return {
        why: sentence`The clock stands at ${word(now().toISOString())}, before the journal’s latest entry (${word(at)}), so no standing approval counts.`,
      };
    // On the day of `at`, by which it is counted: the clock may still show the one before.
    const usedOf = await usage(uses.some(({ rule }) => rule.total !== undefined) ? 'all' : 'today', by.timeZone, new Date(at));
    const verdict = receiptOf(uses, { ...by, usedOf });
    if ('why' in verdict) return verdict;
    look.foundIn(verdict.receipt, lists);
    return { ...verdict, at };
  }

  return {
    path,
    agent,
    read,
    /** Why no rule covers a plan, however little is used; undefined where it may be begun. */
    async judge(plan: Plan, signal: AbortSignal): Promise<Uncovered | undefined> {
      const scope = await scopeOf(plan, signal).catch(whyNot);
      return 'why' in scope ? scope : undefined;
    },
    /** Decides on a plan and begins it, while no other process with this journal does: `begin` writes the intent with the receipt. */
    begin: <T extends { readonly changeId: string }>(
      plan: Plan,
      signal: AbortSignal,
      begin: (covered: Covered) => Promise<T>,
    ): Promise<T | Uncovered> =>
      journal.withLock(LOCK, signal, async () => {
        const verdict = await decide(plan, signal).catch(whyNot);
        if ('why' in verdict) return verdict;
        const begun = await begin(verdict);
        limitsReached(verdict.receipt, begun.changeId).forEach(notify);
        return begun;
      }),
    /** Looks again at what covers a change that runs. Throws `not_approved` once it is covered no more. */
    async assertStillCovered(changeId: string, receipt: Receipt, sending?: Sending): Promise<void> {
      try {
        await look.assertStillCovered(receipt, sending);
      } catch (error) {
        // Several batches look at once.
        if (!stopped.has(receipt))
          notify({ kind: 'stopped', changeId, approvals: [...new Set(receipt.rules.map(({ approval }) => approval))] });
        stopped.add(receipt);
        throw error;
      }
    },
    /** Adds entries that win over the file, as `revoke`. */
    revoke: (ids: readonly string[]) => revoke(revoked, ids, now()),
    /** Each rule of the file with what is used of it; or what is wrong with the file. */
    async report(): Promise<StandingReport> {
      const found = await read();
      if (!found.ok) return { problems: found.problems, rules: [] };
      const { approvals, timeZone } = found.file;
      const [usedOf, gone] = [await usage('all', timeZone, now()), await revocations(revoked)];
      const rules = approvals.flatMap((approval) =>
        approval.allow.map((rule) => ({
          ...{ approval: approval.id, agent: approval.for, text: ruleText(approval, rule, timeZone) },
          ...{ state: approvalState(approval, timeZone, now(), gone), until: approval.until, perDay: rule.perDay, total: rule.total },
          ...definedFields({ revokedAt: gone.get(approval.id) }),
          used: usedOf({ approval: approval.id, rule: ruleDigest(rule) }),
        })),
      );
      return { problems: [], rules };
    },
  };
}

/** What can’t be decided is not covered. */
function whyNot(error: unknown): Uncovered {
  if (!(error instanceof VideoHostingError) || error.code === 'cancelled') throw error;
  return { why: asSentence(`No standing approval counts. ${error.reason}`) };
}

const areAsBefore = (lists: Uses['lists']): boolean => [...lists].every(([file, state]) => stateOf(file) === state);
