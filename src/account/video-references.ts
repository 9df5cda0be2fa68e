import { type FieldProblem, invalidArguments } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { cleanText } from '../service/sanitize-text.ts';
import type { Catalogue, CatalogueEntry } from './catalogue.ts';

export interface Translated {
  /** In the order given. */
  readonly values: readonly string[];
  /** How many videos were given as something else and translated. */
  readonly translated: number;
  /** How many videos the catalogue does not know; they are taken as they stand. */
  readonly unknown: number;
}

const MOST_NAMED = 20;

/**
 * Ids or keys of videos from whatever of id, key and exact title was given. Without a catalogue they are taken as they
 * stand. `field` is the argument that they are in, or tells where each of them is. Of a title that several videos have, the
 * one in `held` is meant. Throws `invalid_arguments` that names each that the catalogue knows but can't translate, and of
 * keys those that can only be titles, and nobody's.
 */
export function translateVideos(
  references: readonly string[],
  wanted: 'id' | 'key',
  field: string | ((at: number) => string),
  catalogue: Catalogue | undefined,
  held?: ReadonlySet<string>,
): Translated {
  if (catalogue === undefined) return { values: references, translated: 0, unknown: 0 };
  const problems: FieldProblem[] = [];
  // What stands there twice is still one video.
  const translated = new Set<string>();
  const unknown = new Set<string>();
  const nearTo = nearTitles(catalogue);
  const values = references.map((reference, at) => {
    const found = lookUp(reference, wanted, catalogue, held) ?? (wanted === 'key' ? noTitle(reference, nearTo) : undefined);
    if (found === undefined) unknown.add(reference);
    else if (typeof found === 'string') problems.push({ field: typeof field === 'string' ? `${field}[${at}]` : field(at), problem: found });
    else if (found[wanted] !== reference) translated.add(reference);
    return typeof found === 'object' ? (found[wanted] ?? reference) : reference;
  });
  if (problems.length > 0) throw invalidArguments(shortened(problems));
  return { values, translated: translated.size, unknown: unknown.size };
}

/** The keys that the catalogue does not know. */
export const unlisted = (keys: readonly string[], catalogue: Catalogue | undefined): string[] =>
  keys.filter((key) => catalogue?.byKey(key) === undefined);

/** What the catalogue calls a video; undefined where there is none, or no title in it. */
export type TitleOf = (key: string) => string | undefined;

export const titlesIn = (catalogue: Catalogue | undefined): TitleOf => {
  return (key) => {
    const title = catalogue?.byKey(key)?.title;
    return title === undefined ? undefined : cleanText(title, MAX_TITLE);
  };
};

const MAX_TITLE = 60;
const MAX_SHOWN = 120;
const MOST_CANDIDATES = 5;
/** Titles that are compared with one that nobody has, and how often that is done for one list. */
const MOST_COMPARED = 50_000;
const MOST_LOOKS = 5;

/** The entry meant, undefined where the catalogue doesn't know it, or a sentence on why it can't be used. */
function lookUp(
  reference: string,
  wanted: 'id' | 'key',
  catalogue: Catalogue,
  held: ReadonlySet<string> | undefined,
): CatalogueEntry | string | undefined {
  const other = wanted === 'id' ? 'key' : 'id';
  const direct = wanted === 'id' ? catalogue.byId(reference) : catalogue.byKey(reference);
  if (direct !== undefined) return direct;
  const shown = JSON.stringify(cleanText(reference, MAX_SHOWN));
  const crossed = wanted === 'id' ? catalogue.byKey(reference) : catalogue.byId(reference);
  if (crossed !== undefined)
    return crossed[wanted] === undefined ? `${shown} is the ${other} of a video whose ${wanted} the catalogue does not tell.` : crossed;
  const titled = catalogue.byTitle(reference);
  const there = titled.filter((entry) => held?.has(entry[wanted] ?? ''));
  const [one, ...more] = there.length === 1 ? there : titled;
  if (one === undefined) return undefined;
  if (more.length > 0)
    return `${titled.length} videos of the catalogue have the title ${shown}: ${candidates(titled, wanted)}. Use the ${wanted} of one.`;
  return one[wanted] === undefined ? `${shown} is the title of a video whose ${wanted} the catalogue does not tell.` : one;
}

function candidates(entries: readonly CatalogueEntry[], wanted: 'id' | 'key'): string {
  const shown = entries.slice(0, MOST_CANDIDATES).map((entry) => `${wanted} ${cleanText(entry[wanted] ?? '(not told)', MAX_SHOWN)}`);
  return `${shown.join(', ')}${entries.length > MOST_CANDIDATES ? ` and ${entries.length - MOST_CANDIDATES} more` : ''}`;
}

/** A text with a space in it is no key: it is a title that was mistyped, shortened or made up. */
function noTitle(reference: string, nearTo: (title: string) => readonly string[]): string | undefined {
  if (!/\S\s+\S/.test(reference)) return undefined;
  const near = nearTo(reference.slice(0, MAX_SHOWN));
  const hint = near.length === 0 ? '' : ` The nearest: ${near.join(', ')}.`;
  return `the catalogue has no title ${JSON.stringify(cleanText(reference, MAX_SHOWN))}.${hint}`;
}

/** Titles with their keys, those nearest to one. Of thousands that nobody has, the first few are compared: the server stands still meanwhile. */
function nearTitles(catalogue: Catalogue): (title: string) => readonly string[] {
  let keys: Map<string, string | undefined> | undefined;
  let looks = 0;
  return (title) => {
    looks += 1;
    if (looks > MOST_LOOKS) return [];
    keys ??= keysByTitle(catalogue);
    const shown = (near: string): string => cleanText(keys?.get(near) ?? 'not told', MAX_SHOWN);
    return nearest(title, [...keys.keys()], 3).map((near) => `${JSON.stringify(cleanText(near, MAX_SHOWN))} (key ${shown(near)})`);
  };
}

function keysByTitle(catalogue: Catalogue): Map<string, string | undefined> {
  const keys = new Map<string, string | undefined>();
  for (const { title, key } of catalogue.entries()) {
    if (title !== undefined) keys.set(title, key);
    if (keys.size >= MOST_COMPARED) break;
  }
  return keys;
}

function shortened(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  if (problems.length <= MOST_NAMED) return problems;
  return [...problems.slice(0, MOST_NAMED), { field: 'and', problem: `${problems.length - MOST_NAMED} more.` }];
}
