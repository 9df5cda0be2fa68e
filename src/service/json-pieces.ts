import { isAscii, isUtf8 } from 'node:buffer';
import { parseJson, parseText } from './body.ts';

/** Small enough that what is made of one is let go before it costs any collecting. */
const PIECE_BYTES = 16_384;

/** Makes of a record of a list what is needed of it. */
export interface RecordReader<T> {
  /** Of a record as it came, to be looked at and not copied. */
  record(record: unknown): T;
  /**
   * The same of the JSON of a record that begins at a place of the body: puts it into the list, and gives where the record
   * ends. -1 where it doesn't know, or is not sure, that valid JSON stands there; then `record` is given it.
   */
  quick?(bytes: Buffer, at: number, list: T[]): number;
}

/**
 * The JSON of a body whose list `name` may be long, with what a reader makes of each of its records, for some perhaps
 * twice. It is parsed piece by piece: in half the time that one text of it all takes, and with little of it in memory at
 * once. Throws `BodyProblem`.
 */
export function parseWithList(bytes: Buffer, name: string, reader: RecordReader<unknown>): unknown {
  const value = isUtf8(bytes) ? inPieces(bytes, name, reader) : undefined;
  if (value !== undefined) return value;
  const whole = parseJson(bytes);
  const list = isObject(whole) ? whole[name] : undefined;
  return Array.isArray(list) ? { ...(whole as object), [name]: list.map((record) => reader.record(record)) } : whole;
}

/**
 * A cut is a guess, and JSON itself the proof: pieces that are each a list of whole values, with commas between them, in
 * the place of a value in what is JSON besides, are one list. Undefined where a guess was wrong, or nothing like it is there.
 */
function inPieces(bytes: Buffer, name: string, reader: RecordReader<unknown>): unknown {
  const opening = `"${name}":[`;
  const start = bytes.indexOf(opening) + opening.length;
  const end = bytes.lastIndexOf(']');
  if (start < opening.length || end - start < PIECE_BYTES) return undefined;
  // The 0 shows whether the list is where it seems to be.
  const whole = parsed(`${textOf(bytes, 0, start)}0${textOf(bytes, end, bytes.length)}`, parseText);
  const place = isObject(whole) ? whole[name] : undefined;
  if (!Array.isArray(place) || place[0] !== 0) return undefined;
  const list = readList(bytes, start, end, reader);
  return list && { ...(whole as object), [name]: list };
}

function readList(bytes: Buffer, start: number, end: number, reader: RecordReader<unknown>): unknown[] | undefined {
  // Records begin alike, and what stands within one seldom begins so.
  const seam = Buffer.concat([Buffer.from('},'), bytes.subarray(start, bytes.indexOf(':', start) + 1)]);
  const list: unknown[] = [];
  for (let from = start; from <= end; ) {
    const quickEnd = reader.quick?.(bytes, from, list) ?? -1;
    if (quickEnd >= 0) {
      if (quickEnd !== end && (quickEnd > end || bytes[quickEnd] !== COMMA)) return undefined;
      from = quickEnd + 1;
      continue;
    }
    const found = bytes.indexOf(seam, from + PIECE_BYTES);
    const to = found < 0 || found >= end ? end : found + 1;
    const records = parsed(`[${textOf(bytes, from, to)}]`, JSON.parse) as unknown[] | undefined;
    if (records === undefined) return undefined;
    for (const record of records) list.push(reader.record(record));
    from = to + 1;
  }
  return list;
}

const COMMA = 0x2c;

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textOf(bytes: Buffer, from: number, to: number): string {
  const piece = bytes.subarray(from, to);
  return piece.toString(isAscii(piece) ? 'latin1' : 'utf8');
}
