import type { ListActions } from './list-actions.ts';
import type { Editor } from './use-editor.ts';

const PAGE = 10;

/** The keys of the list: they go to rows, select them, and with Alt they move them. */
export function listKeys(editor: Editor, actions: ListActions) {
  const { rows, active, selected, select, toggle, activate } = editor;
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: active - 1,
    ArrowDown: active + 1,
    PageUp: active - PAGE,
    PageDown: active + PAGE,
    Home: 0,
    End: rows.length - 1,
  };
  const moves: Readonly<Record<string, 'up' | 'down' | 'top' | 'bottom'>> = {
    ArrowUp: 'up',
    ArrowDown: 'down',
    Home: 'top',
    End: 'bottom',
  };

  function goTo(target: number, extends_: boolean): void {
    const next = Math.max(0, Math.min(rows.length - 1, target));
    if (extends_) select(new Set([...selected, ...rows.slice(Math.min(active, next), Math.max(active, next) + 1)]));
    activate(next);
  }
  /** Whether the key means something here. */
  function handle({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const [row, move, step, isCommand] = [rows[active], moves[key], steps[key], ctrlKey || metaKey];
    if (altKey && move !== undefined) actions.move(move);
    else if (isCommand && key === 'a') select(selected.size === rows.length ? new Set() : new Set(rows));
    else if (isCommand && key === 'z') actions.undo();
    else if (altKey || isCommand) return false;
    else if (step !== undefined) goTo(step, shiftKey);
    else if (key === ' ' && row !== undefined) toggle(row);
    else if (key === 'Delete' || key === 'Backspace') actions.remove();
    else if (key === 'Escape' && selected.size > 0) select(new Set());
    else return false;
    return true;
  }
  return (event: KeyboardEvent): void => {
    if (handle(event)) event.preventDefault();
  };
}
