import type { Span } from '../contract.ts';
import { DAY_MS } from '../spans.ts';
import type { CheckedView } from './check-record.ts';
import type { Asking, LogPage, PageReader } from './page-reader.ts';

/** A record that was set aside, where it stood and when it (or its neighbour) took place. */
export interface Misfit {
  readonly reason: string;
  readonly timeMs: number;
  readonly page: number;
  readonly index: number;
}

/** Where checked views go. */
export interface Sink {
  view(view: CheckedView): void;
  /** Called after every page. */
  packed(): void;
}

export interface Reading extends Asking {
  readonly reader: PageReader;
  readonly sink: Sink;
  /** Told how many records of a page are new. */
  readonly onPage: (records: number) => void;
}

/** How often more pages may come than the service said, before it counts as one that never ends. */
const MAX_EXTRA_PAGES = 50;
/** Totals may be off by as much while the log moves. */
const NOISE = 15;
/** No service limits what it gives out to so few. */
const TOO_FEW_FOR_LIMIT = 20;

/** What the service said of how many there are. */
interface Totals {
  min: number;
  max: number;
  absent: boolean;
}

/** One reading of a span, page by page, and what can be told from it. */
export class Attempt {
  readonly ids = new Set<string>();
  readonly misfits: Misfit[] = [];
  /** Views that earlier attempts lacked although they are older than what those had seen. */
  missed = 0;
  newestMs = Number.NEGATIVE_INFINITY;
  planned = 0;
  /** The first page that was refused. */
  refusedAt: number | undefined;
  readonly #totals: Totals = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, absent: false };
  #end: 'met' | 'never met' = 'met';
  #pages = 0;
  readonly #span: Span;
  readonly #reading: Reading;
  readonly #before: { ids: ReadonlySet<string>; newestMs: number } | undefined;

  constructor(span: Span, reading: Reading, before?: { ids: ReadonlySet<string>; newestMs: number }) {
    this.#span = span;
    this.#reading = reading;
    this.#before = before;
  }

  get records(): number {
    return this.ids.size + this.misfits.length;
  }

  get total(): number | undefined {
    return this.#totals.max >= 0 ? this.#totals.max : undefined;
  }

  /** The service named one total all the time. */
  get isSteady(): boolean {
    return !this.#totals.absent && this.#totals.min === this.#totals.max;
  }

  /** Nothing moved while it was read, and nothing is missing. */
  get isQuiet(): boolean {
    if (this.#end === 'never met') return false;
    if (this.#totals.max < 0) return this.#pages <= 1;
    return this.isSteady && this.records >= this.#totals.max;
  }

  /** The total may be as much as the service gives out, and not all there is. */
  get mayBeLimited(): boolean {
    const total = this.total ?? this.records;
    return total > TOO_FEW_FOR_LIMIT && total + NOISE >= this.#reading.reader.ceiling;
  }

  /** Takes the first page, from which it is known how many there are; of more than `most` only so many are read. */
  begin(first: LogPage, most = Number.POSITIVE_INFINITY): void {
    this.planned = Math.max(1, first.pages ?? Math.ceil((first.total ?? 0) / Math.max(1, first.size)));
    if (this.planned > most) {
      this.planned = most;
      this.#end = 'never met';
    }
    this.#take(1, first);
  }

  /** Reads the other pages, `width` at once, and goes on until there are no more. */
  async finish(first: LogPage, width: number): Promise<void> {
    let next = 2;
    let last = first;
    const work = async (): Promise<void> => {
      while (next <= this.planned && this.refusedAt === undefined) {
        const page = next;
        next += 1;
        const answer = await this.#ask(page);
        if (page === this.planned && answer !== undefined) last = answer;
      }
    };
    await Promise.all(Array.from({ length: Math.min(width, this.planned - 1) }, work));
    if (this.refusedAt !== undefined || this.#isSurelyLast(last, first.size)) return;
    await this.#readOn();
  }

  async #readOn(): Promise<void> {
    let repeats = 0;
    for (let page = this.planned + 1; page <= 2 * this.planned + MAX_EXTRA_PAGES; page += 1) {
      const before = this.records;
      const answer = await this.#ask(page);
      if (answer === undefined || answer.views.length === 0) return;
      // Past the end a service may give its last page for ever; but one page that repeats another is not yet the end.
      repeats = this.records === before ? repeats + 1 : 0;
      if (repeats > 1) return;
    }
    this.#end = 'never met';
  }

  /** Asking for one page more costs a request: it is spared where a short page ends what can't be a limit of the service's. */
  #isSurelyLast(last: LogPage, size: number): boolean {
    if (this.planned === 1 && last.views.length === 0) return true;
    return last.views.length < size && this.#totals.max >= 0 && !this.mayBeLimited;
  }

  async #ask(page: number): Promise<LogPage | undefined> {
    const answer = await this.#reading.reader.page(this.#span, page, this.#reading);
    if (answer === undefined) this.refusedAt = Math.min(page, this.refusedAt ?? page);
    else this.#take(page, answer);
    return answer;
  }

  #take(page: number, { views, total }: LogPage): void {
    if (total === undefined) this.#totals.absent = true;
    else {
      this.#totals.min = Math.min(this.#totals.min, total);
      this.#totals.max = Math.max(this.#totals.max, total);
    }
    if (views.length > 0) this.#pages += 1;
    const before = this.ids.size;
    this.#takeRecords(page, views);
    this.#reading.onPage(this.ids.size - before);
    this.#reading.sink.packed();
  }

  #takeRecords(page: number, views: LogPage['views']): void {
    const { sink } = this.#reading;
    const waiting: { reason: string; index: number }[] = [];
    let neighbourMs: number | undefined;
    let isRepeat = false;
    for (const [index, view] of views.entries()) {
      if ('reason' in view) {
        const timeMs = this.#ownTime(view.timeMs) ?? neighbourMs;
        // A record that can't be told from others came twice if the one before it did.
        if (isRepeat) continue;
        if (timeMs === undefined) waiting.push({ reason: view.reason, index });
        else this.misfits.push({ reason: view.reason, timeMs, page, index });
        continue;
      }
      const { id, timeMs } = view;
      isRepeat = !this.#note(id, timeMs);
      sink.view(view);
      neighbourMs = timeMs;
      if (!isRepeat) for (const misfit of waiting) this.misfits.push({ ...misfit, timeMs, page });
      waiting.length = 0;
    }
    for (const misfit of waiting) this.misfits.push({ ...misfit, timeMs: this.#span.fromMs, page });
  }

  /** The time that a malformed record names, if it can be true. */
  #ownTime(timeMs: number | undefined): number | undefined {
    if (timeMs === undefined) return undefined;
    return timeMs >= this.#span.fromMs - DAY_MS && timeMs < this.#span.toMs + DAY_MS ? timeMs : undefined;
  }

  /** False where it was seen in this attempt before. */
  #note(id: string, timeMs: number): boolean {
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    const before = this.#before;
    if (before !== undefined && !before.ids.has(id) && timeMs < before.newestMs) this.missed += 1;
    if (timeMs > this.newestMs) this.newestMs = timeMs;
    return true;
  }
}
