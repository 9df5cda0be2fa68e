import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useVirtual } from '../parts/use-virtual.ts';
import { countInWords } from '../parts/words.ts';
import type { ListActions } from './list-actions.ts';
import { listKeys } from './list-keys.ts';
import type { EditorRow } from './rows.ts';
import { rowId, SortableRow } from './sortable-row.tsx';
import type { Editor } from './use-editor.ts';
import { ROW_HEIGHT, useListDrop } from './use-list-drop.ts';

interface Props {
  readonly editor: Editor;
  readonly actions: ListActions;
  readonly hasTitles: boolean;
}

/** The list in display order: rows are selected, dragged, or moved by keyboard. */
export function SortableList({ editor, actions, hasTitles }: Props) {
  const { rows, active, activate, select, toggle } = editor;
  const scroller = useRef<HTMLDivElement>(null);
  const { dropAt, dragged } = useListDrop(scroller, editor);
  const { items, height, scrollTo } = useVirtual(rows, ROW_HEIGHT, scroller, [active, dragged]);

  const anchor = useRef(0);
  const twice = useRepeated(rows);
  useEffect(() => {
    if (rows.length > 0) scrollTo(active);
    // Where the person is, not where the list was scrolled to.
  }, [active, rows]);

  function onRowClick(row: EditorRow, at: number, event: MouseEvent): void {
    if (event.shiftKey) select(new Set(rows.slice(Math.min(anchor.current, at), Math.max(anchor.current, at) + 1)));
    else {
      anchor.current = at;
      toggle(row);
    }
    activate(at);
  }

  return (
    <div
      class="sortable"
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-multiselectable="true"
      aria-label={`Contents in display order, ${countInWords(rows.length, 'video')}`}
      aria-describedby="keys"
      aria-activedescendant={rows.length === 0 ? undefined : rowId(active)}
      onKeyDown={listKeys(editor, actions)}
    >
      <div class="rows" role="presentation" style={{ height: `${height}px` }}>
        {items.map(({ item: row, index: at, top }) => (
          <SortableRow
            key={at}
            editor={editor}
            row={row}
            at={at}
            top={top}
            problem={problemOf(row, twice)}
            hasTitles={hasTitles}
            onClick={(event) => onRowClick(row, at, event)}
          />
        ))}
        {dropAt !== undefined && <div class="drop-line" style={{ transform: `translateY(${dropAt * ROW_HEIGHT}px)` }} />}
      </div>
    </div>
  );
}

function useRepeated(rows: readonly EditorRow[]): ReadonlySet<string> {
  return useMemo(() => {
    const [once, twice] = [new Set<string>(), new Set<string>()];
    for (const { key } of rows) (once.has(key) ? twice : once).add(key);
    return twice;
  }, [rows]);
}

function problemOf({ key, isUnknown }: EditorRow, twice: ReadonlySet<string>): string | undefined {
  if (twice.has(key)) return 'more than once';
  return isUnknown ? 'not in the catalogue' : undefined;
}
