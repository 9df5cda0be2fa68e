import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { steadyClock } from '../../platform/steady-clock.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { timeText } from '../../text/time-text.ts';
import type { Journal } from '../journal/journal.ts';
import { kindOf } from '../kinds/index.ts';
import type { Share } from '../kinds/shares.ts';
import { agentParty, type Party, partyKey } from '../plan/asked-and-decided.ts';
import { undoneIn } from '../plan/facts.ts';
import type { ChangePlan } from '../plan/plan.ts';
import { type Receipt, usesText } from '../plan/receipt.ts';
import { limitsReached, type Notify } from './notify.ts';
import { whyNotOwn } from './own-changes.ts';
import { partCovered } from './part-covered.ts';
import { readStandingFile } from './read-file.ts';
import { revocations, revoke } from './revocations.ts';
import {
  type ApprovalWithState,
  allowsText,
  nothingText,
  type RuleReport,
  ruleText,
  type StandingReport,
  unnamedIn,
  withState,
} from './rule-words.ts';
import type { Rule } from './rules.ts';
import { changedList, createStillCovered } from './still-covered.ts';
import { createUsage } from './usage.ts';
import { receiptOf, ruleDigest, type Uncovered, type Uses, usesOf } from './uses.ts';

export interface StandingOptions {
  /** The file of standing approvals. */
  readonly path: string;
  /** For whom this server acts; where none is named, nothing is covered. */
  readonly agent: string | undefined;
  /** When a person of this server was added, by their id; undefined of one who is not there any more. */
  readonly addedAt: (personId: string) => string | undefined;
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

/** A plan that may begin. */
interface Covered {
  readonly receipt: Receipt;
  /** When it was decided, and begins: ISO 8601. */
  readonly at: string;
}

/** A plan that the rules of a file are about. */
interface Scope extends Uses {
  /** The agent, the file and the approvals that counted. */
  readonly by: string;
  /** The changes that its limits count. */
  readonly of: 'all' | 'today';
  readonly agent: string;
  /** SHA-256. */
  readonly file: string;
  readonly timeZone: string;
}

/** For whom, by which file and zone something would be counted. */
interface AsOf extends Pick<Scope, 'agent' | 'file' | 'timeZone'> {
  readonly signal: AbortSignal;
}

export type Standing = ReturnType<typeof createStanding>;

/** What a person allowed in advance, and how much of it is used. Counts are added up from the journal. */
export function createStanding(options: StandingOptions) {
  const { path, agent, addedAt, outside, revoked, journal, notify = () => undefined, now = () => new Date() } = options;
  const steadyMs = steadyClock(() => now().getTime());
  /** By which an approval ends. */
  const steady = () => new Date(steadyMs());
  const usage = createUsage(journal);
  /** Which journals were read before the lock was taken, so that under it only those of new changes are. */
  const wereRead = new Set<'all' | 'today'>();
  /** What was found of a plan, since to look for a million ids in a list takes its time. */
  const knownScopes = new WeakMap<ChangePlan, Scope>();
  const read = async () => [await readStandingFile(path, outside, steady()), await revocations(revoked)] as const;
  const { seenNow, begins, assertStillCovered } = createStillCovered({ path, revoked, read, notify, now: steady });

  /** The file as it counts now. Throws where the revocations can’t be read. */
  async function current() {
    const [found, gone] = await read();
    if (!found.ok) return { problems: found.problems, approvals: [], timeZone: '', sha256: '', savedAt: 0 };
    const { approvals, timeZone } = found.file;
    const states = approvals.map((one) => withState(one, timeZone, steady(), gone));
    return { problems: [], approvals: states, timeZone, sha256: found.sha256, savedAt: found.savedAt };
  }

  /** Why the file may mean somebody else than the person who has the name now: it can say no more of people than was known when it was saved. */
  function whyNotMeant({ id, name }: Party, savedAt: number): Sentence | undefined {
    if (id === undefined) return undefined;
    const added = addedAt(id);
    if (added === undefined)
      return sentence`No standing approval counts for ${word(name)}, who was removed from the people of this server.`;
    if (Date.parse(added) < Math.floor(savedAt)) return undefined;
    return sentence`The file of standing approvals was saved before ${word(name)} was added, on ${timeText(Date.parse(added))}, so what it allows somebody of that name counts for them only once it is saved again.`;
  }

  /** What of a plan falls under which rules, however much is used of them. Throws where the journal or the revocations can’t be read. */
  async function scopeOf(plan: ChangePlan, who: Party, signal: AbortSignal): Promise<Scope | Uncovered> {
    const { name } = who;
    const { sha256, timeZone, savedAt, ...file } = await current();
    const nothing = nothingText(file, name) ?? whyNotMeant(who, savedAt);
    if (nothing !== undefined) return { why: nothing };
    const shares = kindOf(plan.kind).shares(plan, undoneIn(plan.facts).length > 0 ? await whyNotOwn(plan, who, journal) : undefined);
    const approvals = file.approvals.filter((approval) => approval.agent === name && approval.state === 'counts');
    if ('never' in shares) {
      const { never: why, lacks } = shares;
      const isMissed = lacks !== undefined && (await wouldCover(lacks.shares, { approvals, agent: name, file: sha256, timeZone, signal }));
      return isMissed ? { why, lacks: lacks.words } : { why };
    }
    const by = [partyKey(who), sha256, ...approvals.map(({ id }) => id)].join(' ');
    const known = knownScopes.get(plan);
    if (known?.by === by && changedList(known) === undefined) return known;
    const uses = await usesOf(shares.shares, approvals, { outside, signal });
    if ('why' in uses) return uses;
    const of = spanOf(uses);
    const scope = { ...uses, by, of, agent: name, file: sha256, timeZone } as const;
    knownScopes.set(plan, scope);
    return scope;
  }

  /** Whether a call with other arguments would be covered, by what is used now. */
  async function wouldCover(
    shares: readonly Share[],
    { approvals, signal, ...by }: { readonly approvals: readonly ApprovalWithState[] } & AsOf,
  ): Promise<boolean> {
    const uses = await usesOf(shares, approvals, { outside, signal });
    return !('why' in uses) && 'receipt' in receiptOf(uses.uses, { ...by, usedOf: await usage(spanOf(uses), by.timeZone, now()) });
  }

  /** Whether all of a plan is covered now for an agent, and by what. Before it begins it is asked under the lock. */
  async function decide(plan: ChangePlan, who: Party, signal: AbortSignal): Promise<Covered | Uncovered> {
    const seen = seenNow();
    const scope = await scopeOf(plan, who, signal);
    if ('why' in scope) return scope;
    const at = await journal.nextTime();
    if (now().getTime() < Date.parse(at) - CLOCK_TOLERANCE_MS)
      return {
        why: sentence`The clock stands at ${word(now().toISOString())}, before the journal’s latest entry (${word(at)}), so no standing approval counts.`,
      };
    // On the day of `at`, by which it is counted: the clock may still show the one before.
    const usedOf = await usage(scope.of, scope.timeZone, new Date(at));
    const verdict = receiptOf(scope.uses, { ...scope, usedOf });
    if ('why' in verdict) return verdict;
    begins(verdict.receipt, { ...scope, seen });
    return { ...verdict, at };
  }

  /** What would cover a plan now for an agent, by default this server’s, or why nothing would; where none is named, for each of the file. */
  async function coverage(plan: ChangePlan, signal: AbortSignal, who = agentParty(agent)): Promise<Sentence> {
    const textFor = async (one: Party) => {
      const verdict = await decide(plan, one, signal).catch(whyNot);
      if ('why' in verdict) return sentence`For ${word(one.name)} this would not be covered. ${verdict.why}`;
      return sentence`For ${word(one.name)} this would be covered by ${usesText(verdict.receipt, ({ number }) => number)}.`;
    };
    if (who !== undefined) return textFor(who);
    const file = await current().catch(whyNot);
    if ('why' in file) return file.why;
    const texts: Sentence[] = [];
    for (const name of new Set(file.approvals.map((approval) => approval.agent))) texts.push(await textFor({ name }));
    return joined([...texts, nothingText(file, undefined) ?? sentence``]);
  }

  /** Why a plan is not covered, with the part of it that would be. */
  async function withPart(plan: ChangePlan, uncovered: Uncovered, who: Party, signal: AbortSignal): Promise<Uncovered> {
    if (uncovered.lacks !== undefined) return uncovered;
    const { name } = who;
    const { approvals: all, sha256: file, timeZone, savedAt } = await current();
    const approvals = all.filter((approval) => approval.agent === name && approval.state === 'counts');
    if (approvals.length === 0 || whyNotMeant(who, savedAt) !== undefined) return uncovered;
    const usedOf = await usage('all', timeZone, now());
    const lacks = await partCovered(plan, { approvals, outside, signal, agent: name, file, timeZone, usedOf });
    return { ...uncovered, ...definedFields({ lacks }) };
  }

  /** Why nothing covers a plan for an agent, by default this server’s, before the lock is taken, and however little is used. */
  async function judge(plan: ChangePlan, signal: AbortSignal, who = agentParty(agent)): Promise<Uncovered | undefined> {
    if (who === undefined) return { why: await coverage(plan, signal) };
    const scope = await scopeOf(plan, who, signal);
    if ('why' in scope) return withPart(plan, scope, who, signal).catch(() => scope);
    if (!wereRead.has(scope.of)) await usage(scope.of, scope.timeZone, now());
    wereRead.add(scope.of);
    return undefined;
  }

  return {
    path,
    assertStillCovered,
    coverage,
    /** Why no rule covers a plan; undefined where it may be begun. */
    judge: (plan: ChangePlan, signal: AbortSignal, who?: Party): Promise<Uncovered | undefined> => judge(plan, signal, who).catch(whyNot),
    /** Decides on a plan and begins it, while no other process with this journal does: `begin` writes the intent with the receipt. */
    begin: <T extends { readonly changeId: string }>(
      plan: ChangePlan,
      signal: AbortSignal,
      begin: (covered: Covered) => Promise<T>,
      // No approval is for an empty name.
      who = agentParty(agent) ?? { name: '' },
    ): Promise<T | Uncovered> =>
      journal.withLock(LOCK, signal, async () => {
        const verdict = await decide(plan, who, signal).catch(whyNot);
        if ('why' in verdict) return withPart(plan, verdict, who, signal).catch(() => verdict);
        const begun = await begin(verdict);
        limitsReached(verdict.receipt, begun.changeId).forEach(notify);
        return begun;
      }),
    /** Adds entries that win over the file, as `revoke`. */
    revoke: (ids: readonly string[]) => revoke(revoked, ids, now()),
    /** Each rule of the file with what is used of it; or what is wrong with the file. */
    async report(): Promise<StandingReport> {
      const { problems, approvals, timeZone } = await current();
      if (problems.length > 0) return { problems, approvals: [] };
      const usedOf = await usage('all', timeZone, now());
      const ruleReport = (approval: ApprovalWithState, rule: Rule): RuleReport => {
        const { today, total, last } = usedOf({ approval: approval.id, rule: ruleDigest(rule) });
        return {
          text: ruleText(approval, rule, timeZone),
          allows: allowsText(rule, timeZone),
          today: { used: today, limit: rule.perDay },
          inAll: { used: total, ...definedFields({ limit: rule.total }) },
          ...definedFields({ lastUse: last }),
          ...unnamedIn(rule),
        };
      };
      const withUse = ({ allow, ...one }: ApprovalWithState) => ({
        ...one,
        rules: allow.map((rule) => ruleReport({ allow, ...one }, rule)),
      });
      return { problems, approvals: approvals.map(withUse) };
    },
  };
}

/** The changes that the limits of these rules count. */
const spanOf = ({ uses }: Uses): Scope['of'] => (uses.some(({ rule }) => rule.total !== undefined) ? 'all' : 'today');

/** What can’t be decided is not covered. */
function whyNot(error: unknown): Uncovered {
  if (!(error instanceof VideoHostingError) || error.code === 'cancelled') throw error;
  return { why: sentence`No standing approval counts. ${error.reason}` };
}
