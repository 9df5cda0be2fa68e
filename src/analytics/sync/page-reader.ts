import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { RecordReader } from '../../service/json-pieces.ts';
import type { Span } from '../contract.ts';
import type { CheckedView, SetAside } from '../records.ts';
import { SECOND_MS } from '../store/spans.ts';

/** A page as far as it can be believed. */
export interface LogPage {
  readonly views: readonly (CheckedView | SetAside)[];
  /** How many records the service says there are; undefined where it doesn't. */
  readonly total: number | undefined;
  /** How many pages that makes. */
  readonly pages: number | undefined;
  /** How many records a page has that isn't the last. */
  readonly size: number;
}

/** Who asks. */
export interface Asking {
  /** Makes of a raw record what can be kept of it. */
  readonly check: RecordReader<CheckedView | SetAside>;
  readonly signal: AbortSignal;
}

/** Sizes that are asked for, one after the other, while the service refuses; none gives its own. */
const SIZES = [1_000, 500, 250, 100, 50, undefined, 20, 10, 5, 1] as const;

/** Asks for pages, and knows what the service was found to bear. */
export interface PageReader {
  /** Largest total that the service ever named: it may be a limit of its own on what it gives out. */
  readonly ceiling: number;
  /** Undefined where the service knows no such page, or refuses to go that deep. The first page is never refused in silence. */
  page(span: Span, page: number, asking: Asking): Promise<LogPage | undefined>;
  /** Takes credentials out of a text of a record. */
  readonly scrubbed: (text: string) => string;
}

export function createPageReader(viewLogs: Client['viewLogs']): PageReader {
  let at = 0;
  let ceiling = 0;

  async function ask(span: Span, page: number, size: number | undefined, { check, signal }: Asking): Promise<LogPage> {
    // A second more than needed: whether either bound is included isn't documented, and what comes twice is kept once.
    const to = secondText(span.toMs + SECOND_MS);
    const { pager, views } = await viewLogs.readPage({ from: secondText(span.fromMs), to, page, size }, check, signal);
    const total = count(pager.total);
    ceiling = Math.max(ceiling, total ?? 0);
    return { views, total, pages: count(pager.pages), size: count(pager.size) || size || views.length };
  }

  return {
    scrubbed: viewLogs.scrubbed,
    get ceiling() {
      return ceiling;
    },
    async page(span, page, asking) {
      for (;;) {
        const tried = at;
        try {
          return await ask(span, page, SIZES[tried], asking);
        } catch (error) {
          if (!isRefusal(error)) throw error;
          if (page > 1) return undefined;
          if (tried >= SIZES.length - 1) throw error;
          at = Math.max(at, tried + 1);
        }
      }
    },
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof VideoHostingError && (error.code === 'service_validation' || error.code === 'service_not_found');
}

function count(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** In the form that is documented, which has no offset: in which zone the service reads it isn't. */
const secondText = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
