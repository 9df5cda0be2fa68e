import { CONTENTS } from '../../account/contents.ts';
import { isObject, type Values } from '../../platform/is-object.ts';
import { counted, inFull } from '../../text/counted.ts';
import { quoted } from '../../text/quoted.ts';
import type { Sentence } from '../../text/sentence.ts';
import { FIELDS, rowOf } from '../kinds/channels/fields.ts';
import { LIST_VERBS } from './sides.ts';

// What an answer has in `before` and `after`, as text: a line for each record.

/**
 * `- ID "A": 300 videos → 300: 3 moved to the front, none added, none removed (k1, k2, k3)`. What is the same of several is told
 * once. Of a record without an `after`, only what it was is told.
 */
export function sideLines(before: readonly Values[], after: readonly Values[]): string[] {
  const byChange = new Map<string, string[]>();
  for (const { id } of [...after, ...before.filter((was) => after.every((now) => now.id !== was.id))]) {
    const [was, now] = [before, after].map((side) => side.find((record) => record.id === id));
    const changes = changesOf(was, now).join('; ');
    byChange.set(changes, [...(byChange.get(changes) ?? []), headOf(was, now)]);
  }
  return [...byChange].map(([changes, heads]) => `- ${heads.join(', ')}${changes === '' ? '' : `: ${changes}`}`);
}

/** What tells which record it is. A name that changes is among the changes. */
function headOf(was: Values | undefined, now: Values | undefined): string {
  const { id, key, name } = now ?? { id: was?.id };
  const isNamed = name !== undefined && was?.name === undefined;
  return [
    cell(id),
    ...(key === undefined ? [] : [`key ${cell(key)}`]),
    ...(isNamed ? [JSON.stringify(name)] : []),
    ...(now === undefined ? ['before'] : []),
  ].join(' ');
}

function changesOf(was: Values | undefined, now: Values | undefined): string[] {
  const fields = new Set(Object.keys({ ...was, ...now }));
  const isTold = (field: string) => field !== 'id' && field !== 'key' && (field !== 'name' || was?.name !== undefined);
  return [...fields].filter(isTold).map((field) => {
    const list = CONTENTS.find((one) => one === field);
    if (list !== undefined) return listText(rowOf(list).word, was?.[list], now === undefined ? was?.[list] : now[list], was !== undefined);
    return `${field} ${[was, now].flatMap((side) => (side !== undefined && field in side ? [shown(field, side[field])] : [])).join(' → ')}`;
  });
}

const NOT_KNOWN = 'not known';
const NAMED: ReadonlySet<string> = new Set(FIELDS.flatMap((field) => (rowOf(field).isReference ? rowOf(field).argument : [])));

/** A list that is a number is kept, new, or what was there. */
function listText(word: Sentence, was: unknown, now: unknown, wasThere: boolean): string {
  const before = was === undefined ? '' : typeof was === 'number' ? `${counted(was, word)} → ` : `${word}s ${NOT_KNOWN} → `;
  if (typeof now === 'number') return `${counted(now, word)}${wasThere && was === undefined ? ' kept' : ''}`;
  if (!isObject(now) || typeof now.count !== 'number') return `${word}s ${NOT_KNOWN}`;
  if (now.stated === true) return `${counted(now.count, word)} as stated`;
  const { more = {} } = now;
  const verbs = LIST_VERBS.map((verb) => {
    const keys = Array.isArray(now[verb]) ? now[verb].map(cell) : [];
    const left = isObject(more) && typeof more[verb] === 'number' ? more[verb] : 0;
    return { keys, isOptional: IS_OPTIONAL.has(verb), words: WORDS[verb], count: keys.length + left };
  });
  const changed =
    typeof was === 'number' ? verbs.filter(({ isOptional, count }) => count > 0 || !isOptional) : verbs.filter(({ count }) => count > 0);
  const sums = changed.map(({ words, count }) => `${count === 0 ? 'none' : inFull(count)} ${words}`).join(', ');
  const named = changed.filter(({ keys }) => keys.length > 0);
  const which = named.map(({ words, keys }) => `${named.length > 1 ? `${words}: ` : ''}${keys.join(', ')}`).join('; ');
  const after = typeof was === 'number' ? inFull(now.count) : counted(now.count, word);
  return `${before}${after}${sums === '' ? '' : `: ${sums}`}${which === '' ? '' : ` (${which})`}`;
}

/** In the order in which they are told; nothing moved goes without saying. */
const WORDS = { movedToFront: 'moved to the front', moved: 'moved', added: 'added', removed: 'removed' } as const;
const IS_OPTIONAL: ReadonlySet<string> = new Set(['movedToFront', 'moved']);

/** Given by its key, and shown by its name too, in words of ours. */
function shown(field: string, value: unknown): string {
  if (value === null || value === undefined) return NOT_KNOWN;
  return NAMED.has(field) ? String(value) : JSON.stringify(value);
}

const cell = (value: unknown): string => (typeof value === 'string' ? quoted(value) : JSON.stringify(value));
