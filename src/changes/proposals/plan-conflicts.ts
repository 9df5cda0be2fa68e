import { digestOf, stableJson } from '../../platform/stable-json.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { noticeTexts } from '../notices/notices.ts';
import { moveIn, type ProjectShare } from '../plan/facts.ts';
import { quotedValue, wordOf } from '../plan/field-text.ts';
import { listDifference } from '../plan/list-difference.ts';
import { itemsOf, type PlannedItem, type ShownPlan } from '../plan/plan.ts';
import { differingIn, type Fields } from '../plan/records.ts';

/** The plan as it is now, and how it differs from the one that was confirmed, a sentence for each record. */
export interface PlanConflict {
  readonly plan: ShownPlan;
  readonly conflicts: readonly Sentence[];
  /** The records that are still as they were shown, beside others that are not. */
  readonly unmoved?: readonly Sentence[];
}

/** Of all that two plans are compared by. */
export const planDigest = (plan: ShownPlan): string => digestOf(plan.facts, plan.basis ?? {}, itemsOf(plan));

/** How the account differs from the plan that a person confirmed, a sentence for each record. Empty if it does not. */
export function planConflicts(confirmed: ShownPlan, now: ShownPlan): Sentence[] {
  if (planDigest(confirmed) === planDigest(now)) return [];
  const conflicts = itemsOf(confirmed).flatMap((item) => {
    const current = itemsOf(now).find(({ id }) => id === item.id);
    if (current === undefined) return [sentence`${item.label} is not there any more, or needs no change.`];
    if (digestOf(item) === digestOf(current)) return [];
    return [
      digestOf(item.seen, item.before) === digestOf(current.seen, current.before)
        ? otherwiseSent(item, current)
        : conflictSentence(item, current),
    ];
  });
  conflicts.push(...otherTargets(confirmed, now));
  if (conflicts.length > 0) return conflicts;
  // What moved is told by what the person is told now, and was not before.
  const before = new Set(confirmed.preview.notices.map((notice) => digestOf(notice)));
  const news = now.preview.notices.filter((notice) => !before.has(digestOf(notice)));
  return news.length > 0 ? noticeTexts({ ...now.preview, notices: news }) : [sentence`What this change depends on is not as it was.`];
}

/** Of a record that is as it was: other records have its name now, or what is to be sent came from a file. */
function otherwiseSent(shown: PlannedItem, now: PlannedItem): Sentence {
  if (digestOf(unnamed(shown)) === digestOf(unnamed(now)))
    return sentence`${shown.label} is a name of several records now. This change is of ${now.label}.`;
  return sentence`What is to be sent to ${shown.label} is not what was shown: a file changed meanwhile.`;
}

/** What it is called follows from the names of the others, too. */
const unnamed = ({ label, name, ...rest }: PlannedItem) => rest;

/** The records of a plan that are still as a person confirmed them. */
export const unmovedIn = (confirmed: ShownPlan, now: ShownPlan): readonly Sentence[] =>
  itemsOf(confirmed).flatMap((item) => {
    const current = itemsOf(now).find(({ id }) => id === item.id);
    return current !== undefined && digestOf(item) === digestOf(current) ? [item.label] : [];
  });

/** Of a move whose project was named, where another one has that name now. */
function otherTargets({ facts: was }: ShownPlan, { facts: is }: ShownPlan): Sentence[] {
  const [before, after] = [moveIn(was)?.targetProjects ?? [], moveIn(is)?.targetProjects ?? []];
  const missing = (from: readonly ProjectShare[], of: readonly ProjectShare[]) => from.filter(({ id }) => of.every((one) => one.id !== id));
  const [gone, come] = [missing(before, after), missing(after, before)];
  if (gone.length === 0 && come.length === 0) return [];
  const named = (projects: readonly ProjectShare[]) =>
    joined(
      projects.map(({ id, name, label }) => sentence`${name === undefined ? label : inQuotes(name, MAX_TEXT)} (id ${word(id)})`),
      ', ',
    );
  return [sentence`The videos would go into another project now: ${named(come)}, in place of ${named(gone)}.`];
}

function conflictSentence({ label, seen, before }: PlannedItem, now: PlannedItem): Sentence {
  const changed = differingIn(before, now.before);
  const fields = changed.map((name) => sentence`${differenceText(name, before[name], now.before[name])}${stayText(name, now)}`);
  // Its contents were stated anew.
  if (digestOf(seen) === digestOf(now.seen)) return sentence`What is known of ${label} changed: ${joined(fields, '; ')}.`;
  return sentence`${label} was changed meanwhile: ${fields.length === 0 ? 'what of it is not shown' : joined(fields, '; ')}.`;
}

/** Whether what others set is kept. Lists are told by the plan as it is now. */
function stayText(field: keyof Fields, { after, before }: PlannedItem): Sentence {
  if (before[field] === undefined || Array.isArray(before[field])) return sentence``;
  if (after[field] === undefined) return sentence`, which stays`;
  return after[field] === before[field] ? sentence`` : sentence`, which this replaces`;
}

const MAX_TEXT = 120;

function differenceText(field: keyof Fields, before: unknown, now: unknown): Sentence {
  const called = Array.isArray(before) || Array.isArray(now) ? sentence`${wordOf(field)}s` : wordOf(field);
  if (!Array.isArray(before) || !Array.isArray(now)) return sentence`${called} ${valueText(field, before)} → ${valueText(field, now)}`;
  const { added, removed } = listDifference(before.map(String), now.map(String));
  const isReordered = added.length + removed.length === 0;
  return sentence`${called} ${before.length} → ${now.length} (${isReordered ? 'in another order' : sentence`${added.length} added, ${removed.length} removed`})`;
}

function valueText(field: keyof Fields, value: unknown): Sentence {
  if (value === undefined) return sentence`not known`;
  if (Array.isArray(value)) return sentence`${value.length}`;
  if (typeof value === 'boolean' || typeof value === 'number') return quotedValue(field, value);
  return inQuotes(typeof value === 'string' ? value : stableJson(value), MAX_TEXT);
}
