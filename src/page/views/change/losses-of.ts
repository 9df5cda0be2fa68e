import { type ListEntry, listDifference } from '../../../changes/plan/list-difference.ts';
import type { ListChange } from '../../../changes/plan/record-difference.ts';
import type { ChangedRecord } from '../../contract.ts';

export interface Loss {
  readonly record: ChangedRecord;
  readonly what: ListChange['what'];
  readonly rows: readonly ListEntry[];
  readonly total: number;
}

/** Everything that leaves a record, whole: a key that only changes its place is no loss. */
export function lossesOf(records: readonly ChangedRecord[]): readonly Loss[] {
  return records.flatMap((record) =>
    record.lists.flatMap(({ what, before, after }) => {
      const rows = listDifference(before ?? [], after).leaving;
      return rows.length === 0 ? [] : [{ record, what, rows, total: before?.length ?? 0 }];
    }),
  );
}

/** How many entries of what is known leave. */
export function leavingIn(records: readonly ChangedRecord[]): ReadonlyMap<ListChange['what'], number> {
  const leaving = new Map<ListChange['what'], number>();
  for (const { what, rows } of lossesOf(records)) leaving.set(what, (leaving.get(what) ?? 0) + rows.length);
  return leaving;
}
