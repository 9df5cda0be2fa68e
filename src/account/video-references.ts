import { type FieldProblem, invalidArguments } from '../errors.ts';
import { cleanText } from '../service/foreign-text.ts';
import type { Catalogue, CatalogueEntry } from './catalogue.ts';

export interface Translated {
  /** In the order given. */
  readonly values: readonly string[];
  /** How many were given as something else and translated. */
  readonly translated: number;
  /** How many the catalogue does not know; they are taken as they stand. */
  readonly unknown: number;
}

const MOST_NAMED = 20;

/**
 * Ids or keys of videos from whatever of id, key and exact title was given. Without a catalogue they are taken as they
 * stand. Throws `invalid_arguments` that names each that the catalogue knows but can't translate.
 */
export function translateVideos(
  references: readonly string[],
  wanted: 'id' | 'key',
  field: string,
  catalogue: Catalogue | undefined,
): Translated {
  if (catalogue === undefined) return { values: references, translated: 0, unknown: 0 };
  const problems: FieldProblem[] = [];
  let translated = 0;
  let unknown = 0;
  const values = references.map((reference, at) => {
    const found = lookUp(reference, wanted, catalogue);
    if (found === undefined) unknown += 1;
    else if (typeof found === 'string') problems.push({ field: `${field}[${at}]`, problem: found });
    else if (found[wanted] !== reference) translated += 1;
    return typeof found === 'object' ? (found[wanted] ?? reference) : reference;
  });
  if (problems.length > 0) throw invalidArguments(shortened(problems));
  return { values, translated, unknown };
}

/** The entry meant, undefined where the catalogue doesn't know it, or a sentence on why it can't be used. */
function lookUp(reference: string, wanted: 'id' | 'key', catalogue: Catalogue): CatalogueEntry | string | undefined {
  const other = wanted === 'id' ? 'key' : 'id';
  const direct = wanted === 'id' ? catalogue.byId(reference) : catalogue.byKey(reference);
  if (direct !== undefined) return direct;
  const shown = JSON.stringify(cleanText(reference, 120));
  const crossed = wanted === 'id' ? catalogue.byKey(reference) : catalogue.byId(reference);
  if (crossed !== undefined)
    return crossed[wanted] === undefined ? `${shown} is the ${other} of a video whose ${wanted} the catalogue does not tell.` : crossed;
  const [titled, ...more] = catalogue.byTitle(reference);
  if (titled === undefined) return undefined;
  if (more.length > 0) return `${more.length + 1} videos of the catalogue have the title ${shown}; use an id or key.`;
  return titled[wanted] === undefined ? `${shown} is the title of a video whose ${wanted} the catalogue does not tell.` : titled;
}

function shortened(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  if (problems.length <= MOST_NAMED) return problems;
  return [...problems.slice(0, MOST_NAMED), { field: 'and', problem: `${problems.length - MOST_NAMED} more.` }];
}
