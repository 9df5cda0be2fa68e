import { seenOf } from '../../../account/contents.ts';
import type { RecordOrRefusal } from '../../../account/record-finder.ts';
import { titlesIn } from '../../../account/video-references.ts';
import { refusal, type VideoHostingError } from '../../../errors.ts';
import type { Channel } from '../../../service/resources/channels.ts';
import { counted } from '../../../text/counted.ts';
import { joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import { cutQuoted } from '../../../text/text-columns.ts';
import type { ChangeRecord, ItemState } from '../../journal/change-record.ts';
import { type Notice, noticeText, shortTexts } from '../../notices/notices.ts';
import { kindFactsOf } from '../../plan/facts.ts';
import type { ItemPlan, ItemRun, PlanReading } from '../../plan/plan.ts';
import type { PlanDeps } from '../../plan/plan-deps.ts';
import { carryOnTexts } from '../../plan/preview.ts';
import { type LaterChange, laterChanges } from '../earlier/later-changes.ts';
import { isBusy, waitUntil } from '../earlier/wait-out-busy.ts';
import type { ResumeRequest } from '../kind.ts';
import { RETRY_HINT } from '../videos/plan-resume.ts';
import { applyUpdates } from './apply.ts';
import { type ChannelItem, channelItemIn } from './channel-change.ts';
import { describeItems } from './describe.ts';
import { sameNames } from './same-names.ts';
import { isUnchanged } from './verify.ts';

/** A channel that is left alone, and why. */
interface LeftAlone {
  readonly item: ItemState;
  readonly why: Extract<Notice, { readonly label: string }>;
}

export const REST_OF_UPDATE = { plan: planRestOfUpdate, sendsUnknown: true } as const;

/**
 * Plans to send what a change of channels did not send, as it was approved: only to channels that are still as its plan saw them,
 * so that nothing is overwritten that was written or stated since. What may have been sent is sent again only to such a channel
 * too, and with `retryFailed` what the service refused. Throws `not_resumable` where nothing is left.
 */
async function planRestOfUpdate(
  record: ChangeRecord,
  { retryFailed = false }: ResumeRequest,
  deps: PlanDeps,
  { signal, waitUntil: until }: Pick<PlanReading, 'signal' | 'waitUntil'>,
): Promise<ItemPlan> {
  const { client, account, catalogue, journal } = deps;
  const { changeId } = record.intent;
  const isOpen = ({ outcome }: ItemState) => outcome === 'not_done' || outcome === 'unknown' || (retryFailed && outcome === 'failed');
  const open = record.items.filter((item) => isOpen(item) && channelItemIn(item));
  const later = await laterChanges(record, journal);
  const channels = open.length === 0 ? [] : await account.allChannels({ signal });
  const references = open.map(({ id }) => ({ reference: id, field: sentence`changeId` }));
  const current = await account.readChannels(references, channels, { signal });
  const steps = open.map((item, index) => stepOf(item, current[index], later.get(item.id)));
  const items = steps.flatMap((step) => ('send' in step ? [step.send] : []));
  const left = steps.flatMap((step) => ('why' in step ? [step] : []));
  const sameName = sameNames(items, channels);
  const notices = [...left.map(({ why }) => why), ...steps.flatMap(retriedNotice), ...sameName.notices];
  const done = record.items.filter(({ outcome }) => outcome === 'done').length;
  const hasFailed = !retryFailed && record.items.some(({ outcome }) => outcome === 'failed');
  const busy = current.find((read) => 'refusal' in read && isBusy(read.refusal));
  if (items.length === 0 && busy !== undefined && 'refusal' in busy) throw busy.refusal;
  if (items.length === 0) throw nothingLeft(changeId, done, record.items.length, shortTexts(notices), hasFailed);
  const kindFacts = kindFactsOf(record.intent);
  const titleOf = titlesIn(await catalogue());
  const texts = carryOnTexts(
    record.intent,
    sentence`${done} of ${record.items.length} done, ${counted(items.length, 'channel')} to be sent`,
  );
  const notDone = left.filter(({ item }) => item.outcome === 'not_done');
  return {
    ...kindFacts,
    preview: { ...describeItems(texts.summary, items, notices, { facts: kindFacts.facts, titleOf }), title: texts.title },
    items: [...items, ...notDone.map(({ item: { id, label, name } }) => ({ id, label, name, seen: null, before: {}, after: {} }))],
    basis: sameName.basis,
    resumes: changeId,
    epoch: record.epoch,
    async apply(run: ItemRun) {
      for (const { item, why } of notDone)
        await run.record(item.id, { outcome: 'not_done', reason: noticeText({ ...why, label: sentence`It` }) });
      await applyUpdates(run, items, client, waitUntil(until ?? Date.now() + MAX_BUSY_MS));
    },
  };
}

/** How long a busy service is waited out where no call waits. */
const MAX_BUSY_MS = 45_000;

type Step = { readonly item: ItemState; readonly send: ChannelItem } | LeftAlone;

function stepOf(item: ItemState, read: RecordOrRefusal<Channel> | undefined, later: LaterChange | undefined): Step {
  const { label } = item;
  const leave = (why: LeftAlone['why']): LeftAlone => ({ item, why });
  const channel = channelItemIn(item);
  if (later !== undefined) return leave({ kind: LATER[later.how], label, by: later.by });
  if (channel === undefined || read === undefined || 'refusal' in read) {
    const why = read !== undefined && 'refusal' in read ? read.refusal.reason : sentence``;
    return leave({ kind: 'not_readable', label, why });
  }
  if (channel.seen.version === null) return leave({ kind: 'no_version', label });
  if (isUnchanged(read.record, channel)) return { item, send: channel };
  if (item.outcome === 'unknown') return leave({ kind: 'perhaps_changed', label, reason: item.reason ?? sentence`` });
  const [from, to] = [channel.seen, seenOf(read.record)].map(({ version }) => sentence`${version ?? '?'}`);
  return leave({ kind: 'changed_by_others', label, from: from ?? sentence`?`, to: to ?? sentence`?` });
}

const LATER = { settles: 'settled_later', changes: 'changed_later', restates: 'restated_later' } as const;

/** Why the service refused what is sent again. */
function retriedNotice({ item: { label, outcome, reason = sentence`` }, ...step }: Step): Notice[] {
  return outcome === 'failed' && 'send' in step ? [{ kind: 'refused_before', label, reason: cutQuoted(reason, MAX_QUOTED) }] : [];
}

function nothingLeft(changeId: string, done: number, total: number, reasons: readonly Sentence[], hasFailed: boolean): VideoHostingError {
  const message = sentence`Nothing of ${word(changeId)} is left to be sent: ${done} of ${total} ${done === 1 ? 'is' : 'are'} done.`;
  return refusal('not_resumable', joined([message, ...reasons.slice(0, MAX_REASONS)]), hasFailed ? RETRY_HINT : undefined);
}

const MAX_REASONS = 20;
/** What the service said is repeated in so many columns: once it was told in full. */
const MAX_QUOTED = 120;
