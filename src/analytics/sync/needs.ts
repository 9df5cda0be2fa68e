import type { Span } from '../contract.ts';
import { SCHEMA } from '../store/lake.ts';
import type { Window } from '../store/manifest.ts';
import { aligned, DAY_MS, HOUR_MS, isWithin, overlaps, union, without } from '../store/spans.ts';

/**
 * A span that was read this long after its end is taken not to change any more. The service doesn't say how late a view
 * may come into the log, nor for how long a record changes: two days hold for a playback and a queue that was stuck.
 */
const SETTLE_MS = 48 * HOUR_MS;
/** What was read this recently isn't read again for the next question. */
export const FRESH_MS = 60_000;

export const isSettled = ({ toMs, fetchedMs }: { readonly toMs: number; readonly fetchedMs: number }): boolean =>
  fetchedMs >= toMs + SETTLE_MS;

export const isReadable = (window: Window): boolean => window.schema === SCHEMA;

/** Whether a window need not be read again, `freshMs` being the moment since which a reading is fresh enough. */
function isUsable(window: Window, freshMs: number): boolean {
  return isReadable(window) && (window.fetchedMs >= freshMs || (isSettled(window) && window.problem === undefined));
}

/** What has to be read so that the days of a span are held, settled or fresh. In order. */
export function needsOf(windows: readonly Window[], span: Span, freshMs: number): Span[] {
  const stale = windows.filter((window) => isReadable(window) && window.rows > 0 && !isUsable(window, freshMs));
  const usable = windows.filter((window) => isUsable(window, freshMs));
  let needed = without([aligned(span, DAY_MS)], usable);
  // A window is replaced whole.
  for (;;) {
    const cut = stale.filter((window) => needed.some((need) => overlaps(window, need) && !isWithin(window, need)));
    if (cut.length === 0) return needed;
    needed = union([...needed, ...cut]);
  }
}
