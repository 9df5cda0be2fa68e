import { useMemo } from 'preact/hooks';
import { type ListEntry, listDifference } from '../../../changes/plan/list-difference.ts';
import type { ListChange } from '../../../changes/plan/record-difference.ts';
import type { ChangedRecord } from '../../contract.ts';
import { Folded } from '../parts/basics.tsx';
import { FEW_ROWS, LongList } from '../parts/long-list.tsx';
import type { Titles } from '../parts/titles.ts';
import { Typeset } from '../parts/typeset.tsx';
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

interface Props {
  readonly records: readonly ChangedRecord[];
  readonly titles: Titles;
  /** One record: “channel”. */
  readonly recordWord: string;
}

/** What is lost, first: of several records all in short, so that none is out of sight below the rows of another. */
export function Losses({ records, titles, recordWord }: Props) {
  const losses = useMemo(() => lossesOf(records), [records]);
  if (losses.length === 0) return null;
  const hasFew = losses.reduce((sum, { rows }) => sum + rows.length, 0) <= FEW_ROWS;
  return (
    <section class="panel losses tone-loss" aria-labelledby="losses">
      <h2 id="losses">What is lost</h2>
      {losses.length > 1 && <Summary of={losses} recordWord={recordWord} />}
      {losses.map(({ record, what, rows, total }) => (
        <section key={`${record.id} ${what}`}>
          <h3>
            <Typeset text={record.name} />
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
          <Folded words={losses.length > 1 ? countInWords(rows.length, what) : undefined} isOpen={hasFew}>
            <LongList
              of={rows}
              label={`${record.name}: what leaves`}
              rowClass={() => 'tone-leaves'}
              row={({ key, from }) => (
                <VideoRow position={from} id={key} title={titles.get(key)} mark={{ kind: 'leaves', words: '− leaves' }} />
              )}
            />
          </Folded>
        </section>
      ))}
    </section>
  );
}

/** Names of records in a sentence; each has a heading of its own below. */
const MAX_NAMES = 10;

function Summary({ of, recordWord }: { readonly of: readonly Loss[]; readonly recordWord: string }) {
  const kinds = [...new Set(of.map(({ what }) => what))].map((what) => ({ what, losses: of.filter((loss) => loss.what === what) }));
  return (
    <>
      {kinds.map(({ what, losses }) => (
        <p key={what}>
          <strong>
            {countInWords(losses.length, recordWord)} {losses.length === 1 ? 'loses' : 'lose'}{' '}
            {countInWords(
              losses.reduce((sum, { rows }) => sum + rows.length, 0),
              what,
            )}
          </strong>
          {': '}
          {losses.slice(0, MAX_NAMES).map(({ record, rows, total }, index) => (
            <span key={record.id}>
              {index > 0 && ', '}
              <Typeset text={record.name} /> {rows.length === total ? `all ${number(total)}` : `${number(rows.length)} of ${number(total)}`}
            </span>
          ))}
          {losses.length > MAX_NAMES && ` and ${number(losses.length - MAX_NAMES)} more`}.
        </p>
      ))}
    </>
  );
}
