import type { Intent } from './format.ts';

/** The id of a change tells when it was proposed, its intent when it was begun. Both only grow, even if the clock is set back. */

/** The longest time between the two, unless it waited on disk for a person (`isLate`). */
export const MAX_PLAN_AGE_MS = 3_600_000;

/** By which changes are ordered. */
export type BegunAt = Pick<Intent, 'changeId' | 'at'>;

/** Milliseconds since the epoch. */
export const timeOfId = (changeId: string): number => Number.parseInt(changeId.slice(4, 13), 36);

/** Whether a change was begun, or at work, so long after its id was given out that the id does not tell when. */
export const isLate = ({ changeId, at }: BegunAt): boolean => Date.parse(at) - timeOfId(changeId) > MAX_PLAN_AGE_MS / 2;

/** The least id of a time. */
export const idAt = (ms: number): string => `chg-${ms.toString(36).padStart(9, '0')}-0000`;

export const isBegunAfter = (one: BegunAt, other: BegunAt): boolean =>
  one.at === other.at ? one.changeId > other.changeId : one.at > other.at;

export const newestFirst = (one: { readonly intent: BegunAt }, other: { readonly intent: BegunAt }): number =>
  isBegunAfter(one.intent, other.intent) ? -1 : 1;

interface Dated {
  readonly at?: string | undefined;
}
/** What is dated of a change. */
interface Events {
  readonly intent: Dated;
  readonly items: readonly Dated[];
  readonly ended?: Dated | undefined;
  readonly resumed?: Dated | undefined;
}

/** The time of the last event that a change has recorded, in milliseconds since the epoch. */
export function latestTimeIn({ intent, items, ended, resumed }: Events): number {
  const times = [intent.at, ended?.at, resumed?.at, ...items.map(({ at }) => at)];
  return Math.max(...times.flatMap((at) => (at === undefined ? [] : [Date.parse(at)])));
}
