import { asSentence, type Sentence, word } from '../text/sentence.ts';
import { DAY_MS } from './time-units.ts';
import { meaningsOf } from './zone-names.ts';

/** Cached, because creating a format is slow. */
const formats = new Map<string, Intl.DateTimeFormat>();
const NUMERIC = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;

function formatOf(zone: string): Intl.DateTimeFormat {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, calendar: 'iso8601', hourCycle: 'h23', ...NUMERIC });
  formats.set(zone, format);
  return format;
}

/** An abbreviation that may mean another place than the runtime takes it for is none. */
export function isTimeZone(name: string): boolean {
  if (meaningsOf(name).length > 0) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** A zone’s name, which needs no quotation marks. */
export const zoneName = (zone: string): Sentence => (isTimeZone(zone) ? asSentence(zone) : word(zone));

/** Milliseconds by which the clocks of a zone are ahead of UTC. */
export function offsetAt(zone: string, ms: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(ms / 1_000) * 1_000;
}

export const toLocal = (zone: string, ms: number): number => ms + offsetAt(zone, ms);

/**
 * The moment of a local time. If the time occurs twice, the first; if it is skipped when clocks go forward, later by as much as
 * the clocks moved, so that a day begins with its first hour.
 */
export function fromLocal(zone: string, localMs: number): number {
  const before = offsetAt(zone, localMs - 1.5 * DAY_MS);
  const after = offsetAt(zone, localMs + 1.5 * DAY_MS);
  const fitting = [before, after].filter((offset) => offsetAt(zone, localMs - offset) === offset);
  return localMs - (fitting.length === 0 ? before : Math.max(...fitting));
}
