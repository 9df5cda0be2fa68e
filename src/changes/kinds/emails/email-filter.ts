import type { Account } from '../../../account/account.ts';
import type { Catalogue } from '../../../account/catalogue.ts';
import { domainIn, type EmailFilter, emailSpan } from '../../../account/collected-emails.ts';
import { type FormerName, labelOf, shownName } from '../../../account/references.ts';
import { translateVideos } from '../../../account/video-references.ts';
import { invalidArguments } from '../../../errors/field-problems.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import { timeText } from '../../../text/time-text.ts';
import type { PlanReading } from '../../plan/plan.ts';

/** Which collected emails are meant, as a caller says it. */
export interface EmailArgs {
  /** A date, or a time with its offset. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly videoKey?: string | undefined;
  /** By id, key or name. */
  readonly channel?: string | undefined;
  readonly emailDomain?: string | undefined;
}

export interface FoundFilter {
  readonly filter: EmailFilter;
  /** In words, for a person and the journal. */
  readonly described: Sentence;
  /** The id of the channel. */
  readonly channelId: string | undefined;
}

interface FilterDeps extends Pick<PlanReading, 'signal' | 'progress'> {
  readonly account: Pick<Account, 'nameChannel'>;
  readonly catalogue: () => Promise<Catalogue | undefined>;
}

/** Throws `invalid_arguments` for what is found nowhere. */
export async function findEmailFilter(args: EmailArgs, { account, catalogue, signal, progress }: FilterDeps): Promise<FoundFilter> {
  const span = emailSpan(args.from, args.to);
  const named = args.channel === undefined ? undefined : await account.nameChannel(args.channel, { signal, progress }, sentence`channel`);
  const channel = named?.record;
  // Without a key the filter would match the emails of all channels.
  if (channel !== undefined && channel.key === undefined)
    throw invalidArguments(
      [{ field: sentence`channel`, problem: sentence`the service does not tell the key of ${labelOf(channel)}.` }],
      ANYWAY,
    );
  const [videoKey] =
    args.videoKey === undefined ? [] : translateVideos([args.videoKey], 'key', sentence`videoKey`, await catalogue()).values;
  const emailDomain = args.emailDomain === undefined ? undefined : domainOf(args.emailDomain);
  const words = [
    ...(span.fromMs === undefined ? [] : [sentence`from ${word(new Date(span.fromMs).toISOString())}`]),
    ...(span.toMs === undefined ? [] : [sentence`before ${word(new Date(span.toMs).toISOString())}`]),
    ...unlistedWords(span),
    ...(videoKey === undefined ? [] : [sentence`video ${inQuotes(videoKey)}`]),
    ...(channel === undefined ? [] : [sentence`channel ${inQuotes(shownName(channel))}${formerWords(named?.former)}`]),
    ...(emailDomain === undefined ? [] : [sentence`addresses at ${inQuotes(emailDomain, 300)}`]),
  ];
  return {
    filter: { ...span, videoKey, channelKey: channel?.key, emailDomain },
    described: words.length === 0 ? sentence`all of the last year` : joined(words, ', '),
    channelId: channel?.id,
  };
}

const ANYWAY = sentence`Counts are there without channel, also by channel (groupBy).`;

/** A domain as it is compared; it may be written with its `@`. Undefined if it is none, or an address. */
export function domainOf(written: string): string | undefined {
  const domain = written.trim().replace(/^@/, '');
  return domain.includes('@') ? undefined : (domainIn(`a@${domain}`) ?? undefined);
}

/** The service returns the emails of the last year. */
export const yearAgo = (): number => new Date().setUTCFullYear(new Date().getUTCFullYear() - 1);

/** Of a time that begins earlier than the emails that the service returns. */
function unlistedWords({ fromMs, toMs }: EmailFilter): Sentence[] {
  if ((fromMs === undefined && toMs === undefined) || (fromMs ?? Number.NEGATIVE_INFINITY) >= yearAgo()) return [];
  const since = new Date(yearAgo()).toISOString().slice(0, 10);
  return [sentence`of which the service lists only the last year, since ${word(since)}: earlier emails are not known`];
}

const formerWords = (former: FormerName | undefined): Sentence =>
  former === undefined
    ? sentence``
    : sentence` (${inQuotes(former.name)} until this server renamed it on ${timeText(Date.parse(former.at))})`;
