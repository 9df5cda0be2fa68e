import { itemAt } from '../random.ts';
import type { DemoView } from '../records.ts';
import { createColumns, NO_CHANNEL, type ViewColumns } from './columns.ts';
import { DEFAULT_WRITING, type ViewWriting, writeView } from './record.ts';
import type { ViewSource } from './sources.ts';

/** Which views are asked for. Times are milliseconds since 1970, `from` included, `to` not; keys that are absent don't filter. */
export interface ViewQuery {
  from: number;
  to: number;
  videoKey?: string | undefined;
  channelKey?: string | undefined;
  projectKey?: string | undefined;
}

interface Origin {
  count: number;
  seed: number;
  now: number;
  accountKey: string;
  sources: readonly ViewSource[];
}

interface Added {
  time: number;
  record: Record<string, unknown>;
}

/** The view log: generated views, kept in columns and written out one by one, and views added later. */
export class DemoViews {
  readonly #origin: Origin;
  readonly #columns: ViewColumns;
  readonly #added: Added[] = [];
  readonly #selections = new Map<string, Uint32Array>();

  constructor(origin: Origin) {
    this.#origin = origin;
    this.#columns = createColumns(origin.count, origin.seed, origin.now, origin.sources);
  }

  get count(): number {
    return this.#columns.count + this.#added.length;
  }

  /** View number `index` as it is sent; generated ones come oldest first, then those added, in their order. */
  at(index: number, writing: ViewWriting = DEFAULT_WRITING): DemoView | Record<string, unknown> {
    if (index >= this.#columns.count) return itemAt(this.#added, index - this.#columns.count).record;
    const { seed, accountKey, sources } = this.#origin;
    return writeView({ columns: this.#columns, sources, seed, accountKey }, index, writing);
  }

  /** When view number `index` took place, in milliseconds since 1970. */
  timeAt(index: number): number {
    if (index < this.#columns.count) return itemAt(this.#columns.time, index);
    return itemAt(this.#added, index - this.#columns.count).time;
  }

  /** Every view's record, for tests to count over. */
  *each(): Generator<DemoView | Record<string, unknown>> {
    for (let index = 0; index < this.count; index += 1) yield this.at(index);
  }

  /** Adds a record that is sent exactly as given; `time` (milliseconds) decides where it is found. */
  add(record: Record<string, unknown>, time: number): void {
    this.#added.push({ time, record });
    this.#selections.clear();
  }

  /** Numbers of the views that fit, oldest first. */
  select(query: ViewQuery): Uint32Array {
    const cacheKey = JSON.stringify(query);
    const known = this.#selections.get(cacheKey);
    if (known !== undefined) return known;
    const found = this.#merge(this.#selectGenerated(query), this.#selectAdded(query));
    if (this.#selections.size >= 16) this.#selections.clear();
    this.#selections.set(cacheKey, found);
    return found;
  }

  #selectGenerated(query: ViewQuery): Uint32Array {
    const { time, source, channel, count } = this.#columns;
    const first = firstNotBefore(time, query.from);
    const end = firstNotBefore(time, query.to);
    const found = new Uint32Array(Math.max(0, end - first));
    const sources = this.#origin.sources;
    const passes = sources.map((entry) => fits(query.videoKey, entry.videoKey) && fits(query.projectKey, entry.projectKey));
    const everything = [query.videoKey, query.projectKey, query.channelKey].every((key) => key === undefined);
    let size = 0;
    for (let row = first; row < Math.min(end, count); row += 1) {
      if (everything || (passes[itemAt(source, row)] === true && this.#isInChannel(row, query.channelKey, source, channel)))
        found[size++] = row;
    }
    return found.subarray(0, size);
  }

  #isInChannel(row: number, wanted: string | undefined, source: Uint32Array, channel: Uint8Array): boolean {
    if (wanted === undefined) return true;
    const at = itemAt(channel, row);
    return at !== NO_CHANNEL && itemAt(this.#origin.sources, itemAt(source, row)).channelKeys[at] === wanted;
  }

  #selectAdded(query: ViewQuery): Uint32Array {
    const found = this.#added.flatMap(({ time, record }, index) => {
      const inSpan = time >= query.from && time < query.to;
      const isWanted = (['videoKey', 'channelKey', 'projectKey'] as const).every((name) => fits(query[name], record[name]));
      return inSpan && isWanted ? [index + this.#columns.count] : [];
    });
    return Uint32Array.from(found).sort((a, b) => this.timeAt(a) - this.timeAt(b) || a - b);
  }

  #merge(left: Uint32Array, right: Uint32Array): Uint32Array {
    if (right.length === 0) return left;
    const merged = new Uint32Array(left.length + right.length);
    let from = 0;
    let size = 0;
    for (const added of right) {
      const time = this.timeAt(added);
      while (from < left.length && this.timeAt(itemAt(left, from)) <= time) merged[size++] = itemAt(left, from++);
      merged[size++] = added;
    }
    merged.set(left.subarray(from), size);
    return merged;
  }
}

function fits(wanted: string | undefined, actual: unknown): boolean {
  return wanted === undefined || wanted === actual;
}

function firstNotBefore(times: Float64Array, wanted: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(times, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
