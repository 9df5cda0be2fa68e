import { VideoHostingError } from '../errors.ts';
import { nearest } from '../platform/nearest.ts';
import { cleanText } from '../service/sanitize-text.ts';

/** What a reference can be matched with. */
export interface Referable {
  readonly id: string;
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  /** Tells records of one name apart. */
  readonly description?: string | undefined;
}

/** Longest name that is shown; the documented limit of a channel's is 100, others have none. */
const MAX_SHOWN_NAME = 120;
const MAX_CANDIDATES = 10;
const MAX_DESCRIPTION = 60;

/** A name as it is shown everywhere: stripped and bounded. */
export function shownName(record: Referable): string {
  return cleanText(record.name ?? '', MAX_SHOWN_NAME);
}

/** How a record is named in a sentence: its quoted name and its id. */
export function labelOf(record: Referable): string {
  return `${JSON.stringify(shownName(record))} (${cleanText(record.id, MAX_SHOWN_NAME)})`;
}

/**
 * The record that an id, a key or an exact name stands for. A name counts both as the service has it and as it is
 * shown, since the shown one is what an assistant can repeat.
 * Throws `not_found` with the nearest names, or `ambiguous_reference` with the candidates; `field` says which argument.
 */
export function findReference<T extends Referable>(
  kind: 'channel' | 'project',
  field: string,
  reference: string,
  records: readonly T[],
  { skipped = 0, refusal }: Search = {},
): T {
  const matches = matchesOf(reference, records);
  const [match, ...others] = matches;
  if (match !== undefined && others.length === 0) return match;
  const near = match === undefined ? nearTo(reference, records) : [];
  const problem =
    match === undefined
      ? `${notFound(kind, reference, near, skipped)}${refusal === undefined ? '' : ` Asked for it as an id: ${refusal.message}`}`
      : ambiguous(kind, reference, matches);
  throw new VideoHostingError(match === undefined ? 'not_found' : 'ambiguous_reference', problem, {
    facts: { outcome: 'nothing-sent', fields: [{ field, problem }] },
    ...(match === undefined
      ? { hint: near.length > 0 ? NEAR : `Use list_${kind}s, with search, and take an id, key or exact name from it.` }
      : {}),
  });
}

/** The records that a reference stands for: those it names exactly, else those it names without the space around it. */
export function matchesOf<T extends Referable>(reference: string, records: readonly T[]): readonly T[] {
  const exact = records.filter((record) => isMatch(record, reference));
  const trimmed = reference.trim();
  return exact.length > 0 || trimmed === '' ? exact : records.filter((record) => isMatch(record, trimmed));
}

/** What else is known of a search among records. */
interface Search {
  /** How many records could not be read. */
  readonly skipped?: number;
  /** What the service answered when it was asked for the reference as an id. */
  readonly refusal?: VideoHostingError | undefined;
}

const MAX_NEAR = 3;
/** Shorter ids and keys may stand in any text. */
const SHORTEST_ID = 8;

/** Those whose id or key stands in what was given, such as an address; else those with the nearest names. */
function nearTo<T extends Referable>(reference: string, records: readonly T[]): readonly T[] {
  if (ALL.test(reference)) return [];
  const within = (id: string | undefined): boolean => id !== undefined && id.length >= SHORTEST_ID && reference.includes(id);
  const named = records.filter(({ id, key }) => within(id) || within(key)).slice(0, MAX_NEAR);
  return named.length > 0 ? named : nearest(reference, records, MAX_NEAR, (record) => record.name ?? '');
}

const NEAR = 'Call again with the id of the one that is meant; ask the user where that is in doubt.';

function isMatch(record: Referable, reference: string): boolean {
  if (record.id === reference || record.key === reference) return true;
  const wanted = reference.normalize('NFC');
  return (
    record.name !== undefined &&
    (record.name.normalize('NFC') === wanted || (wanted !== '' && shownName(record).normalize('NFC') === wanted))
  );
}

/** What stands for all of them elsewhere. */
const ALL = /^\s*(?:all|any|every|\*)\s*$/i;

function notFound(kind: string, reference: string, near: readonly Referable[], skipped: number): string {
  const hint = ALL.test(reference)
    ? ` Name one ${kind}; where it may be left out, that stands for all.`
    : near.length === 0
      ? ''
      : ` The nearest: ${near.map(labelOf).join(', ')}.`;
  const unread = skipped === 0 ? '' : ` ${skipped} of them could not be read.`;
  return `No ${kind} has the id, key or exact name ${JSON.stringify(cleanText(reference, MAX_SHOWN_NAME))}.${hint}${unread}`;
}

function ambiguous(kind: string, reference: string, matches: readonly Referable[]): string {
  const shown = matches.slice(0, MAX_CANDIDATES).map(({ id, key, description = '' }) => {
    const told = [...(key === undefined ? [] : [`key ${cleanText(key, 80)}`]), ...(description === '' ? [] : [about(description)])];
    return `id ${cleanText(id, 80)}${told.length === 0 ? '' : ` (${told.join(', ')})`}`;
  });
  const more = matches.length > shown.length ? ` and ${matches.length - shown.length} more` : '';
  return `${matches.length} ${kind}s are called ${JSON.stringify(cleanText(reference, MAX_SHOWN_NAME))}: ${shown.join(', ')}${more}. Use the id or key of the one that is meant.`;
}

const about = (description: string): string => JSON.stringify(cleanText(description, MAX_DESCRIPTION));
