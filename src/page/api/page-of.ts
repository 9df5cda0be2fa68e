/** One page of a list; the last one where fewer are there. */
export function pageOf<T>(all: readonly T[], wanted: number, size: number) {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(Math.max(1, wanted), pages);
  return { shown: all.slice((page - 1) * size, page * size), page, pages };
}
