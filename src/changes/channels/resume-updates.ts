import { seenOf } from '../../account/contents.ts';
import type { ReadResult } from '../../account/record-finder.ts';
import { templateLabels } from '../../account/templates.ts';
import { titlesIn } from '../../account/video-references.ts';
import { refusal, type VideoHostingError } from '../../errors.ts';
import type { Channel } from '../../service/resources/channels.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import { kindFactsOf } from '../journal/facts.ts';
import type { Journal } from '../journal/journal.ts';
import { type LaterChange, laterChanges } from '../later-changes.ts';
import { carryOnTexts } from '../listed.ts';
import type { ItemPlan, ItemRun } from '../plan.ts';
import { reasonOf } from '../reason.ts';
import { applyUpdates } from './apply.ts';
import { type ChannelItem, channelItemIn, type PlanDeps } from './channel-change.ts';
import { describeItems } from './describe.ts';
import { sameNames } from './same-names.ts';
import { isUnchanged } from './verify.ts';
import { type ChannelWarning, mergeWarnings } from './warnings.ts';

interface ResumeUpdateDeps extends PlanDeps {
  readonly journal: Journal;
}

/** A channel that is left alone: `why` goes on from its name, `plural` from a number of channels. */
interface LeftAlone {
  readonly item: ItemState;
  readonly why: string;
  readonly plural: string;
}

/**
 * Plans to send what a change of channels did not send, as it was approved: only to channels that are still as its plan saw them,
 * so that nothing is overwritten that was written or stated since. What may have been sent is sent again only to such a channel
 * too. Throws `not_resumable` where nothing is left.
 */
export async function planRestOfUpdate(record: ChangeRecord, deps: ResumeUpdateDeps, signal: AbortSignal): Promise<ItemPlan> {
  const { client, account, catalogue, journal } = deps;
  const { changeId } = record.intent;
  const open = record.items.filter((item) => (item.outcome === 'not_done' || item.outcome === 'unknown') && channelItemIn(item));
  const later = await laterChanges(record, journal);
  const channels = open.length === 0 ? [] : await account.allChannels({ signal });
  const references = open.map(({ id }) => ({ reference: id, field: 'changeId' }));
  const current = await account.readChannels(references, channels, { signal });
  const steps = open.map((item, index) => stepOf(item, current[index], later.get(item.id)));
  const items = steps.flatMap((step) => ('send' in step ? [step.send] : []));
  const left = steps.flatMap((step) => ('why' in step ? [step] : []));
  const sameName = sameNames(items, channels);
  const notes = [
    ...left.map(({ item: { label }, why, plural }): ChannelWarning => ({ text: `${label} ${why}`, shared: plural })),
    ...sameName.notes,
  ];
  const done = record.items.filter(({ outcome }) => outcome === 'done').length;
  if (items.length === 0) throw nothingLeft(changeId, done, record.items.length, mergeWarnings(notes));
  const needsTemplates = items.some(({ after }) => after.templateKey !== undefined);
  const templates = needsTemplates ? (await client.templates.list(signal)).items : [];
  const names = { titleOf: titlesIn(await catalogue()), templateOf: templateLabels(templates) };
  const sending = `${items.length} channel${items.length === 1 ? '' : 's'} to be sent`;
  const texts = carryOnTexts(record.intent, `${done} of ${record.items.length} done, ${sending}.`);
  const kept = left.filter(({ item }) => item.outcome === 'not_done');
  return {
    ...kindFactsOf(record.intent),
    preview: { ...describeItems(texts.summary, items, notes, names), title: texts.title },
    items: [...items, ...kept.map(({ item: { id, label } }) => ({ id, label, seen: null, before: {}, after: {} }))],
    basis: sameName.basis,
    resumes: changeId,
    epoch: record.epoch,
    async apply(run: ItemRun) {
      for (const { item, why } of kept) await run.record(item.id, { outcome: 'not_done', reason: `It ${why}` });
      await applyUpdates(run, items, client);
    },
  };
}

function stepOf(
  item: ItemState,
  read: ReadResult<Channel> | undefined,
  later: LaterChange | undefined,
): { readonly send: ChannelItem } | LeftAlone {
  const leave = (why: string, plural: string): LeftAlone => ({ item, why, plural });
  const channel = channelItemIn(item);
  if (later !== undefined) return leave(...LATER[later.how](later.by));
  if (channel === undefined || read === undefined || 'refusal' in read) {
    const why = read !== undefined && 'refusal' in read ? reasonOf(read.refusal) : '';
    return leave(`could not be read, so it is left alone. ${why}`, 'could not be read. They are left alone.');
  }
  if (channel.seen.version === null)
    return leave(
      'shows no version, so nothing tells whether it is as it was.',
      'show no version, so nothing tells whether they are as they were.',
    );
  if (isUnchanged(read.record, channel)) return { send: channel };
  if (item.outcome === 'unknown')
    return leave(
      `may have been changed already. ${item.reason ?? ''} It is not sent again: look at it, and ask for what is missing.`,
      'may have been changed already. They are not sent again: look at each, and ask for what is missing.',
    );
  const versions = `(version ${channel.seen.version} → ${seenOf(read.record).version ?? '?'})`;
  return leave(
    `was changed by someone else since ${versions}. It is left alone: ask for its change anew.`,
    'were changed by someone else since. They are left alone: ask for their changes anew.',
  );
}

const LATER: Readonly<Record<LaterChange['how'], (by: string) => [why: string, plural: string]>> = {
  settles: (by) => [`is settled by ${by}, a later change of it.`, `are settled by ${by}, a later change of them.`],
  changes: (by) => [
    `was changed by ${by} since. It is left alone: ask for its change anew.`,
    `were changed by ${by} since. They are left alone: ask for their changes anew.`,
  ],
  states: (by) => [
    `has other contents by what was stated since (${by}). It is left alone: ask for its change anew.`,
    `have other contents by what was stated since (${by}). They are left alone: ask for their changes anew.`,
  ],
};

function nothingLeft(changeId: string, done: number, total: number, reasons: readonly string[]): VideoHostingError {
  const why = reasons.slice(0, MAX_REASONS).join(' ');
  const message = `Nothing of ${changeId} is left to be sent: ${done} of ${total} ${done === 1 ? 'is' : 'are'} done. ${why}`.trim();
  return refusal('not_resumable', message);
}

const MAX_REASONS = 20;
