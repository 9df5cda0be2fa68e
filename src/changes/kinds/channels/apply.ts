import { undefinedIfRefused, VideoHostingError } from '../../../errors.ts';
import type { ServiceClient } from '../../../service/client.ts';
import type { ChannelId } from '../../../service/ids.ts';
import type { Channel, ChannelUpdate } from '../../../service/resources/channels.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';
import { type ItemOutcome, type ItemRun, STOPPED } from '../../plan/plan.ts';
import { type BusyWait, isBusy } from '../earlier/wait-out-busy.ts';
import { isFatal } from '../fatal-errors.ts';
import type { ChannelItem } from './channel-change.ts';
import { conflictReason, isUnchanged, outcomeWithoutResponse, verifiedOutcome } from './verify.ts';

const MAX_CONCURRENT = 3;
/** How long a look at a channel counts: where the service is busy, an update may wait for minutes before it is sent. */
const LOOK_MS = 2_000;
/** After so many, a slow service gets the update however long it waited. */
const MAX_LOOKS = 4;

/** Sends the updates. Each channel is read just before its update and read back after it. `busyWait`: a busy service is waited out. */
export async function applyUpdates(
  run: ItemRun,
  items: readonly ChannelItem[],
  client: ServiceClient,
  busyWait: BusyWait = async () => false,
): Promise<void> {
  const queue = items.values();
  let done = 0;
  let fatal: unknown;
  async function work(): Promise<void> {
    for (const item of queue) {
      if (fatal !== undefined || run.stop.aborted) return;
      const { error } = await updateLocked(run, item, client, busyWait).catch((thrown: unknown) => ({ error: thrown }));
      if (error !== undefined && isFatal(error)) fatal ??= error;
      done += 1;
      run.progress(done, items.length, 'Changing channels');
    }
  }
  // The other requests in flight are awaited, whatever ends the change.
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, items.length) }, work));
  if (fatal !== undefined) throw fatal;
}

interface Result {
  readonly outcome: ItemOutcome;
  readonly error?: VideoHostingError;
  /** Though it was sent, and its outcome is not known, the channel looks as before. */
  readonly isUnchanged?: boolean;
}

/** The outcome is recorded before another change of the channel can start. */
function updateLocked(run: ItemRun, item: ChannelItem, client: ServiceClient, busyWait: BusyWait): Promise<Result> {
  return run.withRecordLock(item.id, async () => {
    let result = await updateOne(run, item, client);
    // It is looked at anew each time.
    for (let tries = 1; isLeftByBusy(result) && (await busyWait(result.error, tries, run.stop)); tries += 1)
      result = await updateOne(run, item, client);
    await run.record(item.id, result.outcome);
    return result;
  });
}

/** Whether a busy service did nothing, as far as the channel shows. */
const isLeftByBusy = (result: Result): result is Result & Required<Pick<Result, 'error'>> =>
  result.error !== undefined && isBusy(result.error) && (result.outcome.outcome === 'not_done' || result.isUnchanged === true);

/** Sent a second time only if the first request had no visible effect. */
async function updateOne(run: ItemRun, item: ChannelItem, client: ServiceClient, looks = 1): Promise<Result> {
  const notDone = (reason: Sentence): Result => ({ outcome: { outcome: 'not_done', reason } });
  let last: Channel;
  try {
    last = await client.channels.get(idOf(item));
    if (last.id !== item.id) return notDone(sentence`${OTHER_CHANNEL} It was not sent.`);
    if (!isUnchanged(last, item)) return notDone(conflictReason(last, item));
  } catch (error) {
    return failed(error, 'not_done');
  }
  if (run.stop.aborted) return { outcome: STOPPED };
  const first = await send(run, item, client, last, looks < MAX_LOOKS ? LOOK_MS : Number.POSITIVE_INFINITY);
  if (first === 'too-late') return updateOne(run, item, client, looks + 1);
  if (!('lost' in first)) return first;
  const current = await readBack(item, client);
  const withoutResponse = ({ lost, sentMs, lostMs }: Lost, shown: Channel | undefined): Result => {
    const found = outcomeWithoutResponse(shown, item, { inTime: client.serviceClock.isBetween(shown?.updated, sentMs, lostMs) });
    const why = found.outcome === 'unknown' ? { reason: sentence`${lost.reason} ${found.reason ?? ''}` } : {};
    return {
      outcome: { ...found, ...why, lostAt: new Date(lostMs).toISOString() },
      error: lost,
      isUnchanged: hasVersion && shown !== undefined && isUnchanged(shown, item),
    };
  };
  // Without a version or a time, a channel that looks unchanged may have been changed.
  const hasVersion = item.seen.version !== null || item.seen.updated !== null;
  if (current === undefined || run.stop.aborted || !hasVersion || !isUnchanged(current, item)) return withoutResponse(first, current);
  const second = await send(run, item, client, last, LOOK_MS);
  if (second === 'too-late') return withoutResponse(first, current);
  if (!('lost' in second)) return second;
  return withoutResponse(second, await readBack(item, client));
}

const OTHER_CHANNEL = 'The service answered with the record of another channel.';

/** The ids of a plan come from the service's own records. */
const idOf = (item: ChannelItem): ChannelId => item.id as ChannelId;

function failed(error: unknown, outcome: 'failed' | 'not_done'): Result {
  if (!(error instanceof VideoHostingError)) throw error;
  return { outcome: { outcome, reason: error.reason, ...(outcome === 'failed' ? { failedWith: error.code } : {}) }, error };
}

/** A request that was sent, and of which no response tells the outcome; its times are milliseconds since the epoch. */
interface Lost {
  readonly lost: VideoHostingError;
  readonly sentMs: number;
  readonly lostMs: number;
}

/** Sends it after a look at the channel, which counts for `maxWaitMs`. */
async function send(
  run: ItemRun,
  item: ChannelItem,
  client: ServiceClient,
  last: Channel,
  maxWaitMs: number,
): Promise<Result | Lost | 'too-late'> {
  const notAfterMs = Date.now() + maxWaitMs;
  await run.sending(item.id);
  const sentMs = Date.now();
  const lost = (error: VideoHostingError): Lost => ({ lost: error, sentMs, lostMs: Date.now() });
  let answered: Channel;
  try {
    // The caller stated the keys and the template, or the service showed them, or they were sent before.
    answered = await client.channels.update(run.approval, idOf(item), item.after as ChannelUpdate, undefined, notAfterMs);
  } catch (error) {
    const isWithdrawn = error instanceof VideoHostingError && error.code === 'cancelled' && error.facts.outcome === 'nothing-sent';
    if (isWithdrawn && Date.now() > notAfterMs) return 'too-late';
    if (error instanceof VideoHostingError && (error.facts.outcome ?? 'not-known') === 'not-known') return lost(error);
    if (run.stop.aborted) return { outcome: STOPPED };
    // What the next channel would meet as well is no refusal of this one.
    return failed(error, isFatal(error) ? 'not_done' : 'failed');
  }
  if (answered.id !== item.id) return lost(new VideoHostingError('unexpected_body', OTHER_CHANNEL));
  return { outcome: verifiedOutcome(answered, await readBack(item, client), item, last) };
}

async function readBack(item: ChannelItem, client: ServiceClient): Promise<Channel | undefined> {
  const shown = await client.channels.get(idOf(item)).catch(undefinedIfRefused);
  return shown?.id === item.id ? shown : undefined;
}
