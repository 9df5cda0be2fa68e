import type { Catalogue } from '../../account/catalogue.ts';
import { type Contents, contentsOf } from '../../account/contents.ts';
import type { ReadResult } from '../../account/record-finder.ts';
import { shownName } from '../../account/references.ts';
import { planName, templateLabels } from '../../account/templates.ts';
import { notInCatalogue, type TitleOf, titlesIn } from '../../account/video-references.ts';
import { MAX_VIEW_SEARCHES } from '../../account/viewed-videos.ts';
import type { FieldProblem } from '../../errors.ts';
import type { Channel } from '../../service/resources/channels.ts';
import { counted } from '../../text/counted.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { listed } from '../listed.ts';
import { viewsText } from '../notices/channel-notices.ts';
import { type Notice, noticeText } from '../notices/notices.ts';
import type { ChangePlanner, ItemRun } from '../plan.ts';
import { applyUpdates } from './apply.ts';
import type { ChannelChange, ChannelItem, ContentsDeps, Lists } from './channel-change.ts';
import { compareWithViews, type StatedVideos } from './compare-views.ts';
import { describeItems, shortLabels } from './describe.ts';
import { limitProblems } from './limits.ts';
import { createListFiles } from './list-files.ts';
import { factsForAnswers } from './outcome-lines.ts';
import { laterOwnVersions } from './own-versions.ts';
import { planItem } from './plan-item.ts';
import { type ReferenceData, resolveChange } from './resolve-change.ts';
import { sameNames } from './same-names.ts';
import { withStatement } from './statement.ts';
import { type ChangeProblems, problemsError } from './update-problems.ts';

/** Plans changes to up to a hundred channels. Throws the problems of all of them at once. */
export function planUpdate(asked: readonly ChannelChange[], deps: ContentsDeps): ChangePlanner {
  return async (read) => {
    const catalogue = await deps.catalogue();
    const titleOf = titlesIn(catalogue);
    const data = await readData(asked, catalogue, deps, read);
    const { planned, problems } = await planAll(asked, data, deps, read.signal);
    if (problems.length > 0) throw problemsError(problems, titleOf);
    const changing = planned.filter(({ changes }) => changes);
    const items = changing.map(({ item }) => item);
    const files = await data.files.notices();
    const idle = planned.filter(({ changes }) => !changes).map(({ item: { label } }) => ({ kind: 'already_so', label }) as const);
    const names = sameNames(items, data.channels);
    const notices = [
      ...(await compareWithViews(changing.flatMap(statedVideos), deps.seenVideos, titleOf, read.signal)),
      ...idle,
      ...names.notices,
      ...templateNotices(items, data),
      ...(catalogue === undefined ? [] : items.flatMap((item) => unlistedNotice(item, catalogue))),
      ...files,
    ];
    const summary = items.length === 0 ? 'Everything is already as wanted' : `Change ${counted(items.length, 'channel')}`;
    const corrected = changing.flatMap(({ item, former }) => (former === undefined ? [] : [[item.id, former] as const]));
    return {
      kind: 'update_channels',
      preview: describeItems(summary, items, notices, { titleOf, templateOf: templateLabels(data.templates) }),
      items,
      facts: factsForAnswers({ items, files: files.map(noticeText), templateOf: templateLabels(data.templates) }),
      // So that a statement that was made after the preview is noticed.
      basis: { ...names.basis, statedBefore: corrected },
      apply: (run: ItemRun) => applyUpdates(run, items, deps.client),
    };
  };
}

interface AccountData extends ReferenceData {
  /** The channel of each change, read by itself. */
  readonly named: readonly ReadResult<Channel>[];
}

async function readData(
  changes: readonly ChannelChange[],
  catalogue: Catalogue | undefined,
  { client, account, filesDirs }: ContentsDeps,
  { signal, progress }: Parameters<ChangePlanner>[0],
): Promise<AccountData> {
  const needsProjects = changes.some(
    ({ setProjectKeys = [], currentProjectKeys = [] }) => setProjectKeys.length + currentProjectKeys.length > 0,
  );
  const [channels, templates, projects] = await Promise.all([
    account.allChannels({ signal, progress }),
    changes.some(({ template }) => template !== undefined) ? client.templates.list(signal).then(({ items }) => items) : [],
    needsProjects ? account.allProjects({ signal }) : [],
  ]);
  const references = changes.map(({ channel }, index) => ({ reference: channel, field: `changes[${index}].channel` }));
  const named = await account.readChannels(references, channels, { signal });
  return { channels, named, templates, projects, catalogue, files: createListFiles(filesDirs, catalogue, signal) };
}

/** One planned channel. */
interface Planned {
  readonly item: ChannelItem;
  /** False where nothing is sent. */
  readonly changes: boolean;
  readonly channel: Channel;
  /** What was stated of it before, where the change states it anew. */
  readonly former: Lists | undefined;
}

async function planAll(changes: readonly ChannelChange[], data: AccountData, deps: ContentsDeps, signal: AbortSignal) {
  const all: Planned[] = [];
  const problems: ChangeProblems[] = [];
  /** The first change of each channel. */
  const indexes = new Map<string, number>();
  const labelOf = shortLabels(data.channels);
  const records = data.named.flatMap((read) => ('record' in read ? [read.record] : []));
  const sent = deps.sentContents(records);
  const left = await laterOwnVersions(records, deps.journal);
  let viewSearches = 0;
  for (const [index, change] of changes.entries()) {
    const field = `changes[${index}]`;
    const named = data.named[index];
    const found = [...emptyProblems(field, change), ...limitProblems(`${field}.`, change), ...readProblems(`${field}.channel`, named)];
    const channel = named !== undefined && 'record' in named ? named.record : undefined;
    const name = channel === undefined ? cleanText(change.channel, 120) : shownName(channel);
    problems.push({ name, problems: found, ...(named !== undefined && 'label' in named ? { refusal: named.refusal } : {}) });
    const earlier = channel && indexes.get(channel.id);
    if (earlier !== undefined)
      found.push({ field: `${field}.channel`, problem: `is the same channel as changes[${earlier}]: put both into one.` });
    const later = channel && left.get(channel.id);
    if (later !== undefined) found.push({ field: `${field}.channel`, problem: outdatedText(channel?.version, later) });
    const known = channel ? await contentsOf(channel, sent) : UNKNOWN;
    const resolved = await resolveChange(field, change, { channel, contents: known }, data, found);
    if (channel === undefined || earlier !== undefined) continue;
    indexes.set(channel.id, index);
    if (resolved === undefined) continue;
    const { contents, differences } = withStatement(known, resolved.current);
    for (const { list, problem } of differences) found.push({ field: `${field}.${CURRENT[list]}`, problem });
    const planned = planItem({ field, change: resolved, channel, label: labelOf(channel), contents });
    const isRestated = known.stated !== undefined && contents !== known;
    const former = isRestated ? { videoKeys: known.videoKeys, projectKeys: known.projectKeys } : undefined;
    if ('item' in planned) all.push({ ...planned, channel, former });
    else if (planned.unknown === undefined) problems.push({ name, problems: planned.problems });
    else {
      const viewed = viewSearches++ < MAX_VIEW_SEARCHES ? await viewedText(channel, deps, signal) : undefined;
      problems.push({ name, problems: planned.problems, unknown: { ...planned.unknown, viewed } });
    }
  }
  return { planned: all, problems: problems.filter((one) => one.problems.length > 0) };
}

const outdatedText = (shown: number | undefined, later: number): string =>
  `is shown at version ${shown}, and this server left it at version ${later} just now: an update would take that back. Try again in a minute.`;

const UNKNOWN: Contents = { known: false, source: 'none' };
const CURRENT = { videoKeys: 'currentVideoKeys', projectKeys: 'currentProjectKeys' } as const;

/** The videos that a person states: what the channel holds, or what it is to hold where that is not known. */
function statedVideos({ item, channel }: Planned): StatedVideos[] {
  const { before, after, states = [] } = item;
  const videoKeys = states.includes('videoKeys') ? before.videoKeys : before.videoKeys === undefined ? after.videoKeys : undefined;
  return videoKeys === undefined ? [] : [{ label: item.label, channelKey: channel.key, videoKeys }];
}

function readProblems(field: string, read: ReadResult<Channel> | undefined): readonly FieldProblem[] {
  if (read === undefined || 'record' in read) return [];
  const { refusal, label } = read;
  if (label !== undefined) return [{ field, problem: `${label} can’t be read by itself, so it is left alone. ${refusal.message}` }];
  return refusal.facts.fields ?? [{ field, problem: refusal.message }];
}

/** A change that names only a channel is a mistake; it would be reported as already done. */
function emptyProblems(field: string, change: ChannelChange): FieldProblem[] {
  const { channel: _, currentVideoKeys, currentVideoKeysFile, currentProjectKeys, ...fields } = change;
  if (Object.values(fields).some((value) => value !== undefined)) return [];
  const isStated = [currentVideoKeys, currentVideoKeysFile, currentProjectKeys].some((value) => value !== undefined);
  const hint = isStated ? ' To state what it holds without a change, use state_contents.' : '';
  return [{ field, problem: `says nothing to change: state name, description, template or another field too.${hint}` }];
}

const MAX_VIEWED_KEYS = 60;

/** The videos in the channel's views, as a hint for the user who has to state the list. */
async function viewedText({ key }: Channel, { seenVideos }: ContentsDeps, signal: AbortSignal) {
  const found = key === undefined ? undefined : (await seenVideos([key], signal)).seen.get(key);
  if (found === undefined) return undefined;
  return (titleOf: TitleOf) =>
    ` Seen in ${viewsText(found, 'it')}, perhaps incomplete and in no order: ${listed(found.videoKeys, MAX_VIEWED_KEYS, titleOf)}.`;
}

/** New keys that the catalogue does not know: the service may refuse them. */
function unlistedNotice({ label, before, after }: ChannelItem, catalogue: Catalogue): Notice[] {
  const held = new Set(before.videoKeys);
  const added = (after.videoKeys ?? []).filter((key) => !held.has(key));
  const unknown = notInCatalogue(added, catalogue);
  return unknown.length === 0 ? [] : [{ kind: 'keys_not_in_catalogue', label, count: unknown.length, which: listed(unknown) }];
}

function templateNotices(items: readonly ChannelItem[], { channels, templates }: AccountData): Notice[] {
  return items.flatMap(({ id, label, after }): Notice[] => {
    const needs = templates.find(({ key }) => key === after.templateKey)?.planType;
    const has = channels.find((channel) => channel.id === id)?.planType;
    if (needs === undefined || has === undefined || needs <= has) return [];
    return [{ kind: 'template_too_high', label, needs: String(planName(needs)), has: String(planName(has)) }];
  });
}
