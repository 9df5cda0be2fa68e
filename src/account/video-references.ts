import { invalidArguments } from '../errors/field-problems.ts';
import { type FieldProblem, VideoHostingError } from '../errors.ts';
import { createFormatCheck, problemWithNumber } from '../files/id-format.ts';
import { isKnownVideo, type KnownVideo, usable } from '../files/known-videos.ts';
import { inFull } from '../text/counted.ts';
import { nearest } from '../text/nearest.ts';
import { cleanText } from '../text/sanitize-text.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { type Catalogue, setAsideText } from './catalogue.ts';
import { problemWithMarks, withoutListMarks } from './list-marks.ts';

export interface Translated {
  /** In the order given. */
  readonly values: readonly string[];
  /** How many distinct references were translated. */
  readonly translated: number;
  /** How many distinct references the catalogue does not know; they are left as they are. */
  readonly unknown: number;
}

const MAX_NAMED = 50;

/** Whether a video, by its id or key, may be the one that is meant by a title that others have as well. */
export type IsMeant = (value: string) => boolean;

/**
 * Translates ids, keys and exact titles to ids or keys. Without a catalogue they are left as they are, without the marks of a
 * list that they were written in. `field` is the argument that they are in, or tells where each of them is. Of several videos
 * with one title, the only one that `isMeant`. Throws `invalid_arguments` that names each that the catalogue knows but can't
 * translate, and each that it does not know and that does not look like its ids or keys: a title that was mistyped, shortened or
 * made up, or a piece of text. Throws `catalogue_unusable` where a title needs a catalogue that can't be used.
 */
export function translateVideos(
  references: readonly string[],
  wanted: 'id' | 'key',
  field: Sentence | ((index: number) => Sentence),
  catalogue: Catalogue | undefined,
  isMeant?: IsMeant,
): Translated {
  const known = usable(catalogue);
  // Most lists are of nothing but ids, and one may have a million.
  if (known === undefined && references.every(isPlain)) return { values: references, translated: 0, unknown: 0 };
  const problems: FieldProblem[] = [];
  let needsTitles = false;
  const translated = new Set<string>();
  const unknown = new Set<string>();
  const translate =
    known === undefined ? (reference: string) => asItStands(reference, wanted, catalogue) : createTranslator(wanted, known, isMeant);
  const fieldAt = (index: number): Sentence => (typeof field === 'string' ? sentence`${field}[${index}]` : field(index));
  /** Where the catalogue knows them, and tells of no video what is wanted. */
  const lacking: number[] = [];
  const values = references.map((reference, index) => {
    const found = translate(reference);
    if ('problem' in found) {
      if (known?.lacks === wanted && isKnownVideo(withoutListMarks(reference), known)) {
        lacking.push(index);
        return reference;
      }
      problems.push({ field: fieldAt(index), problem: found.problem });
      needsTitles ||= found.isTitle === true;
      return reference;
    }
    if (found.isUnknown) unknown.add(reference);
    else if (known !== undefined && found.value !== reference && found.value !== withoutListMarks(reference)) translated.add(reference);
    return found.value;
  });
  const [first] = lacking;
  if (first !== undefined)
    problems.unshift({
      field: fieldAt(first),
      problem: lackingProblem(references[first] ?? '', lacking.length, wanted),
      ...(lacking.length > 1 && { count: lacking.length }),
    });
  if (needsTitles && catalogue?.unusable !== undefined)
    throw new VideoHostingError(catalogue.unusable.code, catalogue.unusable.message, {
      hint: catalogue.unusable.hint,
      facts: { ...catalogue.unusable.facts, fields: [...(catalogue.unusable.facts.fields ?? []), ...shortened(problems)] },
    });
  if (problems.length > 0) throw invalidArguments(shortened(problems));
  return { values, translated: translated.size, unknown: unknown.size };
}

/** Of values that a catalogue knows, and can’t translate since it tells nothing of the kind; the same of all of them. */
function lackingProblem(first: string, count: number, wanted: 'id' | 'key'): Sentence {
  const other = wanted === 'id' ? 'key' : 'id';
  const who =
    count === 1
      ? sentence`${inQuotes(first)} is the ${other} or title of a video whose ${wanted} the catalogue does not tell`
      : sentence`${inQuotes(first)} and ${inFull(count - 1)} more are ${other}s or titles of videos whose ${wanted}s the catalogue does not tell`;
  return sentence`${who}: it has no ${wanted}s at all. Name videos by ${wanted}, or ask the user for a list with a column of ${wanted}s.`;
}

/** What a reference stands for; a `problem` is a sentence. */
type Translation =
  | { readonly value: string; readonly isUnknown: boolean }
  | {
      readonly problem: Sentence;
      /** Whether a catalogue might know it. */
      readonly isTitle?: boolean;
    };

/** Whether a text has nothing but what ids and keys are made of. */
const isPlain = (text: string): boolean => /^[\w-]*$/.test(text);

/** Makes a translation of ids, keys and exact titles to ids or keys, as `translateVideos` describes it. */
export function createTranslator(wanted: 'id' | 'key', catalogue: Catalogue, isMeant?: IsMeant): (reference: string) => Translation {
  const problemWithUnknown = createTitleCheck(catalogue, wanted);
  return (reference) => {
    const known = lookUp(reference, wanted, catalogue, isMeant);
    const bare = known === undefined ? withoutListMarks(reference) : reference;
    const found =
      known ??
      (bare === reference ? undefined : lookUp(bare, wanted, catalogue, isMeant)) ??
      problemWithText(bare) ??
      problemWithUnknown(bare);
    if (typeof found === 'string') return { problem: found };
    return { value: found?.[wanted] ?? bare, isUnknown: found === undefined };
  };
}

/** What a reference is where no catalogue tells. */
function asItStands(reference: string, wanted: 'id' | 'key', catalogue: Catalogue | undefined): Translation {
  const value = withoutListMarks(reference);
  const problem = problemWithText(value);
  if (problem !== undefined) return { problem };
  if (!/[\p{Zs}\t]/u.test(value)) return { value, isUnknown: false };
  const why = catalogue?.unusable === undefined ? sentence` Titles need a video catalogue (VIDEO_HOSTING_VIDEO_CATALOGUE).` : '';
  return { problem: sentence`${inQuotes(value)} has spaces, so it is no ${wanted}.${why}`, isTitle: true };
}

/** Why a text can be no id or key of any service. */
function problemWithText(text: string): Sentence | undefined {
  const number = problemWithNumber(text);
  return number === undefined
    ? problemWithMarks(text)
    : sentence`${inQuotes(text)} is ${number}. Ask the user to export the list again, with the column as text.`;
}

export const notInCatalogue = (keys: readonly string[], catalogue: Catalogue | undefined): string[] =>
  keys.filter((key) => catalogue?.byKey(key) === undefined);

/** A video's title in the catalogue; undefined where there is none. */
export type TitleOf = (key: string) => string | undefined;

export const titlesIn = (catalogue: Catalogue | undefined): TitleOf => {
  return (key) => {
    const title = catalogue?.byKey(key)?.title;
    return title === undefined ? undefined : cleanText(title, MAX_TITLE);
  };
};

/** The titles of the first of some videos, by id, and those of them that several videos of the catalogue have. */
export function titlesOfIds(ids: readonly string[], catalogue: Catalogue | undefined) {
  const found = ids.slice(0, MAX_TITLED).flatMap((id) => {
    const title = catalogue?.byId(id)?.title;
    return title === undefined ? [] : [{ id, title, shown: cleanText(title, MAX_TITLE) }];
  });
  if (found.length === 0) return {};
  return {
    titles: Object.fromEntries(found.map(({ id, shown }) => [id, shown])),
    sharedTitles: [...new Set(found.flatMap(({ title, shown }) => ((catalogue?.byTitle(title).length ?? 0) > 1 ? [shown] : [])))],
  };
}

/** The same where the titles are wanted but not needed: none of a catalogue that can’t be used. */
export const titlesIfAny = async (ids: readonly string[], catalogue: () => Promise<Catalogue | undefined>) =>
  titlesOfIds(ids, await catalogue().catch(() => undefined));

/** As many as a preview names at once. */
const MAX_TITLED = 20;
const MAX_TITLE = 60;
const MAX_SHOWN = 120;
const MAX_CANDIDATES = 5;
/** Limits of the search for similar titles, which blocks the event loop: titles, comparisons for one list, and searches in any case. */
const MAX_TITLES = 50_000;
const MAX_COMPARED = 250_000;
const MIN_SEARCHES = 5;

/** The entry, undefined where the catalogue doesn't know it, or a sentence on why it can't be used. */
function lookUp(
  reference: string,
  wanted: 'id' | 'key',
  catalogue: Catalogue,
  isMeant: IsMeant = () => false,
): KnownVideo | Sentence | undefined {
  const other = wanted === 'id' ? 'key' : 'id';
  const direct = wanted === 'id' ? catalogue.byId(reference) : catalogue.byKey(reference);
  if (direct !== undefined) return direct;
  const shown = inQuotes(reference);
  const crossed = wanted === 'id' ? catalogue.byKey(reference) : catalogue.byId(reference);
  if (crossed !== undefined)
    return crossed[wanted] === undefined
      ? sentence`${shown} is the ${other} of a video whose ${wanted} the catalogue does not tell.`
      : crossed;
  const titled = catalogue.byTitle(reference);
  const meant = titled.filter((entry) => isMeant(entry[wanted] ?? ''));
  const [one, ...more] = meant.length === 1 ? meant : titled;
  if (one === undefined) return undefined;
  if (more.length > 0)
    return sentence`${titled.length} videos of the catalogue have the title ${shown}: ${candidates(titled, wanted)}. Use the ${wanted} of one.`;
  if (meant.length !== 1 && catalogue.isTitleSetAside(reference))
    return sentence`a row of the catalogue that can’t be used may have the title ${shown} too. ${setAsideText(catalogue, 3)} Use the ${wanted}.`;
  return one[wanted] === undefined ? sentence`${shown} is the title of a video whose ${wanted} the catalogue does not tell.` : one;
}

function candidates(entries: readonly KnownVideo[], wanted: 'id' | 'key'): Sentence {
  const shown = entries
    .slice(0, MAX_CANDIDATES)
    .map((entry) => sentence`${wanted} ${entry[wanted] === undefined ? '(not told)' : word(entry[wanted])}`);
  return sentence`${joined(shown, ', ')}${entries.length > MAX_CANDIDATES ? sentence` and ${entries.length - MAX_CANDIDATES} more` : ''}`;
}

/** Makes a check of texts that the catalogue does not know: a sentence where one looks like no id or key, undefined where it may be one. */
function createTitleCheck(catalogue: Catalogue, wanted: 'id' | 'key'): (reference: string) => Sentence | undefined {
  let hasFormat: ((text: string) => boolean) | undefined;
  const other = wanted === 'id' ? 'key' : 'id';
  /** One in which nothing that a title has stands, as a mistyped key. */
  let isOther: ((text: string) => boolean) | undefined;
  const unread = catalogue.setAside.count === 0 ? '' : sentence` Of the catalogue, ${setAsideText(catalogue, 3)}`;
  const found = new Map<'id' | 'key' | 'title', (text: string) => Sentence>();
  const nearestTo = (reference: string, by: 'id' | 'key' | 'title'): Sentence => {
    const find = found.get(by) ?? nearVideos(catalogue, by, wanted);
    found.set(by, find);
    return find(reference.slice(0, MAX_SHOWN));
  };
  return (reference) => {
    hasFormat ??= createFormatCheck(catalogue.entries(), wanted) ?? ((text) => !/\S\s+\S/.test(text));
    if (hasFormat(reference)) return undefined;
    isOther ??= createFormatCheck(catalogue.entries(), other) ?? (() => false);
    // What has no spaces may be a mistyped id or key too.
    const by = isOther(reference) ? other : /\s/.test(reference) ? undefined : wanted;
    const near = (by !== undefined && nearestTo(reference, by)) || (by === other ? '' : nearestTo(reference, 'title'));
    return sentence`the catalogue has no ${by === undefined ? '' : sentence`${by} or `}title ${inQuotes(reference)}, and it looks like no ${wanted} of it.${near}${unread}`;
  };
}

/** Makes sentences of the titles, ids or keys nearest to a text, with what is wanted of their videos. */
function nearVideos(catalogue: Catalogue, by: 'id' | 'key' | 'title', wanted: 'id' | 'key'): (text: string) => Sentence {
  const titles = new Map(
    [...catalogue.entries()].slice(0, MAX_TITLES).map(({ [by]: name, [wanted]: reference }) => [name ?? '', reference] as const),
  );
  let left = Math.max(MIN_SEARCHES, Math.floor(MAX_COMPARED / titles.size));
  return (text) => {
    left -= 1;
    const near = left < 0 ? [] : nearest(text, [...titles.keys()], 3);
    const shown = near.map(
      (name) => sentence`${inQuotes(name)} (${wanted} ${titles.get(name) === undefined ? 'not told' : word(titles.get(name) ?? '')})`,
    );
    return shown.length === 0 ? sentence`` : sentence` The nearest: ${joined(shown, ', ')}.`;
  };
}

function shortened(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  if (problems.length <= MAX_NAMED) return problems;
  const rest = problems.slice(MAX_NAMED).length;
  return [...problems.slice(0, MAX_NAMED), { field: sentence`and`, problem: sentence`${rest} more.`, count: rest }];
}
