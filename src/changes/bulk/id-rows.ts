import { createHash } from 'node:crypto';
import * as z from 'zod';

/** Facts of a change, as its journal keeps them. */
type Facts = Readonly<Record<string, unknown>>;

/** What the file of a bulk change told of each id, by the id's index. */
export interface IdRows {
  /** The line of the file, or the entry of a JSON array; 0 for an id that was not in it. */
  readonly places: Uint32Array<ArrayBuffer>;
  /** The project that it is in, as the number of one of the change's projects, from 1; 0 where that is not told. */
  readonly projects: Uint16Array<ArrayBuffer>;
}

/** A project with the number of the change's videos that it concerns. */
export interface ProjectShare {
  readonly id: string;
  readonly label: string;
  readonly count: number;
}

const Shares = z.array(z.object({ id: z.string(), label: z.string(), count: z.int().min(0) })).min(1);

/** A list of projects in the facts of a change: `fromProjects` by their numbers in the rows, `targets` by the order of the ids. */
export function sharesIn(facts: Facts, field: 'fromProjects' | 'targets'): readonly ProjectShare[] | undefined {
  return Shares.safeParse(facts[field]).data;
}

/** The facts by which the rows are found again. */
export function rowFacts(rows: IdRows | undefined, placeUnit: 'line' | 'entry' | undefined): Facts {
  return rows === undefined ? {} : { rows: digestOfRows(rows), ...(placeUnit === undefined ? {} : { placeUnit }) };
}

/** The file of the rows: all places, then all projects, as this machine writes numbers. */
export const rowBytes = ({ places, projects }: IdRows): Buffer[] => [Buffer.from(places.buffer), Buffer.from(projects.buffer)];

const BYTES_PER_ID = Uint32Array.BYTES_PER_ELEMENT + Uint16Array.BYTES_PER_ELEMENT;

/** Undefined where the file has another length. */
export function rowsFrom(file: Buffer, ids: number): IdRows | undefined {
  if (file.length !== ids * BYTES_PER_ID) return undefined;
  // A copy, since the numbers must be aligned.
  const bytes = new Uint8Array(file).buffer;
  return { places: new Uint32Array(bytes, 0, ids), projects: new Uint16Array(bytes, ids * Uint32Array.BYTES_PER_ELEMENT, ids) };
}

/** SHA-256, in hexadecimal, of the file. */
export function digestOfRows({ places, projects }: IdRows): string {
  return createHash('sha256').update(places).update(projects).digest('hex');
}

/** What is told of one id. */
export interface ToldRow {
  readonly line?: number;
  readonly entry?: number;
  readonly fromProject?: string;
}

/** Looks up what a change's file, or its caller, told of an id. */
export function rowLookup(facts: Facts, rows: IdRows | undefined): (index: number) => ToldRow {
  const projects = sharesIn(facts, 'fromProjects') ?? [];
  const only = typeof facts.from === 'string' ? facts.from : undefined;
  const unit = facts.placeUnit === 'entry' ? 'entry' : 'line';
  return (index) => {
    const place = rows?.places[index] ?? 0;
    const project = only ?? projects[(rows?.projects[index] ?? 0) - 1]?.id;
    return { ...(place === 0 ? {} : { [unit]: place }), ...(project === undefined ? {} : { fromProject: project }) };
  };
}
