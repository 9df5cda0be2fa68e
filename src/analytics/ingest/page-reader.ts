import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { Span } from '../contract.ts';
import { SECOND_MS } from '../spans.ts';
import type { CheckedView, SetAside } from './check-record.ts';

/** A page of the view log. What the service states of it is undefined where it is no count. */
export interface LogPage {
  readonly views: readonly (CheckedView | SetAside)[];
  /** How many records the service says there are. */
  readonly total: number | undefined;
  /** How many pages that makes. */
  readonly pages: number | undefined;
  /** How many records a page has that isn't the last. */
  readonly size: number;
}

export interface RecordSource {
  readonly check: (record: unknown) => CheckedView | SetAside;
  readonly signal: AbortSignal;
}

/** The page sizes to try until the service accepts one; undefined leaves the size to the service. */
const SIZES = [1_000, 500, 250, 100, 50, undefined, 20, 10, 5, 1] as const;

/** Requests pages of the view log, and remembers which page size the service accepts. */
export interface PageReader {
  /** The greatest total that the service ever stated: it may be its limit on what it returns. */
  readonly greatestTotal: number;
  /** Undefined where the service refuses the page, unless it is the first: then the refusal is thrown. */
  page(span: Span, number: number, source: RecordSource): Promise<LogPage | undefined>;
}

export function createPageReader(viewLogs: Client['viewLogs']): PageReader {
  /** Index of the size that the service accepted; undefined before it accepted any. */
  let accepted: number | undefined;
  let greatestTotal = 0;

  async function request(span: Span, page: number, size: number | undefined, { check, signal }: RecordSource): Promise<LogPage> {
    // A second more than needed: it isn't documented whether the bounds are included. What is read twice is stored once.
    const to = secondText(span.toMs + SECOND_MS);
    const { pager, views } = await viewLogs.page({ from: secondText(span.fromMs), to, page, size }, signal);
    const total = count(pager.total);
    greatestTotal = Math.max(greatestTotal, total ?? 0);
    return { views: views.map(check), total, pages: count(pager.pages), size: count(pager.size) || size || views.length };
  }

  return {
    get greatestTotal() {
      return greatestTotal;
    },
    async page(span, number, source) {
      for (let index = accepted ?? 0; ; index += 1) {
        try {
          const page = await request(span, number, SIZES[index], source);
          accepted = Math.max(accepted ?? 0, index);
          return page;
        } catch (error) {
          if (!isRefusal(error)) throw error;
          if (number > 1) return undefined;
          // Where the service accepted the size before, it is something else that it refuses now.
          if (index === accepted || index >= SIZES.length - 1) throw error;
        }
      }
    },
  };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof VideoHostingError && (error.code === 'service_validation' || error.code === 'service_not_found');

function count(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** In the documented format, which has no offset. In which zone the service reads it is not documented. */
const secondText = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
