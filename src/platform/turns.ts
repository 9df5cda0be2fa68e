/** Who of several people comes next where a few places are for all. What is nobody’s in particular, as of a server for one person, takes turns as one. */
export interface Turns {
  /** Of those that wait, whose turn it is: none of several people has more than half of the places, and whoever was served longest ago comes first. */
  next<Waiting extends { readonly who: string | undefined }>(waiting: readonly Waiting[]): Waiting | undefined;
  begin(who: string | undefined): void;
  /**
   * Of whoever had a place, for so many milliseconds. Where others were served lately who took much less, nothing of theirs begins before `rested`:
   * returns after how many milliseconds to call that, which is twice as long, up to a second; 0 where it is not to be called.
   */
  end(who: string | undefined, tookMs?: number): number;
  rested(who: string | undefined): void;
}

/** Whoever was served less long ago may come again at any moment; what somebody took counts for half after as long. */
const LATELY_MS = 5_000;
/** For how many times as long as something took, room is left to others. */
export const LEFT_TO_OTHERS = 2;
const MAX_REST_MS = 1_000;
/** Of people who ask alike, nobody has to wait for the others. */
const MUCH_MORE = 2;

interface Use {
  active: number;
  tookMs: number;
  /** When `tookMs` was so much. */
  at: number;
  rests: number;
}

export function createTurns(places: number): Turns {
  /** Of those who are or were served, the last one last. */
  const uses = new Map<string, Use>();
  // What is at work at once shares the processors.
  const most = Math.max(1, Math.floor(places / 2));
  const useOf = (who: string): Use => uses.get(who) ?? { active: 0, tookMs: 0, at: Number.NEGATIVE_INFINITY, rests: 0 };
  const tookLately = ({ tookMs, at }: Use): number => tookMs * 0.5 ** ((performance.now() - at) / LATELY_MS);
  const hasRoom = (who: string | undefined): boolean => who === undefined || (useOf(who).active < most && useOf(who).rests === 0);
  return {
    next(waiting) {
      const order = ['', ...uses.keys()];
      const turnOf = (who: string | undefined): number => (who === undefined ? 0 : order.indexOf(who));
      let found: (typeof waiting)[number] | undefined;
      for (const one of waiting) if (hasRoom(one.who) && (found === undefined || turnOf(one.who) < turnOf(found.who))) found = one;
      return found;
    },
    begin(who) {
      if (who === undefined) return;
      const use = useOf(who);
      use.active += 1;
      uses.delete(who);
      uses.set(who, use);
    },
    end(who, tookMs = 0) {
      const use = who === undefined ? undefined : uses.get(who);
      if (use === undefined) return 0;
      const now = performance.now();
      Object.assign(use, { active: use.active - 1, tookMs: tookLately(use) + tookMs, at: now });
      const hasOthers = [...uses.values()].some((other) => other.at >= now - LATELY_MS && tookLately(other) * MUCH_MORE < tookLately(use));
      if (!hasOthers) return 0;
      const restMs = Math.min(Math.ceil(tookMs * LEFT_TO_OTHERS), MAX_REST_MS);
      if (restMs > 0) use.rests += 1;
      return restMs;
    },
    rested(who) {
      const use = who === undefined ? undefined : uses.get(who);
      if (use !== undefined) use.rests -= 1;
    },
  };
}
