import { createSlots } from '../platform/slots.ts';
import { asWorkOf } from '../platform/whose-work.ts';

/** Requests of one person. */
const PER_SECOND = 20;
const BURST = 60;
/** A body counts as one request more for each of these: to read it takes the only thread that there is. */
const BYTES_OF_REQUEST = 128 * 1_024;
/**
 * What is in flight at once, from the head of a request until its answer is read, or given up. Calls of tools that wait for a change have a
 * measure of their own, so that neither keeps the other out; `bytes` of bodies: a file that is dropped on the page, with room;
 * `streams`: windows of the page.
 */
const MAX_IN_FLIGHT = { requests: 60, bytes: 40 * 1_024 * 1_024, calls: 8, waits: 8, streams: 20 } as const;

export type InFlight = Readonly<Partial<Record<keyof typeof MAX_IN_FLIGHT, number>>>;
type Kind = keyof InFlight;
const KINDS = Object.keys(MAX_IN_FLIGHT) as Kind[]; // Object.keys widens

interface Usage {
  /** What may still be sent at once, at a time. */
  left: number;
  at: number;
  readonly inFlight: Record<Kind, number>;
}

/** What is planned, drawn or read for one person at a time: each takes a while of the only thread, and many requests to the service. */
const AT_ONCE = 3;
/** Of the page: a view asks for a few things at once, and each may take many requests to the service. */
export const PAGE_IN_FLIGHT = { ...MAX_IN_FLIGHT, requests: 16 } as const;

/** What one person may ask of the server: nobody’s flood takes another’s place. */
export function createPersonLimits(now = (): number => performance.now(), max: Readonly<Record<Kind, number>> = MAX_IN_FLIGHT) {
  const usages = new Map<string, Usage>();
  const turns = new Map<string, ReturnType<typeof createSlots>>();
  const usageOf = (personId: string): Usage => {
    const usage = usages.get(personId) ?? { left: BURST, at: now(), inFlight: { requests: 0, bytes: 0, calls: 0, waits: 0, streams: 0 } };
    usages.set(personId, usage);
    return usage;
  };
  /** Counts requests. Returns after how many seconds to come again, where there were too many; then none is counted. */
  function take(personId: string, count = 1): number | undefined {
    const usage = usageOf(personId);
    const at = now();
    usage.left = Math.min(BURST, usage.left + ((at - usage.at) / 1_000) * PER_SECOND);
    usage.at = at;
    if (usage.left < count) return Math.max(1, Math.ceil((Math.min(count, BURST) - usage.left) / PER_SECOND));
    usage.left -= count;
    return undefined;
  }
  return {
    take,
    /** Likewise for what a body takes beyond its request. One that is as large as any may be is taken where little else came. */
    takeBytes: (personId: string, bytes: number): number | undefined =>
      take(personId, Math.min(Math.floor(bytes / BYTES_OF_REQUEST), BURST - 10)),
    /** Carries something out as the work of a person, of whose there is little at a time, in the order in which it came. */
    inTurn<T>(personId: string, act: () => Promise<T>): Promise<T> {
      const own = turns.get(personId) ?? createSlots(AT_ONCE);
      turns.set(personId, own);
      return own.run(0, () => asWorkOf(personId, act));
    },
    /** Counts something as in flight, and returns what ends that; undefined where too much is already. */
    begin(personId: string, added: InFlight): (() => void) | undefined {
      const { inFlight } = usageOf(personId);
      const sumOf = (kind: Kind): number => inFlight[kind] + (added[kind] ?? 0);
      if (KINDS.some((kind) => added[kind] && sumOf(kind) > max[kind])) return undefined;
      for (const kind of KINDS) inFlight[kind] = sumOf(kind);
      return () => {
        for (const kind of KINDS) inFlight[kind] -= added[kind] ?? 0;
      };
    },
  };
}

export type PersonLimits = ReturnType<typeof createPersonLimits>;
