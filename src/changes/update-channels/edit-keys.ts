import { nearest } from '../../nearest.ts';
import { cleanText } from '../../service/foreign-text.ts';

const MAX_SHOWN_KEY = 80;

/** What a caller wants done to a list of keys. */
export interface KeyEdits {
  readonly setVideoKeys?: readonly string[] | undefined;
  readonly addVideoKeys?: readonly string[] | undefined;
  readonly removeVideoKeys?: readonly string[] | undefined;
  readonly firstVideoKeys?: readonly string[] | undefined;
}

export interface KeyProblem {
  readonly field: keyof KeyEdits;
  readonly problem: string;
}

type Edited = { readonly keys: readonly string[] } | { readonly problems: readonly KeyProblem[] };

/** Whether the edits need the list as it is now. */
export function needsCurrentKeys(edits: KeyEdits): boolean {
  return edits.setVideoKeys === undefined;
}

/**
 * The list after the edits: what is set (or what is there now), without what is removed, with what is added at the
 * end, and the first ones first. Every other key keeps its place among the others.
 */
export function editKeys(current: readonly string[], edits: KeyEdits): Edited {
  const { setVideoKeys, addVideoKeys = [], removeVideoKeys = [], firstVideoKeys = [] } = edits;
  const problems = [...repeats(edits), ...conflicts(edits)];
  const there = new Set(setVideoKeys ?? current);
  const added = addVideoKeys.filter((key) => !there.has(key));
  const after = new Set([...there, ...added]);
  for (const key of removeVideoKeys) {
    if (!there.has(key)) problems.push({ field: 'removeVideoKeys', problem: notThere(key, there) });
    after.delete(key);
  }
  for (const key of firstVideoKeys) if (!after.has(key)) problems.push({ field: 'firstVideoKeys', problem: notThere(key, after) });
  if (problems.length > 0) return { problems };
  const first = new Set(firstVideoKeys);
  return { keys: [...firstVideoKeys, ...[...after].filter((key) => !first.has(key))] };
}

function repeats(edits: KeyEdits): KeyProblem[] {
  return FIELDS.flatMap((field) => {
    const keys = edits[field] ?? [];
    const repeated = [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))];
    return repeated.length === 0 ? [] : [{ field, problem: `names ${listed(repeated)} more than once.` }];
  });
}

function conflicts({ setVideoKeys, addVideoKeys = [], removeVideoKeys = [] }: KeyEdits): KeyProblem[] {
  const problems: KeyProblem[] = [];
  if (setVideoKeys !== undefined && addVideoKeys.length + removeVideoKeys.length > 0)
    problems.push({ field: 'setVideoKeys', problem: 'is the whole list: put what is added or removed into it instead.' });
  const both = addVideoKeys.filter((key) => removeVideoKeys.includes(key));
  if (both.length > 0) problems.push({ field: 'addVideoKeys', problem: `and removeVideoKeys both name ${listed(both)}.` });
  return problems;
}

function notThere(key: string, keys: ReadonlySet<string>): string {
  const [near] = nearest(key, [...keys], 1);
  return `names ${JSON.stringify(key)}, which the channel does not hold.${near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`}`;
}

const FIELDS = ['setVideoKeys', 'addVideoKeys', 'removeVideoKeys', 'firstVideoKeys'] as const;

/** At most five of them, quoted, and how many more. */
export function listed(keys: readonly string[], most = 5): string {
  const shown = keys
    .slice(0, most)
    .map((key) => JSON.stringify(cleanText(key, MAX_SHOWN_KEY)))
    .join(', ');
  return keys.length > most ? `${shown} and ${keys.length - most} more` : shown;
}
