import { seenOf } from '../../account/contents.ts';
import { type ErrorCode, VideoHostingError } from '../../errors.ts';
import type { Channel, ChannelUpdate } from '../../service/channels.ts';
import type { Client } from '../../service/client.ts';
import { cleanText } from '../../service/foreign-text.ts';
import type { ChannelId } from '../../service/ids.ts';
import type { ItemOutcome, Run } from '../plan.ts';
import { reasonOf } from '../reason.ts';
import type { ChannelItem } from './channel-change.ts';

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
]);

/** Sends the updates, each after a last look at its channel, and reads each back. */
export async function applyUpdates(run: Run, items: readonly ChannelItem[], client: Client): Promise<void> {
  const queue = [...items];
  let done = 0;
  let fatal: VideoHostingError | undefined;
  async function work(): Promise<void> {
    for (let item = queue.shift(); item !== undefined && fatal === undefined && !run.stop.aborted; item = queue.shift()) {
      const { error } = await updateInTurn(run, item, client);
      if (error !== undefined && FATAL.has(error.code)) fatal ??= error;
      done += 1;
      run.progress(done, items.length, 'Changing channels');
    }
  }
  await Promise.all(Array.from({ length: Math.min(WORKERS, items.length) }, work));
  if (fatal !== undefined) throw fatal;
}

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
    if (!isAsPlanned(current, item)) return { outcome: { outcome: 'not_done', reason: movedReason(current, item) } };
  } catch (error) {
    return failed(error, 'not_done');
  }
  const first = await send(run, item, client);
  if (first !== 'uncertain') return first;
  const between = await readBack(item, client);
  if (between === undefined) return uncertain('The connection broke after it was sent, and the channel could not be read back.');
  if (!isAsPlanned(between, item)) return judge(between, item);
  if (run.stop.aborted)
    return { outcome: { outcome: 'failed', reason: 'The connection broke after it was sent; read back, the channel is as it was.' } };
  const second = await send(run, item, client);
  if (second !== 'uncertain') return second;
  const after = await readBack(item, client);
  if (after === undefined) return uncertain('The connection broke twice after it was sent, and the channel could not be read back.');
  if (!isAsPlanned(after, item)) return judge(after, item);
  return { outcome: { outcome: 'failed', reason: 'The connection broke twice after it was sent; read back, the channel is as it was.' } };
}

/** The ids of a plan come from the service's own records. */
const idOf = (item: ChannelItem): ChannelId => item.id as ChannelId;

const uncertain = (reason: string): Result => ({ outcome: { outcome: 'unknown', reason } });

function failed(error: unknown, outcome: 'failed' | 'not_done'): Result {
  if (!(error instanceof VideoHostingError)) throw error;
  return { outcome: { outcome, reason: reasonOf(error) }, error };
}

async function send(run: Run, item: ChannelItem, client: Client): Promise<Result | 'uncertain'> {
  await run.sending(item.id);
  let answered: Channel;
  try {
    // The keys and the template were stated by the caller, shown by the service or sent before: none is made up here.
    answered = await client.channels.update(run.approval, idOf(item), item.after as ChannelUpdate);
  } catch (error) {
    if (error instanceof VideoHostingError && (error.facts.outcome ?? 'not-known') === 'not-known') return 'uncertain';
    return failed(error, 'failed');
  }
  return { outcome: await verified(answered, item, client) };
}

/** What the channel shows after a success, compared with what was sent. */
async function verified(answered: Channel, item: ChannelItem, client: Client): Promise<ItemOutcome> {
  const shown = (await readBack(item, client)) ?? answered;
  const own = seenOf(answered);
  const read = seenOf(shown);
  // Where the answer tells no version, the record read back counts only if it is the very next one.
  const next = item.seen.version !== null && read.version === item.seen.version + 1 ? read : null;
  const seen = own.version !== null && own.updated !== null ? own : next;
  const others = read.version !== null && own.version !== null && read.version > own.version;
  const differences = others ? {} : differencesOf(shown, item);
  const names = Object.keys(differences);
  return {
    outcome: 'done',
    seen,
    ...(names.length === 0
      ? {}
      : { result: differences, reason: `The service answered success, but read back its ${names.join(' and ')} is not what was sent.` }),
  };
}

async function readBack(item: ChannelItem, client: Client): Promise<Channel | undefined> {
  return client.channels.get(idOf(item)).catch((error: unknown) => {
    if (error instanceof VideoHostingError) return undefined;
    throw error;
  });
}

const READABLE = ['name', 'description', 'templateKey'] as const;

function differencesOf(shown: Channel, { after }: ChannelItem): Record<string, string> {
  const wrong = READABLE.filter((field) => after[field] !== undefined && (shown[field] ?? '') !== after[field]);
  return Object.fromEntries(wrong.map((field) => [field, shown[field] ?? '']));
}

function isAsPlanned(current: Channel, { seen, before }: ChannelItem): boolean {
  const now = seenOf(current);
  return (
    now.version === seen.version && now.updated === seen.updated && READABLE.every((field) => (current[field] ?? '') === before[field])
  );
}

function movedReason(current: Channel, { seen }: ChannelItem): string {
  return `Someone else changed it after the plan was made (version ${seen.version ?? '?'} → ${current.version ?? '?'}), so it was not sent.`;
}

/**
 * The channel moved on after an update whose answer was lost. It was ours where the very next version shows a value that
 * only this update gave it; otherwise nobody can tell, since a content can't be read back.
 */
function judge(current: Channel, item: ChannelItem): Result {
  const { before, after, seen } = item;
  const telling = READABLE.some((field) => after[field] !== undefined && after[field] !== before[field]);
  const next = seen.version !== null && current.version === seen.version + 1;
  if (next && telling && Object.keys(differencesOf(current, item)).length === 0)
    return { outcome: { outcome: 'done', seen: seenOf(current) } };
  const now = `it is now version ${current.version ?? '?'}, named ${JSON.stringify(cleanText(current.name ?? '', 120))}`;
  return uncertain(
    `The connection broke after it was sent; ${now}. Whether that was this change can’t be told, so its content counts as not known.`,
  );
}
