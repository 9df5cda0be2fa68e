import { createHash } from 'node:crypto';

/** So many distinct texts can be told apart: 128 MiB at most. */
const MOST = 4_000_000;
const FIRST_SLOTS = 1_024;

/**
 * A set of texts of which only a hash of 64 bits each is held, in as little room as that takes. `add` tells whether the
 * text is new; `undefined` once there is no more room.
 */
export function createTally(most = MOST) {
  let high = new Uint32Array(FIRST_SLOTS);
  let low = new Uint32Array(FIRST_SLOTS);
  let size = 0;

  /** The slot in which a hash is, or would be. */
  function slotOf(h: number, l: number): number {
    const mask = high.length - 1;
    let at = l & mask;
    while ((high[at] !== 0 || low[at] !== 0) && (high[at] !== h || low[at] !== l)) at = (at + 1) & mask;
    return at;
  }

  function grow(): void {
    const [oldHigh, oldLow] = [high, low];
    high = new Uint32Array(oldHigh.length * 2);
    low = new Uint32Array(oldLow.length * 2);
    for (const [from, h] of oldHigh.entries()) {
      const l = oldLow[from] ?? 0;
      if (h === 0 && l === 0) continue;
      const at = slotOf(h, l);
      high[at] = h;
      low[at] = l;
    }
  }

  return {
    add(text: string): boolean | undefined {
      const digest = createHash('sha256').update(text).digest();
      // Zero marks an empty slot.
      const [h, l] = [digest.readUInt32LE(0), digest.readUInt32LE(4) || 1];
      const at = slotOf(h, l);
      if (high[at] === h && low[at] === l) return false;
      if (size >= most) return undefined;
      high[at] = h;
      low[at] = l;
      size += 1;
      if (size * 2 > high.length) grow();
      return true;
    },
    size: () => size,
  };
}
