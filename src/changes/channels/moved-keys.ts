/**
 * The keys that have to be moved to get from one order to the other, in their new order: as few as there can be, so that
 * what a person reads is what was done. Keys that are in one list alone don't count.
 */
export function movedKeys(before: readonly string[], after: readonly string[]): string[] {
  const places = placesOf(before);
  const used = new Map<string, number>();
  const kept = after.flatMap((key) => {
    const nth = used.get(key) ?? 0;
    used.set(key, nth + 1);
    const place = places.get(key)?.[nth];
    return place === undefined ? [] : [{ key, place }];
  });
  const stays = longestRise(kept.map(({ place }) => place));
  return kept.filter((_, at) => !stays.has(at)).map(({ key }) => key);
}

function placesOf(keys: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, key] of keys.entries()) {
    const list = places.get(key);
    if (list === undefined) places.set(key, [at]);
    else list.push(at);
  }
  return places;
}

/** Where the members of a longest rising part of the numbers stand. */
function longestRise(numbers: readonly number[]): Set<number> {
  /** For each length, where the smallest number stands that ends a rise of that length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [at, number] of numbers.entries()) {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous[at] = ends[low - 1];
    ends[low] = at;
  }
  const members = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) members.add(at);
  return members;
}
