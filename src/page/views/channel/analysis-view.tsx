import type { ReadList, VideoSet } from '../../contract.ts';
import { countInWords, number } from '../parts/words.ts';

/** What would come of adding what was read. */
export interface Analysis {
  readonly list: ReadList;
  /** All its videos, and those that are new. */
  readonly all: VideoSet;
  readonly added: VideoSet;
}

interface Props {
  readonly analysis: Analysis;
  readonly fileName: string | undefined;
  readonly onColumn: (column: number) => void;
}

const MAX_NAMED = 12;

/** What was read, and what is wrong with it. */
export function AnalysisView({ analysis, fileName, onColumn }: Props) {
  const { list, added } = analysis;
  return (
    <div class="stack">
      {list.problem === undefined && (
        <p>
          <strong>{countInWords(list.entries, 'entry', 'entries')}</strong> read
          {fileName !== undefined && (
            <>
              {' '}
              from <bdi>{fileName}</bdi>
            </>
          )}{' '}
          <span class="quiet">({list.read})</span>: {factsOf(analysis).join(', ')}.
        </p>
      )}
      <ColumnChoice list={list} onColumn={onColumn} />
      <Named
        title={`${countInWords(list.problemCount, 'entry is', 'entries are')} left out:`}
        of={list.problems}
        count={list.problemCount}
      />
      <Named
        title={`${countInWords(added.unknown.length, 'is', 'are')} not in the video catalogue. Mistyped, or newer than the catalogue?`}
        of={added.unknown}
        count={added.unknown.length}
      />
    </div>
  );
}

function factsOf({ list, all, added }: Analysis): string[] {
  const facts: readonly (readonly [number, string])[] = [
    [all.keys.length - added.keys.length, 'already in the list'],
    [list.repeated, 'repeated'],
    [list.blanks, 'blank'],
    [list.problemCount, 'left out'],
  ];
  return [`${number(added.keys.length)} new`, ...facts.filter(([count]) => count > 0).map(([count, words]) => `${number(count)} ${words}`)];
}

function ColumnChoice({ list, onColumn }: { readonly list: ReadList; readonly onColumn: Props['onColumn'] }) {
  const { columns, column } = list;
  if (columns.length < 2) return null;
  return (
    <label class="column">
      <span>Column that holds the videos</span>
      <select value={column ?? ''} onChange={({ currentTarget }) => onColumn(Number(currentTarget.value))}>
        {column === undefined && <option value="">Choose …</option>}
        {columns.map((name, index) => (
          <option key={index} value={index}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Named({ title, of, count }: { readonly title: string; readonly of: readonly string[]; readonly count: number }) {
  if (count === 0) return null;
  return (
    <div class="named">
      <p>
        <span class="mark tone-unknown" aria-hidden="true">
          ?
        </span>{' '}
        {title}
      </p>
      <ul class="small">
        {of.slice(0, MAX_NAMED).map((text, index) => (
          <li key={index}>
            <bdi class="video-key">{text}</bdi>
          </li>
        ))}
        {count > MAX_NAMED && <li>and {number(count - MAX_NAMED)} more</li>}
      </ul>
    </div>
  );
}
