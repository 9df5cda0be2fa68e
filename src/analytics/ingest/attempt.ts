import type { Span } from '../contract.ts';
import { DAY_MS } from '../spans.ts';
import type { Buckets, MalformedRecord } from './buckets.ts';
import type { CheckedView } from './check-record.ts';
import type { LogPage, PageReader, RecordSource } from './page-reader.ts';

/** What a reading of the log needs. */
export interface Reading extends RecordSource {
  readonly reader: PageReader;
  readonly buckets: Buckets;
  /** Called with the number of new records of each page. */
  readonly onPage: (records: number) => void;
}

/** How many more pages than announced may come before the log counts as endless. */
const MAX_EXTRA_PAGES = 50;
/** Totals may be off by as much while the log moves. */
const TOTAL_TOLERANCE = 15;
/** No service limits what it returns of a span to so few. */
const LEAST_LIMIT = 20;

/** Views that earlier attempts at the same span returned. */
export interface KnownViews {
  readonly ids: ReadonlySet<string>;
  readonly newestMs: number;
}

/** One reading of a span, page by page, and what can be concluded from it. */
export class Attempt {
  readonly ids = new Set<string>();
  readonly malformed: MalformedRecord[] = [];
  /** Views that earlier attempts lacked although they are older than the newest one known then. */
  missed = 0;
  newestMs = Number.NEGATIVE_INFINITY;
  plannedPages = 0;
  /** The first page that the service refused. */
  refusedPage: number | undefined;
  readonly #totals: { min: number; max: number; isAbsent: boolean } = {
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    isAbsent: false,
  };
  #end: 'reached' | 'not reached' = 'reached';
  #filledPages = 0;
  readonly #span: Span;
  readonly #reading: Reading;
  readonly #known: KnownViews | undefined;

  constructor(span: Span, reading: Reading, known?: KnownViews) {
    this.#span = span;
    this.#reading = reading;
    this.#known = known;
  }

  get records(): number {
    return this.ids.size + this.malformed.length;
  }

  /** The greatest total that the service stated. */
  get total(): number | undefined {
    return this.#totals.max >= 0 ? this.#totals.max : undefined;
  }

  /** Whether every page stated the same total. */
  get isSteady(): boolean {
    return !this.#totals.isAbsent && this.#totals.min === this.#totals.max;
  }

  /** Whether nothing changed while it was read, and nothing is missing. */
  get isComplete(): boolean {
    if (this.#end === 'not reached') return false;
    if (this.total === undefined) return this.#filledPages <= 1;
    return this.isSteady && this.records >= this.total;
  }

  /** Whether the total may be a limit of the service on what it returns, and not all there is. */
  get mayBeLimited(): boolean {
    const total = this.total ?? this.records;
    return total > LEAST_LIMIT && total + TOTAL_TOLERANCE >= this.#reading.reader.greatestTotal;
  }

  /** Takes the first page, which says how many pages there are, and plans to read at most `maxPages`. */
  begin(first: LogPage, maxPages = Number.POSITIVE_INFINITY): void {
    const pages = Math.max(1, first.pages ?? Math.ceil((first.total ?? 0) / Math.max(1, first.size)));
    if (pages > maxPages) this.#end = 'not reached';
    this.plannedPages = Math.min(pages, maxPages);
    this.#take(first);
  }

  /** Reads the other pages, `concurrency` at once, and then on until there are no more. */
  async finish(first: LogPage, concurrency: number): Promise<void> {
    let next = 2;
    let last = first;
    const work = async (): Promise<void> => {
      while (next <= this.plannedPages && this.refusedPage === undefined) {
        const number = next;
        next += 1;
        const page = await this.#read(number);
        if (number === this.plannedPages && page !== undefined) last = page;
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, this.plannedPages - 1) }, work));
    if (this.refusedPage === undefined && !this.#isCertainlyLast(last, first.size)) await this.#readOn();
  }

  async #readOn(): Promise<void> {
    let repeats = 0;
    for (let number = this.plannedPages + 1; number <= 2 * this.plannedPages + MAX_EXTRA_PAGES; number += 1) {
      const before = this.records;
      const page = await this.#read(number);
      if (page === undefined || page.views.length === 0) return;
      // Past the end, a service may return its last page again and again; one page that repeats another is not yet the end.
      repeats = this.records === before ? repeats + 1 : 0;
      if (repeats > 1) return;
    }
    this.#end = 'not reached';
  }

  /** Whether the request for one more page can be saved: the page is short, and not because of a limit of the service. */
  #isCertainlyLast(last: LogPage, size: number): boolean {
    if (this.plannedPages === 1 && last.views.length === 0) return true;
    return last.views.length < size && this.total !== undefined && !this.mayBeLimited;
  }

  async #read(number: number): Promise<LogPage | undefined> {
    const page = await this.#reading.reader.page(this.#span, number, this.#reading);
    if (page === undefined) this.refusedPage = Math.min(number, this.refusedPage ?? number);
    else this.#take(page);
    return page;
  }

  #take({ views, total }: LogPage): void {
    if (total === undefined) this.#totals.isAbsent = true;
    else {
      this.#totals.min = Math.min(this.#totals.min, total);
      this.#totals.max = Math.max(this.#totals.max, total);
    }
    if (views.length > 0) this.#filledPages += 1;
    const before = this.ids.size;
    this.#takeRecords(views);
    this.#reading.onPage(this.ids.size - before);
  }

  #takeRecords(records: LogPage['views']): void {
    const views: CheckedView[] = [];
    /** Malformed records without a time, which get that of the next view. */
    let undated: string[] = [];
    let neighbourMs: number | undefined;
    let isRepeat = false;
    for (const record of records) {
      if ('line' in record) {
        isRepeat = !this.#add(record);
        views.push(record);
        neighbourMs = record.timeMs;
        if (!isRepeat) for (const reason of undated) this.malformed.push({ reason, timeMs: neighbourMs });
        undated = [];
        // A malformed record has no id to be recognised by: after a view that was read before, it was read before as well.
      } else if (!isRepeat) {
        const timeMs = this.#plausible(record.timeMs) ?? neighbourMs;
        if (timeMs === undefined) undated.push(record.reason);
        else this.malformed.push({ reason: record.reason, timeMs });
      }
    }
    for (const reason of undated) this.malformed.push({ reason, timeMs: this.#span.fromMs });
    this.#reading.buckets.addPage(views);
  }

  /** The time of a malformed record, where it is near the span. */
  #plausible(timeMs: number | undefined): number | undefined {
    const { fromMs, toMs } = this.#span;
    return timeMs !== undefined && timeMs >= fromMs - DAY_MS && timeMs < toMs + DAY_MS ? timeMs : undefined;
  }

  /** False where this attempt had the view already. */
  #add({ id, timeMs }: CheckedView): boolean {
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    const known = this.#known;
    if (known !== undefined && !known.ids.has(id) && timeMs < known.newestMs) this.missed += 1;
    this.newestMs = Math.max(this.newestMs, timeMs);
    return true;
  }
}
