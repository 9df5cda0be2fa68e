import type { Account } from '../../../account/account.ts';
import { shownName } from '../../../account/references.ts';
import { undefinedIfRefused } from '../../../errors.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { withTimeLimit } from '../../../platform/limited-signal.ts';
import type { ServiceClient } from '../../../service/client.ts';
import type { ChannelId } from '../../../service/ids.ts';
import type { Sentence } from '../../../text/sentence.ts';
import { type BegunAt, isBegunAfter, newestFirst } from '../../journal/change-order.ts';
import type { ChangeRecord, ItemState } from '../../journal/change-record.ts';
import type { Journal } from '../../journal/journal.ts';
import { undoneIn } from '../../plan/facts.ts';
import { kindsWith, TRAITS } from '../../plan/traits/index.ts';
import type { UndoRecord } from '../earlier/undone-by.ts';

/** A channel that was changed after a change of it: an undo leaves it alone. */
export interface ChangedChannel {
  readonly id: string;
  readonly label: Sentence;
  /** The last change of this server that did it; absent where somebody else did. */
  readonly by?: string;
  /** What it is called now; absent where the service did not tell. */
  readonly nowName?: string;
}

/** A channel as the service shows it now. */
export interface ChannelNow {
  readonly version: number;
  readonly name: string;
}

/** What is known of channels besides the changes that are asked about. */
interface Known {
  readonly journal: Journal;
  /** The channels as the service shows them now, as far as that is known. */
  readonly now: ReadonlyMap<string, ChannelNow>;
  readonly undone: ReadonlyMap<string, UndoRecord>;
}

const UPDATES = kindsWith(({ channels }) => channels === 'update');
const isOfChannels = ({ intent, bulk, status }: ChangeRecord): boolean =>
  TRAITS[intent.kind].channels === 'update' && bulk === undefined && status !== 'running';
const isTouched = ({ outcome }: ItemState): boolean => outcome === 'done' || outcome === 'unknown' || outcome === 'pending';

/** Whose undo depends on what happened to their channels since. */
export const channelsOf = (records: readonly ChangeRecord[]): ReadonlySet<string> =>
  new Set(records.filter(isOfChannels).flatMap(({ items }) => items.filter(isTouched).map(({ id }) => id)));

/** Which channels of changes were changed since, by the id of the change; nothing of it where none was. One reading of the journal serves all. */
export async function changedSince(
  records: readonly ChangeRecord[],
  { journal, now, undone }: Known,
): Promise<ReadonlyMap<string, readonly ChangedChannel[]>> {
  const concerned = records.filter(isOfChannels).toSorted(newestFirst);
  const oldest = concerned.at(-1);
  const channels = channelsOf(concerned);
  if (oldest === undefined || channels.size === 0) return new Map();
  // What was undone as a whole came to nothing, and so did its undo.
  const cancelled = new Set([...undone].flatMap(([changeId, { by, whole }]) => (whole ? [changeId, by] : [])));
  const byChannel = new Map<string, { readonly of: BegunAt; readonly undoes: readonly string[]; readonly left: number | undefined }[]>();
  for await (const { intent, items } of journal.eachSince(UPDATES, oldest.intent, channels))
    for (const item of items.filter((one) => channels.has(one.id) && isTouched(one))) {
      const entry = { of: intent, undoes: undoneIn(intent.facts), left: item.seenAfter?.version ?? undefined };
      byChannel.set(item.id, [...(byChannel.get(item.id) ?? []), entry]);
    }
  return new Map(
    concerned.map(({ intent, items }) => {
      const found = items.filter(isTouched).flatMap((item): ChangedChannel[] => {
        const later = (byChannel.get(item.id) ?? []).filter(({ of }) => of.changeId !== intent.changeId && isBegunAfter(of, intent));
        const others = later.filter(({ of, undoes }) => !cancelled.has(of.changeId) && !undoes.includes(intent.changeId));
        const [by] = others.toSorted((one, other) => (isBegunAfter(one.of, other.of) ? -1 : 1));
        const { version = 0, name: nowName } = now.get(item.id) ?? {};
        const channel = { id: item.id, label: item.label, ...definedFields({ nowName }) };
        if (by !== undefined) return [{ ...channel, by: by.of.changeId }];
        const left = Math.max(...[item.seenAfter?.version, ...later.map((one) => one.left)].flatMap((version) => version ?? []));
        return version > left && Number.isFinite(left) ? [channel] : [];
      });
      return [intent.changeId, found];
    }),
  );
}

/** So few channels are read one by one. */
const FEW = 5;
const MAX_LOOK_MS = 3_000;

/** Channels as they are now; none where the service does not tell in time, since who asks about changes must get an answer then, too. */
export async function channelsNow(
  channels: ReadonlySet<string>,
  { client, account, each }: { readonly client: ServiceClient; readonly account: Account; readonly each: boolean },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ChannelNow>> {
  if (channels.size === 0) return new Map();
  const read = async (limited: AbortSignal) =>
    each && channels.size <= FEW
      ? Promise.all([...channels].map((id) => client.channels.get(id as ChannelId, limited))) // ids of records
      : account.allChannels({ signal: limited });
  const found = (await withTimeLimit(MAX_LOOK_MS, signal, read).catch(undefinedIfRefused)) ?? [];
  return new Map(
    found.flatMap((channel) =>
      channel.version === undefined ? [] : [[channel.id, { version: channel.version, name: shownName(channel) }]],
    ),
  );
}
