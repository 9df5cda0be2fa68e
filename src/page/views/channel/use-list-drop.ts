import { dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type EditorRow, moveBefore } from './rows.ts';
import type { Editor } from './use-editor.ts';

/** Of a row in the list that is edited, in pixels, as its style has it. */
export const ROW_HEIGHT = 52;

/** Where dragged rows would be put, and which row is dragged: it stays in the document, or the drag would end. */
export function useListDrop(scroller: RefObject<HTMLElement | null>, editor: Editor): { dropAt: number | undefined; dragged: number } {
  const [state, setState] = useState<{ dropAt?: number; row?: EditorRow }>({});
  const current = useRef(editor);
  current.current = editor;
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const indexAt = (clientY: number): number => {
      const offset = clientY - element.getBoundingClientRect().top + element.scrollTop;
      return Math.max(0, Math.min(current.current.rows.length, Math.round(offset / ROW_HEIGHT)));
    };
    const endDropTarget = dropTargetForElements({ element });
    const endMonitor = monitorForElements({
      // What `SortableRow` gives it.
      onDragStart: ({ source }) => setState({ row: source.data.row as EditorRow }),
      onDrag: ({ source, location: { current: now } }) =>
        // As above.
        setState({ row: source.data.row as EditorRow, ...(now.dropTargets.length > 0 ? { dropAt: indexAt(now.input.clientY) } : {}) }),
      onDrop({ source, location: { current: now } }) {
        setState({});
        if (now.dropTargets.length > 0) drop(current.current, source.data.row as EditorRow, indexAt(now.input.clientY));
      },
    });
    return () => {
      endDropTarget();
      endMonitor();
    };
  }, [scroller]);
  return { dropAt: state.dropAt, dragged: state.row === undefined ? -1 : editor.rows.indexOf(state.row) };
}

/** A dragged row takes the selected ones with it where it is one of them. */
function drop({ rows, selected, edit }: Editor, row: EditorRow, index: number): void {
  const moving = selected.has(row) ? selected : new Set([row]);
  const moved = moveBefore(rows, moving, index);
  if (moved.every((one, at) => one === rows[at])) return;
  edit(moved, 'the move', moved.indexOf(row));
}
