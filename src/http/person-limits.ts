/** Requests of one person. */
const PER_SECOND = 20;
const BURST = 60;
/** Calls of tools that are carried out at once; those that wait for a change have a measure of their own, so that neither keeps the other out. */
const MAX_IN_FLIGHT = { calls: 8, waits: 8 } as const;

export type InFlight = Readonly<Record<keyof typeof MAX_IN_FLIGHT, number>>;

interface Usage {
  /** What may still be sent at once, at a time. */
  left: number;
  at: number;
  readonly inFlight: Record<keyof InFlight, number>;
}

/** What one person may ask of the server: nobody’s flood takes another’s place. */
export function createPersonLimits(now = (): number => performance.now()) {
  const usages = new Map<string, Usage>();
  const usageOf = (personId: string): Usage => {
    const usage = usages.get(personId) ?? { left: BURST, at: now(), inFlight: { calls: 0, waits: 0 } };
    usages.set(personId, usage);
    return usage;
  };
  return {
    /** Counts requests. Returns after how many seconds to come again, where there were too many; then none is counted. */
    take(personId: string, count = 1): number | undefined {
      const usage = usageOf(personId);
      const at = now();
      usage.left = Math.min(BURST, usage.left + ((at - usage.at) / 1_000) * PER_SECOND);
      usage.at = at;
      if (usage.left < count) return Math.max(1, Math.ceil((Math.min(count, BURST) - usage.left) / PER_SECOND));
      usage.left -= count;
      return undefined;
    },
    /** Begins calls, and returns what ends them; undefined where too many are in flight. */
    begin(personId: string, added: InFlight): (() => void) | undefined {
      const { inFlight } = usageOf(personId);
      const kinds = Object.keys(MAX_IN_FLIGHT) as (keyof InFlight)[]; // Object.keys widens
      if (kinds.some((kind) => added[kind] > 0 && inFlight[kind] + added[kind] > MAX_IN_FLIGHT[kind])) return undefined;
      for (const kind of kinds) inFlight[kind] += added[kind];
      return () => {
        for (const kind of kinds) inFlight[kind] -= added[kind];
      };
    },
  };
}

export type PersonLimits = ReturnType<typeof createPersonLimits>;
