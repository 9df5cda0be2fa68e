/** Who of several people comes next where a few places are for all. What is nobody’s in particular, as of a server for one person, takes turns as one. */
export interface Turns {
  /** Of those that wait, whose turn it is: none of several people has more than half of the places, and whoever was served longest ago comes first. */
  next<Waiting extends { readonly who: string | undefined }>(waiting: readonly Waiting[]): Waiting | undefined;
  begin(who: string | undefined): void;
  end(who: string | undefined): void;
}

export function createTurns(places: number): Turns {
  const active = new Map<string, number>();
  /** Those who are or were served, the last one last. */
  const served = new Set<string>();
  // What is at work at once shares the processors.
  const most = Math.max(1, Math.floor(places / 2));
  const hasRoom = (who: string | undefined): boolean => who === undefined || (active.get(who) ?? 0) < most;
  return {
    next(waiting) {
      const order = ['', ...served];
      const turnOf = (who: string | undefined): number => (who === undefined ? 0 : order.indexOf(who));
      let found: (typeof waiting)[number] | undefined;
      for (const one of waiting) if (hasRoom(one.who) && (found === undefined || turnOf(one.who) < turnOf(found.who))) found = one;
      return found;
    },
    begin(who) {
      if (who === undefined) return;
      active.set(who, (active.get(who) ?? 0) + 1);
      served.delete(who);
      served.add(who);
    },
    end(who) {
      const left = who === undefined ? 0 : (active.get(who) ?? 0) - 1;
      if (who === undefined) return;
      if (left > 0) active.set(who, left);
      else active.delete(who);
    },
  };
}
