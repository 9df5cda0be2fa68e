import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import type { Seen } from '../plan.ts';

export interface SentContents {
  readonly videoKeys?: readonly string[];
  readonly projectKeys?: readonly string[];
  /** When it was sent. */
  readonly at: string;
}

/** A change may be planned so long before it is carried out: the ids of changes tell the first of the two. */
const LONGEST_MS = 3_600_000;

const plannedAt = ({ intent }: ChangeRecord): number => Number.parseInt(intent.changeId.slice(4, 13), 36);

/** What a change sent to a channel, or may have sent. */
interface Write {
  /** When it was sent, or its answer came. */
  readonly at: number;
  readonly contents: SentContents | undefined;
  /** Whether it made the channel what it was seen as. */
  isOf(seen: Seen): boolean;
  isLaterThan(match: Write, seen: Seen): boolean;
}

function writeTo(channelId: string, record: ChangeRecord, seen: Seen): Write | undefined {
  const item = record.items.find((candidate) => (candidate.result?.id ?? candidate.id) === channelId && wasSent(candidate));
  if (item === undefined || isWithoutEffect(item, seen)) return undefined;
  const made = item.outcome === 'done' ? item.seenAfter : undefined;
  const at = item.outcome === 'pending' ? Number.POSITIVE_INFINITY : Date.parse(item.at ?? record.intent.at);
  const contents = contentsSentIn(record, item);
  return {
    at,
    contents,
    isOf: ({ version, updated }) => made?.version === version && made.updated === updated,
    // The service's own count tells the order, where it is known.
    isLaterThan: (match, now) => (typeof made?.version === 'number' && now.version !== null ? made.version > now.version : at >= match.at),
  };
}

const wasSent = ({ outcome }: ItemState): boolean => outcome === 'done' || outcome === 'unknown' || outcome === 'pending';

/** A request whose answer was lost may still be carried out, or its effect not show yet, for about so long. */
const SETTLING_MS = 120_000;

/** Whether a write of unknown fate did nothing: long afterwards the channel is still as it was before. */
function isWithoutEffect({ outcome, seen: before, at }: ItemState, seen: Seen): boolean {
  if (outcome !== 'unknown' || at === undefined || Date.now() - Date.parse(at) < SETTLING_MS) return false;
  return before?.version === seen.version && before.updated === seen.updated;
}

/** What was last sent as a channel's content, if the channel is still as it was after that; from changes, newest first. */
export async function lastSentTo(channelId: string, seen: Seen, changes: AsyncIterable<ChangeRecord>): Promise<SentContents | undefined> {
  // Without both marks nobody can tell whether the channel is still as we left it.
  if (seen.version === null || seen.updated === null) return undefined;
  const writes: Write[] = [];
  let match: Write | undefined;
  for await (const record of changes) {
    if (match !== undefined && plannedAt(record) < match.at - LONGEST_MS) break;
    const write = writeTo(channelId, record, seen);
    if (write === undefined) continue;
    writes.push(write);
    if (write.isOf(seen)) match ??= write;
  }
  // A service that is slow to show a write answers the state of an earlier one: only the last one counts.
  return match === undefined || writes.some((other) => other !== match && other.isLaterThan(match, seen)) ? undefined : match.contents;
}

function contentsSentIn(record: ChangeRecord, item: ItemState): SentContents | undefined {
  const [videoKeys, projectKeys] = [heldAfter('videoKeys', item), heldAfter('projectKeys', item)];
  if (!isKeys(item.after.videoKeys) && !isKeys(item.after.projectKeys)) return undefined;
  return {
    ...(isKeys(videoKeys) ? { videoKeys } : {}),
    ...(isKeys(projectKeys) ? { projectKeys } : {}),
    at: item.at ?? record.intent.at,
  };
}

/** A list that was known to be empty is left out of a request, and stays empty whether the service clears it or not. */
function heldAfter(list: 'videoKeys' | 'projectKeys', { before, after }: ItemState): unknown {
  const held = before[list];
  return after[list] ?? (isKeys(held) && held.length === 0 ? held : undefined);
}

const isKeys = (value: unknown): value is string[] => Array.isArray(value) && value.every((key) => typeof key === 'string');
