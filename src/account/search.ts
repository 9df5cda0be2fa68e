import { nearest } from '../text/nearest.ts';
import { cleanText } from '../text/sanitize-text.ts';
import type { Referable } from './references.ts';

const TEXTS = ['id', 'key', 'name', 'description'] as const;
const MAX_NEAR = 3;

/**
 * The records whose name, description, key or id contains a text, whatever its case and accents; if there are none, those
 * that contain each of its words. If nothing is found, `near` has the records with the nearest names.
 */
export function searchIn<T extends Referable>(records: readonly T[], search: string): { readonly found: T[]; readonly near: T[] } {
  const wanted = fold(search);
  const texts = records.map((record) => TEXTS.map((name) => fold(record[name] ?? '')));
  const contains = (index: number, part: string): boolean => texts[index]?.some((text) => text.includes(part)) ?? false;
  const whole = records.filter((_, index) => contains(index, wanted));
  if (whole.length > 0) return { found: whole, near: [] };
  const words = wanted.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const found = words.length > 1 ? records.filter((_, index) => words.every((word) => contains(index, word))) : [];
  return { found, near: found.length > 0 ? [] : nearest(search, records, MAX_NEAR, ({ name }) => name ?? '') };
}

/** As people list them: `Part 9` before `Part 10`. Made by the first search: to make one takes longer than to load all of the account’s code. */
let byName: Intl.Collator | undefined;

const fold = (text: string): string => cleanText(text, 10_000).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** A page of the records that were found, with a pager like the service's. In the order that was asked for, which they were listed in, else by name. */
export function foundPage<T extends Referable>(
  found: readonly T[],
  { page = 1, size = 50, sort: asked = '' }: { page?: number | undefined; size?: number | undefined; sort?: string | undefined },
) {
  const sort = asked.trim() === '' ? 'name' : asked;
  byName ??= new Intl.Collator('en', { numeric: true });
  const { compare } = byName;
  const sorted = asked.trim() === '' ? found.toSorted((one, other) => compare(one.name ?? '', other.name ?? '')) : found;
  return {
    items: sorted.slice((page - 1) * size, page * size),
    pager: { page, totalPages: Math.ceil(found.length / size), totalResults: found.length, sort },
  };
}
