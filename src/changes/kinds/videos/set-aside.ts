import type { Catalogue } from '../../../account/catalogue.ts';
import type { IdList } from '../../../files/id-list.ts';
import { isKnownVideo } from '../../../files/known-videos.ts';
import { withoutRows } from '../../../files/numbered-column.ts';
import { unlikeIndexes } from '../../../files/unlike-values.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { inQuotes } from '../../../text/sentence.ts';
import type { NoticeOf } from '../../notices/notices.ts';

/** Entries of a file that are not sent. */
export type SetAside = Pick<NoticeOf<'set_aside'>, 'count' | 'unit' | 'entries'>;

/** Of those that are named with their lines. */
const MAX_ENTRIES = 20;
const MAX_SHOWN = 40;

/** The file without what doesn’t look like the other ids. What the catalogue has, or the call names too, stays. */
export function setAsideUnlike(
  file: IdList,
  named: ReadonlySet<string>,
  catalogue: Catalogue | undefined,
): { readonly read: IdList; readonly setAside?: SetAside } {
  const { values, positions, projects, others } = file;
  const isKnown = (value: string) => named.has(value) || isKnownVideo(value, catalogue);
  const rows = new Set(unlikeIndexes(values).filter((index) => !isKnown(values[index] ?? '')));
  if (rows.size === 0) return { read: file };
  const isRead = (_: unknown, index: number) => !rows.has(index);
  const read: IdList = {
    ...file,
    values: values.filter(isRead),
    positions: positions.filter(isRead),
    others: others.map((column) => withoutRows(column, rows)),
    ...definedFields({ projects: projects && withoutRows(projects, rows) }),
  };
  const entries = [...rows]
    .slice(0, MAX_ENTRIES)
    .map((index) => ({ value: inQuotes(values[index] ?? '', MAX_SHOWN), position: positions[index] ?? 0 }));
  return { read, setAside: { count: rows.size, unit: file.positionUnit, entries } };
}
