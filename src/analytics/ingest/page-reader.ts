import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { Span } from '../contract.ts';
import { SECOND_MS } from '../spans.ts';
import type { CheckedView, SetAside } from './check-record.ts';

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
  readonly check: (record: unknown) => CheckedView | SetAside;
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
}

export function createPageReader(viewLogs: Client['viewLogs']): PageReader {
  /** Which of the sizes the service took; undefined before it took any. */
  let taken: number | undefined;
  let ceiling = 0;

  async function ask(span: Span, page: number, size: number | undefined, { check, signal }: Asking): Promise<LogPage> {
    // A second more than needed: whether either bound is included isn't documented, and what comes twice is kept once.
    const to = secondText(span.toMs + SECOND_MS);
    const { pager, views } = await viewLogs.page({ from: secondText(span.fromMs), to, page, size }, signal);
    const total = count(pager.total);
    ceiling = Math.max(ceiling, total ?? 0);
    return { views: views.map(check), total, pages: count(pager.pages), size: count(pager.size) || size || views.length };
  }

  return {
    get ceiling() {
      return ceiling;
    },
    async page(span, page, asking) {
      for (let tried = taken ?? 0; ; tried += 1) {
        try {
          const answer = await ask(span, page, SIZES[tried], asking);
          taken = Math.max(taken ?? 0, tried);
          return answer;
        } catch (error) {
          if (!isRefusal(error)) throw error;
          if (page > 1) return undefined;
          // A size that the service took before is not what it refuses now.
          if (tried === taken || tried >= SIZES.length - 1) throw error;
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
