import { cleanText } from '../../service/sanitize-text.ts';
import type { PlannedItem, ShownPlan } from '../plan.ts';
import { digestOf } from '../stable-json.ts';

/** What is not any more as a person was shown it, a sentence each. */
export function whatMoved(shown: ShownPlan, now: ShownPlan): string[] {
  const itemsOf = (plan: ShownPlan) => ('items' in plan ? plan.items : []);
  const state = (plan: ShownPlan) => digestOf(plan.facts ?? {}, itemsOf(plan));
  if (state(shown) === state(now)) return [];
  const moved = itemsOf(shown).flatMap((item) => {
    const current = itemsOf(now).find(({ id }) => id === item.id);
    if (current === undefined) return [`${item.label} is not there any more, or needs no change.`];
    return digestOf(item) === digestOf(current) ? [] : [movedSentence(item, current)];
  });
  return moved.length > 0 ? moved : ['What this change depends on is not as it was.'];
}

function movedSentence({ label, seen, before }: PlannedItem, now: PlannedItem): string {
  const changed = Object.keys({ ...before, ...now.before }).filter((name) => digestOf(before[name]) !== digestOf(now.before[name]));
  const fields = changed.map((name) => `; ${name} ${movedValue(before[name], now.before[name])}`);
  return `${label} was changed by someone else: version ${seen?.version ?? '?'} → ${now.seen?.version ?? '?'}${fields.join('')}.`;
}

const MAX_TEXT = 120;

function movedValue(before: unknown, now: unknown): string {
  if (!Array.isArray(before) || !Array.isArray(now)) return `${shown(before)} → ${shown(now)}`;
  const [had, has] = [new Set<unknown>(before), new Set<unknown>(now)];
  const came = now.filter((key) => !had.has(key)).length;
  const left = before.filter((key) => !has.has(key)).length;
  return `${before.length} → ${now.length} (${came + left === 0 ? 'in another order' : `${came} added, ${left} removed`})`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'not known';
  return Array.isArray(value) ? String(value.length) : JSON.stringify(cleanText(String(value), MAX_TEXT));
}
