/** Titles by key or id. A key may be called like a property that every object has. */
export interface Titles {
  get(key: string): string | undefined;
}

export const titlesOf = (record: Readonly<Record<string, string>>): Titles => ({
  get: (key) => (Object.hasOwn(record, key) ? record[key] : undefined),
});
