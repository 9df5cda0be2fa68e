import { VideoHostingError } from '../../errors.ts';
import { SECOND_MS } from '../../platform/time-units.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Span } from '../contract.ts';
import type { CheckedView, RejectedRecord } from './check-record.ts';

/** A page of the view log. Counts that the service states are undefined if they are not valid. */
export interface LogPage {
  readonly views: readonly (CheckedView | RejectedRecord)[];
  readonly total: number | undefined;
  readonly pages: number | undefined;
  readonly size: number;
  /** When it was requested, by the service’s clock where it tells the time. */
  readonly requestedMs: number;
}

export interface RecordSource {
  readonly check: (record: unknown) => CheckedView | RejectedRecord;
  readonly signal: AbortSignal;
}

/** Page sizes to try until the service accepts one; undefined leaves the size to the service. */
const SIZES = [1_000, 500, 250, 100, 50, undefined, 20, 10, 5, 1] as const;

/** Requests pages of the view log, and remembers which page size the service accepts. */
export interface PageReader {
  /** The greatest total that the service ever stated, which may be its limit on what it returns. */
  readonly greatestTotal: number;
  /** Undefined if the service refuses the page. The refusal of a first page is thrown. */
  page(span: Span, number: number, source: RecordSource): Promise<LogPage | undefined>;
  /** The service’s time, or `clock` until the service told it. Several machines may share the stored views. */
  serviceTime(): number;
}

export function createPageReader(viewLogs: ServiceClient['viewLogs'], clock: () => number): PageReader {
  const aheadMs = (): number => viewLogs.clockAheadMs() ?? 0;
  let accepted: number | undefined;
  let greatestTotal = 0;

  async function request(span: Span, page: number, size: number | undefined, { check, signal }: RecordSource): Promise<LogPage> {
    // One second more, because it isn't documented whether the bounds are included. A view that is read twice is stored once.
    const to = secondText(span.toMs + SECOND_MS);
    const beganMs = clock();
    const { pager, views } = await viewLogs.page({ from: secondText(span.fromMs), to, page, size }, signal);
    const pages = count(pager.pages);
    const pageSize = count(pager.size) || size || views.length;
    const total = matchesOf({ hits: count(pager.hits), total: count(pager.total), pages, size: pageSize });
    greatestTotal = Math.max(greatestTotal, total ?? 0);
    return {
      views: views.map(check),
      total,
      pages,
      size: pageSize,
      requestedMs: beganMs + aheadMs(),
    };
  }

  return {
    get greatestTotal() {
      return greatestTotal;
    },
    serviceTime: () => clock() + aheadMs(),
    async page(span, number, source) {
      for (let index = accepted ?? 0; ; index += 1) {
        try {
          const page = await request(span, number, SIZES[index], source);
          accepted = Math.max(accepted ?? 0, index);
          return page;
        } catch (error) {
          if (!isRefusal(error)) throw error;
          if (number > 1) return undefined;
          // If the service accepted the size before, it refuses something else now.
          if (index === accepted || index >= SIZES.length - 1) throw error;
        }
      }
    },
  };
}

/**
 * How many records match. The document gives no meaning of `hits` and `total`: where there are more in total than fit on the pages,
 * and the hits fill just these pages, the hits are the matches.
 */
function matchesOf({ hits, total, pages, size }: Record<'hits' | 'total' | 'pages', number | undefined> & { readonly size: number }) {
  if (hits === undefined || total === undefined || pages === undefined || size === 0) return total;
  return total > pages * size && Math.ceil(hits / size) === pages ? hits : total;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof VideoHostingError && (error.code === 'service_validation' || error.code === 'service_not_found');

function count(value: number | undefined): number | undefined {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The documented format has no offset; its time zone is not documented. */
const secondText = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
