/** Titles by key or id. A map, since a key may be called like a property that every object has. */
export type Titles = ReadonlyMap<string, string>;

const maps = new WeakMap<object, Titles>();

/** The same map for the same record, so that it is made once. */
export function titlesOf(record: Readonly<Record<string, string>>): Titles {
  const known = maps.get(record);
  if (known !== undefined) return known;
  const made = new Map(Object.entries(record));
  maps.set(record, made);
  return made;
}
