import { useMemo, useState } from 'preact/hooks';
import { type ListDifference, type ListEntry, listDifference } from '../../../changes/plan/list-difference.ts';
import type { ListChange } from '../../../changes/plan/record-difference.ts';
import { LongList } from '../parts/long-list.tsx';
import type { Titles } from '../parts/titles.ts';
import { KeysAlone, VideoRow } from '../parts/video-row.tsx';
import { countInWords, number } from '../parts/words.ts';
import { type PartWords, SIGNS, toneOfPart } from './list-words.ts';

interface Props {
  readonly change: ListChange;
  readonly titles: Titles;
  /** The name of the record, for screen readers. */
  readonly of: string;
  /** The word for how it was before: now, of a change that waits. */
  readonly before: string;
  /** The word for how it is after it: asked for, of what was not done. */
  readonly after: 'After' | 'Asked for';
  /** It is done. */
  readonly isDone: boolean;
  readonly words: PartWords;
}

type Shown = 'changes' | 'after' | 'before';

/** What becomes of a list: the places that change, all of it as it will be, or as it is now. */
export function ListDiffView({ change, titles, of, before: beforeWord, after: afterWord, isDone, words }: Props) {
  const { what, before, after } = change;
  const [shown, setShown] = useState<Shown>('changes');
  const diff = useMemo(() => listDifference(before ?? [], after), [before, after]);
  const rows = useMemo(() => rowsOf(shown, before ?? [], diff), [shown, before, diff]);
  if (before === null || before.length === 0)
    return (
      <section class="stack">
        <p class="cluster">
          <Amount words={countInWords(after.length, what)} after={afterWord} />
          {before === null && <span class="quiet">what it held before is not known</span>}
        </p>
        {after.length > 0 && <Rows rows={asTheyAre(after)} {...{ titles, words, what }} label={`${of}: ${what}s after this`} />}
      </section>
    );
  const choices: readonly (readonly [Shown, string])[] = [
    ['changes', isDone ? 'What changed' : afterWord === 'After' ? 'What changes' : 'What was to change'],
    ['before', `${beforeWord} (${number(before.length)})`],
    ['after', `${afterWord} (${number(after.length)})`],
  ];
  return (
    <section class="stack">
      <p class="cluster">
        <Amount words={`${countInWords(before.length, what)} → ${number(after.length)}`} after={afterWord} />
        {factsOf(diff, words).map(({ tone, text }) => (
          <span key={text} class={`mark tone-${tone}`}>
            {text}
          </span>
        ))}
      </p>
      <fieldset class="cluster choice">
        <legend class="unseen">
          Which {what}s of {of} are shown
        </legend>
        {choices.map(([value, choice]) => (
          <label key={value}>
            <input type="radio" name={`shown-${of}-${what}`} checked={shown === value} onChange={() => setShown(value)} />
            <span>{choice}</span>
          </label>
        ))}
      </fieldset>
      <Rows key={shown} {...{ rows, titles, words, what }} label={`${of}: ${what}s`} />
    </section>
  );
}

/** How many it holds; what was only asked for has less weight. */
const Amount = ({ words, after }: { readonly words: string } & Pick<Props, 'after'>) =>
  after === 'After' ? <strong>{words}</strong> : <span>{`Asked for: ${words}`}</span>;

const asTheyAre = (keys: readonly string[]): readonly ListEntry[] => keys.map((key, index) => ({ key, kind: 'stays', from: index + 1 }));

function rowsOf(shown: Shown, before: readonly string[], diff: ListDifference): readonly ListEntry[] {
  if (shown === 'before') return asTheyAre(before);
  if (shown === 'after') return diff.after;
  return [...diff.leaving, ...diff.after.filter(({ kind }) => kind !== 'stays')];
}

function factsOf({ removed, added, moved }: ListDifference, words: PartWords) {
  const counts = [
    ['leaves', removed.length],
    ['arrives', added.length],
    ['moves', moved.length],
  ] as const;
  return counts.flatMap(([kind, count]) => {
    return count === 0 ? [] : [{ tone: toneOfPart(kind, words), text: `${SIGNS[kind]} ${number(count)} ${words[kind]}` }];
  });
}

interface RowsProps extends Pick<Props, 'titles' | 'words'> {
  readonly what: string;
  readonly rows: readonly ListEntry[];
  readonly label: string;
}

function Rows({ rows, titles, label, words, what }: RowsProps) {
  if (rows.length === 0) return <p class="quiet">Nothing: the list stays as it is.</p>;
  return (
    <>
      {what === 'video' && <KeysAlone keys={rows.map(({ key }) => key)} titles={titles} />}
      <LongList
        of={rows}
        label={label}
        rowClass={({ kind }) => `tone-${toneOfPart(kind, words)}`}
        row={(entry) => (
          <VideoRow position={entry.to ?? entry.from} id={entry.key} title={titles.get(entry.key)} mark={markOf(entry, words)} />
        )}
      />
    </>
  );
}

function markOf({ kind, from = 0, to = 0 }: ListEntry, parts: PartWords): { readonly kind: string; readonly words: string } | undefined {
  if (kind === 'stays') return undefined;
  const isMoved = kind === 'moves' && parts.tone === undefined;
  const words = isMoved ? `${from > to ? '↑' : '↓'} was ${number(from)}` : `${SIGNS[kind]} ${parts[kind]}`;
  return { kind: toneOfPart(kind, parts), words };
}
