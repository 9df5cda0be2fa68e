import { setTimeout as sleep } from 'node:timers/promises';
import { type StoreAddress, storeAddressText } from '../../../config/store-address.ts';
import type { ErrorCode } from '../../../errors/codes.ts';
import { cancelledError, VideoHostingError } from '../../../errors.ts';
import { limitedSignal } from '../../../platform/limited-signal.ts';
import { cleanText } from '../../../text/sanitize-text.ts';
import { inQuotes, type Sentence, sentence } from '../../../text/sentence.ts';

/** What a statement is for: an answer to the user's question, or the store's own work (leases, parts, the log). */
type Purpose = 'question' | 'store';

export interface StatementOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** `store` by default. */
  readonly purpose?: Purpose;
}

export const DEFAULT_TIMEOUT_MS = 60_000;
const RETRY_MS = [300, 1_500];

/**
 * Runs an action with a time limit, and again after a transient failure if it is idempotent. Throws `cancelled` when the
 * caller's signal aborts; when the time is up, `query_too_heavy` for a question and `store_unreachable` for the store's own
 * work; and any other failure as `explain` describes it.
 */
type Retry = <T>(act: (signal: AbortSignal) => Promise<T>, options: StatementOptions, isIdempotent: boolean) => Promise<T>;

export function createRetry(address: StoreAddress, log: (message: string) => void): Retry {
  return async (act, { signal, timeoutMs = DEFAULT_TIMEOUT_MS, purpose = 'store' }, isIdempotent) => {
    const { signal: limited, release } = limitedSignal(timeoutMs, signal);
    try {
      for (let tries = 0; ; tries += 1) {
        try {
          limited.throwIfAborted();
          return await act(limited);
        } catch (error) {
          if (signal?.aborted === true) throw cancelledError({ outcome: 'not-done' });
          if (limited.aborted) throw timedOut(address, timeoutMs / 1_000, purpose);
          const pause = RETRY_MS[tries];
          if (!isIdempotent || pause === undefined || !isTransient(error)) throw explain(error, address, log, purpose);
          await sleep(pause, undefined, { signal: limited }).catch(() => undefined);
        }
      }
    } finally {
      release();
    }
  };
}

function timedOut(address: StoreAddress, seconds: number, purpose: Purpose): VideoHostingError {
  if (purpose === 'question')
    return new VideoHostingError('query_too_heavy', sentence`The ClickHouse server took longer than ${seconds} seconds.`);
  const message = sentence`The ClickHouse server at ${storeAddressText(address)} did not answer within ${seconds} seconds.`;
  return new VideoHostingError('store_unreachable', message);
}

const CODES = {
  unready: [60, 81, 16, 47, 170, 701],
  incomplete: [3, 32, 198, 209, 210, 236, 279, 425, 519, 732],
  refused: [164, 192, 193, 194, 195, 452, 497, 516],
  heavy: [158, 159, 160, 173, 241, 307, 396],
} as const satisfies Record<string, readonly number[]>;

const NO_NODE = 279;

type Kind = keyof typeof CODES | 'unreachable' | 'other';

const SOCKET = /^(?:ECONN|ENOTFOUND|EAI_AGAIN|EHOST|ENET|EPIPE|ETIMEDOUT)/;
/** Lengths of the server's message in UTF-16 units: what is searched, and what is shown. */
const MAX_SEARCHED = 20_000;
const MAX_SHOWN = 400;

/** Whether the next attempt may succeed, as after a broken connection or while a node restarts. */
const isTransient = (error: unknown): boolean => ['unreachable', 'incomplete'].includes(kindOf(error));

const MESSAGES: Readonly<Record<Exclude<Kind, 'heavy'>, readonly [ErrorCode, (server: Sentence) => Sentence]>> = {
  unreachable: ['store_unreachable', (server) => sentence`The ClickHouse server at ${server} can’t be reached`],
  incomplete: [
    'store_unreachable',
    (server) => sentence`A part of the ClickHouse cluster at ${server} did not answer, so there is no complete answer`,
  ],
  unready: ['store_unready', (server) => sentence`The ClickHouse database at ${server} lacks what is needed`],
  refused: ['store_refused', (server) => sentence`The ClickHouse server at ${server} refused`],
  other: ['analytics_failed', (server) => sentence`The ClickHouse server at ${server} failed`],
};

/** Any failure as a `VideoHostingError`. The server's message is logged too. */
function explain(error: unknown, address: StoreAddress, log: (message: string) => void, purpose: Purpose): VideoHostingError {
  if (error instanceof VideoHostingError) return error;
  const kind = kindOf(error);
  const server = storeAddressText(address);
  const words = serverMessage(error);
  log(`ClickHouse: ${words}`);
  if (kind !== 'heavy') {
    const [code, message] = MESSAGES[kind];
    return new VideoHostingError(code, sentence`${message(server)}: ${inQuotes(words, MAX_SHOWN)}.`, { cause: error });
  }
  if (purpose === 'question')
    return new VideoHostingError('query_too_heavy', sentence`The ClickHouse server ended the query: ${inQuotes(words, MAX_SHOWN)}.`, {
      cause: error,
    });
  return new VideoHostingError(
    'store_unreachable',
    sentence`The ClickHouse server at ${server} ended a statement of the store: ${inQuotes(words, MAX_SHOWN)}.`,
    {
      hint: sentence`Check that the ClickHouse server has enough memory, threads and time, then try again; no stored view is lost.`,
      cause: error,
    },
  );
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const own = 'code' in error ? Number(error.code) : Number.NaN;
  const found = Number.isInteger(own) ? own : Number(/\bCode: (\d+)/.exec(error.message)?.[1] ?? Number.NaN);
  return Number.isInteger(found) ? found : undefined;
}

function kindOf(error: unknown): Kind {
  if (!(error instanceof Error)) return 'other';
  const code = codeOf(error);
  if (code === undefined) {
    if (error instanceof SyntaxError) return 'unreachable';
    if ('code' in error && SOCKET.test(String(error.code))) return 'unreachable';
    return /socket|timeout|aborted|network|unexpected end|premature/i.test(error.message) ? 'unreachable' : 'other';
  }
  // The node that forwarded a statement to a shard quotes the shard's failure in its message.
  const inner = [...error.message.matchAll(/\bCode: (\d+)/g)].map(([, number]) => Number(number));
  // A node without the table counts as one that does not answer; only the message says why.
  if (code === NO_NODE && inner.every((one) => one === NO_NODE) && /There is no table/.test(error.message)) return 'unready';
  const numbers = [code, ...inner];
  const kinds: readonly (keyof typeof CODES)[] = ['unready', 'incomplete', 'refused', 'heavy'];
  return kinds.find((kind) => CODES[kind].some((number) => numbers.includes(number))) ?? 'other';
}

/** The server's message on one line, without its version and its stack. */
export function serverMessage(error: unknown): string {
  const words = error instanceof Error ? error.message || String('code' in error ? error.code : error.name) : String(error);
  const message = words
    .slice(0, MAX_SEARCHED)
    .replace(/,? ?e\.what\(\) = .*$/s, '')
    .replace(/\(version [^)]*\)/g, '')
    .replace(/Stack trace:.*$/s, '');
  return cleanText(message, MAX_SHOWN).replace(/[.\s]+$/, '');
}
