import { type ComponentChildren, Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ChangedRecord } from '../../contract.ts';
import { Callout, Folded } from '../parts/basics.tsx';
import { FEW_ROWS, LongList } from '../parts/long-list.tsx';
import type { Titles } from '../parts/titles.ts';
import { Name } from '../parts/typeset.tsx';
import { KeysAlone, VideoRow } from '../parts/video-row.tsx';
import { countInWords, number } from '../parts/words.ts';
import { TO_BE_REMOVED } from './list-words.ts';
import { type Loss, lossesOf } from './losses-of.ts';

/** Whether all that is lost takes so little room that it is listed before anything else. */
export function isShort(records: readonly ChangedRecord[]): boolean {
  const losses = lossesOf(records);
  return losses.length === 1 && losses.every(({ rows }) => rows.length <= FEW_ROWS);
}

function shareOf({ rows, total, what }: Pick<Loss, 'rows' | 'total' | 'what'>): string {
  if (rows.length < total) return `${number(rows.length)} of ${countInWords(total, what)}`;
  if (total === 1) return `its only ${what}`;
  return total === 2 ? `both ${what}s` : `all ${countInWords(total, what)}`;
}

interface Props {
  readonly records: readonly ChangedRecord[];
  readonly titles: Titles;
}

/** What is lost, entry by entry. */
export function Losses({ records, titles }: Props) {
  const losses = useMemo(() => lossesOf(records), [records]);
  if (losses.length === 0) return null;
  const hasFew = losses.reduce((sum, { rows }) => sum + rows.length, 0) <= FEW_ROWS;
  return (
    <section class="panel losses tone-loss" aria-labelledby="losses">
      <h2 id="losses">What would be removed</h2>
      <p>Nothing is deleted: what a channel no longer has stays in the account.</p>
      {losses.map(({ record, what, rows, total }) => (
        <section key={`${record.id} ${what}`}>
          <h3>
            <Name of={record.name} />
            <span class="amount">{shareOf({ rows, total, what })}</span>
          </h3>
          {what === 'video' && <KeysAlone keys={rows.map(({ key }) => key)} titles={titles} />}
          <Folded words={losses.length > 1 ? countInWords(rows.length, what) : undefined} isOpen={hasFew}>
            <LongList
              of={rows}
              label={`${record.name}: what is removed`}
              rowClass={() => 'tone-plain'}
              row={({ key, from }) => (
                <VideoRow position={from} id={key} title={titles.get(key)} mark={{ kind: 'plain', words: TO_BE_REMOVED }} />
              )}
            />
          </Folded>
        </section>
      ))}
    </section>
  );
}

/** So many losses are told one by one, without their sum. */
const MAX_UNSUMMED = 3;

/** `57 videos and 2 projects` */
const amountLost = (losses: readonly Loss[]): string =>
  [...new Set(losses.map(({ what }) => what))]
    .map((what) =>
      countInWords(
        losses.reduce((sum, loss) => sum + (loss.what === what ? loss.rows.length : 0), 0),
        what,
      ),
    )
    .join(' and ');

/** Names of records in a sentence; each has a heading of its own below. */
const MAX_NAMES = 10;

interface WorstProps {
  readonly records: readonly ChangedRecord[];
  /** One record: “channel”. */
  readonly recordWord: string;
}

/** The worst that is lost, in short and before anything else: what ends up empty, then what loses a part. */
export function WorstLosses({ records, recordWord }: WorstProps) {
  const losses = useMemo(() => lossesOf(records), [records]);
  const emptied = records.filter(({ endsEmpty }) => endsEmpty === true);
  const others = losses.filter(({ record }) => record.endsEmpty !== true);
  const changed = new Set(losses.map(({ record }) => record));
  const share = (some: number): string =>
    some === records.length ? countInWords(some, recordWord) : `${number(some)} of ${countInWords(records.length, recordWord)}`;
  // One loss alone is told where it is listed.
  if (emptied.length === 0 && losses.length < 2) return null;
  return (
    <Callout tone="loss">
      {emptied.length > 0 && (
        <>
          {changed.size > MAX_UNSUMMED && (
            <p class="notice-title">
              {share(changed.size)} lose {amountLost(losses)}.
            </p>
          )}
          <p class="notice-title">
            <Emptied of={emptied} losses={losses} recordWord={recordWord} />
          </p>
          {others.length > 0 && <Parts of={others} countOf={(some) => countInWords(some, recordWord)} />}
          <p>
            The service may refuse{' '}
            {emptied.length === 1 ? `an empty ${recordWord}; it then stays as it is` : `empty ${recordWord}s; they then stay as they are`}.
          </p>
        </>
      )}
      {emptied.length === 0 && (
        <div class="notice-title">
          <Parts of={others} countOf={share} />
        </div>
      )}
      {changed.size < records.length && records.length > MAX_UNSUMMED && (
        <p>
          The other {countInWords(records.length - changed.size, recordWord)} {records.length - changed.size === 1 ? 'loses' : 'lose'}{' '}
          nothing of what was listed.
        </p>
      )}
    </Callout>
  );
}

interface EmptiedProps {
  readonly of: readonly ChangedRecord[];
  readonly losses: readonly Loss[];
  readonly recordWord: string;
}

function Emptied({ of, losses, recordWord }: EmptiedProps) {
  const lostBy = (record: ChangedRecord) => losses.filter((loss) => loss.record === record);
  const [only] = of;
  if (of.length === 1 && only !== undefined) {
    const lost = lostBy(only);
    const isOne = lost.length === 1 && lost[0]?.rows.length === 1;
    return (
      <>
        <Named record={only} /> ends up empty
        {lost.length === 0 ? '.' : `: ${lost.map(shareOf).join(' and ')} ${isOne ? 'is' : 'are'} removed.`}
      </>
    );
  }
  return (
    <>
      {number(of.length)} {recordWord}s end up empty:{' '}
      <Several
        of={of}
        row={(record) => (
          <>
            <Named record={record} />
            {lostBy(record).map(({ rows, what }) => ` (${countInWords(rows.length, what)})`)}
          </>
        )}
      />
      .
    </>
  );
}

function Parts({ of, countOf }: { readonly of: readonly Loss[]; readonly countOf: (some: number) => string }) {
  const [first] = of;
  if (of.length === 1 && first !== undefined)
    return (
      <p>
        <Named record={first.record} /> loses {shareOf(first)}.
      </p>
    );
  const kinds = [...new Set(of.map(({ what }) => what))].map((what) => ({ what, losses: of.filter((loss) => loss.what === what) }));
  return kinds.map(({ what, losses }) => (
    <p key={what}>
      {countOf(losses.length)} {losses.length === 1 ? 'loses' : 'lose'}{' '}
      {countInWords(
        losses.reduce((sum, { rows }) => sum + rows.length, 0),
        what,
      )}
      :{' '}
      <Several
        of={losses}
        row={({ record, rows, total }) => (
          <>
            <Name of={record.name} /> {rows.length === total ? `all ${number(total)}` : `${number(rows.length)} of ${number(total)}`}
          </>
        )}
      />
      .
    </p>
  ));
}

/** In quotes, but where its name is told apart from another by its key and has them already. */
const Named = ({ record: { name } }: { readonly record: ChangedRecord }) => (/[“"]/.test(name) ? <Name of={name} /> : <bdi>“{name}”</bdi>);

function Several<T>({ of, row }: { readonly of: readonly T[]; readonly row: (one: T) => ComponentChildren }) {
  return (
    <>
      {of.slice(0, MAX_NAMES).map((one, index) => (
        <Fragment key={index}>
          {index > 0 && ', '}
          {row(one)}
        </Fragment>
      ))}
      {of.length > MAX_NAMES && ` and ${number(of.length - MAX_NAMES)} more`}
    </>
  );
}
