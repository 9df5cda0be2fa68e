import { cleanText } from '../service/foreign-text.ts';

/** What a record is searched in. */
export interface Searchable {
  readonly id: string;
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

/** The records in whose name, description, key or id a text stands, whatever its case and accents. */
export function searchIn<T extends Searchable>(records: readonly T[], search: string): T[] {
  const wanted = fold(search);
  return records.filter(({ id, key, name, description }) =>
    [id, key, name, description].some((text) => text !== undefined && fold(text).includes(wanted)),
  );
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
