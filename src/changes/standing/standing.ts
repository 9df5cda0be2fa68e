import { createHash } from 'node:crypto';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readIdFile } from '../../account/id-file.ts';
import { VideoHostingError } from '../../errors.ts';
import { makeFolder } from '../../platform/files.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { kindsWith } from '../kinds.ts';
import type { Plan } from '../plan.ts';
import { stableJson } from '../stable-json.ts';
import { dayIn } from './days.ts';
import { openOwned, readStandingFile, type StandingFileRead } from './read-file.ts';
import { numberOf, type Receipt, type RuleUse } from './receipt.ts';
import { type RuleReport, ruleText } from './rule-words.ts';
import type { Rule, StandingApproval, StandingFile } from './rules.ts';
import { type Share, sharesOf } from './shares.ts';
import { countedUse } from './usage.ts';

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

export type Verdict = { readonly receipt: Receipt } | { readonly why: Sentence };

/** Of all standing approvals: a lock for what is decided and its intent. */
const LOCK = 'standing-approvals';
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

  /** Whether all of a plan is covered now, and by what. */
  async function judge(plan: Plan, signal: AbortSignal): Promise<Verdict> {
    const found = await read();
    if (!found.ok) return { why: sentence`The file of standing approvals can’t be used, so nothing is covered. ${joined(found.problems)}` };
    if (agent === undefined) return { why: sentence`No agent is named here (VIDEO_HOSTING_AGENT), so no standing approval counts.` };
    const latest = await journal.latestTime();
    if (now().getTime() < latest - CLOCK_TOLERANCE_MS)
      return {
        why: sentence`The clock stands at ${word(now().toISOString())}, before the journal’s latest entry (${word(new Date(latest).toISOString())}), so no standing approval counts.`,
      };
    const isRevoked = await revocations(revoked);
    const active = found.file.approvals.filter(({ id, for: named }) => named === agent && !isRevoked.has(id));
    const current = active.filter(({ until }) => dayIn(found.file.timeZone, now()) < until);
    if (current.length === 0) return { why: noneText(found.file, agent, isRevoked, active) };
    const records = await recordsWithReceipts(journal);
    const shares = sharesOf(plan, (changeId) =>
      records.some(({ intent }) => intent.changeId === changeId && intent.standing?.agent === agent),
    );
    if ('never' in shares) return { why: shares.never };
    const uses = await usesOf(shares.shares, current, { outside, signal });
    if ('why' in uses) return uses;
    return receiptOf(uses, { agent, file: found.sha256, timeZone: found.file.timeZone, today: dayIn(found.file.timeZone, now()), records });
  }

  return {
    path,
    agent,
    read,
    judge,
    /** Judges a plan and begins it, while no other process with this journal does: `begin` writes the intent with the receipt. */
    begin: <T>(plan: Plan, signal: AbortSignal, begin: (receipt: Receipt) => Promise<T>): Promise<T | { readonly why: Sentence }> =>
      journal.withLock(LOCK, signal, async () => {
        const verdict = await judge(plan, signal);
        return 'why' in verdict ? verdict : begin(verdict.receipt);
      }),
    /** Looks again at what covers a change that runs. Throws `not_approved` once it is covered no more. */
    assertStillCovered: createLook({ path, revoked, read, now }),
    /** Adds entries that win over the file, and are never taken back. */
    async revoke(ids: readonly string[]): Promise<void> {
      await makeFolder(dirname(revoked));
      const at = now().toISOString();
      await appendFile(revoked, ids.map((approval) => `${JSON.stringify({ at, approval })}\n`).join(''), { mode: 0o600, flush: true });
    },
    /** Each rule of the file with what is used of it; or what is wrong with the file. */
    async report(): Promise<StandingReport> {
      const found = await read();
      if (!found.ok) return { problems: found.problems, rules: [] };
      const { approvals, timeZone } = found.file;
      const [records, gone] = [await recordsWithReceipts(journal), await revocations(revoked)];
      const today = dayIn(timeZone, now());
      const stateOf = ({ id, until }: StandingApproval) => (gone.has(id) ? 'revoked' : today >= until ? 'ended' : 'counts');
      const rules = approvals.flatMap((approval) =>
        approval.allow.map((rule) => ({
          ...({ approval: approval.id, agent: approval.for, state: stateOf(approval), text: ruleText(approval, rule, timeZone) } as const),
          ...{ perDay: rule.perDay, total: rule.total },
          used: usedOf(records, { approval: approval.id, digest: digestOf(rule), timeZone, today }),
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
  if (named.length === 0) return sentence`No standing approval is for ${word(agent)}.`;
  const ended = active.map(({ id, until }) => sentence`${word(id)} ended on ${word(until)}`);
  const taken = named.filter(({ id }) => isRevoked.has(id)).map(({ id }) => sentence`${word(id)} was revoked`);
  return sentence`No standing approval for ${word(agent)} counts now: ${joined([...ended, ...taken], '; ')}.`;
}

/** The approvals that were revoked. What of the file can’t be read is no reason to forget the rest. */
async function revocations(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const ids = text.split('\n').flatMap((line) => {
    const { approval } = fieldsIn(parseJsonOrUndefined(line));
    return typeof approval === 'string' ? [approval] : [];
  });
  return new Set(ids);
}

const COVERED_KINDS = kindsWith(({ isLocal }) => !isLocal);

async function recordsWithReceipts(journal: Journal): Promise<readonly ChangeRecord[]> {
  const found: ChangeRecord[] = [];
  for await (const record of journal.each(COVERED_KINDS)) if (record.intent.standing !== undefined) found.push(record);
  return found;
}

/** A part of a plan under its rule. */
interface Use {
  readonly share: Share;
  readonly approval: StandingApproval;
  readonly rule: Rule;
  readonly units: number;
}

/** Each part, or each id of it, under the first rule that is about it. */
async function usesOf(
  shares: readonly Share[],
  approvals: readonly StandingApproval[],
  files: { readonly outside: readonly string[]; readonly signal: AbortSignal },
): Promise<readonly Use[] | { readonly why: Sentence }> {
  const uses: Use[] = [];
  for (const share of shares) {
    const rules = approvals.flatMap((approval) => approval.allow.filter(share.isUnder).map((rule) => ({ approval, rule })));
    let open = share.ids;
    for (const { approval, rule } of rules) {
      if (rule.kind !== 'move_videos' || rule.onlyIdsIn === undefined || open === undefined) {
        uses.push({ share, approval, rule, units: open?.length ?? share.units });
        open = [];
        break;
      }
      const listed = await idsIn(rule.onlyIdsIn, files);
      if ('why' in listed) return listed;
      const left = open.filter((id) => !listed.has(id));
      if (left.length < open.length) uses.push({ share, approval, rule, units: open.length - left.length });
      open = left;
    }
    if (rules.length === 0) return { why: sentence`No standing approval covers ${share.words}.` };
    if (open !== undefined && open.length > 0)
      return {
        why: sentence`No standing approval covers ${share.words} of ${numberOf(open.length)} of its videos: they are in no list that a rule names.`,
      };
  }
  return uses;
}

async function idsIn(
  path: string,
  { outside, signal }: { readonly outside: readonly string[]; readonly signal: AbortSignal },
): Promise<ReadonlySet<string> | { readonly why: Sentence }> {
  const handle = await openOwned(path, outside);
  if ('problem' in handle) return { why: sentence`The list of a standing approval can’t be used. ${handle.problem}` };
  try {
    return new Set((await readIdFile(handle, path, undefined, signal)).values);
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    return { why: sentence`The list of a standing approval can’t be used: ${word(error.reason, 300)}` };
  } finally {
    await handle.close();
  }
}

interface Counting {
  readonly agent: string;
  readonly file: string;
  readonly timeZone: string;
  readonly today: string;
  readonly records: readonly ChangeRecord[];
}

function receiptOf(uses: readonly Use[], { agent, file, timeZone, today, records }: Counting): Verdict {
  const byRule = new Map<Rule, Use[]>();
  for (const use of uses) byRule.set(use.rule, [...(byRule.get(use.rule) ?? []), use]);
  const rules: RuleUse[] = [];
  for (const [rule, parts] of byRule) {
    const [first] = parts;
    if (first === undefined) continue;
    const approval = first.approval.id;
    const number = parts.reduce((sum, { units }) => sum + units, 0);
    const digest = digestOf(rule);
    const used = usedOf(records, { approval, digest, timeZone, today });
    const over = (limit: number | undefined, before: number): number => (limit === undefined ? 0 : Math.max(0, before + number - limit));
    const of = sentence`${word(approval)} (${word(rule.kind)})`;
    if (over(rule.perChange, 0) > 0)
      return {
        why: sentence`${numberOf(number)} are ${numberOf(over(rule.perChange, 0))} over the ${numberOf(rule.perChange ?? 0)} in one change of ${of}.`,
      };
    if (over(rule.perDay, used.today) > 0)
      return {
        why: sentence`${numberOf(over(rule.perDay, used.today))} over today’s ${numberOf(rule.perDay)} of ${of}, which starts again at 00:00 ${word(timeZone)}; ${numberOf(used.today)} are used.`,
      };
    if (over(rule.total, used.total) > 0)
      return {
        why: sentence`${numberOf(over(rule.total, used.total))} over the ${numberOf(rule.total ?? 0)} in all of ${of}; ${numberOf(used.total)} are used.`,
      };
    const items: Record<string, number> = {};
    for (const { share, units } of parts) if (share.item !== undefined) items[share.item] = (items[share.item] ?? 0) + units;
    rules.push({
      ...{ approval, kind: rule.kind, rule: digest, number },
      today: { used: used.today + number, limit: rule.perDay },
      ...(rule.total === undefined ? {} : { total: { used: used.total + number, limit: rule.total } }),
      ...(Object.keys(items).length === 0 ? {} : { items }),
    });
  }
  return { receipt: { agent, file, rules } };
}

const DIGEST_DIGITS = 16;

/** The same rule with other limits, or with other names for its readers, goes on counting. */
function digestOf(rule: Rule): string {
  const { perChange: _each, perDay: _day, total: _total, ...scope } = rule;
  const ids = (refs: readonly { readonly id: string }[]) => refs.map(({ id }) => id).toSorted();
  const bare = {
    ...scope,
    ...('to' in scope ? { to: ids(scope.to) } : {}),
    ...('from' in scope ? { from: ids(scope.from) } : {}),
    ...('channels' in scope ? { channels: ids(scope.channels) } : {}),
  };
  return createHash('sha256').update(stableJson(bare)).digest('hex').slice(0, DIGEST_DIGITS);
}

interface RuleOnDay {
  readonly approval: string;
  readonly digest: string;
  readonly timeZone: string;
  readonly today: string;
}

function usedOf(records: readonly ChangeRecord[], { approval, digest, timeZone, today }: RuleOnDay) {
  const sums = { today: 0, total: 0 };
  for (const record of records) {
    const { standing, at } = record.intent;
    for (const use of standing?.rules ?? []) {
      if (use.approval !== approval || use.rule !== digest) continue;
      const counted = countedUse(record, use, standing?.rules.length === 1);
      sums.total += counted;
      if (dayIn(timeZone, new Date(at)) === today) sums.today += counted;
    }
  }
  return sums;
}

interface Look {
  readonly path: string;
  readonly revoked: string;
  readonly read: () => Promise<StandingFileRead>;
  readonly now: () => Date;
}

/** Looks at the files again only where they are not as they were. */
function createLook({ path, revoked, read, now }: Look) {
  let known: { readonly state: string; readonly found: StandingFileRead; readonly gone: ReadonlySet<string> } | undefined;
  const stateOf = async () => {
    const infos = await Promise.all([path, revoked].map((file) => stat(file, { bigint: true }).catch(() => undefined)));
    return infos
      .map((info) => (info === undefined ? '-' : [info.ino, info.size, info.mtimeNs, info.ctimeNs, info.mode].join(' ')))
      .join('; ');
  };

  return async ({ agent, rules }: Receipt): Promise<void> => {
    const state = await stateOf();
    if (known?.state !== state) known = { state, found: await read(), gone: await revocations(revoked) };
    const { found, gone } = known;
    const stop = (why: Sentence): never => {
      const at = word(now().toISOString().slice(11, 16));
      throw new VideoHostingError('not_approved', `Stopped at ${at} UTC: ${why}`, {
        hint: 'What was done stays; undo_change can take it back where that is possible. Tell the user, who decides on the rest.',
      });
    };
    if (!found.ok) return stop(sentence`the file of standing approvals can’t be used any more. ${joined(found.problems)}`);
    for (const use of rules) {
      const approval = found.file.approvals.find(({ id, for: named }) => id === use.approval && named === agent);
      const rule = approval?.allow.find((one) => digestOf(one) === use.rule);
      if (gone.has(use.approval)) return stop(sentence`${word(use.approval)} was revoked.`);
      if (approval === undefined || rule === undefined) return stop(sentence`${word(use.approval)} allows it no more.`);
      if (dayIn(found.file.timeZone, now()) >= approval.until)
        return stop(sentence`${word(use.approval)} ended on ${word(approval.until)}.`);
      if (
        use.number > (rule.perChange ?? use.number) ||
        use.today.used > rule.perDay ||
        (use.total?.used ?? 0) > (rule.total ?? Number.POSITIVE_INFINITY)
      )
        return stop(sentence`the limits of ${word(use.approval)} are lower now than what was begun.`);
    }
  };
}
