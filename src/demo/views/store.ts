import { Behaviour } from '../behaviour.ts';
import { itemAt, lowerBound } from '../random.ts';
import type { DemoView } from '../records.ts';
import { createColumns, NO_CHANNEL } from './columns.ts';
import { type Generated, type ViewFormat, writeView } from './record.ts';

/** The views that a request asks for. Times are milliseconds since 1970, `from` included, `to` not; keys that are absent don't filter. */
export interface ViewSelection {
  from: number;
  to: number;
  videoKey?: string | undefined;
  channelKey?: string | undefined;
  projectKey?: string | undefined;
}

interface Added {
  time: number;
  record: Record<string, unknown>;
}

const FORMAT: ViewFormat = new Behaviour();
const MAX_SELECTIONS = 16;

/** The view log: generated views, kept in columns and written out one by one, and views added later. */
export class DemoViews {
  readonly #generated: Generated;
  readonly #added: Added[] = [];
  /** The pages of a span are asked for one after the other, so the last selections are kept. */
  readonly #selections = new Map<string, Uint32Array>();

  constructor({ count, now, ...origin }: Omit<Generated, 'columns'> & { count: number; now: number }) {
    this.#generated = { ...origin, columns: createColumns(count, origin.seed, now, origin.sources) };
  }

  get count(): number {
    return this.#generatedCount + this.#added.length;
  }

  get #generatedCount(): number {
    return this.#generated.columns.count;
  }

  /** View number `index` as it is sent; generated ones come oldest first, then those added, in their order. */
  at(index: number, format = FORMAT): DemoView | Record<string, unknown> {
    return this.#addedAt(index)?.record ?? writeView(this.#generated, index, format);
  }

  /** When view number `index` took place, in milliseconds since 1970. */
  timeAt(index: number): number {
    return this.#addedAt(index)?.time ?? itemAt(this.#generated.columns.time, index);
  }

  #addedAt(index: number): Added | undefined {
    return index < this.#generatedCount ? undefined : itemAt(this.#added, index - this.#generatedCount);
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

  /** Numbers of the views that match, oldest first. */
  select(query: ViewSelection): Uint32Array {
    const cacheKey = JSON.stringify(query);
    const known = this.#selections.get(cacheKey);
    if (known !== undefined) return known;
    const generated = this.#selectGenerated(query);
    const added = this.#selectAdded(query);
    const byTime = (a: number, b: number): number => this.timeAt(a) - this.timeAt(b) || a - b;
    const selected = added.length === 0 ? generated : Uint32Array.from([...generated, ...added].sort(byTime));
    if (this.#selections.size >= MAX_SELECTIONS) this.#selections.clear();
    this.#selections.set(cacheKey, selected);
    return selected;
  }

  #selectGenerated({ from, to, videoKey, projectKey, channelKey }: ViewSelection): Uint32Array {
    const { columns, sources } = this.#generated;
    const first = lowerBound(columns.time, from);
    const rows = new Uint32Array(Math.max(0, lowerBound(columns.time, to) - first)).map((_, index) => first + index);
    if (videoKey === undefined && projectKey === undefined && channelKey === undefined) return rows;
    const passes = sources.map((source) => isWanted(videoKey, source.videoKey) && isWanted(projectKey, source.projectKey));
    return rows.filter((row) => {
      const source = itemAt(columns.source, row);
      const channel = itemAt(columns.channel, row);
      const key = channel === NO_CHANNEL ? undefined : itemAt(sources, source).channelKeys[channel];
      return passes[source] === true && isWanted(channelKey, key);
    });
  }

  #selectAdded(query: ViewSelection): number[] {
    return this.#added.flatMap(({ time, record }, index) => {
      if (time < query.from || time >= query.to) return [];
      const matches = (['videoKey', 'channelKey', 'projectKey'] as const).every((name) => isWanted(query[name], record[name]));
      return matches ? [index + this.#generatedCount] : [];
    });
  }
}

function isWanted(wanted: string | undefined, actual: unknown): boolean {
  return wanted === undefined || wanted === actual;
}
