/** Titles by key or id. A key may be called like a property that every object has. */
export interface Titles {
  get(key: string): string | undefined;
  has(key: string): boolean;
  keys(): readonly string[];
}

/** Made without a copy, since a catalogue may have 100,000 titles. */
export const titlesOf = (record: Readonly<Record<string, string>>): Titles => ({
  get: (key) => (Object.hasOwn(record, key) ? record[key] : undefined),
  has: (key) => Object.hasOwn(record, key),
  keys: () => Object.keys(record),
});
