/** The years whose views are kept, and that may be asked about: microseconds are exact in them. */
export const FIRST_YEAR = 1970;
export const LAST_YEAR = 2199;

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The number that `length` digits at a place are; NaN where one is no digit. */
function digits(text: string, at: number, length: number): number {
  let value = 0;
  for (let i = at; i < at + length; i += 1) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/**
 * The time of an ISO text with a UTC offset (`Z`, `+02:00`, `-0330`, `+02`) and up to nine digits of a second's fraction, in
 * microseconds since the epoch (what is finer is cut). Undefined for anything else, and for a day or hour that there is not.
 */
export function microsFromText(text: string): number | undefined {
  if (text.length < 20 || text.length > 36) return undefined;
  const days = daysFromDate(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2));
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  const hasMarks = text[4] === '-' && text[7] === '-' && (text[10] === 'T' || text[10] === 't') && text[13] === ':' && text[16] === ':';
  if (!hasMarks || days === undefined || !(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  let end = 19;
  let micros = 0;
  if (text[19] === '.') {
    end = 20;
    while (end < text.length && !Number.isNaN(digits(text, end, 1))) end += 1;
    const count = end - 20;
    if (count < 1 || count > 9) return undefined;
    micros = digits(text, 20, Math.min(count, 6)) * 10 ** Math.max(0, 6 - count);
  }
  const offset = offsetMinutes(text, end);
  if (offset === undefined) return undefined;
  return (days * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60) * 1_000_000 + micros;
}

function daysFromDate(year: number, month: number, day: number): number | undefined {
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1)) return undefined;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const length = (DAYS_IN_MONTH[month - 1] ?? 0) + (isLeap && month === 2 ? 1 : 0);
  if (day > length) return undefined;
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 477;
  return (year - FIRST_YEAR) * 365 + leapDays + (DAYS_BEFORE_MONTH[month - 1] ?? 0) + (isLeap && month > 2 ? 1 : 0) + day - 1;
}

function offsetMinutes(text: string, at: number): number | undefined {
  const sign = text[at];
  const rest = text.length - at - 1;
  if (sign === 'Z' || sign === 'z') return rest === 0 ? 0 : undefined;
  if (sign !== '+' && sign !== '-') return undefined;
  const hours = digits(text, at + 1, 2);
  const hasColon = text[at + 3] === ':';
  if (rest !== 2 && rest !== (hasColon ? 5 : 4)) return undefined;
  const minutes = rest === 2 ? 0 : digits(text, at + (hasColon ? 4 : 3), 2);
  if (!(hours <= 23 && minutes <= 59)) return undefined;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}
