import type { ShownPlan } from '../plan/plan.ts';

/** How long a change that is kept on disk waits, and for how long it can be seen what became of it. */
export const KEPT_DAYS = 7;
export const KEPT_ENDED_DAYS = 30;
/** For how long no standing approval covers what a person declined: as long as a change that was kept can be seen. */
export const DECLINED_DAYS = KEPT_DAYS + KEPT_ENDED_DAYS;
/** Of one agent or person, in all ways in which something waits on disk. */
export const MAX_KEPT = 50;
/** So many more where a person asks on the page themselves: what their assistant asked for must not keep them from it. */
export const MAX_OWN = 10;
/** Of one agent, those that ended last: every look at what waits reads them. */
export const MAX_KEPT_ENDED = 100;

/** Ids and keys of all plans that wait in one way: some 100 MB. An assistant may plan for a million ids again and again. */
export const MAX_WAITING_KEYS = 1_000_000;
/** Of each route, the plans that wait no more, so that a late answer, get_change and the page learn what came of them. */
export const MAX_ENDED = 50;
export const MAX_ENDED_KEYS = 100_000;

/** How many of the oldest plans must go so that the rest are within the limits; the newest stays, whatever its size. */
export function surplusOf(sizes: readonly number[], max: number, maxKeys: number): number {
  let keys = sizes.reduce((sum, size) => sum + size, 0);
  const first = sizes.findIndex((size, index) => {
    if (index === sizes.length - 1 || (sizes.length - index <= max && keys <= maxKeys)) return true;
    keys -= size;
    return false;
  });
  return Math.max(0, first);
}

/** How many ids and keys are kept for a plan: its own, and those in the arguments that it is made from again. */
export const keysHeld = ({ plan, call }: { readonly plan: ShownPlan; readonly call?: { readonly args: unknown } | undefined }): number =>
  keysIn(plan) + entriesIn(call?.args);

/** The entries of all lists in a call's arguments. */
function entriesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce<number>((sum, entry) => sum + entriesIn(entry), 0);
  return Array.isArray(value) ? inner + value.length : inner;
}

function keysIn(plan: ShownPlan): number {
  if ('ids' in plan) return plan.ids.length;
  const values = plan.items.flatMap(({ before, after }) => [...Object.values(before), ...Object.values(after)]);
  return values.reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), plan.items.length);
}
