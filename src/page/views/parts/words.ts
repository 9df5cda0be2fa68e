const formatsOf = (wanted: string | undefined, timeZone: string | undefined) => ({
  times: new Intl.DateTimeFormat(wanted, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  days: new Intl.DateTimeFormat(wanted, { dateStyle: 'medium', timeZone }),
  hours: new Intl.DateTimeFormat(wanted, { timeStyle: 'short', timeZone }),
});

let locale: string | undefined;
let { times, days, hours } = formatsOf(undefined, undefined);

/** The language and the time zone of numbers and times; the browser's where they are not given, or not known. */
export function setLocale(wanted: string | undefined, timeZone: string | undefined): void {
  try {
    ({ times, days, hours } = formatsOf(wanted, timeZone));
    locale = wanted;
  } catch {
    // A name that this browser does not know.
  }
}

/** `1 video`, `2,000 videos`. */
export function countInWords(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export const number = (value: number, format: Intl.NumberFormatOptions = {}): string => value.toLocaleString(locale, format);

/** A number of a report, with the digits that are read at a glance: the file of the report has all of them. */
export function figure(value: number): string {
  const size = Math.abs(value);
  return number(value, size < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: size >= 100 ? 1 : 2 });
}

/** A time as people read it; as it came where it is none. */
export function timeInWords(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : times.format(time);
}

/** A day of any calendar, such as `2026-11-30`. */
export function dayInWords(day: string): string {
  const time = Date.parse(`${day}T00:00Z`);
  return Number.isNaN(time) ? day : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(time);
}

/** How long until then, coarsely: `4 minutes`. Undefined where that is over. */
export function untilInWords(iso: string, now: number): string | undefined {
  const left = Date.parse(iso) - now;
  if (Number.isNaN(left) || left <= 0) return undefined;
  if (left < 60_000) return 'less than a minute';
  return countInWords(Math.floor(left / 60_000), 'minute');
}

/** A time, of today without its day. */
export function timeInShort(iso: string): string {
  const [time, now] = [Date.parse(iso), Date.now()];
  if (Number.isNaN(time)) return iso;
  return days.format(time) === days.format(now) ? hours.format(time) : times.format(time);
}

/** The time zone of all times that are shown, by its name. */
export const zoneName = (): string => times.resolvedOptions().timeZone;
