import * as z from 'zod';
import { DAY_MS } from '../../platform/time-units.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import type { RuleUse } from '../plan/receipt.ts';
import { startOfDay } from './days.ts';

/** What changes used of a rule; the newest was begun at `at`. */
const UseSchema = z.object({ approval: z.string(), rule: z.string(), counted: z.int().min(0), at: z.iso.datetime() }).readonly();
type Use = z.output<typeof UseSchema>;

/** What those changes of a day used that have ended. */
const NotedSchema = z.object({ changes: z.array(z.string()).readonly(), uses: z.array(UseSchema).readonly() }).readonly();
type Noted = z.output<typeof NotedSchema>;

const NOTHING: Noted = { changes: [], uses: [] };

/** How much of a rule is used. */
export interface Used {
  readonly today: number;
  readonly total: number;
  /** When the newest change under it was begun: ISO 8601. */
  readonly last?: string;
}

export type UsedOf = (rule: Pick<RuleUse, 'approval' | 'rule'>) => Used;

/** Adds up what was used, from the journal. What has ended, and isn’t carried on, is read once, by whichever process comes first. */
export function createUsage(journal: Journal) {
  const known = new Map<string, Noted>();

  async function usesOn(day: string, carriedOn: readonly string[], isOver: boolean): Promise<readonly Use[]> {
    const changes = await journal.covered.changesOf(day);
    const mayBeNoted = new Set(changes.filter((id) => !carriedOn.includes(id)));
    const noted = known.get(day) ?? NotedSchema.safeParse(await journal.covered.noted(day)).data ?? NOTHING;
    const earlier = noted.changes.every((id) => mayBeNoted.has(id)) ? noted : NOTHING;
    const isNoted = new Set(earlier.changes);
    const [ended, settled, open] = [[...earlier.changes], [...earlier.uses], [] as Use[]];
    for (const changeId of changes.filter((id) => !isNoted.has(id))) {
      const record = await journal.read(changeId);
      // Without an intent nothing was sent.
      if (record === undefined) continue;
      const isOfDay = mayBeNoted.has(changeId) && isSettled(record);
      if (isOfDay) ended.push(changeId);
      (isOfDay ? settled : open).push(...usesIn(record));
    }
    const uses = summed(settled, isOver);
    known.set(day, { changes: ended, uses });
    if (ended.length > earlier.changes.length || uses.length < earlier.uses.length)
      await journal.covered.note(day, { changes: ended, uses });
    return [...uses, ...open];
  }

  /** Of the changes of the day of a moment, or of all. Throws `not_found` where the journal of one can’t be read. */
  return async (of: 'all' | 'today', timeZone: string, now: Date): Promise<UsedOf> => {
    const startMs = startOfDay(timeZone, now);
    const start = new Date(startMs).toISOString();
    const found: Use[] = [];
    for (const [day, carriedOn] of await journal.covered.days(of === 'all' ? 0 : startMs))
      found.push(...(await usesOn(day, carriedOn, Date.parse(day) + DAY_MS <= startMs)));
    return ({ approval, rule }) => {
      const sums: { today: number; total: number; last?: string } = { today: 0, total: 0 };
      for (const { counted, at } of found.filter((use) => use.approval === approval && use.rule === rule)) {
        sums.total += counted;
        if (sums.last === undefined || at > sums.last) sums.last = at;
        if (at >= start) sums.today += counted;
      }
      return sums;
    };
  };
}

const usesIn = (record: ChangeRecord): Use[] =>
  (record.intent.standing?.rules ?? []).map((use) => {
    const { approval, rule } = use;
    return { approval, rule, counted: countedUse(record, use), at: record.intent.at };
  });

const MINUTE_LENGTH = '2026-11-28T12:00'.length;

/** Those of a rule as one; of a day that is not over, those of one minute, since with a minute begins the day of each time zone. */
function summed(uses: readonly Use[], isOver: boolean): readonly Use[] {
  const sums = new Map<string, Use>();
  for (const use of uses) {
    const key = JSON.stringify([use.approval, use.rule, isOver || use.at.slice(0, MINUTE_LENGTH)]);
    const sum = sums.get(key);
    const newest = sum === undefined || use.at > sum.at ? use : sum;
    sums.set(key, { ...newest, counted: use.counted + (sum?.counted ?? 0) });
  }
  return [...sums.values()];
}

/** Whether it stays as it is unless it is carried on: it has ended, and a later look finds nothing more. */
const isSettled = ({ status, items }: ChangeRecord): boolean =>
  status !== 'running' && status !== 'interrupted' && !items.some(({ outcome }) => outcome === 'unknown' || outcome === 'pending');

/**
 * A number counts from its intent on, also where the change was interrupted or its outcome is not known. What the ended change surely
 * did not do is given back.
 */
export function countedUse({ status, items, bulk, intent }: ChangeRecord, use: RuleUse): number {
  if (status === 'running' || status === 'interrupted') return use.number;
  const notDone = new Set(items.flatMap(({ id, outcome }) => (outcome === 'failed' || outcome === 'not_done' ? [id] : [])));
  const count = bulk === undefined ? notDone.size : bulk.count('failed') + bulk.count('not_done') + bulk.count('none');
  if (count === (bulk?.total ?? items.length)) return 0;
  if (use.kind === 'undo_own') return use.number;
  // Which ids fell under which of several rules is not kept.
  const ofIds = intent.standing?.rules.filter(({ kind }) => kind !== 'undo_own') ?? [];
  if (bulk !== undefined) return ofIds.length === 1 ? Math.max(0, use.number - count) : use.number;
  if (use.items === undefined) return use.number;
  return Object.entries(use.items).reduce((sum, [id, number]) => sum + (notDone.has(id) ? 0 : number), 0);
}
