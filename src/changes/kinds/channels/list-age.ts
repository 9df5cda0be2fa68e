import { type ByList, CONTENTS, type SentLookup, seenOf } from '../../../account/contents.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { DAY_MS } from '../../../platform/time-units.ts';
import type { Channel } from '../../../service/resources/channels.ts';
import { inQuotes, type Sentence, sentence } from '../../../text/sentence.ts';
import { timeText } from '../../../text/time-text.ts';
import type { NoticeOf } from '../../notices/notices.ts';
import type { Seen } from '../../plan/plan.ts';
import type { ListFiles } from './list-files.ts';

// A whole list that a person gives may be older than what somebody else made of the channel since.

/** Where a whole list of a channel comes from. */
export interface GivenList {
  /** As the caller named it; undefined of a list that is in the call, whose age nobody tells. */
  readonly file: string | undefined;
}

/** A list in a call counts as made within this time before it. */
const MAX_LIST_AGE_MS = DAY_MS;

interface Reading {
  readonly seen: Seen;
  readonly at: number;
}

export type ChannelReadings = ReturnType<typeof createChannelReadings>;

/** How plans of this process first saw each channel, until that is older than a list may be, or another state is known to be ours. */
export function createChannelReadings(now: () => number = Date.now) {
  const readings = new Map<string, Reading>();
  return {
    now,
    /** An earlier reading of the channel that showed another state. */
    before(channel: Channel, isOwn: boolean): Reading | undefined {
      const seen = seenOf(channel);
      const first = readings.get(channel.id);
      if (first !== undefined && !isOwn && now() - first.at < MAX_LIST_AGE_MS) return isSame(first.seen, seen) ? undefined : first;
      readings.delete(channel.id);
      if (readings.size >= MAX_READINGS) for (const oldest of readings.keys()) if (readings.delete(oldest)) break;
      readings.set(channel.id, { seen, at: now() });
      return undefined;
    },
  };
}

const MAX_READINGS = 10_000;

const isSame = (one: Seen, other: Seen): boolean => one.version === other.version && one.updated === other.updated;

interface Listed {
  readonly label: Sentence;
  readonly channel: Channel;
  readonly given: ByList<readonly GivenList[]>;
}

/** The channels that somebody else changed after a list of them was made, as far as that can be told. */
export async function changedSinceNotices(
  listed: readonly Listed[],
  {
    sent,
    readings,
    files,
  }: { readonly sent: SentLookup; readonly readings: ChannelReadings; readonly files: Pick<ListFiles, 'writtenAt'> },
): Promise<NoticeOf<'changed_since'>[]> {
  const notices: NoticeOf<'changed_since'>[] = [];
  for (const { label, channel, given } of listed) {
    const lists = CONTENTS.flatMap((list) => given[list] ?? []);
    // As this server left it, or a person stated it.
    const isOwn = (await sent(channel.id, seenOf(channel))) !== undefined;
    const earlier = readings.before(channel, isOwn);
    const changed = Date.parse(channel.updated ?? '');
    if (lists.length === 0 || isOwn || Number.isNaN(changed) || channel.updated === channel.created) continue;
    const ages = await Promise.all(lists.map((list) => ageOf(list, files, readings.now())));
    // The service's clock may be another one; that it showed another state after the list was made is certain.
    const older = ages.filter(({ made }) => changed > made || (earlier !== undefined && made < earlier.at));
    const oldest = minOf(older.filter((one) => one.file !== undefined)) ?? minOf(older);
    if (oldest === undefined) continue;
    const { file } = oldest;
    notices.push({
      ...{ kind: 'changed_since', label, id: channel.id, on: timeText(changed) },
      ...definedFields({
        file: file === undefined ? undefined : inQuotes(file, 200),
        // Where the service’s clock is behind, the times would contradict what they are told for.
        made: file !== undefined && changed > oldest.made ? timeText(oldest.made) : undefined,
        readAt: earlier && (changed > earlier.at ? timeText(earlier.at) : versionsText(earlier.seen, seenOf(channel))),
      }),
    });
  }
  return notices;
}

const versionsText = (then: Seen, now: Seen): Sentence =>
  then.version === null || now.version === null || then.version === now.version
    ? sentence`it showed another time of change then`
    : sentence`it showed version ${then.version} then, and ${now.version} now`;

/** The age of a file is known, that of a list in the call is not. */
const minOf = (ages: readonly Age[]): Age | undefined => ages.toSorted((a, b) => a.made - b.made)[0];

type Age = Awaited<ReturnType<typeof ageOf>>;

async function ageOf({ file }: GivenList, files: Pick<ListFiles, 'writtenAt'>, now: number) {
  const written = file === undefined ? undefined : await files.writtenAt(file);
  return { file, made: written ?? now - MAX_LIST_AGE_MS };
}
