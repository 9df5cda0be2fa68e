import * as z from 'zod';
import { digestOf } from '../../platform/stable-json.ts';
import { copyIn, moveIn } from '../plan/facts.ts';
import { type ChangePlan, itemsOf, type PlannedItem, type ShownPlan, sentIdsOf } from '../plan/plan.ts';
import { changedIn, type Fields } from '../plan/records.ts';
import { TRAITS } from '../plan/traits/index.ts';

/** So many ids are kept of what a person declined, and where there are more, all ids count as declined. */
const MAX_IDS = 20_000;

/** What a field of a channel would hold, and which entries of a list would be new in it. */
const FieldEffect = z.object({ result: z.string(), added: z.array(z.string()) });
const OfIds = z.object({
  act: z.enum(['move', 'copy']),
  /** The projects that videos go to, or the video that is copied from. */
  by: z.array(z.string()),
  /** Of the ids, in the order in which they were named. */
  digest: z.string(),
  /** Absent where they are too many. */
  ids: z.array(z.string()).optional(),
});
const OfChannels = z.object({ channels: z.record(z.string(), z.record(z.string(), FieldEffect)) });

/** What a change would do, however it is asked for: as much as tells whether another one would do some of it. */
export const EffectSchema = z.union([OfIds, OfChannels]);
export type Effect = z.output<typeof EffectSchema>;

/** Undefined of what makes something new, or gives data out. `listed`: its ids, where they are kept beside the plan. */
export function effectOf(plan: ChangePlan | ShownPlan, listed?: readonly string[]): Effect | undefined {
  const parts = partsOfIds(plan);
  if (parts !== undefined) {
    const ids = listed ?? sentIdsOf(plan);
    const isWhole = ids.length <= MAX_IDS && (!('total' in plan) || plan.total === ids.length);
    return { ...parts, ...(isWhole && { ids: [...ids] }) };
  }
  if (!('items' in plan) || TRAITS[plan.kind].channels !== 'update') return undefined;
  return { channels: Object.fromEntries(plan.items.map((item) => [item.id, fieldsOf(item)])) };
}

/** Whether a plan would do some of what was declined. */
export function doesSome(plan: ChangePlan, declined: Effect): boolean {
  if ('channels' in declined) {
    const fields = fieldPairs(plan, declined);
    return fields.some(([one, other]) => one.result === other.result || one.added.some((key) => other.added.includes(key)));
  }
  const parts = partsOfIds(plan);
  if (parts?.act !== declined.act || !parts.by.some((id) => declined.by.includes(id))) return false;
  if (declined.ids === undefined) return true;
  const ids = new Set(declined.ids);
  return sentIdsOf(plan).some((id) => ids.has(id));
}

/** Whether a plan does all of what was declined. */
export function doesAll(plan: ChangePlan, declined: Effect): boolean {
  if ('channels' in declined) {
    const wanted = Object.values(declined.channels).reduce((sum, fields) => sum + Object.keys(fields).length, 0);
    return wanted > 0 && fieldPairs(plan, declined).filter(([one, other]) => one.result === other.result).length === wanted;
  }
  const parts = partsOfIds(plan);
  if (parts?.act !== declined.act || digestOf(parts.by) !== digestOf(declined.by)) return false;
  if (parts.digest === declined.digest) return true;
  if (declined.ids === undefined || declined.by.length !== 1) return false;
  const sent = new Set(sentIdsOf(plan));
  return declined.ids.every((id) => sent.has(id));
}

function partsOfIds({ facts }: ChangePlan | ShownPlan): Omit<z.output<typeof OfIds>, 'ids'> | undefined {
  const [move, copy] = [moveIn(facts), copyIn(facts)];
  if (move !== undefined) return { act: 'move', by: move.targetProjects.map(({ id }) => id), digest: move.digest };
  return copy && { act: 'copy', by: [copy.source], digest: copy.digest };
}

type FieldEffects = z.output<typeof OfChannels>['channels'][string];

function fieldsOf(item: Pick<PlannedItem, 'before' | 'after'>): FieldEffects {
  return Object.fromEntries(changedIn(item).map((name) => [name, fieldEffect(item, name)]));
}

function fieldEffect({ before, after }: Pick<PlannedItem, 'before' | 'after'>, name: keyof Fields): z.output<typeof FieldEffect> {
  const [held, next] = [keysIn(before[name]), keysIn(after[name])];
  const known = new Set(held);
  return { result: digestOf(after[name]), added: next.filter((key) => !known.has(key)) };
}

const keysIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** The fields that a plan changes, each with what was declined of it. */
function fieldPairs(plan: ChangePlan, { channels }: z.output<typeof OfChannels>) {
  return itemsOf(plan).flatMap((item) =>
    Object.entries(fieldsOf(item)).flatMap(([name, planned]) => {
      const declined = channels[item.id]?.[name];
      return declined === undefined ? [] : [[planned, declined] as const];
    }),
  );
}
