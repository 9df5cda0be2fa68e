/** The service's clock as its answers show it, compared with this machine's. */
export interface ServiceClock {
  /** Takes the `Date` header of an answer, and when this machine sent the request and got the answer. */
  note(date: string | undefined, sentMs: number, answeredMs: number): void;
  /** How far it is ahead at least, to about a second; undefined while no answer told. */
  aheadMs(): number | undefined;
  /** How far it is ahead (negative: behind) for certain, 0 where the two may be the same; undefined while no answer told. */
  differenceMs(): number | undefined;
  /** Whether a time that the service wrote lies between two times of this machine; false where that can't be told. */
  isBetween(time: string | undefined, fromMs: number, toMs: number): boolean;
}

/** `Date` has whole seconds, and a record's time may be rounded to them. */
const RESOLUTION_MS = 1_000;

export function createServiceClock(): ServiceClock {
  /** By how much the service's clock is ahead: at least and at most. */
  let ahead: { readonly minMs: number; readonly maxMs: number } | undefined;
  return {
    note(date, sentMs, answeredMs) {
      const dateMs = Date.parse(date ?? '');
      if (!Number.isNaN(dateMs)) ahead = { minMs: dateMs - answeredMs, maxMs: dateMs + RESOLUTION_MS - sentMs };
    },
    aheadMs: () => ahead?.minMs,
    differenceMs: () => ahead && (Math.max(0, ahead.minMs) || Math.min(0, ahead.maxMs)),
    isBetween(time = '', fromMs, toMs) {
      // Without an offset from UTC, which time it means is not known.
      const timeMs = /(?:Z|[+-]\d\d:?\d\d)$/i.test(time) ? Date.parse(time) : Number.NaN;
      if (ahead === undefined || Number.isNaN(timeMs)) return false;
      return timeMs >= fromMs + ahead.minMs - RESOLUTION_MS && timeMs <= toMs + ahead.maxMs + RESOLUTION_MS;
    },
  };
}
