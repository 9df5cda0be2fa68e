import { isLeftAlone } from '../journal/change-status.ts';
import type { ShownPlan } from '../plan/plan.ts';

/** How many records or videos are sent: what a person types to agree. What is left alone counts nowhere. */
export const sizeOf = (plan: ShownPlan): number =>
  'ids' in plan ? plan.total : plan.items.filter((item) => !isLeftAlone(plan.kind, item)).length;
