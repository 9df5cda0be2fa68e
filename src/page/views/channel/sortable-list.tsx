import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useVirtual } from '../parts/use-virtual.ts';
import { counted } from '../parts/words.ts';
import type { ListActions } from './list-actions.ts';
import { listKeys } from './list-keys.ts';
import { ROW_HEIGHT } from './row-height.ts';
import type { Row } from './rows.ts';
import { SortableRow } from './sortable-row.tsx';
import type { Editor } from './use-editor.ts';
import { useListDrop } from './use-list-drop.ts';

interface Props {
  readonly editor: Editor;
  readonly actions: ListActions;
}

/** The list in display order: rows are selected, dragged, or moved by keyboard. */
export function SortableList({ editor, actions }: Props) {
  const { rows, selected, active, activate, select } = editor;
  const scroller = useRef<HTMLDivElement>(null);
  const { dropAt, dragged } = useListDrop(scroller, editor);
  const { items, height, scrollTo } = useVirtual(rows.length, ROW_HEIGHT, scroller, [active, dragged]);

  const anchor = useRef(0);
  const twice = useRepeated(rows);
  useEffect(() => {
    if (rows.length > 0) scrollTo(active);
    // Where the person is, not where the list was scrolled to.
  }, [active, rows]);

  function onRowClick(at: number, event: MouseEvent): void {
    const row = rows[at];
    if (row === undefined) return;
    if (event.shiftKey) select(new Set(rows.slice(Math.min(anchor.current, at), Math.max(anchor.current, at) + 1)));
    else {
      anchor.current = at;
      const next = new Set(selected);
      if (!next.delete(row)) next.add(row);
      select(next);
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
      aria-label={`Contents in display order, ${counted(rows.length, 'video')}`}
      aria-describedby="keys"
      aria-activedescendant={rows.length === 0 ? undefined : rowId(active)}
      onKeyDown={listKeys(editor, actions)}
    >
      <div class="sortable-rows" role="presentation" style={{ height: `${height}px` }}>
        {items.map(({ index: at, start }) => {
          const row = rows[at];
          return (
            row && (
              <SortableRow
                key={at}
                id={rowId(at)}
                row={row}
                at={at}
                count={rows.length}
                top={start}
                problem={problemOf(row, twice)}
                isSelected={selected.has(row)}
                isActive={at === active}
                onClick={(event) => onRowClick(at, event)}
              />
            )
          );
        })}
        {dropAt !== undefined && <div class="drop-line" style={{ transform: `translateY(${dropAt * ROW_HEIGHT}px)` }} />}
      </div>
    </div>
  );
}

const rowId = (at: number): string => `row-${at}`;

function useRepeated(rows: readonly Row[]): ReadonlySet<string> {
  return useMemo(() => {
    const [once, twice] = [new Set<string>(), new Set<string>()];
    for (const { key } of rows) (once.has(key) ? twice : once).add(key);
    return twice;
  }, [rows]);
}

function problemOf({ key, isUnknown }: Row, twice: ReadonlySet<string>): string | undefined {
  if (twice.has(key)) return 'more than once';
  return isUnknown ? 'not in the catalogue' : undefined;
}
