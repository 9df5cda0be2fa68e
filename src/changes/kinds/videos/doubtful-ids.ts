import type { Catalogue } from '../../../account/catalogue.ts';
import { isCalled } from '../../../files/columns.ts';
import { createLikeness } from '../../../files/id-format.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { longPiece } from '../../../platform/long-work.ts';
import { inQuotes } from '../../../text/sentence.ts';
import type { Journal } from '../../journal/journal.ts';
import type { NoticeOf } from '../../notices/notices.ts';
import { listText } from '../../plan/list-text.ts';
import { COPIES, MOVES } from '../../plan/traits/index.ts';
import type { CollectedIds } from './collect-ids.ts';

/** A record of the account, by which it is known how its ids and keys look. */
interface Sample {
  readonly id: string;
  readonly key?: string | undefined;
}

const MAX_SHOWN = 2;
const MAX_SAMPLES = 1_000;
/** Earlier changes that are looked at for ids that were good. */
const MAX_EARLIER = 20;

/**
 * Whether most of the ids that are to be sent look like keys or titles: by the name of their column, or by how the account's own ids
 * and those that were moved or copied before look. Where a catalogue has ids, what is none was refused before.
 */
export async function doubtfulIds(
  { ids, column = '' }: CollectedIds,
  catalogue: Catalogue | undefined,
  records: readonly Sample[],
  journal: Journal,
): Promise<NoticeOf<'no_ids'>[]> {
  if (hasIds(catalogue)) return [];
  await longPiece(ids.length);
  const keys = records.flatMap(({ key }) => key ?? []);
  const [isLikeId, isLikeKey] = [createLikeness(records.map(({ id }) => id)), createLikeness(keys)];
  const areMost = (is: (text: string) => boolean): boolean => ids.filter(is).length * 2 > ids.length;
  const named = (['key', 'title'] as const).find((kind) => isCalled(column, kind));
  const areLikeIds = isLikeId === undefined || areMost(isLikeId);
  const areLikeKeys = isLikeKey !== undefined && areMost(isLikeKey);
  // A column called so may hold ids all the same.
  if (areLikeIds && (named === undefined || (isLikeId !== undefined && !areLikeKeys))) return [];
  const known = createLikeness(await goodIds(journal));
  await longPiece(ids.length);
  if (known !== undefined && areMost(known)) return [];
  const are = named ?? (areLikeKeys ? 'key' : 'other');
  const isUnlike = (text: string): boolean => isLikeId?.(text) !== true;
  const unlike = areLikeIds ? ids : ids.filter(isUnlike);
  const seen = records[0];
  return [
    {
      kind: 'no_ids',
      ...{ count: unlike.length, total: ids.length, are, which: listText(unlike, MAX_SHOWN) },
      ...definedFields({
        column: named && inQuotes(column, 60),
        hasCatalogue: catalogue === undefined ? undefined : (true as const),
        seen: areLikeIds || seen === undefined ? undefined : inQuotes(seen.id, 60),
      }),
    },
  ];
}

function hasIds(catalogue: Catalogue | undefined): boolean {
  for (const { id } of catalogue?.entries() ?? []) if (id !== undefined) return true;
  return false;
}

/** Ids that the service took before, of the newest move or copy in which any succeeded. */
async function goodIds(journal: Journal): Promise<readonly string[]> {
  let looked = 0;
  for await (const { intent, bulk } of journal.each([...MOVES, ...COPIES])) {
    if (bulk === undefined || looked >= MAX_EARLIER) continue;
    looked += 1;
    if (bulk.count('done') === 0) continue;
    const ids = await journal.readIds(intent.changeId).catch(() => []);
    return ids.filter((_, index) => bulk.statusAt(index) === 'done').slice(0, MAX_SAMPLES);
  }
  return [];
}
