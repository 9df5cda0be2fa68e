import { type ErrorCode, VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { ChannelId } from '../../service/ids.ts';
import type { Channel, ChannelUpdate } from '../../service/resources/channels.ts';
import type { ItemOutcome, Run } from '../plan.ts';
import { reasonOf } from '../reason.ts';
import type { ChannelItem } from './channel-change.ts';
import { afterLostAnswer, isAsPlanned, movedReason, verified } from './verify.ts';

/** Channels under way at once. */
const WORKERS = 3;

/** After these nothing more is sent: the next channel would fare the same. */
const FATAL: ReadonlySet<ErrorCode> = new Set([
  'unauthorized',
  'unreachable',
  'timed_out',
  'connection_lost',
  'rate_limited',
  'service_failed',
  'redirect_refused',
  'not_approved',
  'journal_failed',
]);

/** Sends the updates, each after a last look at its channel, and reads each back. */
export async function applyUpdates(run: Run, items: readonly ChannelItem[], client: Client): Promise<void> {
  const queue = [...items];
  let done = 0;
  let fatal: unknown;
  async function work(): Promise<void> {
    for (let item = queue.shift(); item !== undefined && fatal === undefined && !run.stop.aborted; item = queue.shift()) {
      const { error } = await updateInTurn(run, item, client).catch((thrown: unknown) => ({ error: thrown }));
      if (endsAll(error)) fatal ??= error;
      done += 1;
      run.progress(done, items.length, 'Changing channels');
    }
  }
  // What is under way with the others is waited for, whatever ends the change.
  await Promise.all(Array.from({ length: Math.min(WORKERS, items.length) }, work));
  if (fatal !== undefined) throw fatal;
}

/** A defect of ours, such as a journal that can't be written, ends it as well. */
function endsAll(error: unknown): boolean {
  return error !== undefined && !(error instanceof VideoHostingError && !FATAL.has(error.code));
}

const ANOTHERS = 'The service answered with the record of another channel.';

interface Result {
  readonly outcome: ItemOutcome;
  readonly error?: VideoHostingError;
}

/** Recorded before another change of the same channel looks at it. */
async function updateInTurn(run: Run, item: ChannelItem, client: Client): Promise<Result> {
  return run.exclusive(item.id, async () => {
    const result = await updateOne(run, item, client);
    await run.record(item.id, result.outcome);
    return result;
  });
}

/** One channel. Sent a second time only where the first had no effect that can be seen. */
async function updateOne(run: Run, item: ChannelItem, client: Client): Promise<Result> {
  try {
    const current = await client.channels.get(idOf(item));
    if (current.id !== item.id) return { outcome: { outcome: 'not_done', reason: `${ANOTHERS} It was not sent.` } };
    if (!isAsPlanned(current, item)) return { outcome: { outcome: 'not_done', reason: movedReason(current, item) } };
  } catch (error) {
    return failed(error, 'not_done');
  }
  if (run.stop.aborted) return { outcome: { outcome: 'not_done', reason: 'Stopped before it was sent.' } };
  const first = await send(run, item, client);
  if (!('lost' in first)) return first;
  const between = await readBack(item, client);
  if (between === undefined || run.stop.aborted || !isMarked(item) || !isAsPlanned(between, item))
    return afterLostAnswer(first.lost, between, item);
  const second = await send(run, item, client);
  return 'lost' in second ? afterLostAnswer(second.lost, await readBack(item, client), item) : second;
}

/** The ids of a plan come from the service's own records. */
const idOf = (item: ChannelItem): ChannelId => item.id as ChannelId;

/** Whether the service marks the channel's states, so that one which looks the same is the same. */
const isMarked = ({ seen }: ChannelItem): boolean => seen.version !== null || seen.updated !== null;

function failed(error: unknown, outcome: 'failed' | 'not_done'): Result {
  if (!(error instanceof VideoHostingError)) throw error;
  return { outcome: { outcome, reason: reasonOf(error) }, error };
}

/** `lost`: it was sent, and no answer says what became of it. */
async function send(run: Run, item: ChannelItem, client: Client): Promise<Result | { readonly lost: VideoHostingError }> {
  await run.sending(item.id);
  let answered: Channel;
  try {
    // The keys and the template were stated by the caller, shown by the service or sent before: none is made up here.
    answered = await client.channels.update(run.approval, idOf(item), item.after as ChannelUpdate);
  } catch (error) {
    if (error instanceof VideoHostingError && (error.facts.outcome ?? 'not-known') === 'not-known') return { lost: error };
    return failed(error, 'failed');
  }
  if (answered.id !== item.id) return { lost: new VideoHostingError('unexpected_body', ANOTHERS) };
  return { outcome: verified(answered, await readBack(item, client), item) };
}

async function readBack(item: ChannelItem, client: Client): Promise<Channel | undefined> {
  const shown = await client.channels.get(idOf(item)).catch((error: unknown) => {
    if (error instanceof VideoHostingError) return undefined;
    throw error;
  });
  return shown?.id === item.id ? shown : undefined;
}
