import { type Catalogue, setAsideText } from '../../account/catalogue.ts';
import { matchesOf, type Named, type Referable, renamedText } from '../../account/references.ts';
import { translateVideos } from '../../account/video-references.ts';
import { allOrProblems } from '../../errors/field-problems.ts';
import { VideoHostingError } from '../../errors.ts';
import { usable } from '../../files/known-videos.ts';
import { nearest } from '../../text/nearest.ts';
import { inQuotes, joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import { HOSTS } from '../columns.ts';
import { type Ask, FILTERS, type Filter, FLAGS, LEAVES_OUT, NAMES_NONE, type Question, type Span, TEXT_FILTERS } from '../contract.ts';
import type { Dimension } from '../dimensions.ts';
import type { QuestionContext, QuestionInput } from '../questions/question-context.ts';
import type { ViewReader } from '../storage/contract.ts';
import { countriesLike, countryCode } from './countries.ts';

type SeenKeys = (dimension: 'channel' | 'project') => Promise<readonly string[]>;

/** Whether a filter's value means the records that name none. */
const isNone = (value: string): boolean => value === '' || value.toLowerCase() === NAMES_NONE;

export interface NamedFilter extends Filter {
  readonly names: readonly Sentence[];
  /** What the names of its records are to be read with. */
  readonly notes?: readonly Sentence[];
}

/** A filter's values as they are meant. All of them leave out, or none does. */
export function parseValues(given: readonly string[] = []) {
  const leavesOut = given[0]?.startsWith(LEAVES_OUT) ?? false;
  return { leavesOut, values: leavesOut ? given.map((value) => value.slice(LEAVES_OUT.length)) : given };
}

/** Filters by key, from references by id, key, title or name. Throws every reference without a match. */
export async function keyFilters(
  args: QuestionInput,
  { account, catalogue, signal, progress }: QuestionContext,
  seenKeys: SeenKeys,
): Promise<readonly NamedFilter[]> {
  const reading = { signal, progress };
  const find = {
    channel: { all: () => account.allChannels(reading), one: (text: string, field: Sentence) => account.nameChannel(text, reading, field) },
    project: {
      all: () => account.allProjects(reading),
      one: async (text: string, field: Sentence) => ({ record: await account.nameProject(text, reading, field) }),
    },
  };
  const given = { videos: parseValues(args.videoKeys), channels: parseValues(args.channels), projects: parseValues(args.projects) };
  const named = given.videos.values.filter((value) => !isNone(value));
  const [videos, channels, projects] = await allOrProblems(
    async () =>
      named.length === 0 ? [] : translateVideos(named, 'key', sentence`videoKeys`, await catalogue()).values.map((key) => ({ key })),
    () => keysOf(given.channels.values, 'channel', find.channel, seenKeys),
    () => keysOf(given.projects.values, 'project', find.project, seenKeys),
  );
  const filters = [
    namedFilter('video_key', given.videos, videos),
    namedFilter('channel_key', given.channels, channels),
    namedFilter('project_key', given.projects, projects),
  ];
  return filters.filter(({ values }) => values.length > 0);
}

function namedFilter(column: Filter['column'], given: ReturnType<typeof parseValues>, records: readonly NamedKey[]): NamedFilter {
  const [none, nameOfNone] = given.values.some(isNone) ? [[null], [NONE]] : [[], []];
  const names = records.map(({ key, name }) => (name === undefined ? word(key) : sentence`${quoted(name)} (${word(key)})`));
  const notes = records.flatMap(({ note }) => note ?? []);
  const values = [...records.map(({ key }) => key), ...none];
  return { column, leavesOut: given.leavesOut, values, names: [...names, ...nameOfNone], notes };
}

interface NamedKey {
  readonly key: string;
  /** Undefined for a video, and for a record that is only in views. */
  readonly name?: string | undefined;
  /** Where it has another name than it was asked for by. */
  readonly note?: Sentence | undefined;
}

interface Finder {
  readonly all: () => Promise<readonly Referable[]>;
  readonly one: (reference: string, field: Sentence) => Promise<Named<Referable>>;
}

/** The keys of several references: their list is read once, and by itself only what it lacks. */
async function keysOf(
  references: readonly string[],
  kind: 'channel' | 'project',
  { all, one }: Finder,
  seenKeys: SeenKeys,
): Promise<readonly NamedKey[]> {
  const listed = references.length > 1 ? await all() : [];
  const keys = await allOrProblems(
    ...references.map((reference, index) => async () => {
      if (isNone(reference)) return [];
      const field = sentence`${kind}s[${index}]`;
      const [match, other] = matchesOf(reference, listed);
      const found = match !== undefined && other === undefined ? Promise.resolve({ record: match }) : one(reference, field);
      return [await keyOf(reference, kind, field, found, seenKeys)];
    }),
  );
  return [...new Map(keys.flat().map((found) => [found.key, found])).values()];
}

/** A record's key and name. A deleted record may still occur in views, so its key is accepted too. */
async function keyOf(
  reference: string,
  kind: 'channel' | 'project',
  field: Sentence,
  found: Promise<Named<Referable>>,
  seenKeys: SeenKeys,
): Promise<NamedKey> {
  try {
    const { record, former } = await found;
    const { key, name } = record;
    if (key !== undefined) return { key, name, note: former && renamedText(former, record) };
    const problem = sentence`the service does not tell the key of this ${kind}, and views name it by that: give its key.`;
    throw new VideoHostingError('not_found', problem, {
      facts: { fields: [{ field, problem }] },
      hint: sentence`Ask the user for its key, or go by the keys of query_analytics by ${kind}.`,
    });
  } catch (error) {
    if (!(error instanceof VideoHostingError) || error.code !== 'not_found' || !/^[\w.:-]+$/.test(reference)) throw error;
    if ((await seenKeys(kind)).includes(reference)) return { key: reference };
    throw error;
  }
}

/**
 * Adds filters by value, in the spellings of the views: case is ignored, and a country has one code and many names. The notes
 * name substituted and unseen values.
 */
export async function valueFilters(
  args: QuestionInput,
  keys: readonly NamedFilter[],
  spans: readonly Span[],
  store: ViewReader,
  how: Ask,
  catalogue: QuestionContext['catalogue'],
): Promise<{ readonly filters: readonly Filter[]; readonly words: readonly Sentence[]; readonly notes: readonly Sentence[] }> {
  const notes = [...keys.flatMap((filter) => filter.notes ?? []), ...emptyFilters(args)];
  const filters = [...keys];
  for (const { argument, column, what } of TEXT_FILTERS) {
    const { values: written, leavesOut } = parseValues(args[argument]);
    if (written.length === 0) continue;
    const given = column === HOSTS ? written.map((value) => value.toLowerCase()) : written;
    const seen = await seenValues(column, spans, store, how);
    const values = given.flatMap((value): readonly (string | null)[] => {
      if (isNone(value)) return [null];
      const meant = matches(value, seen, column);
      if (meant.length === 0) notes.push(unseenNote(what, value, seen, column));
      else if (meant.length > 1 || meant[0] !== value) notes.push(sentence`${what} ${quoted(value)} is taken as ${quotedList(meant)}.`);
      return meant.length === 0 ? [value] : meant;
    });
    const distinct = [...new Set(values)];
    filters.push({ column, leavesOut, values: distinct, names: distinct.map((value) => (value === null ? NONE : quoted(value))) });
  }
  const videos = keys.find(({ column }) => column === 'video_key');
  if (videos !== undefined) notes.push(...unseenVideos(videos, await seenValues('video', spans, store, how), await catalogue()));
  return { filters, words: filtersInWords(args, filters), notes };
}

const MAX_NAMES = 10;

function filtersInWords(args: QuestionInput, filters: readonly NamedFilter[]): Sentence[] {
  const lists = filters.map(({ column, leavesOut, names }) => {
    const more = names.length > MAX_NAMES ? sentence` and ${names.length - MAX_NAMES} more` : '';
    const argument = word(String(FILTERS.find((filter) => filter.column === column)?.argument));
    return sentence`${argument}${leavesOut === true ? ' without' : ''} ${joined(names.slice(0, MAX_NAMES), ', ')}${more}`;
  });
  const flags = FLAGS.filter((name) => args[name] !== undefined).map((name) => sentence`${name} ${word(String(args[name]))}`);
  const weekdays = parseValues(args.weekdays);
  const days = weekdays.values.length === 0 ? [] : [sentence`weekdays ${weekdays.leavesOut ? 'without ' : ''}${wordList(weekdays.values)}`];
  return [...lists, ...flags, ...days];
}

/** As in the service's API, an empty filter matches everything. */
function emptyFilters(args: QuestionInput): Sentence[] {
  const empty = ([...FILTERS.map(({ argument }) => argument), 'weekdays'] as const).filter((name) => args[name]?.length === 0);
  return empty.map((name) => sentence`${name} is empty, so it filters nothing.`);
}

export async function seenValues(dimension: Dimension, spans: readonly Span[], store: ViewReader, how: Ask): Promise<string[]> {
  const question = (span: Span): Question => ({ span, metrics: ['views'], groupBy: [dimension], filters: [], offsets: [] });
  const answers = await Promise.all(spans.map((span) => store.ask(question(span), how)));
  const counts = new Map<string, number>();
  for (const [value, views] of answers.flatMap(({ rows }) => rows))
    if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + Number(views));
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value);
}

const normalise = (text: string): string => text.normalize('NFC').toLowerCase();

function matches(value: string, seen: readonly string[], dimension: Dimension): readonly string[] {
  const code = dimension === 'country' ? countryCode(value) : undefined;
  const isAlike = (candidate: string): boolean =>
    normalise(candidate) === normalise(value) || (code !== undefined && countryCode(candidate) === code);
  // What was written comes first.
  return seen.filter(isAlike).sort((a, b) => Number(b === value) - Number(a === value));
}

const NONE = sentence`${NAMES_NONE}`;
const quoted = (value: string): Sentence => inQuotes(value, 80);
const quotedList = (values: readonly string[]): Sentence => joined(values.map(quoted), ', ');
const MAX_SHOWN = 12;
const MAX_COMPARED = 2_000;

/** A note on a value that no view has, with similar values. Very short values resemble every other, so none is suggested. */
function unseenNote(what: (typeof TEXT_FILTERS)[number]['what'], value: string, seen: readonly string[], dimension: Dimension): Sentence {
  const isCountry = dimension === 'country';
  const isKnown = isCountry && countryCode(value) !== undefined;
  const near = value.length <= 3 || isKnown ? [] : isCountry ? countriesLike(value.slice(0, 100)) : nearValues(value, seen);
  const there = near.filter((candidate) => seen.includes(candidate));
  const meant = (there.length > 0 ? there : near).slice(0, 3);
  const hint = meant.length > 0 ? sentence` Did you mean ${quotedList(meant)}?` : isCountry && !isKnown ? NO_COUNTRY : '';
  const list = quotedList(seen.slice(0, MAX_SHOWN));
  const more = seen.length > MAX_SHOWN ? sentence` and ${seen.length - MAX_SHOWN} more` : '';
  return sentence`No views with the ${what} ${quoted(value)} in this time.${hint} ${seen.length === 0 ? 'None have one.' : sentence`Seen: ${list}${more}.`}`;
}

const NO_COUNTRY =
  ' It is not a known country: expected a code or name, such as "DE" or "Germany". For a part of one or more than one, groupBy region or continent.';

const nearValues = (value: string, seen: readonly string[]): string[] => nearest(value.slice(0, 100), seen.slice(0, MAX_COMPARED), 3);

function unseenVideos({ values }: Filter, seen: readonly string[], catalogue: Catalogue | undefined): Sentence[] {
  const known = new Set(seen);
  const keys = values.filter((value) => value !== null);
  const missing = keys.filter((key) => !known.has(key));
  if (missing.length === 0) return [];
  const listed = (keys: readonly string[]) => sentence`${quotedList(keys.slice(0, 5))}${keys.length > 5 ? ', …' : ''}`;
  const unknown = missing.filter((key) => catalogue?.byKey(key) === undefined);
  const which = unknown.length === missing.length ? sentence`them` : listed(unknown);
  const why = unknown.length === 0 ? '' : sentence` ${unknownVideos(which, usable(catalogue))}`;
  return [sentence`No views in this time of ${missing.length} of the ${keys.length} videos: ${listed(missing)}.${why}`];
}

/** What is known of videos that neither views nor the catalogue have. */
function unknownVideos(which: Sentence, catalogue: Catalogue | undefined): Sentence {
  if (catalogue === undefined)
    return sentence`Whether there are such videos is not known: mind that views name videos by key, not by id or title.`;
  if (catalogue.setAside.count > 0)
    return sentence`No usable row of the video catalogue has ${which} either. ${setAsideText(catalogue, MAX_ROWS)}`;
  return sentence`The video catalogue does not know ${which} either: perhaps no such video exists.`;
}

/** Rows of the catalogue that an answer tells why they can't be used. */
const MAX_ROWS = 3;
