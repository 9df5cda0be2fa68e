import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useVirtual } from './use-virtual.ts';

interface Props {
  readonly count: number;
  /** What the list is, for screen readers. */
  readonly label: string;
  readonly row: (index: number) => ComponentChildren;
  readonly rowClass?: (index: number) => string;
  readonly rowHeight?: number;
}

/** Up to so many rows stand on the page as they are. */
const SHORT = 60;

/** A list that is whole on the page where it is short, and scrolls by itself where it is long. */
export function LongList(props: Props) {
  return props.count <= SHORT ? <ShortList {...props} /> : <ScrollingList {...props} />;
}

function ShortList({ count, label, row, rowClass }: Props) {
  return (
    <ul class="rows" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <li key={index} class={`row ${rowClass?.(index) ?? ''}`}>
          {row(index)}
        </li>
      ))}
    </ul>
  );
}

function ScrollingList({ count, label, row, rowClass, rowHeight = 44 }: Props) {
  const scroller = useRef<HTMLElement>(null);
  const { items, height, measure } = useVirtual(count, rowHeight, scroller);
  return (
    // A region that scrolls must be reached by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys scroll it
    <section class="scroller" ref={scroller} tabIndex={0} aria-label={`${label}, ${count.toLocaleString()} rows, scrolls`}>
      <ul class="rows" style={{ height: `${height}px` }}>
        {items.map(({ index, start }) => (
          <li
            key={index}
            ref={measure}
            data-index={index}
            class={`row row-placed ${rowClass?.(index) ?? ''}`}
            style={{ transform: `translateY(${start}px)` }}
            aria-setsize={count}
            aria-posinset={index + 1}
          >
            {row(index)}
          </li>
        ))}
      </ul>
    </section>
  );
}
