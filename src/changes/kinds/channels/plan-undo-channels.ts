import { CONTENTS, contentsOf, seenOf, shownLists } from '../../../account/contents.ts';
import type { RecordOrRefusal } from '../../../account/record-finder.ts';
import { titlesIn } from '../../../account/video-references.ts';
import { refusal } from '../../../errors.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import type { Channel } from '../../../service/resources/channels.ts';
import { counted } from '../../../text/counted.ts';
import { joined, type Sentence, sentence, word, wordList } from '../../../text/sentence.ts';
import type { ChangeRecord, ItemState } from '../../journal/change-record.ts';
import { hintTexts, type Notice, noticeText } from '../../notices/notices.ts';
import { isSameValue, PLAIN_FIELDS, pickFields, rowOf, wordsFor } from '../../plan/channel-fields.ts';
import { quotedValue, wordOf } from '../../plan/field-text.ts';
import { listDifference } from '../../plan/list-difference.ts';
import type { Called, ItemPlan, ItemRun, PlanReading } from '../../plan/plan.ts';
import type { FileDeps } from '../../plan/plan-deps.ts';
import { factsForAnswers } from '../../plan/template-names.ts';
import { findUnknown } from '../earlier/find-unknown.ts';
import { assertUndoableBy } from '../earlier/undo-now.ts';
import { undoneBeforeText, withCancelled, withUndos } from '../earlier/undone-by.ts';
import type { ChannelsToUndo, UndoWay } from '../kind.ts';
import { applyUpdates } from './apply.ts';
import { withUnapproved } from './approved-lists.ts';
import { type ChannelItem, channelItemIn } from './channel-change.ts';
import { describeItems, shortLabels } from './describe.ts';
import { createSentLookup } from './last-sent.ts';
import { LOOK_AT_CHANNELS } from './look-again.ts';
import { readWhenNeeded } from './resolve-references.ts';
import { isRestorable, undoOfChannels } from './restorable.ts';
import { sameNames } from './same-names.ts';
import { carriedOut, changesSomething, isSameVersion, mergedChain, type UndoChain, undoChains } from './undo-chain.ts';
import { channelsNamed } from './undo-selection.ts';
import { isInferred, showsAll } from './verify.ts';

/** The undo of what changed channels. */
export const UNDO_OF_CHANNELS: UndoWay = {
  promise: ({ items = [], notices = [] }) =>
    undoOfChannels(
      items.flatMap((item) => channelItemIn(item) ?? []),
      notices,
    ),
  assertNamed,
  plan: planUndoChannels,
  did: sentence`changed channels`,
  takesSeveral: true,
  chosenBy: ['only', 'channels'],
};

/** What they are not about is known, however far they are. */
async function assertNamed(
  records: readonly ChangeRecord[],
  { channels: asked }: ChannelsToUndo,
  { account }: FileDeps,
  { signal, progress }: PlanReading,
): Promise<void> {
  if (asked === undefined) return;
  const items = records.flatMap((record) => record.items);
  const named = wordList(records.map(({ intent }) => intent.changeId));
  channelsNamed(asked, await account.allChannels({ signal, progress }), { named, items, changed: new Set(items.map(({ id }) => id)) });
}

/**
 * Plans to set back what changes did, the newest first where they touched the same channel: what was there before is known,
 * and nobody else changed the record since.
 */
async function planUndoChannels(
  records: readonly ChangeRecord[],
  request: ChannelsToUndo,
  deps: FileDeps,
  { signal, progress }: PlanReading,
): Promise<ItemPlan> {
  const { client, account, journal, catalogue } = deps;
  const undoes = records.map(({ intent }) => intent.changeId);
  const named = wordList(undoes);
  const channels = await account.allChannels({ signal, progress });
  const calledOf = shortLabels(channels);
  const found = await withUndos(records, journal);
  for (const record of found) assertUndoableBy(record, UNDO_OF_CHANNELS);
  const chainsOf = async (some: readonly ChangeRecord[]): Promise<readonly UndoChain[]> => {
    const looked = await Promise.all(some.map((record) => findUnknown(record, LOOK_AT_CHANNELS, deps, signal)));
    return undoChains(looked.flatMap(withUnapproved).filter(({ outcome }) => outcome !== 'failed' && outcome !== 'not_done'));
  };
  const chains = await chainsOf(found);
  const { changed, left } = selected(chains, request.channels, channels, { named, items: records.flatMap(({ items }) => items) });
  const references = changed.map(([{ id }]) => ({ reference: id, field: sentence`changeId` }));
  const current = await account.readChannels(references, channels, { signal });
  const planned = changed.map((chain, index) => undoStep(chain, current[index], calledOf, request.only));
  const isOpen = planned.some(({ skip }) => skip !== undefined);
  // What looks changed since may have been changed and set back.
  const longer = isOpen ? await chainsOf(await withCancelled(found, journal)) : [];
  const steps = planned.map((step, index) => {
    const chain = step.skip && longer.find(([{ id }]) => id === step.skip?.id);
    const again = chain && undoStep(chain, current[index], calledOf, request.only);
    return again?.set === undefined ? step : again;
  });
  const items = steps.flatMap(({ set }) => set ?? []);
  const skipped = steps.flatMap(({ skip }) => skip ?? []);
  const sent = createSentLookup(
    journal,
    skipped.flatMap(({ id, changed: since }) => (since === undefined ? [] : [{ id, seen: seenOf(since) }])),
  );
  const skips = await Promise.all(
    skipped.map(async ({ label, reason, changed: since }) => {
      const isKnown = since && (await contentsOf(since, sent)).known;
      return { kind: 'not_set_back', label, reason, ...definedFields({ isKnown }) } as const;
    }),
  );
  const names = sameNames(items, channels);
  const notices = [...skips, ...steps.flatMap(({ notice }) => notice ?? []), ...names.notices];
  if (items.length === 0) {
    const why = notices.length === 0 ? sentence`Nothing of it was done.` : joined(notices.slice(0, 20).map(noticeText));
    const earlier = await undoneBeforeText(undoes, journal);
    throw refusal('not_undoable', sentence`Nothing of ${named} can be undone.${earlier} ${why}`, joined(hintTexts(skips)) || undefined);
  }
  const parts = request.only === undefined ? sentence`` : sentence` ${joined(request.only, ', ')} of`;
  const total = sentence`${counted(chains.length, 'channel')} back`;
  const alone = skipped.length === 0 ? sentence`` : sentence`leave ${counted(skipped.length, 'channel')} alone, `;
  const summary = sentence`Undo${parts} ${named}: ${alone}set ${items.length} of ${total}`;
  // A title goes on with the names of those that are set back.
  const title = sentence`Undo${request.only === undefined ? '' : sentence` (${joined(request.only, ', ')})`}: set ${items.length === chains.length ? '' : sentence`${items.length} of `}${total}`;
  const kind = 'undo_change';
  const facts = {
    undoes,
    ...definedFields({ only: request.only && [...request.only], channels: left > 0 ? changed.map(([{ id }]) => id) : undefined }),
    ...(await factsForAnswers({ items, templates: readWhenNeeded(deps, signal).templates })),
  };
  return {
    kind,
    facts,
    preview: { ...describeItems(summary, items, notices, { facts, titleOf: titlesIn(await catalogue()) }), title },
    // The answer and the journal of the undo name what it left alone.
    items: [...items, ...skipped.map(({ reason: _, changed: __, ...item }) => ({ ...item, seen: null, before: {}, after: {} }))],
    basis: names.basis,
    async apply(run: ItemRun) {
      for (const { id, reason } of skipped) await run.record(id, { outcome: 'not_done', reason });
      await applyUpdates(run, items, client);
    },
  };
}

/** What of some changes is set back, and how many channels are left that could be set back too. */
function selected(
  chains: readonly UndoChain[],
  asked: ChannelsToUndo['channels'],
  channels: readonly Channel[],
  of: { readonly named: Sentence; readonly items: readonly ItemState[] },
): { readonly changed: readonly UndoChain[]; readonly left: number } {
  if (asked === undefined) return { changed: chains, left: 0 };
  const wanted = channelsNamed(asked, channels, { ...of, changed: new Set(chains.map(([{ id }]) => id)) });
  const others = chains.filter(([{ id }]) => !wanted.has(id));
  // What was undone before is as it was.
  const left = others.filter((chain) => changesSomething(mergedChain(chain, undefined).item)).length;
  return { changed: chains.filter(([{ id }]) => wanted.has(id)), left };
}

/** The channel as it is now, where it was changed since. */
interface Changed {
  readonly changed?: Channel;
}

interface UndoStep {
  /** The update that sets the channel back. */
  readonly set?: ChannelItem;
  /** Why the channel is left alone. */
  readonly skip?: Called & { readonly id: string; readonly reason: Sentence } & Changed;
  readonly notice?: Notice;
}

function undoStep(
  chain: UndoChain,
  read: RecordOrRefusal<Channel> | undefined,
  calledOf: (channel: Channel) => Called,
  only: ChannelsToUndo['only'],
): UndoStep {
  const { id, label: labelThen, name: nameThen } = chain[0];
  const channel = read !== undefined && 'record' in read ? read.record : undefined;
  // As it is called now.
  const { label, name } = channel === undefined ? { label: labelThen, name: nameThen } : calledOf(channel);
  const skip = (reason: Sentence, more: Changed = {}, stays = sentence``): UndoStep => ({
    skip: { id, label, name, reason: sentence`${reason} It is left alone${stays}.`, ...more },
  });
  if (channel === undefined) return skip(read !== undefined && 'refusal' in read ? read.refusal.reason : sentence`It could not be read.`);
  const now = seenOf(channel);
  const done = carriedOut(chain, now);
  if (done === undefined) return { notice: { kind: 'as_before', label } };
  const [newest] = done;
  const { item, blocked } = mergedChain(done, only);
  if (blocked !== undefined) return skip(blocked);
  const isUnknown = newest.outcome === 'unknown' || isInferred(newest);
  const sent = channelItemIn(newest);
  if (isUnknown && (sent === undefined || !isNextAndShown(channel, sent))) return skip(isInferred(newest) ? NOT_ANSWERED : NOT_KNOWN);
  if (!isUnknown && !isSameVersion(newest.seenAfter, now))
    return skip(changedSinceText(newest, channel, sent), { changed: channel }, notPutBackText(item));
  const changed = channelItemIn(item);
  if (changed === undefined || !isRestorable(item)) return skip(sentence`Not all of what it was before is known.`);
  const set = restoringItem(channel, calledOf(channel), changed);
  if (!changesSomething(set)) return { notice: { kind: 'as_before', label } };
  return isUnknown ? { set, notice: { kind: 'perhaps_changed_set_back', label: set.label } } : { set, ...statedNotice(item, set) };
}

const NOT_KNOWN = sentence`Whether it was changed is not known; its whole list has to be stated anew.`;
const NOT_ANSWERED = sentence`No answer came, so what it holds since is not known; its whole list has to be stated anew.`;

/** What was taken out, and stays so. */
function notPutBackText({ before, after }: ItemState): Sentence {
  const taken = CONTENTS.flatMap((list) => {
    const [was, is] = [before[list], after[list]];
    const out = was === undefined || is === undefined ? 0 : listDifference(was, is).removed.length;
    return out === 0 ? [] : [{ out, text: counted(out, rowOf(list).word) }];
  });
  if (taken.length === 0) return sentence``;
  const isOne = taken.length === 1 && taken[0]?.out === 1;
  return sentence`: the ${joined(
    taken.map(({ text }) => text),
    ' and ',
  )} taken out of it ${isOne ? 'is' : 'are'} not put back`;
}

/** What is different of what the change set. */
function changedSinceText({ at }: ItemState, channel: Channel, sent: ChannelItem | undefined): Sentence {
  const after = sent?.after;
  const now = seenOf(channel);
  // By a clock that is behind this one, it would be a day before the change.
  const isLater = now.updated !== null && at !== undefined && Date.parse(now.updated) > Date.parse(at);
  const on = isLater ? sentence` on ${word(now.updated.slice(0, 'YYYY-MM-DD'.length))}` : '';
  const set = PLAIN_FIELDS.filter((field) => after?.[field] !== undefined);
  const others = set.filter((field) => !isSameValue(channel[field] ?? '', after?.[field]));
  const what = others.map((field) => {
    const [was, is] = [quotedValue(field, after?.[field]), quotedValue(field, channel[field] ?? '')];
    return rowOf(field).isReference ? wordOf(field) : sentence`${wordOf(field)} ${was} → ${is}`;
  });
  const found =
    what.length > 0
      ? joined(what, ', ')
      : sentence`${joined(set.map(wordOf), ' and ')} as this change left ${set.length === 1 ? 'it' : 'them'}`;
  const shown = shownLists(channel);
  const lists = CONTENTS.filter((list) => shown[list] !== undefined && after?.[list] !== undefined);
  const isSent = lists.every((list) => isSameValue(shown[list], after?.[list]));
  const holds = isSent ? 'it holds what this change sent' : 'it holds something else by now';
  const contents = !showsLists(channel) ? '; what it holds can’t be seen' : lists.length === 0 ? '' : sentence`; ${holds}`;
  return sentence`It was changed since${on} (${found}${contents}).`;
}

const showsLists = (channel: Channel): boolean => {
  const shown = shownLists(channel);
  return CONTENTS.some((list) => shown[list] !== undefined);
};

/** Tells whose word the lists are that a channel goes back to; not of lists that stay as they are. */
function statedNotice({ stated = [] }: ItemState, { label, before, after }: ChannelItem): { readonly notice?: Notice } {
  const lists = stated.filter((list) => after[list] !== undefined && !isSameValue(before[list] ?? [], after[list]));
  return lists.length === 0 ? {} : { notice: { kind: 'back_as_stated', label, lists: wordsFor(lists) } };
}

/** Whether a channel shows, at the very next version, all that a change sent: an undo sends the lists of that back, and nothing else tells them. */
const isNextAndShown = (channel: Channel, sent: ChannelItem): boolean =>
  sent.seen.version !== null && channel.version === sent.seen.version + 1 && showsAll(channel, sent);

function restoringItem(channel: Channel, called: Called, { before, after, unapproved = [] }: ChannelItem): ChannelItem {
  // The change sent every list that held something.
  const lists = CONTENTS.filter((list) => before[list] !== undefined && after[list] !== undefined);
  const changed = PLAIN_FIELDS.filter((field) => after[field] !== undefined);
  return {
    id: channel.id,
    ...called,
    ...(lists.some((list) => rowOf(list).edits !== undefined) ? { replaces: true } : {}),
    ...(unapproved.length > 0 ? { unapproved } : {}),
    seen: seenOf(channel),
    before: { ...before, ...pickFields(channel, PLAIN_FIELDS), ...pickFields(after, lists) },
    after: { ...pickFields(before, [...changed, ...lists]), name: before.name ?? after.name },
  };
}
