/** Years whose views are stored and that questions may name: microseconds are exact in them. */
export const FIRST_YEAR = 1970;
export const LAST_YEAR = 2199;

const ISO = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

/**
 * Parses an ISO text with a UTC offset (`Z`, `+02:00`, `-0330`, `+02`) into microseconds since the epoch; finer fractions are
 * cut. Undefined for any other text, and for a day or hour that doesn't exist.
 */
export function microsFromText(text: string): number | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCDate() === day && date.getUTCMonth() === month - 1 && year >= FIRST_YEAR && year <= LAST_YEAR;
  if (!isDay || hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offsetS = (match[8] === '-' ? -1 : 1) * (offsetHours * 3_600 + offsetMinutes * 60);
  const seconds = date.getTime() / 1_000 + hour * 3_600 + minute * 60 + second - offsetS;
  return seconds * 1_000_000 + Number((match[7] ?? '').slice(0, 6).padEnd(6, '0'));
}
