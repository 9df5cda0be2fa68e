import type { ChangePlan, ShownPlan } from '../plan/plan.ts';
import { TRAITS } from '../plan/traits/index.ts';

/** By which two changes are found to be about the same records: what is new has none, and a copy replaces nothing. */
export function recordsOf(plan: ChangePlan | ShownPlan): readonly string[] {
  const { isNew, ofMany } = TRAITS[plan.kind];
  if ('ids' in plan) return ofMany?.isRepeatable === false ? [] : plan.ids;
  return isNew ? [] : plan.items.map(({ id }) => id);
}
