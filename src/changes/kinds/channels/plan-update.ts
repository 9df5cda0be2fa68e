import type { Catalogue } from '../../../account/catalogue.ts';
import { CONTENTS } from '../../../account/contents.ts';
import { shownName } from '../../../account/references.ts';
import { planName, templateLabels } from '../../../account/templates.ts';
import { notInCatalogue, type TitleOf, titlesIn } from '../../../account/video-references.ts';
import { usable } from '../../../files/known-videos.ts';
import { entriesIn, longPiece } from '../../../platform/long-work.ts';
import { counted } from '../../../text/counted.ts';
import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import { catalogueNotices } from '../../notices/catalogue-notices.ts';
import { type Notice, noticeText } from '../../notices/notices.ts';
import { rowOf } from '../../plan/channel-fields.ts';
import { listDifference } from '../../plan/list-difference.ts';
import { listText } from '../../plan/list-text.ts';
import type { ChangePlanner, ItemRun, PlanReading } from '../../plan/plan.ts';
import type { ContentsDeps } from '../../plan/plan-deps.ts';
import { factsForAnswers } from '../../plan/template-names.ts';
import { applyUpdates } from './apply.ts';
import type { ChannelItem, UpdateRequest } from './channel-change.ts';
import { compareWithViews, type StatedVideos } from './compare-views.ts';
import { describeItems, shortLabels } from './describe.ts';
import { absentText } from './edit-keys.ts';
import { createFormerNames, formerNameNotices } from './former-names.ts';
import { changedSinceNotices } from './list-age.ts';
import { createListFiles } from './list-files.ts';
import { notHeldNotices, repeatedNotices, restatedNotices } from './list-notices.ts';
import { laterOwnVersions } from './own-versions.ts';
import { type AccountData, createViewedText, type PlannedChannel, type PlanningContext, planChannel } from './plan-channel.ts';
import { readWhenNeeded } from './resolve-references.ts';
import { sameNames } from './same-names.ts';
import { type ChangeProblems, problemsError } from './update-problems.ts';

/** Plans changes to up to a hundred channels. Throws the problems of all of them at once. */
export function planUpdate(asked: UpdateRequest, deps: ContentsDeps): ChangePlanner {
  return async (read) => {
    const catalogue = await deps.catalogue();
    const titleOf = titlesIn(catalogue);
    const data = await readData(asked, catalogue, deps, read);
    const { planned, problems, faultless, sent } = await planAll(asked, data, deps, titleOf, read.signal);
    if (problems.length > 0) throw problemsError(problems, faultless);
    const changing = planned.filter(({ changes }) => changes);
    const items = changing.map(({ item }) => item);
    if (items.length === 0) assertHeld(planned);
    const files = await data.files.notices();
    const idle = planned.filter(({ changes }) => !changes).map(({ item: { label } }) => ({ kind: 'already_so', label }) as const);
    const names = sameNames(items, data.channels);
    // Each of these looks at all that the channels hold and held.
    const step = () => longPiece(entriesIn(items), read.signal);
    const listed = changing.map(({ item: { label }, channel, given }) => ({ label, channel, given }));
    await step();
    const restated = changing.flatMap(({ item, former }) => restatedNotices(item.label, former, item.before, titleOf, item.after));
    const notices = [
      ...(await changedSinceNotices(listed, { sent, readings: deps.readings, files: data.files })),
      ...restated,
      ...(await compareWithViews(changing.flatMap(statedVideos), deps, titleOf, read.signal)),
      ...planned.flatMap(({ item: { label }, notHeld }) => notHeldNotices(label, notHeld, titleOf)),
      ...idle,
      ...formerNameNotices([...data.named, ...data.files.renamed()], planned),
      ...names.notices,
      ...(await templateNotices(items, data)),
      ...items.flatMap((item) => unlistedNotice(item, usable(catalogue))),
      ...catalogueNotices(catalogue),
      ...planned.flatMap(({ item: { label }, repeated }) => repeatedNotices(label, repeated, titleOf)),
      ...files,
    ];
    const summary = items.length === 0 ? sentence`Everything is already as wanted` : sentence`Change ${counted(items.length, 'channel')}`;
    const corrected = changing.flatMap(({ item, former }) => (former === undefined ? [] : [[item.id, former] as const]));
    const kind = 'update_channels';
    await step();
    const facts = await factsForAnswers({ items, files: files.map(noticeText), templates: data.templates });
    return {
      kind,
      facts,
      preview: describeItems(summary, items, notices, { facts, titleOf }),
      items,
      // So that a statement that was made after the preview is noticed.
      basis: { ...names.basis, statedBefore: corrected },
      apply: (run: ItemRun) => applyUpdates(run, items, deps.client),
    };
  };
}

/** Throws where a call changes nothing, and was to remove what is not there: that is rather a mistake than done already. */
function assertHeld(planned: readonly PlannedChannel[]): void {
  const problems = planned.flatMap(({ field, channel, notHeld }) =>
    CONTENTS.flatMap((list): ChangeProblems[] => {
      const keys = notHeld[list] ?? [];
      const argument = rowOf(list).edits?.remove;
      if (keys.length === 0 || argument === undefined) return [];
      return [{ name: shownName(channel), problems: [{ field: sentence`${field}.${word(argument)}`, problem: absentText(keys) }] }];
    }),
  );
  if (problems.length > 0) throw problemsError(problems, []);
}

async function readData(
  { changes }: UpdateRequest,
  catalogue: Catalogue | undefined,
  deps: ContentsDeps,
  { signal, progress }: PlanReading,
): Promise<AccountData> {
  const { account, filesDirs, journal } = deps;
  const channels = await account.allChannels({ signal, progress });
  const references = changes.map(({ channel }, index) => ({ reference: channel, field: sentence`changes[${index}].channel` }));
  const named = await account.readChannels(references, channels, { signal });
  return {
    channels,
    named,
    ...readWhenNeeded(deps, signal),
    catalogue,
    files: createListFiles(filesDirs, catalogue, createFormerNames(journal), signal),
  };
}

async function planAll(
  { changes, ...forAll }: UpdateRequest,
  data: AccountData,
  deps: ContentsDeps,
  titleOf: TitleOf,
  signal: AbortSignal,
) {
  const records = data.named.flatMap((read) => ('record' in read ? [read.record] : []));
  const context: PlanningContext = {
    data,
    forAll,
    calledOf: shortLabels(data.channels),
    sent: deps.sentContents(records),
    formerContents: deps.formerContents,
    left: await laterOwnVersions(records, deps.journal),
    viewedText: createViewedText(deps, titleOf, signal),
    changeOf: (id) => data.named.findIndex((read) => 'record' in read && read.record.id === id),
  };
  const planned: PlannedChannel[] = [];
  const problems: ChangeProblems[] = [];
  /** The channels that nothing is wrong with. */
  const faultless: Sentence[] = [];
  for (const [index, change] of changes.entries()) {
    await longPiece(entriesIn(change), signal);
    const one = await planChannel(index, change, context);
    const found = one.problems.filter((part) => part.problems.length > 0);
    if (one.planned !== undefined) planned.push(one.planned);
    if (one.planned !== undefined && found.length === 0) faultless.push(one.planned.item.label);
    problems.push(...found);
  }
  return { planned, problems, faultless, sent: context.sent };
}

/** The videos that a person states: what the channel holds, or what it is to hold where that is not known. */
function statedVideos({ item, channel }: PlannedChannel): StatedVideos[] {
  const { before, after, states = [] } = item;
  const videoKeys = states.includes('videoKeys') ? before.videoKeys : before.videoKeys === undefined ? after.videoKeys : undefined;
  return videoKeys === undefined ? [] : [{ id: channel.id, label: item.label, channelKey: channel.key, videoKeys, sent: after.videoKeys }];
}

/** New keys that the catalogue does not know: the service may refuse them. */
function unlistedNotice({ label, before, after }: ChannelItem, catalogue: Catalogue | undefined): Notice[] {
  if (catalogue === undefined) return [];
  const { added } = listDifference(before.videoKeys ?? [], after.videoKeys ?? []);
  const unknown = notInCatalogue(added, catalogue);
  return unknown.length === 0 ? [] : [{ kind: 'keys_not_in_catalogue', label, count: unknown.length, which: listText(unknown) }];
}

/** A plan type belongs to the account, so one channel that shows it is enough. */
async function templateNotices(items: readonly ChannelItem[], { channels, templates }: AccountData): Promise<Notice[]> {
  const named = items.filter(({ after }) => after.templateKey);
  const all = named.length === 0 ? [] : await templates();
  const labelOf = templateLabels(all);
  const uses = [...new Set(named.map(({ after }) => after.templateKey ?? ''))].map((key) => ({
    kind: 'template_use' as const,
    template: labelOf(key),
    channels: channels.filter(({ templateKey }) => templateKey === key).length,
  }));
  const highest = Math.max(...channels.map(({ planType = 0 }) => planType));
  const tooHigh = named.flatMap(({ id, label, after }): Notice[] => {
    const needs = all.find(({ key }) => key === after.templateKey)?.planType;
    const has = channels.find((channel) => channel.id === id)?.planType;
    if (needs === undefined || has === undefined || needs <= highest) return [];
    return [{ kind: 'template_too_high', label, needs: planName(needs), has: planName(has) }];
  });
  return [...tooHigh, ...uses];
}
