import { nearest } from '../platform/nearest.ts';
import { cleanText } from '../service/sanitize-text.ts';

/** What a record is searched in. */
export interface Searchable {
  readonly id: string;
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

const TEXTS = ['id', 'key', 'name', 'description'] as const;
const MAX_NEAR = 3;

/**
 * The records in whose name, description, key or id a text stands, whatever its case and accents; else those that have
 * each of its words somewhere. Where there is none, `near` are those whose names come nearest.
 */
export function searchIn<T extends Searchable>(records: readonly T[], search: string): { readonly found: T[]; readonly near: T[] } {
  const wanted = fold(search);
  const texts = records.map((record) => TEXTS.flatMap((name) => (record[name] === undefined ? [] : [fold(record[name])])));
  const whole = records.filter((_, at) => texts[at]?.some((text) => text.includes(wanted)));
  if (whole.length > 0) return { found: whole, near: [] };
  const words = wanted.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const found = words.length > 1 ? records.filter((_, at) => words.every((word) => texts[at]?.some((text) => text.includes(word)))) : [];
  return { found, near: found.length > 0 ? [] : nearest(search, records, MAX_NEAR, ({ name }) => name ?? '') };
}

const fold = (text: string): string => cleanText(text, 10_000).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** A page of what was found, with a pager as the service would give it. */
export function pageOf<T>(
  found: readonly T[],
  { page = 1, size = 50, sort = '' }: { page?: number | undefined; size?: number | undefined; sort?: string | undefined },
) {
  return {
    items: found.slice((page - 1) * size, page * size),
    pager: { page, totalPages: Math.ceil(found.length / size), totalResults: found.length, sort },
  };
}
