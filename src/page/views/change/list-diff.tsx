import { useMemo, useState } from 'preact/hooks';
import { type ListDifference, type ListEntry, listDifference } from '../../../changes/plan/list-difference.ts';
import type { ListChange } from '../../../changes/plan/record-difference.ts';
import { LongList } from '../parts/long-list.tsx';
import type { Titles } from '../parts/titles.ts';
import { VideoRow } from '../parts/video-row.tsx';
import { countInWords, number } from '../parts/words.ts';

interface Props {
  readonly change: ListChange;
  readonly titles: Titles;
  /** The name of the record, for screen readers. */
  readonly of: string;
  /** The word for how it was before: now, of a change that waits. */
  readonly before: string;
}

type Shown = 'changes' | 'after' | 'before';

/** What becomes of a list: the places that change, all of it as it will be, or as it is now. */
export function ListDiffView({ change: { what, before, after }, titles, of, before: beforeWord }: Props) {
  const [shown, setShown] = useState<Shown>('changes');
  const diff = useMemo(() => listDifference(before ?? [], after), [before, after]);
  const rows = useMemo(() => rowsOf(shown, before ?? [], diff), [shown, before, diff]);
  if (before === null || before.length === 0)
    return (
      <section class="stack">
        <p class="cluster">
          <strong>{countInWords(after.length, what)}</strong>
          {before === null && <span class="quiet">what it held before is not known</span>}
        </p>
        {after.length > 0 && <Rows rows={asTheyAre(after)} titles={titles} label={`${of}: ${what}s after this`} />}
      </section>
    );
  const choices: readonly (readonly [Shown, string])[] = [
    ['changes', 'What changes'],
    ['before', `${beforeWord} (${number(before.length)})`],
    ['after', `After (${number(after.length)})`],
  ];
  return (
    <section class="stack">
      <p class="cluster">
        <strong>
          {countInWords(before.length, what)} → {number(after.length)}
        </strong>
        {factsOf(diff).map(([kind, words]) => (
          <span key={kind} class={`mark tone-${kind}`}>
            {words}
          </span>
        ))}
      </p>
      <fieldset class="cluster choice">
        <legend class="unseen">
          Which {what}s of {of} are shown
        </legend>
        {choices.map(([value, words]) => (
          <label key={value}>
            <input type="radio" name={`shown-${of}-${what}`} checked={shown === value} onChange={() => setShown(value)} />
            <span>{words}</span>
          </label>
        ))}
      </fieldset>
      <Rows key={shown} rows={rows} titles={titles} label={`${of}: ${what}s`} />
    </section>
  );
}

const asTheyAre = (keys: readonly string[]): readonly ListEntry[] => keys.map((key, index) => ({ key, kind: 'stays', from: index + 1 }));

function rowsOf(shown: Shown, before: readonly string[], diff: ListDifference): readonly ListEntry[] {
  if (shown === 'before') return asTheyAre(before);
  if (shown === 'after') return diff.after;
  return [...diff.leaving, ...diff.after.filter(({ kind }) => kind !== 'stays')];
}

function factsOf({ removed, added, moved }: ListDifference): (readonly [ListEntry['kind'], string])[] {
  const facts: (readonly [ListEntry['kind'], string])[] = [];
  if (removed.length > 0) facts.push(['leaves', `− ${number(removed.length)} ${removed.length === 1 ? 'leaves' : 'leave'}`]);
  if (added.length > 0) facts.push(['arrives', `+ ${number(added.length)} ${added.length === 1 ? 'arrives' : 'arrive'}`]);
  if (moved.length > 0) facts.push(['moves', `↕ ${number(moved.length)} ${moved.length === 1 ? 'moves' : 'move'}`]);
  return facts;
}

function Rows({ rows, titles, label }: { readonly rows: readonly ListEntry[]; readonly titles: Titles; readonly label: string }) {
  if (rows.length === 0) return <p class="quiet">Nothing: the list stays as it is.</p>;
  return (
    <LongList
      of={rows}
      label={label}
      rowClass={({ kind }) => `tone-${kind}`}
      row={({ key, kind, from, to }) => (
        <VideoRow
          position={to ?? from}
          id={key}
          title={titles.get(key)}
          mark={kind === 'stays' ? undefined : { kind, words: MARKS[kind](from, to) }}
        />
      )}
    />
  );
}

const MARKS = {
  leaves: () => '− leaves',
  arrives: () => '+ arrives',
  moves: (from?: number, to?: number) => `${(from ?? 0) > (to ?? 0) ? '↑' : '↓'} was ${number(from ?? 0)}`,
} as const;
