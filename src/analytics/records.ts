import { microsFromText } from './instants.ts';
import { createTextKeeper } from './kept-text.ts';
import type { ViewRow } from './spool.ts';

/** A record that can't be kept, and why: the field and the types, never the value. */
export interface SetAside {
  readonly reason: string;
  /** When it took place, where that can be read. Milliseconds since the epoch. */
  readonly timeMs: number | undefined;
}

/** Identifies something: longer ones are none, and two that differ must not become one by being cut. */
const MAX_KEY_LENGTH = 256;
const MAX_TEXT_LENGTH = 200;
const MAX_ADDRESS_LENGTH = 500;
const MAX_INTEGER = 2 ** 31 - 1;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks raw records one by one. Nothing is coerced: a value of another type than documented sets the record aside. A
 * field that is absent or null is null, all but `id` and `date`; fields that aren't kept are not looked at.
 *
 * @param hashOf the keyed hash of a viewer's id, in decimal digits
 */
export function createRecordCheck(hashOf: (viewerId: string) => string): (raw: unknown) => ViewRow | SetAside {
  const { text: kept } = createTextKeeper(MAX_TEXT_LENGTH);
  const { address } = createTextKeeper(MAX_ADDRESS_LENGTH);
  const { text: keptKey } = createTextKeeper(MAX_KEY_LENGTH);
  let problem: string | undefined;

  const wrong = (field: string, words: string): null => {
    problem ??= `${field} ${words}`;
    return null;
  };
  const text = (field: string, value: unknown): string | null => {
    if (value === undefined || value === null) return null;
    return typeof value === 'string' ? kept(value) : wrong(field, `is ${typeName(value)}, not text`);
  };
  const key = (field: string, value: unknown): string | null => {
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') return wrong(field, `is ${typeName(value)}, not text`);
    return value.length > MAX_KEY_LENGTH ? wrong(field, `is longer than ${MAX_KEY_LENGTH} characters`) : keptKey(value);
  };
  const flag = (field: string, value: unknown): boolean | null => {
    if (value === undefined || value === null) return null;
    return typeof value === 'boolean' ? value : wrong(field, `is ${typeName(value)}, not true or false`);
  };
  const integer = (field: string, value: unknown, max: number): number | null => {
    if (value === undefined || value === null) return null;
    if (typeof value !== 'number') return wrong(field, `is ${typeName(value)}, not a whole number`);
    if (!Number.isInteger(value)) return wrong(field, 'is not a whole number');
    return Math.abs(value) <= max ? value : wrong(field, 'is too large');
  };
  const inner = (field: string, value: unknown): Fields => {
    if (value === undefined || value === null) return NONE;
    if (isFields(value)) return value;
    wrong(field, `is ${typeName(value)}, not an object`);
    return NONE;
  };

  function rowOf(record: Fields, id: string, micros: number): ViewRow {
    const browser = inner('browser', record.browser);
    const os = inner('os', record.os);
    const device = inner('device', record.device);
    const geo = inner('geo', record.geo);
    const embed = inner('embed', record.embed);
    const viewerId = typeof record.viewerId === 'string' ? hashOf(record.viewerId) : text('viewerId', record.viewerId);
    const url = typeof embed.url === 'string' ? address(embed.url) : text('embed.url', embed.url);
    return [
      id,
      micros,
      key('videoKey', record.videoKey),
      key('channelKey', record.channelKey),
      key('projectKey', record.projectKey),
      viewerId,
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
      url,
      text('embed.domain', embed.domain),
    ];
  }

  return (raw) => {
    if (!isFields(raw)) return { reason: `the record is ${typeName(raw)}, not an object`, timeMs: undefined };
    problem = undefined;
    const micros = typeof raw.date === 'string' ? microsFromText(raw.date) : undefined;
    const timeMs = micros === undefined ? undefined : Math.floor(micros / 1_000);
    const id = key('id', raw.id);
    if (id === null || id === '') return { reason: problem ?? 'id is missing', timeMs };
    if (micros === undefined) return { reason: dateProblem(raw.date), timeMs };
    const row = rowOf(raw, id, micros);
    // Set by the readers above, which the compiler can't see.
    const found = problem as string | undefined;
    return found === undefined ? row : { reason: found, timeMs };
  };
}

const NONE: Fields = {};

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
