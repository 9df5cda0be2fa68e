import { VideoHostingError } from '../errors.ts';
import { toTakeEffect } from '../text/own-command.ts';
import { asSentence, sentence } from '../text/sentence.ts';
import { path } from './path.ts';
import { type AnyRequest, isFirstOfList } from './request.ts';
import { requestWords } from './request-words.ts';
import { type Api, sendOnce } from './send-once.ts';

type Apis = Readonly<Record<'main' | 'stats', Api>>;

/** Statuses with which an API answers a path that it has. */
const KNOWN_PATH = new Set([400, 401, 403, 422]);
const LOOK_MS = 5_000;

/**
 * Throws an error on, as one of the settings where the address of each API answers the paths of the other. That is looked at once,
 * with one request to each address, and only after an answer that swapped addresses would give.
 */
export function createSwapCheck({ main, stats }: Apis) {
  const isSame = main.base.origin === stats.base.origin && main.base.prefix === stats.base.prefix;
  let looked: Promise<boolean> | undefined;
  /** Without a credential: an address that was mistyped must not get it. */
  const answers = async (api: Api, request: AnyRequest): Promise<boolean> => {
    try {
      const { chunks } = await sendOnce({ ...api, bearer: false }, request, LOOK_MS);
      await chunks.return(undefined);
      return true;
    } catch (error) {
      return error instanceof VideoHostingError && KNOWN_PATH.has(error.facts.status ?? 0);
    }
  };
  const look = async (): Promise<boolean> => {
    const from = new Date().toISOString().slice(0, 10);
    const answered = await Promise.all([
      answers(stats, { method: 'GET', path: path`/v1/channels`, query: { size: 1 }, retry: 'idempotent' }),
      answers(main, {
        method: 'POST',
        api: 'stats',
        effect: 'read',
        path: path`/v1/logs/data`,
        body: { from, size: 1 },
        retry: 'idempotent',
      }),
    ]);
    return answered.every(Boolean);
  };

  return async (error: unknown, request: AnyRequest): Promise<never> => {
    if (isSame || !(error instanceof VideoHostingError) || !isSuspect(error, request, stats)) throw error;
    looked ??= look();
    if (!(await looked)) throw error;
    const { operation = '', status = 0 } = error.facts;
    const phrase = sentence`${main.setting} and ${stats.setting} look swapped: each answers the paths of the other API`;
    const { message, words } = requestWords(phrase, asSentence(operation), { status });
    throw new VideoHostingError('settings_invalid', message, {
      facts: { ...error.facts, words },
      hint: sentence`Exchange the values of ${main.setting} and ${stats.setting}, and ${toTakeEffect()}.`,
    });
  };
}

/** What an API answers where a path of the other one is asked of it: that it has none, or that a credential comes first. */
function isSuspect({ code, facts }: VideoHostingError, request: AnyRequest, stats: Api): boolean {
  if (code === 'service_not_found') return isFirstOfList(request);
  return request.api === 'stats' && !stats.bearer && facts.status === 401;
}
