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
  /** It is done. */
  readonly isDone: boolean;
}

type Shown = 'changes' | 'after' | 'before';

/** What becomes of a list: the places that change, all of it as it will be, or as it is now. */
export function ListDiffView({ change: { what, before, after }, titles, of, before: beforeWord, isDone }: Props) {
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
        {after.length > 0 && <Rows rows={asTheyAre(after)} titles={titles} label={`${of}: ${what}s after this`} isDone={isDone} />}
      </section>
    );
  const choices: readonly (readonly [Shown, string])[] = [
    ['changes', isDone ? 'What changed' : 'What changes'],
    ['before', `${beforeWord} (${number(before.length)})`],
    ['after', `After (${number(after.length)})`],
  ];
  return (
    <section class="stack">
      <p class="cluster">
        <strong>
          {countInWords(before.length, what)} → {number(after.length)}
        </strong>
        {factsOf(diff, isDone).map(([kind, words]) => (
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
      <Rows key={shown} rows={rows} titles={titles} label={`${of}: ${what}s`} isDone={isDone} />
    </section>
  );
}

const asTheyAre = (keys: readonly string[]): readonly ListEntry[] => keys.map((key, index) => ({ key, kind: 'stays', from: index + 1 }));

function rowsOf(shown: Shown, before: readonly string[], diff: ListDifference): readonly ListEntry[] {
  if (shown === 'before') return asTheyAre(before);
  if (shown === 'after') return diff.after;
  return [...diff.leaving, ...diff.after.filter(({ kind }) => kind !== 'stays')];
}

/** What becomes of an entry: of one, of several, and once it is done. */
const VERBS = {
  leaves: ['−', 'leaves', 'leave', 'left'],
  arrives: ['+', 'arrives', 'arrive', 'arrived'],
  moves: ['↕', 'moves', 'move', 'moved'],
} as const;

function factsOf({ removed, added, moved }: ListDifference, isDone: boolean): (readonly [ListEntry['kind'], string])[] {
  const counts = [
    ['leaves', removed.length],
    ['arrives', added.length],
    ['moves', moved.length],
  ] as const;
  return counts.flatMap(([kind, count]) => {
    const [sign, one, many, done] = VERBS[kind];
    return count === 0 ? [] : [[kind, `${sign} ${number(count)} ${isDone ? done : count === 1 ? one : many}`] as const];
  });
}

interface RowsProps extends Pick<Props, 'titles' | 'isDone'> {
  readonly rows: readonly ListEntry[];
  readonly label: string;
}

function Rows({ rows, titles, label, isDone }: RowsProps) {
  if (rows.length === 0) return <p class="quiet">Nothing: the list stays as it is.</p>;
  return (
    <LongList
      of={rows}
      label={label}
      rowClass={({ kind }) => `tone-${kind}`}
      row={(entry) => (
        <VideoRow position={entry.to ?? entry.from} id={entry.key} title={titles.get(entry.key)} mark={markOf(entry, isDone)} />
      )}
    />
  );
}

function markOf({ kind, from = 0, to = 0 }: ListEntry, isDone: boolean): { readonly kind: string; readonly words: string } | undefined {
  if (kind === 'stays') return undefined;
  if (kind === 'moves') return { kind, words: `${from > to ? '↑' : '↓'} was ${number(from)}` };
  const [sign, one, , done] = VERBS[kind];
  return { kind, words: `${sign} ${isDone ? done : one}` };
}
