import { type StoreAddress, storeAddressText } from '../../../config/store-address.ts';
import { VideoHostingError } from '../../../errors.ts';
import { cleanText } from '../../../service/sanitize-text.ts';

/** ClickHouse's error numbers, by what to do about them. */
const CODES = {
  unready: [60, 81, 16, 47, 170, 701],
  lost: [3, 32, 198, 209, 210, 236, 279, 425, 519, 732],
  refused: [164, 192, 193, 194, 195, 452, 497, 516],
  heavy: [158, 159, 160, 173, 241, 307, 396],
} as const satisfies Record<string, readonly number[]>;

/** No node of a shard could be asked. */
const NO_NODE = 279;

type Kind = keyof typeof CODES | 'unreachable' | 'broken' | 'other';

/** Node's codes where there is no server, or it went away. */
const SOCKET = /^(?:ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENET|EPIPE|ETIMEDOUT)/;
/** Of the server's message, in UTF-16 units: what is searched, and what is shown. */
const MAX_MESSAGE = 20_000;
const MAX_WORDS = 400;

/** Whether the next attempt may succeed: a connection that broke, a node that restarts. */
export const isTransient = (error: unknown): boolean => ['unreachable', 'lost', 'broken'].includes(kindOf(error));

/** What a statement is for: an answer to the user's question, or the store's own work (leases, parts, the log). */
export type Purpose = 'question' | 'store';

/** Any failure as the error that says what to do. The server's message is logged too. */
export function explain(error: unknown, address: StoreAddress, log: (message: string) => void, purpose: Purpose): VideoHostingError {
  if (error instanceof VideoHostingError) return error;
  const kind = kindOf(error);
  const place = storeAddressText(address);
  log(`ClickHouse: ${wordsOf(error)}`);
  switch (kind) {
    case 'unreachable':
    case 'broken':
      return new VideoHostingError('store_unreachable', `The ClickHouse server at ${place} can’t be reached: ${wordsOf(error)}.`, {
        cause: error,
      });
    case 'lost':
      return new VideoHostingError(
        'store_unreachable',
        `A part of the ClickHouse cluster at ${place} did not answer, so there is no complete answer: ${wordsOf(error)}.`,
        { cause: error },
      );
    case 'unready':
      return new VideoHostingError('store_unready', `The ClickHouse database at ${place} lacks what is needed: ${wordsOf(error)}.`, {
        cause: error,
      });
    case 'refused':
      return new VideoHostingError('store_refused', `The ClickHouse server at ${place} refused: ${wordsOf(error)}.`, { cause: error });
    case 'heavy':
      // The caller can't make the store's own statements smaller.
      if (purpose === 'store')
        return new VideoHostingError(
          'store_unreachable',
          `The ClickHouse server at ${place} ended a statement of the store: ${wordsOf(error)}.`,
          {
            hint: 'See that the ClickHouse server has memory, threads and time left, then try again; nothing of what was stored is lost.',
            cause: error,
          },
        );
      return new VideoHostingError('query_too_heavy', `The ClickHouse server ended the query: ${wordsOf(error)}.`, { cause: error });
    case 'other':
      return new VideoHostingError('analytics_failed', `The ClickHouse server at ${place} failed: ${wordsOf(error)}.`, { cause: error });
  }
}

/** ClickHouse's error number; undefined where the server sent none. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = 'code' in error ? Number(error.code) : Number.NaN;
  const found = Number.isInteger(own) ? own : Number(/\bCode: (\d+)/.exec(error.message)?.[1] ?? Number.NaN);
  return Number.isInteger(found) ? found : undefined;
}

function kindOf(error: unknown): Kind {
  const code = codeOf(error);
  if (code !== undefined) {
    // A shard's failure is reported by the node that asked it, and quoted in its message.
    const inner = error instanceof Error ? [...error.message.matchAll(/\bCode: (\d+)/g)].map(([, number]) => Number(number)) : [];
    // A node without the table counts as one that can't be asked; only the message says why.
    if (code === NO_NODE && inner.every((one) => one === NO_NODE) && /There is no table/.test(String(error))) return 'unready';
    for (const [kind, codes] of Object.entries(CODES))
      if ([code, ...inner].some((one) => (codes as readonly number[]).includes(one))) return kind as Kind;
    return 'other';
  }
  if (error instanceof SyntaxError) return 'broken';
  if (error instanceof Error && 'code' in error && SOCKET.test(String(error.code))) return 'unreachable';
  return error instanceof Error && /socket|timeout|aborted|network|unexpected end|premature/i.test(error.message) ? 'broken' : 'other';
}

/** The server's message, on one line, without its version and its stack. */
export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message || String('code' in error ? error.code : error.name) : String(error);
  const said = words
    .slice(0, MAX_MESSAGE)
    .replace(/,? ?e\.what\(\) = .*$/s, '')
    .replace(/\(version [^)]*\)/g, '')
    .replace(/Stack trace:.*$/s, '');
  return cleanText(said, MAX_WORDS).replace(/[.\s]+$/, '');
}
