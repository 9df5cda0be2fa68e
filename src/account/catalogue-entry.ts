/** One video of the catalogue. */
export interface CatalogueEntry {
  readonly id?: string;
  readonly key?: string;
  readonly title?: string;
}

/** Names of the columns in exports. */
export const NAMES = {
  id: /^(video[\s_-]*)?id$/i,
  key: /^(video[\s_-]*)?key$/i,
  title: /^(video[\s_-]*)?(title|name)$/i,
} as const;

export type Column = keyof typeof NAMES;

export function entryOf(cellOf: (column: Column) => unknown): CatalogueEntry {
  const id = textIn(cellOf('id'));
  const key = textIn(cellOf('key'));
  const title = textIn(cellOf('title'));
  return { ...(id === undefined ? {} : { id }), ...(key === undefined ? {} : { key }), ...(title === undefined ? {} : { title }) };
}

function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}
