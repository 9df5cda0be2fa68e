import type { Sentence } from '../../text/sentence.ts';
import type { OfMany } from '../plan/traits/kind-traits.ts';

/** What is known of each id of a bulk change. `jobs.ts` updates it as the change runs; `change-record.ts` rebuilds it from the journal. */

/** An index counts from 0; of a range `from` is included, `to` is not. */
export interface BulkState {
  readonly total: number;
  /** What is done to each of them. */
  readonly does: OfMany;
  /** A request with these ids is about to be sent; `retrying` ids stay `retrying`. */
  markSending(from: number, to: number): void;
  /** Sets the outcome, in place of whatever was known; `retrying` where the answer told no outcome of each, and parts are sent again. */
  mark(from: number, to: number, outcome: Outcome | 'retrying', reason?: Sentence): void;
  statusAt(index: number): IdStatus;
  reasonAt(index: number): Sentence | undefined;
  /** The number of the request that an id went out with, from 1, where nothing is sent again in parts; absent where a lost line told of it. */
  requestAt(index: number): number | undefined;
  /** Number of ids with this status, in constant time. */
  count(status: IdStatus): number;
  countIf(isWanted: (status: IdStatus, index: number) => boolean): number;
  /** The ranges of neighbours that are wanted, in order. */
  ranges(isWanted: (status: IdStatus, index: number) => boolean): IdRange[];
}

/** What became of an id, or of an item of a change. */
export type Outcome = 'done' | 'failed' | 'unknown' | 'not_done';

/** `sending`: its request was about to be sent, and no answer is recorded. `none`: it was in no request. */
export type IdStatus = Outcome | 'sending' | 'retrying' | 'none';

/** Nothing of it was sent. */
export const isNotSent = (status: IdStatus): boolean => status === 'none' || status === 'not_done';

/** It may have been carried out. */
export const isPossiblyApplied = (status: IdStatus): boolean => status === 'sending' || status === 'retrying' || status === 'unknown';

/** Ids from one index up to, not including, another. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

const STATUSES = ['none', 'sending', 'done', 'failed', 'unknown', 'not_done', 'retrying'] as const;

/** For a list of this many ids. Takes a byte an id, four more where requests count, and eight once one has a reason. */
export function createBulkState(total: number, does: BulkState['does']): BulkState {
  // One byte each: an index of STATUSES.
  const codes = new Uint8Array(total);
  let reasons: (Sentence | undefined)[] | undefined;
  // The first index of the request that each went out with, counted from 1.
  const requests = does.isRepeatable ? undefined : new Uint32Array(total);
  let numbers: Uint32Array | undefined;
  const counts = STATUSES.map((_, code) => (code === 0 ? total : 0));
  const statusAt = (index: number) => STATUSES[codes[index] ?? 0] ?? 'none';

  function set(from: number, to: number, status: IdStatus): void {
    const marked = codes.subarray(from, to);
    const code = STATUSES.indexOf(status);
    for (const old of marked) counts[old] = (counts[old] ?? 0) - 1;
    counts[code] = (counts[code] ?? 0) + marked.length;
    marked.fill(code);
  }

  function ranges(isWanted: Parameters<BulkState['ranges']>[0]) {
    const found: { from: number; to: number }[] = [];
    for (let index = 0; index < total; index += 1) {
      if (!isWanted(statusAt(index), index)) continue;
      const last = found.at(-1);
      if (last?.to === index) last.to += 1;
      else found.push({ from: index, to: index + 1 });
    }
    return found;
  }

  return {
    total,
    does,
    markSending(from, to) {
      requests?.fill(from + 1, from, to);
      numbers = undefined;
      // Parts of a batch are all `retrying` or none is.
      if (statusAt(from) !== 'retrying') set(from, to, 'sending');
    },
    mark(from, to, outcome, reason) {
      set(from, to, outcome);
      // Mostly everything is done, and nothing has a reason.
      if (reason !== undefined) reasons ??= new Array<Sentence | undefined>(total);
      reasons?.fill(reason, from, to);
    },
    statusAt,
    reasonAt: (index) => reasons?.[index],
    requestAt(index) {
      numbers ??= requests && numbered(requests);
      return numbers?.[index] || undefined;
    },
    count: (status) => counts[STATUSES.indexOf(status)] ?? 0,
    countIf: (isWanted) => ranges(isWanted).reduce((sum, { from, to }) => sum + to - from, 0),
    ranges,
  };
}

/** Numbers requests in the order of their ids, which is the same whichever of several in flight was recorded first. */
function numbered(firsts: Uint32Array): Uint32Array {
  let [number, last] = [0, 0];
  return firsts.map((first) => {
    if (first !== 0 && first !== last) [number, last] = [number + 1, first];
    return first === 0 ? 0 : number;
  });
}

/** The requests in which what is not known went out, in their order, each with how many of it; without what has no number. */
export function doubtfulRequests(bulk: BulkState): readonly { readonly request: number; readonly count: number }[] {
  const counts = new Map<number, number>();
  for (const { from, to } of bulk.ranges((status) => status === 'unknown'))
    for (let index = from; index < to; index += 1) {
      const request = bulk.requestAt(index);
      if (request !== undefined) counts.set(request, (counts.get(request) ?? 0) + 1);
    }
  return [...counts].map(([request, count]) => ({ request, count }));
}

/** `left`: of a running change those to go, of one that is over those not sent. */
export function bulkCounts(bulk: BulkState) {
  const [done, failed, unknown] = [bulk.count('done'), bulk.count('failed'), bulk.count('unknown')];
  return { done, failed, unknown, left: bulk.total - done - failed - unknown };
}
