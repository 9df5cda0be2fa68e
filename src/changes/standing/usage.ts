import { fieldsIn } from '../../platform/is-object.ts';
import { MAX_PLAN_AGE_MS } from '../journal/change-order.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { startOfDay } from './days.ts';
import type { RuleUse } from './receipt.ts';

/** What one change used of the rules that covered it. */
interface ChangeUse {
  readonly changeId: string;
  /** When it was begun: ISO 8601. */
  readonly at: string;
  readonly uses: readonly (Pick<RuleUse, 'approval' | 'rule'> & { readonly counted: number })[];
}

/** By hand, since a schema takes ten times as long for ten thousand of them. */
function isChangeUse(noted: unknown): noted is ChangeUse {
  const { changeId, at, uses } = fieldsIn(noted);
  return typeof changeId === 'string' && typeof at === 'string' && Array.isArray(uses) && uses.every(isUse);
}

function isUse(noted: unknown): boolean {
  const { approval, rule, counted } = fieldsIn(noted);
  return typeof approval === 'string' && typeof rule === 'string' && Number.isSafeInteger(counted) && Number(counted) >= 0;
}

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
  const settled = new Map<string, ChangeUse>();
  let loading: Promise<void> | undefined;
  const unnoted: ChangeUse[] = [];

  async function load(): Promise<void> {
    for (const noted of await journal.covered.noted()) if (isChangeUse(noted)) settled.set(noted.changeId, noted);
  }

  async function readUse(changeId: string, isResumed: boolean): Promise<ChangeUse | undefined> {
    const record = await journal.read(changeId);
    const receipt = record?.intent.standing;
    // Without an intent nothing was sent.
    if (record === undefined || receipt === undefined) return undefined;
    const uses = receipt.rules.map((use) => ({ approval: use.approval, rule: use.rule, counted: countedUse(record, use) }));
    const use = { changeId, at: record.intent.at, uses };
    if (!isResumed && isSettled(record)) {
      settled.set(changeId, use);
      unnoted.push(use);
    }
    return use;
  }

  /** Of the changes of the day of a moment, or of all. Throws `not_found` where the journal of one can’t be read. */
  return async (of: 'all' | 'today', timeZone: string, now: Date): Promise<UsedOf> => {
    const startMs = startOfDay(timeZone, now);
    const start = new Date(startMs).toISOString();
    loading ??= load();
    await loading;
    const found: ChangeUse[] = [];
    // Its id may tell an earlier time than that at which it was begun.
    for (const { changeId, isResumed } of await journal.covered.since(of === 'all' ? 0 : startMs - MAX_PLAN_AGE_MS)) {
      const use = (isResumed ? undefined : settled.get(changeId)) ?? (await readUse(changeId, isResumed));
      if (use !== undefined) found.push(use);
    }
    await journal.covered.note(unnoted.splice(0));
    return ({ approval, rule }) => {
      const sums: { today: number; total: number; last?: string } = { today: 0, total: 0 };
      for (const { at, uses } of found)
        for (const use of uses.filter((one) => one.approval === approval && one.rule === rule)) {
          sums.total += use.counted;
          if (sums.last === undefined || at > sums.last) sums.last = at;
          if (at >= start) sums.today += use.counted;
        }
      return sums;
    };
  };
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
