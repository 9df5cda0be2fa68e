import { draggable } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { useEffect, useRef } from 'preact/hooks';
import { Video } from '../parts/basics.tsx';
import { number } from '../parts/words.ts';
import type { EditorRow } from './rows.ts';
import type { Editor } from './use-editor.ts';

interface Props {
  readonly editor: Editor;
  readonly row: EditorRow;
  readonly at: number;
  readonly top: number;
  readonly problem: string | undefined;
  readonly hasTitles: boolean;
  readonly onClick: (event: MouseEvent) => void;
}

export const rowId = (at: number): string => `row-${at}`;

export function SortableRow({ editor: { rows, selected, active }, row, at, top, problem, hasTitles, onClick }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current === null) return undefined;
    return draggable({ element: element.current, getInitialData: () => ({ row }) });
  }, [row]);
  return (
    // The list handles the keys: its rows are never focused themselves.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      ref={element}
      id={rowId(at)}
      class={`sortable-row${at === active ? ' is-active' : ''}`}
      role="option"
      aria-selected={selected.has(row)}
      aria-posinset={at + 1}
      aria-setsize={rows.length}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onClick}
    >
      <span class="grip" aria-hidden="true" />
      <span class="tick" aria-hidden="true" />
      <span class="row-position">{number(at + 1)}</span>
      <span class="row-body">
        <Video id={row.key} title={row.title} hasTitles={hasTitles} />
      </span>
      {problem !== undefined && <span class="mark tone-unknown">? {problem}</span>}
    </div>
  );
}
