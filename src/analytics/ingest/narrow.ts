import type { ErrorCode } from '../../errors/codes.ts';
import { VideoHostingError } from '../../errors.ts';
import { DAY_MS } from '../../platform/time-units.ts';
import type { Span } from '../contract.ts';

/** After this many failures in a row the service counts as down. */
const MAX_FAILURES_IN_A_ROW = 16;
/** A span is halved this often although both halves before failed; one that is refused, which may be too long, down to days. */
const MAX_FRUITLESS_HALVINGS = 3;
const SPAN_FAILURES: readonly ErrorCode[] = [
  'service_failed',
  'service_validation',
  'service_not_found',
  'unexpected_status',
  'unexpected_body',
  'response_too_large',
  'timed_out',
];

/** The failures of a scan. A failure of one span lets the scan continue, any other stops it. */
export function createFailures() {
  const stop = new AbortController();
  let inARow = 0;
  let last: unknown;
  let fatal: { readonly error: unknown } | undefined;
  return {
    signal: stop.signal,
    stop: () => stop.abort(),
    /** Whether the service refused the last span that failed, as it does where a span is longer than it allows. */
    isRefused: () => last instanceof VideoHostingError && last.code === 'service_validation',
    succeeded(): void {
      inARow = 0;
    },
    isOfSpan(error: unknown): boolean {
      inARow += 1;
      last = error;
      const isOfSpan = error instanceof VideoHostingError && SPAN_FAILURES.includes(error.code) && inARow < MAX_FAILURES_IN_A_ROW;
      if (!isOfSpan) {
        fatal ??= { error };
        stop.abort();
      }
      return isOfSpan;
    },
    throwIfAny(hasUnread: boolean): void {
      if (fatal !== undefined) throw fatal.error;
      if (hasUnread) throw last;
    },
  };
}

/**
 * Reads what can be read of a span on which the service failed: its halves, newest first, and the halves of those that fail,
 * down to days. Returns the unread spans. `read` returns false if the service failed.
 */
export async function readHalves(
  span: Span,
  read: (half: Span) => Promise<boolean>,
  failures: Pick<ReturnType<typeof createFailures>, 'isRefused'>,
  signal: AbortSignal,
  fruitless = 0,
): Promise<readonly Span[]> {
  if ((fruitless >= MAX_FRUITLESS_HALVINGS && !failures.isRefused()) || signal.aborted) return [span];
  const halves = halvesOf(span);
  const failed: Span[] = [];
  for (const half of halves) if (!(await read(half))) failed.push(half);
  if (halves.length === 1) return failed;
  const unread: Span[] = [];
  for (const half of failed)
    unread.push(...(await readHalves(half, read, failures, signal, failed.length < halves.length ? 0 : fruitless + 1)));
  return unread;
}

/** Splits a span at the midnight (UTC) next to its middle, newer half first; a span without a midnight stays whole. */
function halvesOf({ fromMs, toMs }: Span): Span[] {
  const middle = Math.floor((fromMs + toMs) / 2 / DAY_MS) * DAY_MS;
  const cutMs = middle > fromMs ? middle : middle + DAY_MS;
  if (cutMs >= toMs) return [{ fromMs, toMs }];
  return [
    { fromMs: cutMs, toMs },
    { fromMs, toMs: cutMs },
  ];
}
