import { COLUMNS, type ViewColumn } from './columns.ts';
import { microsFromText } from './instants.ts';
import {
  BACKSLASH,
  BLANK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LETTER_N,
  NEW_LINE,
  NO_ASCII,
  NULL,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipInteger,
  skipValue,
  skipWord,
} from './json-bytes.ts';
import { type CheckedView, EMPTY, type Keepers, MAX_INTEGER } from './records.ts';

/**
 * What a column's values are in a plain record. What each may be is said by the check of records; here is only how such a
 * value looks in JSON.
 */
type Kind = 'id' | 'date' | 'viewer' | 'key' | 'text' | 'address' | 'flag' | 'integer';

/** The name of a field, and what to do with its value: a column's, or an object of such. */
interface Name {
  readonly bytes: Uint8Array;
  readonly column: number;
  readonly inner: Names | undefined;
  /** One with the same hash. */
  readonly next: Name | undefined;
}

/** The names that an object may have, by their hash. */
interface Names {
  readonly slots: (Name | undefined)[];
  readonly columns: readonly number[];
}

/** A text as it stands in the body, and how it is kept, both as bytes. */
interface Remembered {
  readonly raw: Uint8Array;
  readonly cell: Uint8Array;
}

const SLOTS = 64;
const REMEMBERED = 8_192;
const MAX_REMEMBERED_LENGTH = 500;

/**
 * The check of a record without making an object of it first, which takes most of the time. It knows only plain records:
 * valid JSON without white space and rare things, of which nothing has to be set aside. For whatever else it gives -1, and
 * leaves it to `JSON.parse` and the check of records, with which it agrees.
 *
 * @returns a function that puts the view whose record begins at a place of a body into a list, and gives where it ends
 */
export function createQuickCheck(keepers: Keepers): (bytes: Buffer, at: number, views: CheckedView[]) => number {
  const kinds = COLUMNS.map(kindOf);
  const names = namesOf('');
  const starts = new Int32Array(COLUMNS.length);
  const ends = new Int32Array(COLUMNS.length);
  const hashes = new Int32Array(COLUMNS.length);
  const plain = new Uint8Array(COLUMNS.length);
  const texts = createMemory(keepers.text);
  const addresses = createMemory(keepers.address);
  const keys = createMemory(keepers.key);
  let out = Buffer.alloc(4_096);
  let size = 0;

  /** Where the object ends whose first brace is at a place. */
  function readObject(bytes: Buffer, at: number, { slots, columns }: Names): number {
    if (bytes[at] !== OPEN_BRACE) return -1;
    for (const column of columns) starts[column] = -1;
    let place = at + 1;
    if (bytes[place] === CLOSE_BRACE) return place + 1;
    for (;;) {
      if (bytes[place] !== QUOTE) return -1;
      const from = place + 1;
      let hash = 0;
      for (place = from; bytes[place] !== QUOTE; place += 1) {
        const byte = bytes[place] as number;
        if (!(byte >= BLANK) || byte === BACKSLASH) return -1;
        hash = (Math.imul(hash, 31) + byte) | 0;
      }
      const name = find(slots[hash & (SLOTS - 1)], bytes, from, place);
      if (bytes[place + 1] !== COLON) return -1;
      place = readValue(bytes, place + 2, name);
      if (place < 0) return -1;
      const byte = bytes[place];
      place += 1;
      if (byte === CLOSE_BRACE) return place;
      if (byte !== COMMA) return -1;
    }
  }

  function readValue(bytes: Buffer, at: number, name: Name | undefined): number {
    if (name === undefined) return skipValue(bytes, at);
    if (name.inner === undefined) return readColumn(bytes, at, name.column);
    if (bytes[at] !== LETTER_N) return readObject(bytes, at, name.inner);
    for (const column of name.inner.columns) starts[column] = -1;
    return skipWord(bytes, at);
  }

  function readColumn(bytes: Buffer, at: number, column: number): number {
    starts[column] = bytes[at] === LETTER_N ? -1 : at;
    if (bytes[at] === LETTER_N) return skipWord(bytes, at);
    const kind = kinds[column];
    const end = kind === 'flag' ? skipWord(bytes, at) : kind === 'integer' ? skipInteger(bytes, at) : readText(bytes, at, column);
    ends[column] = end;
    return end;
  }

  /** Behind the text; its hash is noted. */
  function readText(bytes: Buffer, at: number, column: number): number {
    if (bytes[at] !== QUOTE) return -1;
    let hash = 0;
    let bits = 0;
    let place = at + 1;
    for (let byte = bytes[place] as number; byte !== QUOTE; byte = bytes[place] as number) {
      if (!(byte >= BLANK)) return -1;
      hash = (Math.imul(hash, 31) + byte) | 0;
      // An escape leaves its mark as what is no ASCII does.
      bits |= byte === BACKSLASH ? NO_ASCII : byte;
      place += byte === BACKSLASH ? 2 : 1;
    }
    hashes[column] = hash;
    plain[column] = bits < NO_ASCII ? 1 : 0;
    return place + 1;
  }

  /** The view of what was read; undefined where it isn't plain after all. */
  function viewOf(bytes: Buffer): CheckedView | undefined {
    const id = plainText(bytes, 0);
    const date = plainText(bytes, 1);
    const micros = date === undefined ? undefined : microsFromText(date);
    const kept = id === undefined || id === '' ? undefined : keepers.key(id);
    if (kept === undefined || kept === EMPTY || micros === undefined) return undefined;
    size = 0;
    putByte(OPEN_BRACKET);
    putAscii(kept);
    putByte(COMMA);
    putAscii(String(micros));
    for (let column = 2; column < kinds.length; column += 1) {
      putByte(COMMA);
      if (!putCell(bytes, column)) return undefined;
    }
    putByte(CLOSE_BRACKET);
    putByte(NEW_LINE);
    return { id: kept, timeMs: Math.floor(micros / 1_000), line: out.toString('latin1', 0, size) };
  }

  function putCell(bytes: Buffer, column: number): boolean {
    const start = starts[column] as number;
    const end = ends[column] as number;
    if (start < 0) {
      putBytes(NULL, 0, NULL.length);
      return true;
    }
    switch (kinds[column]) {
      case 'flag':
        putBytes(bytes, start, end);
        return true;
      case 'integer':
        putBytes(bytes, start, end);
        return COLUMNS[column]?.sql === 'BIGINT' || isInteger(bytes, start, end);
      case 'viewer': {
        const viewerId = plainText(bytes, column);
        if (viewerId !== undefined) putAscii(keepers.viewer(viewerId));
        return viewerId !== undefined;
      }
      default: {
        const memory = kinds[column] === 'key' ? keys : kinds[column] === 'address' ? addresses : texts;
        const cell = memory(bytes, start + 1, end - 1, hashes[column] as number);
        if (cell !== undefined) putBytes(cell, 0, cell.length);
        return cell !== undefined;
      }
    }
  }

  /** A text of ASCII without escapes. */
  function plainText(bytes: Buffer, column: number): string | undefined {
    const start = starts[column] as number;
    return start < 0 || plain[column] === 0 ? undefined : bytes.toString('latin1', start + 1, (ends[column] as number) - 1);
  }

  function putByte(byte: number): void {
    if (size >= out.length) grow(1);
    out[size] = byte;
    size += 1;
  }

  function putBytes(bytes: Uint8Array, from: number, to: number): void {
    if (size + to - from > out.length) grow(to - from);
    for (let place = from; place < to; place += 1) {
      out[size] = bytes[place] as number;
      size += 1;
    }
  }

  function putAscii(text: string): void {
    if (size + text.length > out.length) grow(text.length);
    size += out.write(text, size, 'latin1');
  }

  function grow(by: number): void {
    out = Buffer.concat([out], 2 * (out.length + by));
  }

  return (bytes, at, views) => {
    const end = readObject(bytes, at, names);
    const view = end < 0 ? undefined : viewOf(bytes);
    if (view === undefined) return -1;
    views.push(view);
    return end;
  };
}

function kindOf({ name, sql, field }: ViewColumn): Kind {
  if (name === 'id' || name === 'viewer') return name;
  if (name === 'embed_url') return 'address';
  if (sql === 'TIMESTAMP') return 'date';
  if (sql === 'BOOLEAN') return 'flag';
  if (sql === 'BIGINT' || sql === 'INTEGER') return 'integer';
  return field.endsWith('Key') ? 'key' : 'text';
}

/** The names of the fields below a prefix, such as `geo.`. */
function namesOf(prefix: string): Names {
  const slots: (Name | undefined)[] = Array.from({ length: SLOTS });
  const below = COLUMNS.flatMap(({ field }, column) => (field.startsWith(prefix) ? [{ rest: field.slice(prefix.length), column }] : []));
  for (const name of new Set(below.map(({ rest }) => rest.replace(/\..*$/, '')))) {
    const bytes = Buffer.from(name);
    const slot = bytes.reduce((hash, byte) => (Math.imul(hash, 31) + byte) | 0, 0) & (SLOTS - 1);
    const column = below.find(({ rest }) => rest === name)?.column ?? -1;
    slots[slot] = { bytes, column, inner: column < 0 ? namesOf(`${prefix}${name}.`) : undefined, next: slots[slot] };
  }
  return { slots, columns: below.map(({ column }) => column) };
}

function find(first: Name | undefined, bytes: Buffer, from: number, to: number): Name | undefined {
  for (let name = first; name !== undefined; name = name.next) if (isSame(name.bytes, bytes, from, to)) return name;
  return undefined;
}

function isSame(some: Uint8Array, bytes: Buffer, from: number, to: number): boolean {
  if (some.length !== to - from) return false;
  for (let place = from; place < to; place += 1) if (some[place - from] !== bytes[place]) return false;
  return true;
}

/** How texts are kept, for those that came last; undefined for one that is none, or too long. */
function createMemory(keep: (text: string) => string | undefined) {
  const remembered: (Remembered | undefined)[] = Array.from({ length: REMEMBERED });
  return (bytes: Buffer, from: number, to: number, hash: number): Uint8Array | undefined => {
    const slot = (hash ^ (hash >>> 13)) & (REMEMBERED - 1);
    const known = remembered[slot];
    if (known !== undefined && isSame(known.raw, bytes, from, to)) return known.cell;
    const text = textOf(bytes, from, to);
    const kept = text === undefined ? undefined : keep(text);
    if (kept === undefined) return undefined;
    const cell = Buffer.from(kept.replace(/[^\0-\x7f]/g, escaped));
    if (to - from <= MAX_REMEMBERED_LENGTH) remembered[slot] = { raw: Uint8Array.prototype.slice.call(bytes, from, to), cell };
    return cell;
  };
}

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

function textOf(bytes: Buffer, from: number, to: number): string | undefined {
  try {
    return JSON.parse(bytes.toString('utf8', from - 1, to + 1)) as string;
  } catch {
    return undefined;
  }
}

/** Whether digits make an integer of four bytes. */
function isInteger(bytes: Buffer, start: number, end: number): boolean {
  return end - start < 10 || Math.abs(Number(bytes.toString('latin1', start, end))) <= MAX_INTEGER;
}
