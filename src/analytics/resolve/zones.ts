import { DAY_MS } from '../../platform/time-units.ts';
import { isTimeZone, offsetAt, zoneName } from '../../platform/time-zones.ts';
import { meaningsOf, zoneOfWindows } from '../../platform/zone-names.ts';
import { nearest } from '../../text/nearest.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Span, ZoneOffset } from '../contract.ts';

/** Why a name is no time zone, with similar names; undefined for a time zone. */
export function zoneProblem(name: string): Sentence | undefined {
  if (isTimeZone(name)) return undefined;
  const meanings = meaningsOf(name);
  if (meanings.length > 0)
    return sentence`expected an IANA time zone. ${word(name)} is an abbreviation${meanings.length > 1 ? ' that means several' : ''}: ${joined(meanings.map(zoneName), ', ')}?`;
  const ofWindows = zoneOfWindows(name);
  if (ofWindows !== undefined)
    return sentence`expected an IANA time zone such as UTC, Europe/Berlin or Asia/Kolkata. This name of Windows is ${zoneName(ofWindows)}.`;
  if (OFFSET.test(name)) return sentence`expected an IANA time zone such as UTC, Europe/Berlin or Asia/Kolkata.${fixedZone(word(name))}`;
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  const near = nearest(name.slice(0, 60), zones, 3).filter((zone) => !isWithinWord(name, zone));
  const meant = near.length === 0 ? sentence`` : sentence` Did you mean ${joined(near.map(zoneName), ', ')}?`;
  return sentence`expected an IANA time zone such as UTC, Europe/Berlin or Asia/Kolkata.${meant}`;
}

/** India is neither Indiana nor the Indian Ocean. */
function isWithinWord(name: string, zone: string): boolean {
  const [part, whole] = [name, zone].map((text) => text.trim().toLowerCase().replace(/[ _]/g, '/')) as [string, string]; // as many as given
  return whole.includes(part) && !`/${whole}/`.includes(`/${part}/`);
}

const OFFSET = /^(?:utc|gmt)? ?([+-])(\d{1,2})(?::?(\d{2}))?$/i;

/** Whole hours have a zone without clock changes, whose sign is inverted. */
function fixedZone(offset: Sentence): Sentence {
  const [, sign, hours, minutes = '00'] = OFFSET.exec(offset) ?? [];
  if (Number(hours) === 0 || Number(hours) > 12 || minutes !== '00') return sentence``;
  return sentence` For a zone without clock changes, ${offset} is Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}.`;
}

/** No offset lasts shorter than this. */
const STEP_MS = 3 * DAY_MS;

/** Every offset of the zone within a span, the first one from before it. */
export function zoneOffsets(zone: string, { fromMs, toMs }: Span): ZoneOffset[] {
  let current = offsetAt(zone, fromMs);
  const found: ZoneOffset[] = [{ fromMs: Number.MIN_SAFE_INTEGER, offsetSeconds: current / 1_000 }];
  for (let ms = fromMs; ms < toMs; ms += STEP_MS) {
    const end = Math.min(ms + STEP_MS, toMs);
    const after = offsetAt(zone, end);
    if (after === current) continue;
    const change = changeBetween(zone, ms, end, current);
    // A change at the end of the span is not within it.
    if (change < toMs) found.push({ fromMs: change, offsetSeconds: after / 1_000 });
    current = after;
  }
  return found;
}

function changeBetween(zone: string, from: number, to: number, offset: number): number {
  let low = Math.floor(from / 1_000);
  let high = Math.ceil(to / 1_000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * 1_000) === offset) low = middle;
    else high = middle;
  }
  return high * 1_000;
}

/** `2026-03-01T05:00:00+01:00`; with seconds in the offset for historical zones that had them. */
export function zonedText(zone: string, ms: number): Sentence {
  const offset = offsetAt(zone, ms);
  const seconds = Math.abs(offset) / 1_000;
  const two = (value: number): Sentence => word(String(Math.floor(value)).padStart(2, '0'));
  const odd = seconds % 60 === 0 ? sentence`` : sentence`:${two(seconds % 60)}`;
  return sentence`${word(new Date(ms + offset).toISOString().slice(0, 19))}${offset < 0 ? '-' : '+'}${two(seconds / 3_600)}:${two((seconds / 60) % 60)}${odd}`;
}
