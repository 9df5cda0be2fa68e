import { DAY_MS, SECOND_MS } from '../../platform/time-units.ts';
import type { Span } from '../contract.ts';
import { type Buckets, MARGIN_MS, type MalformedRecord } from './buckets.ts';
import type { CheckedView } from './check-record.ts';
import type { LogPage, PageReader, RecordSource } from './page-reader.ts';

export interface Reading extends RecordSource {
  readonly reader: PageReader;
  readonly buckets: Buckets;
  readonly onPage: (records: number) => void;
}

/** A log that has this many more pages than announced counts as endless. */
const MAX_EXTRA_PAGES = 50;
/** While the log changes, a total may differ by this much. */
const TOTAL_TOLERANCE = 15;
/** A service's limit on the records of a span is larger than this. */
const LEAST_LIMIT = 20;

type KnownViews = Pick<ReadPass, 'ids' | 'newestMs'>;

/** Reads a span page by page, and judges whether all of it was returned. */
export class ReadPass {
  /** Id and time of each view: where two records have one id, both count. */
  readonly ids = new Set<string>();
  readonly malformed: MalformedRecord[] = [];
  /** Views with a date far from the span, which are stored nowhere. */
  outside = 0;
  /** Views that earlier passes lacked although they are older than the newest view known then. */
  missed = 0;
  newestMs = Number.NEGATIVE_INFINITY;
  /** The date of the first view that the service sent for the span. */
  earliestMs = Number.POSITIVE_INFINITY;
  plannedPages = 0;
  refusedPage: number | undefined;
  /** The first page that should hold records by the total, and brought none. */
  idlePage: number | undefined;
  readonly #totals = new Set<number | undefined>();
  isCutOff: boolean = false;
  #filledPages = 0;
  readonly #span: Span;
  readonly #reading: Reading;
  /** The last planned page has as many records as fit on it. */
  #endsFull: boolean = false;
  readonly #known: KnownViews | undefined;

  constructor(span: Span, reading: Reading, known?: KnownViews) {
    this.#span = span;
    this.#reading = reading;
    this.#known = known;
  }

  get records(): number {
    return this.ids.size + this.malformed.length;
  }

  get total(): number | undefined {
    const totals = [...this.#totals].filter((total) => total !== undefined);
    return totals.length === 0 ? undefined : Math.max(...totals);
  }

  get isSteady(): boolean {
    return this.#totals.size === 1 && this.total !== undefined;
  }

  get isComplete(): boolean {
    if (this.isCutOff) return false;
    if (this.total === undefined) return this.#filledPages <= 1;
    return this.isSteady && this.records >= this.total;
  }

  /** Whether the total may be the service's limit on what it returns. */
  get mayBeLimited(): boolean {
    const total = this.total ?? this.records;
    return total > LEAST_LIMIT && total + TOTAL_TOLERANCE >= this.#reading.reader.greatestTotal;
  }

  /** Whether the total looks like a limit rather than a count: a round number, or whole pages. */
  get looksLimited(): boolean {
    const total = this.total ?? 0;
    return this.mayBeLimited && (this.#endsFull || total % 100 === 0 || total % 100 === 99);
  }

  begin(first: LogPage, maxPages = Number.POSITIVE_INFINITY): void {
    const pages = Math.max(1, first.pages ?? Math.ceil((first.total ?? 0) / Math.max(1, first.size)));
    this.isCutOff = pages > maxPages;
    this.plannedPages = Math.min(pages, maxPages);
    this.#endsFull = this.plannedPages === 1 && first.views.length > 0 && first.views.length === first.size;
    this.#take(first);
  }

  async finish(first: LogPage, concurrency: number): Promise<void> {
    let next = 2;
    let last = first;
    const work = async (): Promise<void> => {
      while (next <= this.plannedPages && this.refusedPage === undefined) {
        const number = next;
        next += 1;
        const page = await this.#read(number);
        if (number === this.plannedPages && page !== undefined) {
          last = page;
          this.#endsFull = page.views.length > 0 && page.views.length === first.size;
        }
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
      // Past the end, a service may repeat its last page; a single repeated page is not yet the end.
      repeats = this.records === before ? repeats + 1 : 0;
      if (repeats > 1) return;
    }
    this.isCutOff = true;
  }

  /** Whether no further page has to be requested: this one is short, and not because of a limit of the service. */
  #isCertainlyLast(last: LogPage, size: number): boolean {
    if (this.plannedPages === 1 && last.views.length === 0) return true;
    return last.views.length < size && this.total !== undefined && !this.mayBeLimited;
  }

  async #read(number: number): Promise<LogPage | undefined> {
    const page = await this.#reading.reader.page(this.#span, number, this.#reading);
    const before = this.records;
    if (page === undefined) this.refusedPage = Math.min(number, this.refusedPage ?? number);
    else this.#take(page);
    if (page !== undefined && this.records === before && number <= this.plannedPages)
      this.idlePage = Math.min(number, this.idlePage ?? number);
    return page;
  }

  #take({ views, total }: LogPage): void {
    this.#totals.add(total);
    if (views.length > 0) this.#filledPages += 1;
    const before = this.ids.size;
    this.#takeRecords(views);
    this.#reading.onPage(this.ids.size - before);
  }

  #takeRecords(records: LogPage['views']): void {
    const views = records.filter((record) => 'line' in record);
    const [first] = views;
    let neighbourMs = first?.timeMs ?? this.#span.fromMs;
    let isRepeat = first !== undefined && this.ids.has(identityOf(first));
    for (const record of records) {
      if ('line' in record) {
        isRepeat = !this.#add(record);
        neighbourMs = record.timeMs;
        // A malformed record has no id: after a repeated view, it counts as repeated too.
      } else if (!isRepeat) this.malformed.push({ reason: record.reason, timeMs: this.#plausible(record.timeMs) ?? neighbourMs });
    }
    this.#reading.buckets.addPage(views);
  }

  #isOutside(timeMs: number): boolean {
    const { fromMs, toMs } = this.#span;
    return (timeMs < fromMs - MARGIN_MS || timeMs >= toMs + SECOND_MS + MARGIN_MS) && !this.#reading.buckets.has(timeMs);
  }

  #plausible(timeMs: number | undefined): number | undefined {
    const { fromMs, toMs } = this.#span;
    return timeMs !== undefined && timeMs >= fromMs - DAY_MS && timeMs < toMs + DAY_MS ? timeMs : undefined;
  }

  #add(view: CheckedView): boolean {
    const { timeMs } = view;
    const id = identityOf(view);
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    if (this.#isOutside(timeMs)) this.outside += 1;
    if (timeMs >= this.#span.fromMs - MARGIN_MS) this.earliestMs = Math.min(this.earliestMs, timeMs);
    const known = this.#known;
    if (known !== undefined && !known.ids.has(id) && timeMs < known.newestMs) this.missed += 1;
    this.newestMs = Math.max(this.newestMs, timeMs);
    return true;
  }
}

const identityOf = ({ id, timeMs }: CheckedView): string => `${timeMs} ${id}`;
