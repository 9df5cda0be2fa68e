import { hash } from 'node:crypto';
import { isObject, type Values } from '../../platform/is-object.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { COLUMNS, HOSTS, type ViewColumn } from '../columns.ts';
import { FIRST_YEAR, LAST_YEAR } from '../spans.ts';
import { spoolLine } from '../storage/spool.ts';

export interface CheckedView {
  readonly id: string;
  /** In milliseconds since the epoch, rounded down. */
  readonly timeMs: number;
  readonly line: string;
}

/** A record that can't be stored. The reason names the field and the type, never the value. */
export interface RejectedRecord {
  readonly reason: Sentence;
  /** In milliseconds since the epoch; undefined if it can't be read. */
  readonly timeMs: number | undefined;
}

/** A longer id or key is refused and not cut: two different ones could become equal. */
const MAX_KEY_LENGTH = 256;
const MAX_TEXT_LENGTH = 200;
const MAX_ADDRESS_LENGTH = 500;
const MAX_INTEGER = 2 ** 31 - 1;
const MAX_REMEMBERED = 20_000;

/**
 * Checks raw records. No value is coerced: a value of an undocumented type sets the record aside. Values that are absent or empty become
 * null, except `id` and `date`; fields that aren't stored are not checked. `hashOf` is the keyed hash of a viewer's id.
 */
export function createRecordCheck(hashOf: (viewerId: string) => string): (raw: unknown) => CheckedView | RejectedRecord {
  const shortText = cached((text) => cleanText(text, MAX_TEXT_LENGTH));
  const address = cached(storedAddress);
  const host = cached((value) => cleanText(value, MAX_TEXT_LENGTH).toLowerCase());
  const viewer = (viewerId: string): string | null => (viewerId === '' ? null : hashOf(viewerId));
  let problem: Sentence | undefined;

  const reportProblem = (field: string, words: Sentence): null => {
    problem ??= sentence`${word(field)} ${words}`;
    return null;
  };
  const text = (field: string, value: unknown, convert: (text: string) => string | null = shortText): string | null => {
    if (typeof value === 'string') return convert(value);
    return isAbsent(value) ? null : reportProblem(field, sentence`is ${typeName(value)}, not text`);
  };
  const key = (field: string, value: unknown): string | null => {
    if (typeof value !== 'string') return text(field, value);
    return value.length <= MAX_KEY_LENGTH
      ? cleanText(value, MAX_KEY_LENGTH)
      : reportProblem(field, sentence`is longer than ${MAX_KEY_LENGTH} characters`);
  };
  const flag = (field: string, value: unknown): boolean | null => {
    if (typeof value === 'boolean') return value;
    return isNothing(value) ? null : reportProblem(field, sentence`is ${typeName(value)}, not true or false`);
  };
  const integer = (field: string, value: unknown, max: number): number | null => {
    if (isNothing(value)) return null;
    if (typeof value !== 'number') return reportProblem(field, sentence`is ${typeName(value)}, not a whole number`);
    if (!Number.isInteger(value)) return reportProblem(field, sentence`is not a whole number`);
    return Math.abs(value) <= max ? value : reportProblem(field, sentence`is too large`);
  };
  const objectOf = (field: string, value: unknown): Values => {
    if (isObject(value)) return value;
    if (!isNothing(value) && !isEmptyList(value)) reportProblem(field, sentence`is ${typeName(value)}, not an object`);
    return NONE;
  };

  const converterOf = ({ name, sql }: ViewColumn): ((field: string, value: unknown) => string | number | boolean | null) => {
    if (name === 'viewer') return (field, value) => text(field, value, viewer);
    if (name === 'embed_url') return (field, value) => text(field, value, address);
    if (name === HOSTS) return (field, value) => text(field, value, host);
    if (name.endsWith('_key')) return key;
    if (sql === 'VARCHAR') return text;
    if (sql === 'BOOLEAN') return flag;
    return (field, value) => integer(field, value, sql === 'BIGINT' ? Number.MAX_SAFE_INTEGER : MAX_INTEGER);
  };
  const fields = COLUMNS.filter(({ name }) => name !== 'id' && name !== 'ts').map((column) => {
    const [outer = '', inner] = column.field.split('.');
    return { field: column.field, outer, inner, convert: converterOf(column) };
  });
  const cellsOf = (record: Values) =>
    fields.map(({ field, outer, inner, convert }) =>
      convert(field, inner === undefined ? record[outer] : objectOf(outer, record[outer])[inner]),
    );

  return (raw) => {
    if (!isObject(raw)) return { reason: sentence`the record is ${typeName(raw)}, not an object`, timeMs: undefined };
    problem = undefined;
    const micros = typeof raw.date === 'string' ? microsFromText(raw.date) : undefined;
    const timeMs = micros === undefined ? undefined : Math.floor(micros / 1_000);
    const id = distinctId(raw.id, key('id', raw.id));
    if (id === null || id === '') return { reason: problem ?? sentence`id is missing`, timeMs };
    if (micros === undefined || timeMs === undefined) return { reason: dateProblem(raw.date), timeMs };
    const line = spoolLine([id, micros, ...cellsOf(raw)]);
    // `reportProblem` sets it, which the compiler can't see.
    const found = problem as Sentence | undefined;
    return found === undefined ? { id, timeMs, line } : { reason: found, timeMs };
  };
}

/**
 * An address without query, fragment and user, and without what may name a person or a session in its path; if it isn't http or
 * https, only its scheme.
 */
function storedAddress(text: string): string {
  const page = text.trim().replace(/[?#].*$/s, '');
  const scheme = /^[a-z][a-z0-9+.-]*:(?![0-9]+(?:\/|$))/i.exec(page)?.[0];
  const [, slashes = '', first = '', rest = ''] = /^([\\/]*)([^\\/]*)(.*)$/s.exec(page.slice(scheme?.length ?? 0)) ?? [];
  // "/path/page" has no host.
  const [host, path] = scheme === undefined && slashes.length === 1 ? ['', `${first}${rest}`] : [first, rest];
  // Without slashes a scheme may be a user, whose password follows: "jane:secret@host/page".
  const isUser = scheme !== undefined && slashes === '' && host.includes('@') && path !== '';
  if (scheme !== undefined && !isUser && !/^https?:$/i.test(scheme)) return cleanText(scheme, MAX_ADDRESS_LENGTH);
  const server = host.slice(host.lastIndexOf('@') + 1).toLowerCase();
  const kept = path.replace(/[^\\/]+/g, (part) => storedSegment(part));
  return cleanText(`${isUser ? '' : (scheme ?? '').toLowerCase()}${slashes}${server}${kept}`, MAX_ADDRESS_LENGTH);
}

/** In place of a part of a path that names a person or a session. */
const HIDDEN = '…';

/** `PHPSESSID=…`, `access_token:…`, and `(S(…))` of ASP.NET. */
const SESSION = /^(?:[a-z_-]*(?:sess|sid|token|auth|ticket)[a-z_-]*\s*[=:]|\([a-z]\()/i;

/** A part of a path without its parameters (`;jsessionid=…`); an email address or a session's id is hidden. */
function storedSegment(written: string): string {
  const [part = '', ...parameters] = decoded(written).split(';');
  if (/[^\s@]@[^\s@]/.test(part) || SESSION.test(part)) return HIDDEN;
  return parameters.length === 0 ? written : (written.split(/;|%3b/i)[0] ?? '');
}

/** Percent signs may hide an @, also twice. */
function decoded(text: string): string {
  let plain = text;
  for (let times = 0; times < 2 && plain.includes('%'); times += 1)
    plain = plain.replace(/(?:%[0-7][0-9a-f])+/gi, (codes) => decodeURIComponent(codes));
  return plain;
}

/** An id that cleaning changed could be that of another record. */
const distinctId = (raw: unknown, id: string | null): string | null =>
  id === null || id === '' || typeof raw !== 'string' || raw === id ? id : `${id}…${hash('sha256', raw, 'hex').slice(0, 16)}`;

/** Caches results: cleaning takes most of a check, and a log has few different texts. */
function cached(convert: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const converted = convert(text);
    if (text.length <= MAX_ADDRESS_LENGTH) known.set(text, converted);
    return converted;
  };
}

const NONE: Values = {};

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;
/** Also an empty text, where a field is no text. */
const isNothing = (value: unknown): boolean => isAbsent(value) || value === '';
/** Some languages write their empty map so. */
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function dateProblem(value: unknown): Sentence {
  if (isAbsent(value)) return sentence`date is missing`;
  return typeof value === 'string'
    ? sentence`date is not an ISO time with a UTC offset, or no such day`
    : sentence`date is ${typeName(value)}, not text`;
}

function typeName(value: unknown) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return TYPES[typeof value] ?? 'an object';
}

const TYPES: Readonly<Partial<Record<string, 'text' | 'a number' | 'a boolean'>>> = {
  string: 'text',
  number: 'a number',
  boolean: 'a boolean',
};

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
