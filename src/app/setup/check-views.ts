import type { FailedSpan } from '../../analytics/contract.ts';
import { triesText } from '../../analytics/questions/read-views.ts';
import { toTellWhose, whoseText } from '../../analytics/questions/whose-views.ts';
import { spansText } from '../../analytics/resolve/dates.ts';
import { union } from '../../analytics/spans.ts';
import { VideoHostingError } from '../../errors.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { limitedSignal } from '../../platform/limited-signal.ts';
import { DAY_MS } from '../../platform/time-units.ts';
import { joined, sentence } from '../../text/sentence.ts';
import type { Workspace } from '../workspace.ts';
import { type Finding, note } from './finding.ts';

const OF_ADDRESS = sentence`may be another account’s: keys of several accounts were used with this address here`;

/** Views that are looked at: the latest months, so many of them. */
const LOOKED_BACK_MS = 90 * DAY_MS;
const LOOKED_AT = 200;
const LIMIT_MS = 10_000;

/**
 * That views may be another account’s, where several accounts of the address are known and views are asked for without the key. The
 * channels that some of them name tell: where the account has each, there is nothing to say.
 */
export async function whoseViewsFinding(
  { settings, client, account, areViewsDoubtful }: Pick<Workspace, 'settings' | 'client' | 'account' | 'areViewsDoubtful'>,
  call: AbortSignal,
): Promise<Finding | undefined> {
  if (settings.statsUrl === undefined || !(await areViewsDoubtful())) return undefined;
  const { signal, release } = limitedSignal(Math.min(LIMIT_MS, settings.callBudgetMs * 0.8), call);
  try {
    const from = new Date(Date.now() - LOOKED_BACK_MS).toISOString().slice(0, 10);
    const { views } = await client.viewLogs.page({ from, size: LOOKED_AT }, signal);
    const named = new Set(views.map((view) => fieldsIn(view).channelKey).filter((key) => typeof key === 'string' && key !== ''));
    if (named.size === 0) return note('Views', sentence`${OF_ADDRESS}, and no view of the last 90 days names a channel.`, toTellWhose());
    const own = new Set<unknown>((await account.allChannels({ signal })).map(({ key }) => key));
    const has = [...named].filter((key) => own.has(key)).length;
    return has === named.size ? undefined : note('Views', whoseText(named.size, has), toTellWhose());
  } catch (error) {
    // What does not answer is told of the APIs themselves.
    if (!(error instanceof VideoHostingError) || call.aborted) throw error;
    return note('Views', sentence`${OF_ADDRESS}.`, toTellWhose());
  } finally {
    release();
  }
}

/** Of each reason, the times that could not be read, and when trying again makes sense. */
export function unreadFinding(spans: readonly FailedSpan[]): Finding | undefined {
  if (spans.length === 0) return undefined;
  const reasons = [...new Map(spans.map((one) => [one.why, one])).values()];
  const parts = reasons.map(
    ({ why, tries }) => sentence`${spansText(union(spans.filter((one) => one.why === why)))} (${why}) ${triesText(tries)}`,
  );
  return note('Views', sentence`not read when it was last tried: ${joined(parts)}`, sentence`Other times are not affected.`);
}
