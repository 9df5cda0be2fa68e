import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { isShortage, readRegular } from '../../platform/files.ts';
import { entriesOfText, longPiece } from '../../platform/long-work.ts';
import type { CopyFacts, MoveFacts } from './facts.ts';

// The files of a bulk change beside its journal: its ids, and what stood beside them where they were read from.

/** Longer texts would take V8 twice the time. */
const IDS_PER_CHUNK = 4_000;

/** The file of a list of ids: one a line, without a line break at the end. */
export function* eachChunk(ids: readonly string[]): Generator<Buffer> {
  for (let index = 0; index < ids.length; index += IDS_PER_CHUNK)
    yield Buffer.from((index === 0 ? '' : '\n') + ids.slice(index, index + IDS_PER_CHUNK).join('\n'));
}

export async function readIdList(file: string): Promise<string[]> {
  const bytes = await readRegular(file);
  await longPiece(entriesOfText(bytes.length));
  return idsIn(bytes.toString());
}
const idsIn = (text: string): string[] => text.split('\n');

/**
 * Whether a list has an id that is wanted; not where it can't be read. Throws Node's error where the machine is short of something. It is read synchronously, which takes a fifth of the time
 * where there are many, each in a turn of the event loop of its own.
 */
export async function listHasOne(file: string, isWanted: (id: string) => boolean): Promise<boolean> {
  await setImmediate();
  try {
    await longPiece(entriesOfText(statSync(file).size));
    return idsIn(readFileSync(file, 'utf8')).some(isWanted);
  } catch (error) {
    if (isShortage(error)) throw error;
    return false;
  }
}

/** SHA-256, in hexadecimal, of that file with a line break at the end. */
export function digestOfIds(ids: readonly string[]): string {
  const digest = createHash('sha256');
  for (const chunk of eachChunk(ids)) digest.update(chunk);
  return digest.update('\n').digest('hex');
}

/** The rows of the file of a bulk change, by the index of their id. */
export interface IdRows {
  /** The line of the file, or the entry of a JSON array; 0 for an id that was not in it. */
  readonly positions: Uint32Array<ArrayBuffer>;
  /** The project that it is in, as the number of one of the change's projects, from 1; 0 where that is not known. */
  readonly projects: Uint16Array<ArrayBuffer>;
}

/** The file of the rows: all positions, then all projects, as this machine writes numbers. */
export const rowBytes = ({ positions, projects }: IdRows): Buffer[] => [Buffer.from(positions.buffer), Buffer.from(projects.buffer)];

const BYTES_PER_ID = Uint32Array.BYTES_PER_ELEMENT + Uint16Array.BYTES_PER_ELEMENT;

/** Undefined where the file has another length. */
export function rowsFrom(file: Buffer, ids: number): IdRows | undefined {
  if (file.length !== ids * BYTES_PER_ID) return undefined;
  // A copy, since the numbers must be aligned.
  const bytes = new Uint8Array(file).buffer;
  return { positions: new Uint32Array(bytes, 0, ids), projects: new Uint16Array(bytes, ids * Uint32Array.BYTES_PER_ELEMENT, ids) };
}

/** SHA-256, in hexadecimal, of the file. */
export function digestOfRows({ positions, projects }: IdRows): string {
  return createHash('sha256').update(positions).update(projects).digest('hex');
}

/** What the file of a bulk change, or its caller, said of one id. */
export interface IdRow {
  readonly line?: number;
  readonly entry?: number;
  readonly fromProject?: string;
}

/** Looks up the row of an id by its index. */
export function rowLookup(facts: MoveFacts | CopyFacts | undefined, rows: IdRows | undefined): (index: number) => IdRow {
  const { positionUnit = 'line' } = facts ?? {};
  const move = facts !== undefined && 'fromProjects' in facts ? facts : undefined;
  return (index) => {
    const position = rows?.positions[index] ?? 0;
    const project = move?.fromProjects[originNumber(move, rows, index) - 1]?.id;
    return { ...(position === 0 ? {} : { [positionUnit]: position }), ...(project === undefined ? {} : { fromProject: project }) };
  };
}

/** The number of the project that an id comes from, from 1; 0 where that is not known. */
export function originNumber(move: MoveFacts, rows: IdRows | undefined, index: number): number {
  return move.rows === undefined && move.fromProjects.length === 1 ? 1 : (rows?.projects[index] ?? 0);
}
