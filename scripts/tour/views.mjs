/** The view records of the made-up account of whole days, both included, straight from where its service takes them. */
export function viewsBetween(world, firstDay, lastDay) {
  const to = Date.parse(lastDay) + 86_400_000;
  return [...world.views.select({ from: Date.parse(firstDay), to })].map((index) => world.views.at(index));
}

/** How many records there are of each key, as a map. */
export function countBy(records, keyOf) {
  const counts = new Map();
  for (const record of records) counts.set(keyOf(record), (counts.get(keyOf(record)) ?? 0) + 1);
  return counts;
}

/** How many different values the records of each key have, as a map. */
export function distinctBy(records, keyOf, idOf) {
  const values = new Map();
  for (const record of records) {
    if (!values.has(keyOf(record))) values.set(keyOf(record), new Set());
    values.get(keyOf(record)).add(idOf(record));
  }
  return new Map([...values].map(([key, set]) => [key, set.size]));
}
