import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ReportView } from '../../contract.ts';
import { useSource } from '../data/page-context.tsx';
import type { ChartSize } from '../data/source.ts';

/** As in the style sheet: narrower, a chart has a width of its own, with letters that can be read. */
const NARROW = '(max-width: 40rem)';

/** The rows wait for no longer for the chart above them. */
const MAX_WAIT_MS = 2_000;

function useChartSize(): ChartSize {
  const [query] = useState(() => matchMedia(NARROW));
  const [isNarrow, setIsNarrow] = useState(query.matches);
  useEffect(() => {
    const follow = (): void => setIsNarrow(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [query]);
  return isNarrow ? 'narrow' : 'wide';
}

/** A chart that is there, with the size that it takes; or that can’t be had. */
export interface DrawnChart {
  readonly image?: HTMLImageElement;
  readonly hasFailed?: true;
  /** What stands below can be shown: its place is known, or it takes long. */
  readonly isSettled: boolean;
}

/** Loads the chart of a report before it is shown, so that nothing moves once it is there. */
export function useChart({ reportId, hasChart }: ReportView): DrawnChart {
  const source = useSource();
  const size = useChartSize();
  const [chart, setChart] = useState<DrawnChart>({ isSettled: !hasChart });
  useEffect(() => {
    if (!hasChart) return undefined;
    let isLatest = true;
    const set = (next: (before: DrawnChart) => DrawnChart): void => {
      if (isLatest) setChart(next);
    };
    // One of another width would be letters that nobody can read.
    set(({ isSettled }) => ({ isSettled }));
    const timer = setTimeout(() => set((before) => ({ ...before, isSettled: true })), MAX_WAIT_MS);
    source
      .chartAddress(reportId, size)
      .then(loadImage)
      .then(
        (image) => set(() => ({ image, isSettled: true })),
        () => set(() => ({ hasFailed: true, isSettled: true })),
      );
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [source, reportId, hasChart, size]);
  return chart;
}

async function loadImage(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
}

/** It keeps a place while it is being drawn. */
export function Chart({ chart: { image, hasFailed }, title }: { readonly chart: DrawnChart; readonly title: string }) {
  if (hasFailed === true) return <p class="quiet">The chart could not be drawn. The table has the same numbers.</p>;
  if (image === undefined) return <p class="quiet chart-place">Drawing the chart …</p>;
  return <Picture image={image} alt={`Chart: ${title}. The table below has its numbers.`} />;
}

/** The image that was loaded: one of its address would be drawn anew. */
function Picture({ image, alt }: { readonly image: HTMLImageElement; readonly alt: string }) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    image.alt = alt;
    image.className = 'chart';
    place.current?.replaceChildren(image);
  }, [image, alt]);
  return <figure ref={place} />;
}
