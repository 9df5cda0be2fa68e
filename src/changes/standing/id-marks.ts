/** Which of some ids were found elsewhere: about ten bytes for each id, where a set of a million takes 150 MB. */
export interface IdMarks {
  mark(id: string): void;
  isMarked(id: string): boolean;
}

/** Keeps no text of its own: `ids` must stay as they are. */
export function createIdMarks(ids: readonly string[]): IdMarks {
  const marks = new Uint8Array(ids.length);
  /** Open addressing: in each slot the index of an id, from 1. */
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * ids.length + 2)));
  function slotOf(id: string): number {
    for (let slot = hashOf(id) & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const index = slots[slot] ?? 0;
      if (index === 0 || ids[index - 1] === id) return slot;
    }
  }
  for (const [index, id] of ids.entries()) slots[slotOf(id)] ||= index + 1;
  const indexOf = (id: string): number => (slots[slotOf(id)] ?? 0) - 1;
  return {
    mark(id) {
      const index = indexOf(id);
      if (index >= 0) marks[index] = 1;
    },
    isMarked: (id) => marks[indexOf(id)] === 1,
  };
}

/** FNV-1a, with the mixing that ends MurmurHash: its low bits alone are used. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
