import { shownName } from '../../account/references.ts';
import { VideoHostingError } from '../../errors.ts';
import { eachId } from '../../files/id-list.ts';
import { readList } from '../../files/read-list.ts';
import { digestOf } from '../../platform/stable-json.ts';
import { zoneName } from '../../platform/time-zones.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Share } from '../kinds/shares.ts';
import { numberOf, type Receipt, type RuleUse, ruleName } from '../plan/receipt.ts';
import { stateIn } from './file-state.ts';
import { openOwned } from './read-file.ts';
import type { ApprovalWithState } from './rule-words.ts';
import { namedIn, type Rule, type StandingApproval } from './rules.ts';
import type { UsedOf } from './usage.ts';

/** Why no standing approval covers a plan; for an assistant, the argument by which one would. */
export interface Uncovered {
  readonly why: Sentence;
  readonly lacks?: Sentence;
}

/** A part of a plan under its rule. */
export interface Use {
  readonly share: Share;
  readonly approval: ApprovalWithState;
  readonly rule: Rule;
  readonly units: number;
}

/** The parts of a plan under their rules, and the lists in which its ids were found: how each was then, by its path. */
export interface Uses {
  readonly uses: readonly Use[];
  readonly lists: ReadonlyMap<string, string>;
}

/** Each part, or each id of it, under the first rule that is about it. */
export async function usesOf(
  shares: readonly Share[],
  approvals: readonly ApprovalWithState[],
  files: { readonly outside: readonly string[]; readonly signal: AbortSignal },
): Promise<Uses | Uncovered> {
  const uses: Use[] = [];
  const lists = new Map<string, string>();
  for (const share of shares) {
    const rules = approvals.flatMap((approval) => approval.allow.filter(share.isUnder).map((rule) => ({ approval, rule })));
    let open = share.ids;
    for (const { approval, rule } of rules) {
      if (!('onlyIdsIn' in rule) || rule.onlyIdsIn === undefined || open === undefined) {
        // A channel of which a rule covers two texts counts once.
        const isCounted = share.rule === 'change_texts' && uses.some((use) => use.rule === rule && use.share.item === share.item);
        uses.push({ share, approval, rule, units: isCounted ? 0 : (open?.length ?? share.units) });
        open = [];
        break;
      }
      const { find, unfound } = createIdSearch(open);
      const list = await eachIdIn(rule.onlyIdsIn, files, find);
      if ('why' in list) return list;
      const left = unfound();
      if (left.length < open.length) {
        uses.push({ share, approval, rule, units: open.length - left.length });
        if (!lists.has(rule.onlyIdsIn)) lists.set(rule.onlyIdsIn, list.state);
      }
      open = left;
      if (open.length === 0) break;
    }
    if (rules.length === 0) return { why: sentence`No standing approval covers ${share.words}.` };
    if (open !== undefined && open.length > 0)
      return {
        why: sentence`No standing approval covers ${share.words} of ${numberOf(open.length)} of its videos: they are in no list that a rule names.`,
      };
  }
  return { uses, lists };
}

/** Which of some distinct ids are not found. A list often has them in their own order: then a million need no set of 60 MB. */
export function createIdSearch(ids: readonly string[]) {
  let inOrder = 0;
  let others: Set<string> | undefined;
  return {
    find(id: string): void {
      if (others === undefined && ids[inOrder] === id) {
        inOrder += 1;
        return;
      }
      others ??= new Set(ids.slice(inOrder));
      others.delete(id);
    },
    unfound: (): readonly string[] => (others === undefined ? ids.slice(inOrder) : [...others]),
  };
}

/** Hands on the ids in a list of a rule. Returns how many they are, and how the file was when it was opened. */
export async function eachIdIn(
  path: string,
  { outside, signal }: { readonly outside: readonly string[]; readonly signal: AbortSignal },
  add: (id: string) => void,
): Promise<{ readonly count: number; readonly state: string } | Uncovered> {
  const handle = await openOwned(path, outside);
  if ('problem' in handle) return { why: sentence`The list of a standing approval can’t be used. ${handle.problem}` };
  try {
    const state = stateIn(await handle.stat({ bigint: true }));
    return { count: await readList({ name: path, from: { handle }, signal }, eachId(add)), state };
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    return { why: sentence`The list of a standing approval can’t be used: ${word(error.reason, 300)}` };
  } finally {
    await handle.close();
  }
}

/** How many ids the lists have that rules name, each once, or why one can’t be used. */
export async function listsOf(approvals: readonly StandingApproval[], files: Parameters<typeof eachIdIn>[1]) {
  const named = approvals.flatMap(({ allow }) => allow.flatMap((rule) => ('onlyIdsIn' in rule ? (rule.onlyIdsIn ?? []) : [])));
  const [lines, problems]: [Sentence[], Sentence[]] = [[], []];
  for (const path of new Set(named)) {
    const list = await eachIdIn(path, files, () => undefined);
    if ('why' in list) problems.push(list.why);
    else lines.push(sentence`The list ${word(path)} has ${numberOf(list.count)} ids.`);
  }
  return { lines, problems };
}

export interface Counting {
  readonly agent: string;
  readonly file: string;
  readonly timeZone: string;
  readonly usedOf: UsedOf;
}

/** The receipt of what is used, if that is within all limits. */
export function receiptOf(uses: readonly Use[], { agent, file, timeZone, usedOf }: Counting): { readonly receipt: Receipt } | Uncovered {
  const byRule = new Map<Rule, Use[]>();
  for (const use of uses) byRule.set(use.rule, [...(byRule.get(use.rule) ?? []), use]);
  const rules: RuleUse[] = [];
  for (const [rule, parts] of byRule) {
    const [first] = parts;
    if (first === undefined) continue;
    const { id: approval, allow } = first.approval;
    const position = allow.filter(({ kind }) => kind === rule.kind).length > 1 ? { position: allow.indexOf(rule) + 1 } : {};
    const number = parts.reduce((sum, { units }) => sum + units, 0);
    const digest = ruleDigest(rule);
    const used = usedOf({ approval, rule: digest });
    const of = sentence`${word(approval)} (${ruleName({ kind: rule.kind, ...position })})`;
    const over = (before: number, limit = Number.POSITIVE_INFINITY) =>
      before + number > limit && { by: numberOf(before + number - limit), limit: numberOf(limit), before: numberOf(before) };
    const [change, day, all] = [over(0, rule.perChange), over(used.today, rule.perDay), over(used.total, rule.total)];
    if (change) return { why: sentence`${numberOf(number)} are ${change.by} over the ${change.limit} in one change of ${of}.` };
    if (day) {
      const again = sentence`which starts again at 00:00 ${zoneName(timeZone)}; ${day.before} are used.`;
      return { why: sentence`${day.by} over today’s ${day.limit} of ${of}, ${again}` };
    }
    if (all) return { why: sentence`${all.by} over the ${all.limit} in all of ${of}; ${all.before} are used.` };
    const renamed = renamedIn(rule, new Map(parts.flatMap(({ share }) => [...(share.names ?? [])])));
    const items: Record<string, number> = {};
    for (const { share, units } of parts) if (share.item !== undefined) items[share.item] = (items[share.item] ?? 0) + units;
    rules.push({
      ...{ approval, kind: rule.kind, rule: digest, number, ...position },
      today: { used: used.today + number, limit: rule.perDay },
      ...(rule.total === undefined ? {} : { total: { used: used.total + number, limit: rule.total } }),
      ...(Object.keys(items).length === 0 ? {} : { items }),
      ...(renamed.length === 0 ? {} : { renamed }),
    });
  }
  return { receipt: { agent, file, rules } };
}

/** The records of a rule that are called otherwise now than the file says: ids bind, and names are for its readers. */
export function renamedIn(rule: Rule, names: ReadonlyMap<string, string | undefined>): NonNullable<RuleUse['renamed']> {
  return namedIn(rule).refs.flatMap((ref) => {
    const [named, now] = [ref.name === undefined ? undefined : shownName({ ...ref, name: ref.name }), names.get(ref.id)];
    return named === undefined || now === undefined || named === now ? [] : [{ id: ref.id, named, now }];
  });
}

const DIGEST_DIGITS = 16;

/** The same rule with other limits, or with other names for its readers, goes on counting. */
export function ruleDigest(rule: Rule): string {
  const { perChange: _each, perDay: _day, total: _total, ...scope } = rule;
  const bare = Object.entries<string | undefined | Refs>(scope).map(([key, value]) => [key, Array.isArray(value) ? idsOf(value) : value]);
  return digestOf(Object.fromEntries(bare)).slice(0, DIGEST_DIGITS);
}

type Refs = readonly (string | { readonly id: string })[];

const idsOf = (refs: Refs): readonly string[] => [...new Set(refs.map((ref) => (typeof ref === 'string' ? ref : ref.id)))].toSorted();
