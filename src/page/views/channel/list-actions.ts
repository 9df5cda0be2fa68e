import { useAnnounce } from '../data/page-context.tsx';
import { countInWords, number } from '../parts/words.ts';
import { type EditorRows, moveByOne, moveToPosition } from './rows.ts';
import type { Editor } from './use-editor.ts';

export type ListActions = ReturnType<typeof useListActions>;

/** What can be done with the chosen rows. Each says what it did. */
export function useListActions(editor: Editor) {
  const announce = useAnnounce();
  const { rows, chosen } = editor;

  function apply(moved: EditorRows): void {
    const first = moved.findIndex((row) => chosen.has(row));
    if (first < 0 || moved.every((row, at) => row === rows[at])) return;
    const row = rows[editor.active];
    const active = row !== undefined && chosen.has(row) ? moved.indexOf(row) : first;
    editor.edit(moved, 'the move', active);
    announce(`${countInWords(chosen.size, 'video')} moved, now from position ${number(first + 1)} of ${number(moved.length)}.`);
  }
  return {
    move(where: 'up' | 'down' | 'top' | 'bottom'): void {
      if (where === 'up') apply(moveByOne(rows, chosen, -1));
      else if (where === 'down') apply(moveByOne(rows, chosen, 1));
      else apply(moveToPosition(rows, chosen, where === 'top' ? 1 : rows.length));
    },
    moveTo: (position: number): void => apply(moveToPosition(rows, chosen, position)),
    remove(): void {
      if (chosen.size === 0) return;
      const left = rows.filter((row) => !chosen.has(row));
      editor.edit(left, 'the removal');
      announce(`${countInWords(chosen.size, 'video')} removed, ${number(left.length)} left.`);
    },
    undo(): void {
      const what = editor.undo();
      if (what !== undefined) announce(`Took back ${what}.`);
    },
  };
}
