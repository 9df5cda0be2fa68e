/** Which of some ids were found elsewhere: about ten bytes for each id, where a set of a million takes 150 MB. */
export interface IdMarks {
  mark(id: string): void;
  isMarked(id: string): boolean;
  /** Those of the ids that are not marked, in their order. */
  unmarked(): readonly string[];
}

/** Keeps no text of its own: `ids` must stay as they are. */
export function createIdMarks(ids: readonly string[]): IdMarks {
  const marks = new Uint8Array(ids.length);
  let marked = 0;
  /** So many of the first ids are all marked: a list often has them in the same order, and is then compared without the slots. */
  let first = 0;
  let slots: Uint32Array | undefined;
  function indexOf(id: string): number {
    slots ??= slotsOf(ids);
    return (slots[slotOf(id, ids, slots)] ?? 0) - 1;
  }
  function markAt(index: number): void {
    if (marks[index] === 0) marked += 1;
    marks[index] = 1;
  }
  const isMarked = (id: string): boolean => marks[indexOf(id)] === 1;
  return {
    mark(id) {
      if (ids[first] === id) {
        markAt(first);
        first += 1;
        return;
      }
      const index = indexOf(id);
      if (index >= 0) markAt(index);
    },
    isMarked,
    unmarked: () => (marked === ids.length ? [] : ids.filter((id) => !isMarked(id))),
  };
}

/** Open addressing: in each slot the index of an id, from 1. */
function slotsOf(ids: readonly string[]): Uint32Array {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * ids.length + 2)));
  for (const [index, id] of ids.entries()) slots[slotOf(id, ids, slots)] ||= index + 1;
  return slots;
}

/** The slot of an id, or the free one where it belongs. */
function slotOf(id: string, ids: readonly string[], slots: Uint32Array): number {
  for (let slot = hashOf(id) & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
    const index = slots[slot] ?? 0;
    if (index === 0 || ids[index - 1] === id) return slot;
  }
}

/** FNV-1a, with the mixing that ends MurmurHash: its low bits alone are used. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
