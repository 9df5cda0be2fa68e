import { microsFromText } from './instants.ts';
import { createTextKeeper, remembered } from './kept-text.ts';
import { spoolLine } from './spool.ts';

/** A record that can be kept. */
export interface CheckedView {
  /** As JSON. */
  readonly id: string;
  /** When it took place. Milliseconds since the epoch, cut. */
  readonly timeMs: number;
  /** What is kept of it, as `spool.ts` says. */
  readonly line: string;
}

/** A record that can't be kept, and why: the field and the types, never the value. */
export interface SetAside {
  readonly reason: string;
  /** When it took place, where that can be read. Milliseconds since the epoch. */
  readonly timeMs: number | undefined;
}

/** Of an id or key. A longer text is refused and not cut: cut, two that differ could become one. */
const MAX_KEY_LENGTH = 256;
const MAX_TEXT_LENGTH = 200;
const MAX_ADDRESS_LENGTH = 500;
export const MAX_INTEGER = 2 ** 31 - 1;

type Fields = Readonly<Record<string, unknown>>;

/** How the texts of a record are kept, as JSON. */
export type Keepers = ReturnType<typeof createKeepers>;

/**
 * @param hashOf the keyed hash of a viewer's id, in decimal digits
 * @param scrubbed takes credentials out of a text
 */
export function createKeepers(hashOf: (viewerId: string) => string, scrubbed: (text: string) => string) {
  const keys = createTextKeeper(MAX_KEY_LENGTH, scrubbed);
  return {
    text: createTextKeeper(MAX_TEXT_LENGTH, scrubbed).text,
    address: createTextKeeper(MAX_ADDRESS_LENGTH, scrubbed).address,
    /** Undefined where it is too long for a key. */
    key: (text: string): string | undefined => (text.length > MAX_KEY_LENGTH ? undefined : keys.text(text)),
    /** An empty id is nobody's, as it is a missing value of every dimension. */
    viewer: (viewerId: string): string => (viewerId === '' ? NULL : `"${hashOf(viewerId)}"`),
  };
}

/**
 * Checks raw records one by one. Nothing is coerced: a value of another type than documented sets the record aside. A
 * field that is absent or null is null, all but `id` and `date`; fields that aren't kept are not looked at.
 */
export function createRecordCheck(keepers: Keepers): (raw: unknown) => CheckedView | SetAside {
  const [kept, address, keptKey] = [remembered(keepers.text), remembered(keepers.address), remembered(keepers.key)];
  let problem: string | undefined;

  // Each gives a value as JSON.
  const wrong = (field: string, words: string): string => {
    problem ??= `${field} ${words}`;
    return NULL;
  };
  const text = (field: string, value: unknown, keep = kept): string => {
    if (typeof value === 'string') return keep(value);
    return isAbsent(value) ? NULL : wrong(field, `is ${typeName(value)}, not text`);
  };
  const key = (field: string, value: unknown, keep = keptKey): string => {
    if (typeof value !== 'string') return text(field, value);
    return keep(value) ?? wrong(field, `is longer than ${MAX_KEY_LENGTH} characters`);
  };
  const flag = (field: string, value: unknown): string => {
    if (value === true) return 'true';
    if (value === false) return 'false';
    return isAbsent(value) ? NULL : wrong(field, `is ${typeName(value)}, not true or false`);
  };
  const integer = (field: string, value: unknown, max: number): string => {
    if (isAbsent(value)) return NULL;
    if (typeof value !== 'number') return wrong(field, `is ${typeName(value)}, not a whole number`);
    if (!Number.isInteger(value)) return wrong(field, 'is not a whole number');
    return Math.abs(value) <= max ? String(value) : wrong(field, 'is too large');
  };
  const inner = (field: string, value: unknown): Fields => {
    if (isFields(value)) return value;
    if (!isAbsent(value)) wrong(field, `is ${typeName(value)}, not an object`);
    return NONE;
  };

  function lineOf(record: Fields, id: string, micros: number): string {
    const browser = inner('browser', record.browser);
    const os = inner('os', record.os);
    const device = inner('device', record.device);
    const geo = inner('geo', record.geo);
    const embed = inner('embed', record.embed);
    return spoolLine([
      id,
      String(micros),
      key('videoKey', record.videoKey),
      key('channelKey', record.channelKey),
      key('projectKey', record.projectKey),
      text('viewerId', record.viewerId, keepers.viewer),
      flag('started', record.started),
      flag('ended', record.ended),
      flag('muted', record.muted),
      integer('duration', record.duration, Number.MAX_SAFE_INTEGER),
      integer('watchTime', record.watchTime, Number.MAX_SAFE_INTEGER),
      integer('planType', record.planType, MAX_INTEGER),
      text('region', record.region),
      text('browser.family', browser.family),
      integer('browser.major', browser.major, MAX_INTEGER),
      text('os.family', os.family),
      integer('os.major', os.major, MAX_INTEGER),
      text('device.type', device.type),
      text('device.brand', device.brand),
      text('geo.country', geo.country),
      text('geo.continent', geo.continent),
      text('geo.region', geo.region),
      text('geo.city', geo.city),
      text('embed.url', embed.url, address),
      text('embed.domain', embed.domain),
    ]);
  }

  return (raw) => {
    if (!isFields(raw)) return { reason: `the record is ${typeName(raw)}, not an object`, timeMs: undefined };
    problem = undefined;
    const micros = typeof raw.date === 'string' ? microsFromText(raw.date) : undefined;
    const timeMs = micros === undefined ? undefined : Math.floor(micros / 1_000);
    const id = key('id', raw.id, keepers.key);
    if (id === NULL || id === EMPTY) return { reason: problem ?? 'id is missing', timeMs };
    if (micros === undefined || timeMs === undefined) return { reason: dateProblem(raw.date), timeMs };
    const line = lineOf(raw, id, micros);
    // Set by the readers above, which the compiler can't see.
    const found = problem as string | undefined;
    return found === undefined ? { id, timeMs, line } : { reason: found, timeMs };
  };
}

const NONE: Fields = {};
const NULL = 'null';
/** An empty text, as JSON. */
export const EMPTY = '""';

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

function dateProblem(value: unknown): string {
  if (value === undefined || value === null) return 'date is missing';
  return typeof value === 'string' ? 'date is not an ISO time with a UTC offset, or no such day' : `date is ${typeName(value)}, not text`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'a boolean';
    default:
      return 'an object';
  }
}
