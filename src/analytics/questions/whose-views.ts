import type { Account } from '../../account/account.ts';
import { VideoHostingError } from '../../errors.ts';
import { ownCommand, toReaders } from '../../text/own-command.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { seenValues } from '../resolve/filters.ts';
import type { WhoseViews } from './question-context.ts';

interface WhoseViewsOptions {
  readonly account: Pick<Account, 'allChannels'>;
  /** Whether the analytics API is asked without the key, and keys of other accounts were used with this service here. */
  readonly isDoubtful: () => Promise<boolean>;
}

/**
 * Asked without a key, the analytics API can’t know whose views are meant, and no view names its account in a way that a channel does. So the
 * channels that views name are compared with those of the account. They are listed again only where a view names a further one.
 */
export function createWhoseViews({ account, isDoubtful }: WhoseViewsOptions): WhoseViews {
  const own = new Set<string>();
  const foreign = new Set<string>();

  async function compare(named: readonly string[], signal: AbortSignal): Promise<void> {
    if (named.every((key) => own.has(key) || foreign.has(key))) return;
    const channels = await account.allChannels({ signal });
    for (const { key } of channels) if (key !== undefined) own.add(key);
    for (const key of named) if (!own.has(key)) foreign.add(key);
  }

  return async (spans, store, how) => {
    if (!(await isDoubtful())) return [];
    try {
      const named = await seenValues('channel', spans, store, how);
      await compare(named, how.signal);
      const has = named.filter((key) => own.has(key)).length;
      return has === named.length ? [] : [doubtText(named.length, has)];
    } catch (error) {
      // The answer is right without it; where channels can’t be listed, other calls say so.
      if (!(error instanceof VideoHostingError) || how.signal.aborted) throw error;
      return [];
    }
  };
}

/** Whose views may be, by how many of the channels that they name the account has. */
export const whoseText = (named: number, has: number): Sentence =>
  sentence`These views may be another account’s: of the ${named} channels that they name, this account has ${has === 0 ? 'none' : word(String(has))}.`;

const doubtText = (named: number, has: number): Sentence => sentence`${whoseText(named, has)} ${toTellWhose()}`;

/** What a person can do about it. */
export const toTellWhose = (): Sentence =>
  sentence`They are asked for without the key, and whose they are is not told: if the analytics API takes the key, set VIDEO_HOSTING_STATS_AUTH to bearer. If it takes none, see whether VIDEO_HOSTING_STATS_URL is this account’s${toReaders(() => sentence`; once it is, \`${ownCommand('forget --all')}\` removes the views that were read before`, '')}.`;
