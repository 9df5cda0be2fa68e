import type { Catalogue } from '../../account/catalogue.ts';
import { contentsOf, type SentLookup } from '../../account/contents.ts';
import type { ReadResult } from '../../account/record-finder.ts';
import { findReference } from '../../account/references.ts';
import { notInCatalogue, type TitleOf, titlesIn, translateVideos } from '../../account/video-references.ts';
import { viewedVideos } from '../../account/viewed-videos.ts';
import { type FieldProblem, throwProblems, VideoHostingError } from '../../errors.ts';
import type { Channel, Template } from '../../service/resources/channels.ts';
import type { Project } from '../../service/resources/projects.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import { listed } from '../listed.ts';
import type { ChangePlanner, Run } from '../plan.ts';
import { applyUpdates } from './apply.ts';
import type { ChannelChange, ChannelItem, PlanDeps } from './channel-change.ts';
import { describeItems, shortLabels } from './describe.ts';
import { KEY_EDITS } from './edit-keys.ts';
import { limitProblems, templateProblems } from './limits.ts';
import { planItem } from './plan-item.ts';
import { type ChangeProblems, MAX_VIEW_SEARCHES, problemsError } from './update-problems.ts';
import type { ChannelWarning } from './warnings.ts';

interface UpdateDeps extends PlanDeps {
  readonly sentContents: () => SentLookup;
  /** Of the analytics API, where one is set. */
  readonly statsUrl: string | undefined;
}

/** Plans changes to up to a hundred channels. Throws the problems of all of them at once. */
export function planUpdate(asked: readonly ChannelChange[], deps: UpdateDeps): ChangePlanner {
  return async (read) => {
    const catalogue = await deps.catalogue();
    const titleOf = titlesIn(catalogue);
    const data = { ...(await readData(asked, deps, read)), catalogue };
    const { items, problems } = await planAll(asked, data, deps, read.signal);
    if (problems.length > 0) throw problemsError(problems, titleOf);
    const changing = items.filter(({ changes }) => changes).map(({ item }) => item);
    const idle = items.filter(({ changes }) => !changes).map(({ item }) => idleNote(item));
    const notes = [
      ...idle,
      ...sameNames(changing, data.channels),
      ...templateNotes(changing, data),
      ...(catalogue === undefined ? [] : changing.flatMap((item) => unlistedNote(item, catalogue))),
    ];
    const summary =
      changing.length === 0 ? 'Everything is already as wanted.' : `Change ${changing.length} channel${changing.length === 1 ? '' : 's'}.`;
    return {
      kind: 'update_channels',
      preview: describeItems(summary, changing, notes, titleOf),
      items: changing,
      apply: (run: Run) => applyUpdates(run, changing, deps.client),
    };
  };
}

interface AccountData {
  /** From the list. */
  readonly channels: readonly Channel[];
  /** The channel of each change, read by itself. */
  readonly named: readonly ReadResult<Channel>[];
  readonly templates: readonly Template[];
  readonly projects: readonly Project[];
  readonly catalogue: Catalogue | undefined;
}

async function readData(
  changes: readonly ChannelChange[],
  { client, account }: UpdateDeps,
  { signal, progress }: Parameters<ChangePlanner>[0],
): Promise<Omit<AccountData, 'catalogue'>> {
  const needsTemplates = changes.some(({ templateKey }) => templateKey !== undefined);
  const needsProjects = changes.some(({ setProjectKeys = [] }) => setProjectKeys.length > 0);
  const [channels, templates, projects] = await Promise.all([
    account.allChannels({ signal, progress }),
    needsTemplates ? client.templates.list(signal).then(({ items }) => items) : [],
    needsProjects ? account.allProjects({ signal }) : [],
  ]);
  const references = changes.map(({ channel }, index) => ({ reference: channel, field: `changes[${index}].channel` }));
  return { channels, named: await account.readChannels(references, channels, { signal }), templates, projects };
}

async function planAll(changes: readonly ChannelChange[], data: AccountData, deps: UpdateDeps, signal: AbortSignal) {
  const items: { item: ChannelItem; changes: boolean }[] = [];
  const problems: ChangeProblems[] = [];
  /** The first change of each channel. */
  const indexes = new Map<string, number>();
  const labelOf = shortLabels(data.channels);
  const sent = deps.sentContents();
  let viewSearches = 0;
  for (const [index, change] of changes.entries()) {
    const field = `changes[${index}]`;
    const named = data.named[index];
    const found = [
      ...emptyProblems(field, change),
      ...limitProblems(`${field}.`, change),
      ...templateProblems(`${field}.`, change, data.templates),
      ...readProblems(`${field}.channel`, named),
    ];
    problems.push({ problems: found, ...(named !== undefined && 'label' in named ? { refusal: named.refusal } : {}) });
    const projectKeys = change.setProjectKeys && projectKeysOf(field, change.setProjectKeys, data.projects, found);
    const channel = named !== undefined && 'record' in named ? named.record : undefined;
    const earlier = channel && indexes.get(channel.id);
    if (earlier !== undefined)
      found.push({ field: `${field}.channel`, problem: `is the same channel as changes[${earlier}]: put both into one.` });
    const contents = channel && (await contentsOf(channel, sent));
    const translated = collectProblems(found, () => withVideoKeys(change, field, data.catalogue, contents?.videoKeys));
    if (channel === undefined || contents === undefined || earlier !== undefined) continue;
    indexes.set(channel.id, index);
    if (translated === undefined) continue;
    const planned = planItem({ field, change: translated, channel, label: labelOf(channel), contents, projectKeys });
    if ('item' in planned) items.push(planned);
    else if (planned.unknown === undefined) problems.push({ problems: planned.problems });
    else {
      const viewed = viewSearches++ < MAX_VIEW_SEARCHES ? await viewedText(channel, deps, signal) : undefined;
      problems.push({ problems: planned.problems, unknown: { ...planned.unknown, viewed } });
    }
  }
  return { items, problems: problems.filter((one) => one.problems.length > 0) };
}

/** The change with keys in place of videos that were given by id or title. Throws every video that the catalogue can’t translate. */
function withVideoKeys(
  change: ChannelChange,
  field: string,
  catalogue: Catalogue | undefined,
  held: readonly string[] = [],
): ChannelChange {
  const problems: FieldProblem[] = [];
  const lists = KEY_EDITS.map((list) => {
    const given = change[list];
    const translate = () => given && translateVideos(given, 'key', `${field}.${list}`, catalogue, new Set(held)).values;
    return [list, collectProblems(problems, translate)] as const;
  });
  throwProblems(problems);
  return { ...change, ...Object.fromEntries(lists) };
}

/** What the act returns; undefined, with its problems collected, where it throws. */
function collectProblems<T>(problems: FieldProblem[], act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    problems.push(...(error.facts.fields ?? []));
    return undefined;
  }
}

function readProblems(field: string, read: ReadResult<Channel> | undefined): readonly FieldProblem[] {
  if (read === undefined || 'record' in read) return [];
  const { refusal, label } = read;
  if (label !== undefined) return [{ field, problem: `${label} can’t be read by itself, so it is left alone. ${refusal.message}` }];
  return refusal.facts.fields ?? [{ field, problem: refusal.message }];
}

/** A change that names only a channel is a mistake; it would be reported as already done. */
function emptyProblems(field: string, { channel: _, ...fields }: ChannelChange): FieldProblem[] {
  const isEmpty = Object.values(fields).every((value) => value === undefined);
  return isEmpty ? [{ field, problem: 'says nothing to change: state name, description, templateKey or another field too.' }] : [];
}

const MAX_VIEWED_KEYS = 60;

/** The videos in the channel's views, as a hint for the user who has to state the list. */
async function viewedText({ key }: Channel, { client, statsUrl }: UpdateDeps, signal: AbortSignal) {
  const viewed = key === undefined || statsUrl === undefined ? undefined : await viewedVideos(client, key, signal);
  if (viewed === undefined) return undefined;
  const { videoKeys, views, since } = viewed;
  return (titleOf: TitleOf) =>
    ` Seen in ${views} views of it since ${since}, perhaps incomplete and in no order: ${listed(videoKeys, MAX_VIEWED_KEYS, titleOf)}.`;
}

function projectKeysOf(field: string, references: readonly string[], projects: readonly Project[], problems: FieldProblem[]): string[] {
  const keys: string[] = [];
  for (const [index, reference] of references.entries()) {
    const where = `${field}.setProjectKeys[${index}]`;
    const project = collectProblems(problems, () => findReference('project', where, reference, projects));
    if (project === undefined) continue;
    if (project.key === undefined) problems.push({ field: where, problem: 'the service does not tell this project’s key.' });
    else if (keys.includes(project.key)) problems.push({ field: where, problem: 'names the same project twice.' });
    else keys.push(project.key);
  }
  return keys;
}

const idleNote = ({ label }: ChannelItem): ChannelWarning => ({
  text: `${label} is already as wanted; it is left alone.`,
  shared: 'are already as wanted; they are left alone.',
});

function sameNames(items: readonly ChannelItem[], channels: readonly Channel[]): ChannelWarning[] {
  const names = new Map(
    [...channels, ...items.map(({ id, after }) => ({ id, name: after.name }))].map(({ id, name }) => [id as string, name]),
  );
  return items
    .filter(
      ({ id, before, after }) => after.name !== before.name && [...names].some(([other, name]) => other !== id && name === after.name),
    )
    .map(({ label, after }) => ({
      text: `${label} will have the same name as another channel: ${JSON.stringify(cleanText(after.name, 120))}.`,
      shared: 'will have the same name as another channel.',
    }));
}

/** New keys that the catalogue does not know: the service may refuse them. */
function unlistedNote({ label, before, after }: ChannelItem, catalogue: Catalogue): ChannelWarning[] {
  const held = new Set(before.videoKeys);
  const added = (after.videoKeys ?? []).filter((key) => !held.has(key));
  const unknown = notInCatalogue(added, catalogue);
  if (unknown.length === 0) return [];
  const text = `${label}: the video catalogue does not know ${unknown.length} of the keys: ${listed(unknown)}.`;
  return [{ text, shared: 'are not in the catalogue.', keys: unknown.length }];
}

function templateNotes(items: readonly ChannelItem[], { channels, templates }: AccountData): ChannelWarning[] {
  return items.flatMap(({ id, label, after }) => {
    const needs = templates.find(({ key }) => key === after.templateKey)?.planType;
    const has = channels.find((channel) => channel.id === id)?.planType;
    if (needs === undefined || has === undefined || needs <= has) return [];
    const text = `${label}: the template wants plan type ${needs} and the channel has ${has}; the service may refuse it.`;
    return [{ text, shared: 'have a lower plan type than their template wants; the service may refuse them.' }];
  });
}
