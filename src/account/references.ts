import { type FieldProblem, VideoHostingError } from '../errors.ts';
import { nearest } from '../text/nearest.ts';
import { cleanText } from '../text/sanitize-text.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { timeText } from '../text/time-text.ts';

/** A record that can be found by what people call it. */
export interface Referable {
  readonly id: string;
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly updated?: string | undefined;
}

/** A name that a record had until this server gave it another one, at a time in ISO 8601. */
export interface FormerName {
  readonly id: string;
  readonly name: string;
  readonly at: string;
}
export type FormerNames = () => Promise<readonly FormerName[]>;

/** A record that a reference names; `former` where that is what it was called before this server renamed it. */
export interface Named<T> {
  readonly record: T;
  readonly former?: FormerName | undefined;
}

/** One that was found by a name that it has no more. */
export interface Renamed<T> extends Named<T> {
  readonly former: FormerName;
}

/** What a message says of a candidate, besides what its record has. */
type NoteOn<T> = (record: T) => Sentence | undefined;

/** The limit of a channel's name is 100; other names have no documented limit. */
const MAX_NAME = 120;
const MAX_CANDIDATES = 10;
const MAX_DESCRIPTION = 60;
const MAX_NEAR = 3;
/** A shorter id or key may be part of any text. */
const MIN_ID_LENGTH = 8;
/** Words that mean all records in other arguments. */
const ALL = /^\s*(?:all|any|every|\*)\s*$/i;
const NEAR_HINT = sentence`Call again with the id of the one that is meant; ask the user where that is in doubt.`;

type Kind = 'channel' | 'project';

/** A name for display: cleaned and bounded. */
export function shownName(record: Referable): string {
  return cleanText(record.name ?? '', MAX_NAME);
}

/** A record in a sentence: its quoted name and its id. */
export function labelOf(record: Referable): Sentence {
  return sentence`${inQuotes(shownName(record))} (${word(record.id)})`;
}

/** Records that may be meant: each with what a choice among them goes by, which of namesakes is what they are about. */
export const candidatesText = (records: readonly Referable[]): Sentence =>
  joined(
    records.map((record) => {
      const isNamesake = records.some((other) => other !== record && shownName(other) === shownName(record));
      const details = joined([word(record.id), ...(isNamesake ? aboutNote(record) : []), ...updatedNote(record)], ', ');
      return sentence`${inQuotes(shownName(record))} (${details})`;
    }),
    ', ',
  );

const aboutNote = ({ description = '' }: Referable): Sentence[] => (description === '' ? [] : [inQuotes(description, MAX_DESCRIPTION)]);

const updatedNote = ({ updated }: Referable): Sentence[] =>
  updated === undefined ? [] : [sentence`updated ${word(updated.slice(0, 'YYYY-MM-DD'.length))}`];

/**
 * The record with an id, a key or an exact name, as the service has it or as it is shown. Throws `not_found` with the
 * nearest names, or `ambiguous_reference` with the candidates. `field` is the argument; `skipped` counts records that could
 * not be read, `refusal` is the service's answer for the reference as an id, and `noteOn` tells more of a candidate.
 */
export function findReference<T extends Referable>(
  kind: Kind,
  field: Sentence,
  reference: string,
  records: readonly T[],
  {
    skipped = 0,
    refusal,
    noteOn = () => undefined,
  }: { readonly skipped?: number; readonly refusal?: VideoHostingError | undefined; readonly noteOn?: NoteOn<T> | undefined } = {},
): T {
  const matches = matchesOf(reference, records);
  const [match, ...others] = matches;
  if (match !== undefined && others.length === 0) return match;
  const factsOf = (problem: Sentence, more: Pick<FieldProblem, 'missing'> = {}) => ({
    outcome: 'nothing-sent' as const,
    fields: [{ field, problem, isNamed: true as const, ...more }],
  });
  if (match !== undefined) {
    const problem = ambiguousText(kind, reference, matches, noteOn);
    throw new VideoHostingError('ambiguous_reference', problem, { facts: factsOf(problem) });
  }
  const near = nearestRecords(reference, records);
  const asId = refusal === undefined ? [] : [sentence`Asked for it as an id: ${refusal.message}`];
  const problem = joined([notFoundText(kind, reference, near, skipped), ...asId]);
  const hint = near.length > 0 ? NEAR_HINT : sentence`Use list_${kind}s, with search, and take an id, key or exact name from it.`;
  throw new VideoHostingError('not_found', problem, { facts: factsOf(problem, { missing: { what: kind, reference } }), hint });
}

/** The records that had this name before this server renamed them. */
export function formerlyCalled<T extends Referable>(
  reference: string,
  records: readonly T[],
  names: readonly FormerName[],
): readonly Renamed<T>[] {
  const latest = new Map<string, FormerName>();
  for (const name of matchesOf(reference, names)) if (name.at > (latest.get(name.id)?.at ?? '')) latest.set(name.id, name);
  return records.flatMap((record) => {
    const former = latest.get(record.id);
    return former === undefined ? [] : [{ record, former }];
  });
}

/** The only one of them; none of them has the name now. Throws `ambiguous_reference` where there are several. */
export function findFormer<T extends Referable>(
  kind: Kind,
  field: Sentence,
  reference: string,
  records: readonly T[],
  names: readonly FormerName[],
): Renamed<T> | undefined {
  const found = formerlyCalled(reference, records, names);
  const [one, ...others] = found;
  if (one === undefined || others.length === 0) return one;
  const problem = sentence`No ${kind} is called ${inQuotes(reference)}, but several were before this server renamed them: ${candidatesText(found.map(({ record }) => record))}.`;
  throw new VideoHostingError('ambiguous_reference', problem, {
    facts: { outcome: 'nothing-sent', fields: [{ field, problem, isNamed: true }] },
    hint: NEAR_HINT,
  });
}

/** That a record was found by a name that it has no more. */
export const renamedText = ({ name, at }: FormerName, record: Referable): Sentence =>
  sentence`${inQuotes(name, MAX_NAME)} is ${labelOf(record)} now: this server renamed it on ${timeText(Date.parse(at))}.`;

/** The records with exactly this id, key or name; if there are none, those with it but for space around it and kinds of quotes. */
export function matchesOf<T extends Referable>(reference: string, records: readonly T[]): readonly T[] {
  const exact = records.filter((record) => isMatch(record, reference));
  const trimmed = reference.trim();
  if (exact.length > 0 || trimmed === '') return exact;
  const plain = withPlainQuotes(trimmed);
  return records.filter((record) => isMatch(record, trimmed) || (record.name !== undefined && withPlainQuotes(record.name) === plain));
}

/** With typewriter quotes, since many programs type the others by themselves. */
const withPlainQuotes = (text: string): string => text.normalize('NFC').replace(/[‘’ʼ]/g, "'").replace(/[“”„]/g, '"');

function isMatch(record: Referable, reference: string): boolean {
  if (record.id === reference || record.key === reference) return true;
  const wanted = reference.normalize('NFC');
  const isShownName = wanted !== '' && shownName(record).normalize('NFC') === wanted;
  return isShownName || record.name?.normalize('NFC') === wanted;
}

/** Records whose id or key is part of the text, such as an address; if there are none, those with the nearest names. */
function nearestRecords<T extends Referable>(reference: string, records: readonly T[]): readonly T[] {
  if (ALL.test(reference)) return [];
  const contains = (id = ''): boolean => id.length >= MIN_ID_LENGTH && reference.includes(id);
  const named = records.filter(({ id, key }) => contains(id) || contains(key)).slice(0, MAX_NEAR);
  return named.length > 0 ? named : nearest(reference, records, MAX_NEAR, (record) => record.name ?? '');
}

function notFoundText(kind: Kind, reference: string, near: readonly Referable[], skipped: number): Sentence {
  const hint = ALL.test(reference)
    ? [sentence`Name one ${kind}; where it may be left out, that stands for all.`]
    : near.length > 0
      ? [sentence`The nearest: ${candidatesText(near)}.`]
      : [];
  const unread = skipped === 0 ? [] : [sentence`${skipped} of them could not be read.`];
  return joined([sentence`No ${kind} has the id, key or exact name ${inQuotes(reference)}.`, ...hint, ...unread]);
}

function ambiguousText<T extends Referable>(kind: Kind, reference: string, matches: readonly T[], noteOn: NoteOn<T>): Sentence {
  const shown = matches.slice(0, MAX_CANDIDATES).map((record) => {
    const { id, key } = record;
    const named = key === undefined ? [] : [sentence`key ${word(key, 80)}`];
    const details = [...named, ...aboutNote(record), ...updatedNote(record), ...[noteOn(record)].filter((note) => note !== undefined)];
    return details.length === 0 ? sentence`id ${word(id, 80)}` : sentence`id ${word(id, 80)} (${joined(details, ', ')})`;
  });
  const rest = matches.length - shown.length;
  const candidates = joined([joined(shown, ', '), ...(rest > 0 ? [sentence`and ${rest} more`] : [])]);
  return sentence`${matches.length} ${kind}s are called ${inQuotes(reference)}: ${candidates}. Use the id or key of the one that is meant.`;
}
