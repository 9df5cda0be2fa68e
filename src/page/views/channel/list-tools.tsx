import { useState } from 'preact/hooks';
import { useAnnounce } from '../data/page-context.tsx';
import { countInWords, number } from '../parts/words.ts';
import type { ListActions } from './list-actions.ts';
import type { EditorRows } from './rows.ts';
import type { Editor } from './use-editor.ts';

const MOVES = [
  ['top', '⤒', 'Top'],
  ['up', '↑', 'Up'],
  ['down', '↓', 'Down'],
  ['bottom', '⤓', 'Bottom'],
] as const;

/** The buttons above the list, for the selected rows. */
export function ListTools({ editor, actions }: { readonly editor: Editor; readonly actions: ListActions }) {
  const { rows, selected, past, select } = editor;
  const isAll = rows.length > 0 && selected.size === rows.length;
  // Without a tick it would not be seen which row a button is about; keys act on the row that has the focus.
  const none = selected.size === 0;
  return (
    <div class="cluster tools" role="toolbar" aria-label="Move and remove videos" aria-orientation="horizontal">
      <span class="tools-count">
        {selected.size === 0 ? countInWords(rows.length, 'video') : `${number(selected.size)} of ${number(rows.length)} selected`}
      </span>
      <span class="cluster">
        {MOVES.map(([where, sign, words]) => (
          <button key={where} type="button" disabled={none} onClick={() => actions.move(where)}>
            <span aria-hidden="true">{sign}</span> {words}
          </button>
        ))}
      </span>
      <Position count={rows.length} isDisabled={none} onMove={actions.moveTo} />
      <span class="cluster">
        <button type="button" disabled={none} onClick={actions.remove}>
          Remove
        </button>
        <button type="button" disabled={rows.length === 0} onClick={() => select(isAll ? new Set() : new Set(rows))}>
          {isAll ? 'Select none' : 'Select all'}
        </button>
        <CopyButton rows={rows} />
        <button type="button" disabled={past.length === 0} onClick={actions.undo}>
          Undo {past.at(-1)?.what ?? ''}
        </button>
      </span>
    </div>
  );
}

/** Puts the list on the clipboard, so that it outlives this page. */
function CopyButton({ rows }: { readonly rows: EditorRows }) {
  const announce = useAnnounce();
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(rows.map(({ key }) => key).join('\n')).then(
      () => {
        setIsCopied(true);
        setTimeout(() => setIsCopied(false), 2_000);
        announce(`Copied ${number(rows.length)} keys.`);
      },
      () => announce('Your browser does not allow copying.'),
    );
  };
  return (
    <button type="button" onClick={copy}>
      {isCopied ? 'Copied' : 'Copy keys'}
    </button>
  );
}

interface PositionProps {
  readonly count: number;
  readonly isDisabled: boolean;
  readonly onMove: (position: number) => void;
}

function Position({ count, isDisabled, onMove }: PositionProps) {
  const [typed, setTyped] = useState('');
  const position = Number(typed);
  const isPosition = Number.isInteger(position) && position >= 1 && position <= count;
  return (
    <form
      class="cluster"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPosition) onMove(position);
      }}
    >
      <label class="position small">
        <span>To position</span>
        <input inputMode="numeric" value={typed} size={6} onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
      </label>
      <button type="submit" disabled={isDisabled || !isPosition}>
        Move
      </button>
    </form>
  );
}
