import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** The rows of a long list that are in sight, and those that are kept in any case: where the keyboard is, what is dragged. */
export function useVirtual<T>(
  list: readonly T[],
  rowHeight: number,
  scroller: RefObject<HTMLElement | null>,
  kept: readonly number[] = [],
) {
  const [, rerender] = useState(0);
  const keptNow = useRef(kept);
  keptNow.current = kept;
  const options = {
    count: list.length,
    estimateSize: () => rowHeight,
    getScrollElement: () => scroller.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 8,
    // Until it is measured, so that the first picture has rows.
    initialRect: { width: 800, height: 600 },
    onChange: () => rerender((turn) => turn + 1),
    rangeExtractor: (range: Range) => {
      const extra = keptNow.current.filter((index) => index >= 0 && index < range.count);
      return [...new Set([...defaultRangeExtractor(range), ...extra])].sort((a, b) => a - b);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    /** Those in sight, and how far from the top of the list each is. */
    items: virtualizer.getVirtualItems().flatMap(({ index, start }) => {
      const item = list[index];
      return item === undefined ? [] : [{ item, index, top: start }];
    }),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  };
}
