import type { ChangeRecord } from '../../journal/change-record.ts';
import type { Journal } from '../../journal/journal.ts';
import { isNotice } from '../../notices/notices.ts';
import { CONFIRMED_BY } from '../../plan/confirmed-by.ts';
import { OF_CHANNELS } from '../../plan/traits/index.ts';
import { undoneSince } from '../earlier/undone-by.ts';

/** How lists of one channel differed from its views when a person approved them: video keys, each with the day of the latest approval. */
export interface AgreedDifferences {
  /** Seen in its views, and not in the list. */
  readonly missing: ReadonlyMap<string, string>;
  /** In a list of which none was seen in its views. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

/** Finds them in the journal, by the ids of channels. What was undone may have been a mistake, and what nobody was asked about was not agreed to. */
export async function agreedDifferences(ids: ReadonlySet<string>, journal: Journal): Promise<ReadonlyMap<string, AgreedDifferences>> {
  const agreed = new Map([...ids].map((id) => [id, { missing: new Map<string, string>(), elsewhere: new Map<string, string>() }]));
  for (const { intent } of (await approvedWithDoubts(ids, journal)).toReversed()) {
    const day = intent.at.slice(0, 'YYYY-MM-DD'.length);
    for (const notice of intent.notices.filter(isDoubt).filter(({ isUntold }) => isUntold !== true)) {
      const found = agreed.get(notice.id);
      for (const key of notice.missingKeys) found?.missing.set(key, day);
      if (notice.kind === 'views_of_another') for (const key of notice.statedKeys) found?.elsewhere.set(key, day);
    }
  }
  return agreed;
}

const isDoubt = isNotice('views_missing', 'views_of_another');

/** The newest first. */
async function approvedWithDoubts(ids: ReadonlySet<string>, journal: Journal): Promise<readonly ChangeRecord[]> {
  const records: ChangeRecord[] = [];
  if (ids.size > 0)
    for await (const record of journal.each(OF_CHANNELS, undefined, ids))
      if (CONFIRMED_BY[record.intent.decided.how].warned !== 'nobody' && record.intent.notices.some(isDoubt)) records.push(record);
  const oldest = records.at(-1)?.intent.changeId;
  if (oldest === undefined) return [];
  const undone = await undoneSince(oldest, journal);
  return records.filter(({ intent }) => !undone.has(intent.changeId));
}
