/** What other changes that this server made have to do with the same videos: for the warnings of a plan. */
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { listed } from '../listed.ts';
import { type Fate, isPossiblyApplied } from './bulk-state.ts';

export interface Met {
  /** `It`, `All of them` or `3 of them ("a", "b", "c")`. */
  readonly which: string;
  readonly count: number;
  /** The newest change that met one of them. */
  readonly last: string;
}

/** Which of the ids were, or may have been, done by those of these changes that are wanted, the newest first; undefined where none was. */
export async function metBy(
  records: AsyncIterable<ChangeRecord>,
  ids: readonly string[],
  journal: Journal,
  isWanted: (record: ChangeRecord) => boolean = () => true,
): Promise<Met | undefined> {
  const named = new Set(ids);
  const found = new Set<string>();
  let last: string | undefined;
  for await (const record of records) {
    const { intent, bulk } = record;
    const before = bulk === undefined || !isWanted(record) ? [] : await journal.readIds(intent.changeId).catch(() => []);
    const again = before.filter((id, at) => named.has(id) && mayHave(bulk?.fateAt(at)));
    if (again.length > 0) last ??= intent.changeId;
    for (const id of again) found.add(id);
  }
  if (last === undefined) return undefined;
  const which = found.size === ids.length ? (found.size === 1 ? 'It' : 'All of them') : `${found.size} of them (${listed([...found], 3)})`;
  return { which, count: found.size, last };
}

const mayHave = (fate: Fate | undefined): boolean => fate === 'done' || (fate !== undefined && isPossiblyApplied(fate));
