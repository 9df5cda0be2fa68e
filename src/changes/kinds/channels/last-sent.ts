import {
  CONTENTS,
  contentLists,
  type FormerContents,
  type FormerLookup,
  type ListName,
  type SentContents,
  type SentLookup,
} from '../../../account/contents.ts';
import type { SeenRecord } from '../../journal/change-index.ts';
import { isLate, MAX_PLAN_AGE_MS, timeOfId } from '../../journal/change-order.ts';
import type { ChangeRecord, ItemState } from '../../journal/change-record.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Fields, Seen } from '../../plan/plan.ts';
import { TRAITS } from '../../plan/traits/index.ts';
import type { KindTraits } from '../../plan/traits/kind-traits.ts';
import { isApproved } from './approved-lists.ts';
import { isInferred } from './verify.ts';

/** A request without an answer may still take effect, or its effect show, for about this long. */
export const SETTLING_MS = 120_000;

/** What a change sent to a channel, may have sent, or recorded of it by a person's word. */
interface Write {
  /** Milliseconds since the epoch; infinite while the change is under way. */
  readonly at: number;
  readonly contents: SentContents | undefined;
  /** What the service showed of the channel after it. */
  readonly made: Seen | null | undefined;
}

/**
 * Finds what this server last sent as a channel's content, or a person stated of it, if the channel is still as it was then.
 * It looks through the changes that exist at the first call, so the channels must have been read before; once for all of
 * `channels`.
 */
export function createSentLookup(journal: Journal, channels: readonly SeenRecord[] = []): SentLookup {
  const changes = journal.snapshot();
  async function search(wanted: readonly SeenRecord[]): Promise<ReadonlyMap<string, SentContents | undefined>> {
    const searches = (await changes.thoseLeft(wanted)).map((channel) => ({ channel, search: createSentSearch(channel.id, channel.seen) }));
    const open = new Set(searches);
    if (open.size === 0) return new Map();
    for await (const record of changes.each(new Set(searches.map(({ channel: { id } }) => id)))) {
      for (const one of open) if (!one.search.add(record)) open.delete(one);
      if (open.size === 0) break;
    }
    return new Map(searches.map(({ channel, search }) => [channel.id, search.result()]));
  }
  const named = new Map(channels.map((channel) => [channel.id, channel]));
  let all: ReturnType<typeof search> | undefined;
  return async (id, seen) => {
    all ??= search([...named.values()]);
    const known = named.get(id)?.seen;
    const isNamed = known?.version === seen.version && known.updated === seen.updated;
    return (isNamed ? await all : await search([{ id, seen }])).get(id);
  };
}

/** When contents of a channel were last written by a change that is known to be done, or stated. */
export const createFormerLookup =
  (journal: Journal): FormerLookup =>
  async (channelId) => {
    let last: FormerContents | undefined;
    for await (const record of journal.snapshot().each(new Set([channelId]))) {
      const item = record.items.find(({ id, result }) => (result?.id ?? id) === channelId);
      if (item?.outcome !== 'done' || CONTENTS.every((list) => item.after[list] === undefined)) continue;
      const { at = record.intent.at } = item;
      if (last === undefined || at > last.at)
        last = { at, isStated: TRAITS[record.intent.kind].channels === 'statement', changeId: record.intent.changeId };
      // The newest come first, but for those that were carried on or begun late.
      if (record.resumed === undefined && !isLate(record.intent)) break;
    }
    return last;
  };

/** The search for what was last sent to a channel, or stated of it, as the service shows it now. */
function createSentSearch(channelId: string, seen: Seen) {
  const writes: Write[] = [];
  let match: Write | undefined;
  return {
    /** Takes the changes: those that were resumed or begun late, then all others, newest first. False once no other can matter. */
    add(record: ChangeRecord): boolean {
      // Without both, nothing tells whether the channel is still as this server left it.
      if (seen.version === null || seen.updated === null) return false;
      const isOutOfOrder = record.resumed !== undefined || isLate(record.intent);
      if (match !== undefined && !isOutOfOrder && timeOfId(record.intent.changeId) < match.at - MAX_PLAN_AGE_MS) return false;
      const write = writeTo(channelId, record, seen);
      if (write === undefined) return true;
      writes.push(write);
      const isMatch = write.made?.version === seen.version && write.made.updated === seen.updated;
      if (isMatch && (match === undefined || write.at > match.at)) match = write;
      return true;
    },
    /** Undefined unless the channel is still as it was after the last write or statement. */
    result(): SentContents | undefined {
      const found = match;
      if (found === undefined) return undefined;
      // A service that shows writes late answers the state of an earlier one, so only the last write counts.
      return writes.some((other) => other !== found && isLater(other, found, seen.version)) ? undefined : found.contents;
    },
  };
}

/** The service's own version tells the order of writes where it is known. */
const isLater = ({ made, at }: Write, match: Write, version: number | null): boolean =>
  typeof made?.version === 'number' && version !== null ? made.version > version : at >= match.at;

function writeTo(channelId: string, record: ChangeRecord, seen: Seen): Write | undefined {
  const item = record.items.find(({ id, result }) => (result?.id ?? id) === channelId);
  // What is created is sent as an update is.
  return item && WRITES[TRAITS[record.intent.kind].channels ?? 'update'](record, item, seen);
}

/** What a change wrote, by what it does to channels. */
const WRITES: Readonly<
  Record<NonNullable<KindTraits['channels']>, (record: ChangeRecord, item: ItemState, seen: Seen) => Write | undefined>
> = {
  update: sentWrite,
  statement: (record, item) => (item.outcome === 'done' ? statement(record, item) : undefined),
};

function sentWrite(record: ChangeRecord, item: ItemState, seen: Seen): Write | undefined {
  // What was stated for an update counts as sent with it, or not at all.
  if (!SENT.has(item.outcome) || hadNoEffect(item, seen)) return undefined;
  return {
    at: item.outcome === 'pending' ? Number.POSITIVE_INFINITY : Date.parse(item.at ?? record.intent.at),
    contents: sentContents(record, item),
    made: item.outcome === 'done' && !isInferred(item) ? item.seenAfter : undefined,
  };
}

const SENT: ReadonlySet<ItemState['outcome']> = new Set(['done', 'unknown', 'pending']);

/** A statement counts for the version that its plan saw. */
function statement(record: ChangeRecord, item: ItemState): Write {
  const { seen, stated = [], after } = item;
  return { at: Date.parse(item.at ?? record.intent.at), contents: contentsIn(record, item, after, stated), made: seen };
}

/** Whether a write of unknown outcome did nothing: the channel is still as it was, long after it. */
function hadNoEffect({ outcome, seen: before, at }: ItemState, seen: Seen): boolean {
  if (outcome !== 'unknown' || at === undefined || Date.now() - Date.parse(at) < SETTLING_MS) return false;
  return before?.version === seen.version && before.updated === seen.updated;
}

function sentContents(record: ChangeRecord, item: ItemState): SentContents | undefined {
  const { before, after, stated = [] } = item;
  // A list that was sent is known by that.
  const unsent = stated.filter((list) => after[list] === undefined);
  return CONTENTS.some((list) => after[list] !== undefined) ? contentsIn(record, item, before, unsent) : undefined;
}

/** A list that was known to be empty is not sent, and stays empty whether the service clears it or not. */
function contentsIn(record: ChangeRecord, item: ItemState, before: Fields, stated: readonly ListName[]): SentContents {
  const { after, at = record.intent.at, unapproved = [] } = item;
  const lists = contentLists((list) => after[list] ?? (before[list]?.length === 0 ? before[list] : undefined));
  const known = stated.filter((list) => lists[list] !== undefined);
  const doubtful = CONTENTS.filter((list) => lists[list] !== undefined && (!isApproved(record) || unapproved.includes(list)));
  return { ...lists, ...(known.length > 0 ? { stated: known } : {}), ...(doubtful.length > 0 ? { unapproved: doubtful } : {}), at };
}
