import type { Account } from '../account/account.ts';
import type { Catalogue } from '../account/catalogue.ts';
import { seenOf } from '../account/contents.ts';
import type { Read } from '../account/read-record.ts';
import { titlesIn } from '../account/video-references.ts';
import { VideoHostingError } from '../errors.ts';
import type { Client } from '../service/client.ts';
import type { Channel } from '../service/resources/channels.ts';
import { planUndoMove } from './bulk/plan-undo-move.ts';
import { applyUpdates } from './channels/apply.ts';
import { type ChannelAfter, type ChannelBefore, type ChannelItem, LISTS, TEXTS } from './channels/channel-change.ts';
import { describeItems, isRestorable, undoOf } from './channels/describe.ts';
import { shownFields } from './channels/plan-item.ts';
import { shortLabels } from './channels/short-label.ts';
import type { ChangeRecord, ItemState } from './journal/change-record.ts';
import type { Journal } from './journal/journal.ts';
import { noSuchChange } from './journal/journal.ts';
import type { ChangePlanner, Run } from './plan.ts';
import { undoneBy } from './undone-by.ts';

export interface UndoDeps {
  readonly client: Client;
  readonly account: Account;
  readonly journal: Journal;
  readonly catalogue: () => Promise<Catalogue | undefined>;
}

/** Plans to set back what a change did, as far as it is known what was there before and nobody touched it since. */
export function planUndo(changeId: string, { client, account, journal, catalogue }: UndoDeps): ChangePlanner {
  return async ({ signal, progress }) => {
    const record = await journal.read(changeId);
    if (record === undefined) throw noSuchChange(changeId, { outcome: 'nothing-sent' });
    refuseOthers(record);
    if (record.bulk !== undefined) return planUndoMove(record, { client, journal });
    const channels = await account.allChannels({ signal, progress });
    const label = shortLabels(channels);
    const changed = record.items.filter(({ outcome }) => outcome !== 'failed' && outcome !== 'not_done');
    const named = changed.map(({ id }) => ({ reference: id, field: 'changeId' }));
    const found = await account.readChannels(named, channels, { signal });
    const judged = changed.map((item, index) => undoItem(item, found[index], label));
    const items = judged.flatMap((one) => one.set ?? []);
    const left = judged.flatMap((one) => one.left ?? []);
    const notes = [...left.map(({ label, reason }) => `${label}: ${reason}`), ...judged.flatMap(({ note }) => note ?? [])];
    if (items.length === 0) {
      const why = notes.length === 0 ? 'Nothing of it was done.' : notes.slice(0, 20).join(' ');
      const undo = await undoneBy(changeId, journal);
      const before = undo === undefined ? '' : ` It was undone before, by ${undo.by}.`;
      throw notUndoable(`Nothing of ${changeId} can be undone.${before} ${why}`);
    }
    const summary = `Undo ${changeId}: set ${items.length} of ${changed.length} channel${changed.length === 1 ? '' : 's'} back.`;
    return {
      kind: 'undo_change',
      preview: describeItems(summary, items, notes, undoOf(items), titlesIn(await catalogue())),
      // What is left alone is part of the change, so that its answer and its journal tell of it.
      items: [
        ...items.map((item) => ({ ...item, before: { ...item.before }, after: { ...item.after } })),
        ...left.map(({ id, label }) => ({ id, label, seen: null, before: {}, after: {} })),
      ],
      facts: { undoes: changeId },
      async apply(run: Run) {
        for (const { id, reason } of left) await run.record(id, { outcome: 'not_done', reason });
        await applyUpdates(run, items, client);
      },
    };
  };
}

function notUndoable(message: string): VideoHostingError {
  return new VideoHostingError('not_undoable', message, { facts: { outcome: 'nothing-sent' } });
}

function refuseOthers({ intent, status }: ChangeRecord): void {
  if (status === 'running') throw notUndoable(`${intent.changeId} is still running.`);
  if (['update_channels', 'undo_change', 'move_videos'].includes(intent.kind)) return;
  throw notUndoable(`${intent.changeId} can’t be undone. ${intent.undo.how}`);
}

/** The update that sets a channel back, or why it is left alone; `note`: what a person should know of it besides. */
interface Judged {
  readonly set?: ChannelItem;
  readonly left?: { readonly id: string; readonly label: string; readonly reason: string };
  readonly note?: string;
}

function undoItem(item: ItemState, read: Read<Channel> | undefined, label: (channel: Channel) => string): Judged {
  const leave = (reason: string): Judged => ({ left: { id: item.id, label: item.label, reason: `${reason} It is left alone.` } });
  // The journal was written from these very types by the plan of the change.
  const done = { before: item.before as unknown as ChannelBefore, after: item.after as unknown as ChannelAfter };
  if (read === undefined || 'refusal' in read) return leave(read?.refusal.message ?? 'It could not be read.');
  const channel = read.record;
  const now = seenOf(channel);
  const isUnknown = item.outcome === 'unknown';
  if (isUnknown) {
    if (now.version !== null && now.version === item.seen?.version && now.updated === item.seen.updated)
      return { note: `${item.label} is as it was before; there is nothing to set back.` };
    if (!showsOnly(channel, item, done)) return leave('Whether it was changed is not known; state its whole list with update_channels.');
  } else if (now.version === null || now.version !== item.seenAfter?.version || now.updated !== item.seenAfter.updated) {
    return leave(`It was changed since (version ${item.seenAfter?.version ?? '?'} → ${now.version ?? '?'}).`);
  }
  if (!isRestorable({ ...done, unsure: item.unsure })) return leave('Not all of what it was before is known.');
  const set = restoring(channel, label(channel), done);
  if (!isUnknown) return { set };
  return { set, note: `Whether ${set.label} was changed is not known, but it shows what was sent, so it is set back as well.` };
}

/** Whether a channel of unknown fate shows a value that only this change gave it, at the very next version. */
function showsOnly(channel: Channel, item: ItemState, { before, after }: { before: ChannelBefore; after: ChannelAfter }): boolean {
  const fields = TEXTS.filter((field) => after[field] !== undefined && after[field] !== before[field]);
  const next = typeof item.seen?.version === 'number' && channel.version === item.seen.version + 1;
  return next && fields.length > 0 && fields.every((field) => (channel[field] ?? '') === after[field]);
}

function restoring(channel: Channel, label: string, { before, after }: { before: ChannelBefore; after: ChannelAfter }): ChannelItem {
  const { name, description, templateKey } = channel;
  const held = { ...before, ...shownFields({ name, description, templateKey }) };
  // A list that held something was sent, too.
  const lists = LISTS.filter((list) => before[list] !== undefined && after[list] !== undefined);
  return {
    id: channel.id,
    label,
    seen: seenOf(channel),
    before: { ...held, ...Object.fromEntries(lists.map((list) => [list, after[list]])) },
    after: {
      name: before.name ?? after.name,
      ...(after.description === undefined || before.description === undefined ? {} : { description: before.description }),
      ...(after.templateKey === undefined || before.templateKey === undefined ? {} : { templateKey: before.templateKey }),
      ...Object.fromEntries(lists.map((list) => [list, before[list]])),
    },
  };
}
