import { Name } from '../parts/basics.tsx';
import { counted, number } from '../parts/words.ts';
import type { Analysis } from './analyse.ts';
import type { ReadList } from './read-list.ts';

interface Props {
  readonly list: ReadList;
  readonly analysis: Analysis | undefined;
  readonly fileName: string | undefined;
  readonly hasCatalogue: boolean;
  readonly column: number | undefined;
  readonly onColumn: (column: number) => void;
}

const MAX_NAMED = 12;

/** What was read, and what is wrong with it. */
export function AnalysisView({ list, analysis, fileName, hasCatalogue, column, onColumn }: Props) {
  return (
    <div class="analysis">
      <p>
        <strong>{counted(list.rows.length, 'entry', 'entries')}</strong> read
        {fileName !== undefined && (
          <>
            {' '}
            from <Name>{fileName}</Name>
          </>
        )}{' '}
        <span class="quiet">({list.format})</span>
        {analysis !== undefined && <>: {factsOf(list, analysis).join(', ')}.</>}
      </p>
      <ColumnChoice list={list} column={column} onColumn={onColumn} />
      {analysis !== undefined && analysis.problems.length > 0 && (
        <Named
          title={`${counted(analysis.problems.length, 'entry is', 'entries are')} left out:`}
          of={analysis.problems.map(({ text, problem }) => ({ text, words: problem }))}
        />
      )}
      {analysis !== undefined && hasCatalogue && analysis.unknown.length > 0 && (
        <Named
          title={`${counted(analysis.unknown.length, 'is', 'are')} not in the video catalogue. Mistyped, or newer than the catalogue?`}
          of={analysis.unknown.map((text) => ({ text }))}
        />
      )}
    </div>
  );
}

function factsOf({ blanks }: ReadList, { keys, alreadyThere, repeated, problems }: Analysis): string[] {
  const facts: readonly (readonly [number, string])[] = [
    [alreadyThere, 'already in the list'],
    [repeated, 'repeated'],
    [blanks, 'blank'],
    [problems.length, 'left out'],
  ];
  return [`${number(keys.length)} new`, ...facts.filter(([count]) => count > 0).map(([count, words]) => `${number(count)} ${words}`)];
}

function ColumnChoice({ list, column, onColumn }: Pick<Props, 'list' | 'column' | 'onColumn'>) {
  const columns = list.header ?? list.rows[0] ?? [];
  if (columns.length < 2) return null;
  return (
    <label class="column">
      <span>Column that holds the videos</span>
      <select value={column ?? ''} onChange={({ currentTarget }) => onColumn(Number(currentTarget.value))}>
        {column === undefined && <option value="">Choose …</option>}
        {columns.map((name, index) => (
          <option key={index} value={index}>
            {list.header === undefined ? `${index + 1}: ${name}` : name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Named({ title, of }: { readonly title: string; readonly of: readonly { readonly text: string; readonly words?: string }[] }) {
  return (
    <div class="named">
      <p>
        <span class="mark mark-unknown" aria-hidden="true">
          ?
        </span>{' '}
        {title}
      </p>
      <ul>
        {of.slice(0, MAX_NAMED).map(({ text, words }, index) => (
          <li key={index}>
            <bdi class="video-key">{text}</bdi> {words}
          </li>
        ))}
        {of.length > MAX_NAMED && <li>and {number(of.length - MAX_NAMED)} more</li>}
      </ul>
    </div>
  );
}
