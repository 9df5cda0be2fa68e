import { inFull } from '../../text/counted.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { plannedUndo } from '../kinds/earlier/undoable.ts';
import { kindOf } from '../kinds/index.ts';
import type { Share } from '../kinds/shares.ts';
import { isAtLeast, type Notice } from '../notices/notices.ts';
import { FIELDS, rowOf } from '../plan/channel-fields.ts';
import { undoneIn } from '../plan/facts.ts';
import { listText } from '../plan/list-text.ts';
import { type ChangePlan, type ItemPlan, type PlannedItem, sentIdsOf } from '../plan/plan.ts';
import { changedIn } from '../plan/records.ts';
import type { ApprovalWithState } from './rule-words.ts';
import { type Counting, createIdSearch, eachIdIn, receiptOf, ruleDigest, type Use, usesOf } from './uses.ts';

// A plan is covered as a whole or not at all. What of it would be covered by itself is advice: a call with that alone is judged anew.

interface PartDeps extends Counting {
  readonly approvals: readonly ApprovalWithState[];
  readonly outside: readonly string[];
  readonly signal: AbortSignal;
}

/** Names in one sentence. */
const MAX_NAMED = 50;

/** What of a plan that is not covered would be by itself, and how that is done now; undefined where nothing would, or all is one. */
export async function partCovered(plan: ChangePlan, deps: PartDeps): Promise<Sentence | undefined> {
  if (plan.resumes !== undefined || undoneIn(plan.facts).length > 0) return undefined;
  const part = 'items' in plan ? await partOfRecords(plan, deps) : await partOfIds(plan, deps);
  return part && sentence`${part} The rest, in a call of its own, waits for a person.`;
}

/** One field of one record. */
interface Piece {
  readonly item: PlannedItem;
  readonly shares: readonly Share[];
}

async function partOfRecords(plan: ItemPlan, deps: PartDeps): Promise<Sentence | undefined> {
  const covered: Piece[] = [];
  for (const item of plan.items)
    for (const field of FIELDS.filter((one) => changedIn(item).includes(one))) {
      const found = sharesOf(plan, item, field);
      if (found === undefined) continue;
      const together = [...covered.flatMap(({ shares }) => shares), ...found];
      if (await areCovered(together, deps)) covered.push({ item, shares: found });
    }
  if (covered.length === 0) return undefined;
  const countOf = (item: PlannedItem) => covered.filter((piece) => piece.item === item).length;
  const isWhole = (item: PlannedItem) => countOf(item) === FIELDS.filter((field) => changedIn(item).includes(field)).length;
  const whole = plan.items.filter(isWhole);
  const texts = covered.filter(({ item }) => !isWhole(item)).flatMap(({ shares }) => shares.map(({ words }) => words));
  const records = whole.length === 0 ? [] : [sentence`${recordsText(plan.items, whole)}`];
  const which = joined([...records, ...(texts.length === 0 ? [] : [joined(texts.slice(0, MAX_NAMED), ', ')])], ', and ');
  return sentence`Part of it would be covered: ${which}. To have that done now, make a call with that alone.`;
}

/** `3 of 4 channels ("A", "B", "C")`, by those that are not where these are fewer. */
function recordsText(all: readonly PlannedItem[], some: readonly PlannedItem[]): Sentence {
  const others = all.filter((item) => !some.includes(item));
  const named = (items: readonly PlannedItem[]) =>
    sentence`${joined(
      items.slice(0, MAX_NAMED).map(({ label }) => label),
      ', ',
    )}${items.length > MAX_NAMED ? sentence` and ${items.length - MAX_NAMED} more` : ''}`;
  const numbers = sentence`${some.length} of ${all.length} channels`;
  return others.length > 0 && others.length < some.length
    ? sentence`${numbers}, all but ${named(others)}`
    : sentence`${numbers} (${named(some)})`;
}

/** The parts of a change of one field of one record alone; undefined where nothing could cover that. */
function sharesOf(plan: ItemPlan, item: PlannedItem, field: (typeof FIELDS)[number]): readonly Share[] | undefined {
  const others = FIELDS.filter((one) => one !== field && changedIn(item).includes(one));
  const asBefore = Object.fromEntries(others.map((one) => [one, item.before[one]]));
  const items = [{ ...item, after: { ...item.after, ...asBefore } }];
  const isList = rowOf(field).kind === 'list';
  const isOfIt = (notice: Notice) =>
    (!('label' in notice) || notice.label === undefined || notice.label === item.label) && (isList || !isLoss(notice));
  const notices = plan.preview.notices.filter(isOfIt);
  const alone = { ...plan, items, preview: { ...plan.preview, notices } };
  const found = kindOf(plan.kind).shares({ ...alone, preview: { ...alone.preview, undo: plannedUndo({ ...alone, notices }) } }, undefined);
  return 'never' in found ? undefined : found.shares;
}

const isLoss = isAtLeast('lost');

async function areCovered(shares: readonly Share[], { approvals, outside, signal, ...by }: PartDeps): Promise<boolean> {
  const uses = await usesOf(shares, approvals, { outside, signal });
  return !('why' in uses) && 'receipt' in receiptOf(uses.uses, by);
}

/** Of many videos: those that are in a list of a rule, or as many as its limits leave. */
async function partOfIds(plan: ChangePlan, deps: PartDeps): Promise<Sentence | undefined> {
  const found = kindOf(plan.kind).shares(plan, undefined);
  const [share, ...others] = 'never' in found ? [] : found.shares;
  if (share?.ids === undefined || others.length > 0) return undefined;
  const unfound = await inNoList(share, deps);
  const total = sentIdsOf(plan).length;
  if (unfound === undefined || unfound.length === total) return undefined;
  const left = new Set(unfound);
  const ids = share.ids.filter((id) => !left.has(id));
  const uses = await usesOf([{ ...share, ids, units: ids.length }], deps.approvals, deps);
  if ('why' in uses) return undefined;
  const most = limitOf(uses.uses, deps);
  if (most < ids.length)
    return most === 0
      ? undefined
      : sentence`${inFull(most)} of its ${inFull(total)} videos would be covered by now. To have as many done, make a call with ${inFull(most)} of them${unfound.length === 0 ? '' : ' that are in a list which a rule names'}.`;
  if (unfound.length === 0) return undefined;
  const without =
    unfound.length <= MAX_NAMED
      ? sentence`Without ${listText(unfound, MAX_NAMED)} it would be covered. To have the others done now, make a call without ${unfound.length === 1 ? 'it' : 'these'}.`
      : sentence`${inFull(ids.length)} of its ${inFull(total)} videos would be covered: those in the lists that rules name. To have them done now, make a call with these alone.`;
  return without;
}

/** The ids that no rule is about, by its list; undefined where none is about the plan, or a list can’t be read. */
async function inNoList({ ids = [], isUnder }: Share, { approvals, ...files }: PartDeps): Promise<readonly string[] | undefined> {
  const rules = approvals.flatMap(({ allow }) => allow.filter(isUnder));
  if (rules.length === 0) return undefined;
  let open = ids;
  for (const rule of rules) {
    if (!('onlyIdsIn' in rule) || rule.onlyIdsIn === undefined) return [];
    const { find, unfound } = createIdSearch(open);
    if ('why' in (await eachIdIn(rule.onlyIdsIn, files, find))) return undefined;
    open = unfound();
  }
  return open;
}

/** How many videos the limits of a rule leave; none where several rules share the videos. */
function limitOf(uses: readonly Use[], { usedOf, ...by }: Counting): number {
  const all = uses.reduce((sum, { units }) => sum + units, 0);
  if ('receipt' in receiptOf(uses, { usedOf, ...by })) return all;
  const [use, ...others] = uses;
  if (use === undefined || others.length > 0) return 0;
  const { rule, approval } = use;
  const used = usedOf({ approval: approval.id, rule: ruleDigest(rule) });
  const { perChange = all, perDay, total = Number.POSITIVE_INFINITY } = rule;
  return Math.max(0, Math.min(perChange, perDay - used.today, total - used.total));
}
