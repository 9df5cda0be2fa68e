/**
 * What is known of each id of a bulk change, kept small enough for a million of them. While a change runs, `jobs.ts` marks
 * it beside every line of the journal; read from a file, `change-record.ts` makes the same of those lines.
 */

/** What is known of each id of a bulk change. Places count from 0; `from` is included, `to` is not. */
export interface BulkState {
  readonly total: number;
  /** A request with it was about to be sent; what is being tried again stays so. */
  markSending(from: number, to: number): void;
  /** A request with it came back without telling what became of each, and parts of it are to be sent again. */
  markRetrying(from: number, to: number, reason?: string): void;
  /** What became of them is known, or that it can't be; replaces what was known before. */
  mark(from: number, to: number, outcome: Outcome, reason?: string): void;
  fateAt(at: number): Fate;
  /** Why, unless it is done. */
  reasonAt(at: number): string | undefined;
  /** How many ids have this fate; costs the same for a million as for ten. */
  count(fate: Fate): number;
  /** The ranges of neighbours for which something holds, in order. */
  ranges(wanted: (fate: Fate) => boolean): IdRange[];
}

/** What became of an id, or of an item of a change. */
export type Outcome = 'done' | 'failed' | 'unknown' | 'not_done';

/**
 * `sending`: its request was about to go out and nothing more is known; `retrying`: it went out, and is being tried again;
 * `none`: nothing was ever done about it.
 */
export type Fate = Outcome | 'sending' | 'retrying' | 'none';

/** Nothing of it ever went out. */
export const isNotSent = (fate: Fate): boolean => fate === 'none' || fate === 'not_done';

/** It may have been carried out. */
export const isPossiblyApplied = (fate: Fate): boolean => fate === 'sending' || fate === 'retrying' || fate === 'unknown';

/** The ids from one place in the list up to, not including, another. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

const CODES = ['none', 'sending', 'done', 'failed', 'unknown', 'not_done', 'retrying'] as const;

/** For a list of this many ids, of which nothing is known yet. Three bytes an id: its fate, and the number of its reason. */
export function createBulkState(total: number): BulkState {
  const codes = Buffer.alloc(total);
  const reasonIndexes = new Uint16Array(total);
  const reasons: string[] = [];
  const numbers = new Map<string, number>();
  const codeAt = (at: number) => CODES[codes[at] ?? 0] ?? 'none';
  // Ids of each code, kept as they change: they are asked for after every batch.
  const counts = new Float64Array(CODES.length);
  counts[0] = total;

  function add(code: number | undefined, ids: number): void {
    if (code !== undefined) counts[code] = (counts[code] ?? 0) + ids;
  }

  function setCode(from: number, to: number, code: number): void {
    const marked = codes.subarray(from, to);
    if (isUniform(marked)) add(marked[0], -marked.length);
    else for (const old of marked) add(old, -1);
    add(code, marked.fill(code).length);
  }

  function indexOfReason(reason: string | undefined): number {
    if (reason === undefined) return 0;
    const known = numbers.get(reason);
    if (known !== undefined) return known;
    // Should a service make more of them than there are numbers, the last stands for the rest.
    if (reasons.length >= MAX_REASONS) return MAX_REASONS;
    const number = reasons.push(reason);
    numbers.set(reason, number);
    return number;
  }

  return {
    total,
    markSending(from, to) {
      // Parts of a batch are all tried again or none is.
      if (codeAt(from) !== 'retrying') setCode(from, to, CODES.indexOf('sending'));
    },
    markRetrying(from, to, reason) {
      setCode(from, to, CODES.indexOf('retrying'));
      reasonIndexes.fill(indexOfReason(reason), from, to);
    },
    mark(from, to, outcome, reason) {
      setCode(from, to, CODES.indexOf(outcome));
      reasonIndexes.fill(indexOfReason(reason), from, to);
    },
    fateAt: codeAt,
    reasonAt: (at) => reasons[(reasonIndexes[at] ?? 0) - 1],
    count: (fate) => counts[CODES.indexOf(fate)] ?? 0,
    ranges(wanted) {
      const isWanted = CODES.map(wanted);
      const holding = counts.filter((_, code) => isWanted[code]).reduce((sum, ids) => sum + ids, 0);
      if (holding === 0) return [];
      if (holding === total) return [{ from: 0, to: total }];
      const found: IdRange[] = [];
      let from: number | undefined;
      for (let at = 0; at <= total; at += 1) {
        const holds = at < total && isWanted[codes[at] ?? 0] === true;
        if (holds) from ??= at;
        else if (from !== undefined) {
          found.push({ from, to: at });
          from = undefined;
        }
      }
      return found;
    },
  };
}

/** Different reasons of one change, which may each name an id or a request: as many as two bytes number. */
const MAX_REASONS = 65_535;

/** Whether all bytes are the same, as those of a batch nearly always are: compared with its like one byte further, all at once. */
function isUniform(bytes: Buffer): boolean {
  return bytes.subarray(1).equals(bytes.subarray(0, -1));
}
