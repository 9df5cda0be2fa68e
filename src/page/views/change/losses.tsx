import { useMemo } from 'preact/hooks';
import { type ListEntry, listDifference } from '../../../changes/plan/list-difference.ts';
import type { ListChange } from '../../../changes/plan/record-difference.ts';
import type { ChangedRecord } from '../../contract.ts';
import { LongList } from '../parts/long-list.tsx';
import type { Titles } from '../parts/titles.ts';
import { VideoRow } from '../parts/video-row.tsx';
import { countInWords, number } from '../parts/words.ts';

interface Loss {
  readonly record: ChangedRecord;
  readonly what: ListChange['what'];
  readonly rows: readonly ListEntry[];
  readonly total: number;
}

/** Everything that leaves a record, whole: a key that only changes its place is no loss. */
function lossesOf(records: readonly ChangedRecord[]): readonly Loss[] {
  return records.flatMap((record) =>
    record.lists.flatMap(({ what, before, after }) => {
      const rows = listDifference(before ?? [], after).leaving;
      return rows.length === 0 ? [] : [{ record, what, rows, total: before?.length ?? 0 }];
    }),
  );
}

/** What is lost, first and in full. */
export function Losses({ records, titles }: { readonly records: readonly ChangedRecord[]; readonly titles: Titles }) {
  const losses = useMemo(() => lossesOf(records), [records]);
  if (losses.length === 0) return null;
  return (
    <section class="panel losses tone-loss" aria-labelledby="losses">
      <h2 id="losses">What is lost</h2>
      {losses.map(({ record, what, rows, total }) => (
        <section key={`${record.id} ${what}`}>
          <h3>
            <bdi>{record.name}</bdi>
            <span class="amount">
              loses{' '}
              {rows.length === total
                ? total === 1
                  ? `its only ${what}`
                  : total === 2
                    ? `both ${what}s`
                    : `all ${countInWords(total, what)}`
                : `${number(rows.length)} of ${countInWords(total, what)}`}
            </span>
          </h3>
          <LongList
            of={rows}
            label={`${record.name}: what leaves`}
            rowClass={() => 'tone-leaves'}
            row={({ key, from }) => (
              <VideoRow position={from} id={key} title={titles.get(key)} mark={{ kind: 'leaves', words: '− leaves' }} />
            )}
          />
        </section>
      ))}
    </section>
  );
}
