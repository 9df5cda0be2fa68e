import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useVirtual } from './use-virtual.ts';

interface Props<T> {
  readonly of: readonly T[];
  /** What the list is, for screen readers. */
  readonly label: string;
  readonly row: (item: T, index: number) => ComponentChildren;
  readonly rowClass?: (item: T) => string;
  readonly rowHeight?: number;
}

/** Up to so many rows hide nothing that comes after them: more are folded where something does. */
export const FEW_ROWS = 12;

/** Up to so many rows stand on the page as they are. */
const SHORT = 60;

/** A list that is whole on the page where it is short, and scrolls by itself where it is long. */
export function LongList<T>(props: Props<T>) {
  return props.of.length <= SHORT ? <ShortList {...props} /> : <ScrollingList {...props} />;
}

function ShortList<T>({ of, label, row, rowClass }: Props<T>) {
  return (
    <ul class="rows" aria-label={label}>
      {of.map((item, index) => (
        <li key={index} class={`row ${rowClass?.(item) ?? ''}`}>
          {row(item, index)}
        </li>
      ))}
    </ul>
  );
}

function ScrollingList<T>({ of, label, row, rowClass, rowHeight = 44 }: Props<T>) {
  const scroller = useRef<HTMLElement>(null);
  const { items, height, measure } = useVirtual(of, rowHeight, scroller);
  return (
    // A region that scrolls must be reached by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys scroll it
    <section class="scroller" ref={scroller} tabIndex={0} aria-label={`${label}, ${of.length.toLocaleString()} rows, scrolls`}>
      <ul class="rows" style={{ height: `${height}px` }}>
        {items.map(({ item, index, top }) => (
          <li
            key={index}
            ref={measure}
            data-index={index}
            class={`row row-placed ${rowClass?.(item) ?? ''}`}
            style={{ transform: `translateY(${top}px)` }}
            aria-setsize={of.length}
            aria-posinset={index + 1}
          >
            {row(item, index)}
          </li>
        ))}
      </ul>
    </section>
  );
}
