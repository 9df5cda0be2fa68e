import type { Account } from '../../account/account.ts';
import type { Catalogue } from '../../account/catalogue.ts';
import { contentsOf, type SentLookup } from '../../account/contents.ts';
import type { Read } from '../../account/read-record.ts';
import { findReference } from '../../account/references.ts';
import { seenVideoKeys } from '../../account/seen-keys.ts';
import { notInCatalogue, type TitleOf, titlesIn, translateVideos } from '../../account/video-references.ts';
import { type FieldProblem, invalidArguments, VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { Channel, Template } from '../../service/resources/channels.ts';
import type { Project } from '../../service/resources/projects.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import { listed } from '../listed.ts';
import type { ChangePlanner, Progress, Run } from '../plan.ts';
import { applyUpdates } from './apply.ts';
import type { ChannelChange, ChannelItem } from './channel-change.ts';
import { describeItems, undoOf } from './describe.ts';
import { KEY_EDITS } from './edit-keys.ts';
import { limitProblems, templateProblems } from './limits.ts';
import { planItem } from './plan-item.ts';
import { shortLabels } from './short-label.ts';

export interface UpdateDeps {
  readonly client: Client;
  readonly account: Account;
  readonly sentContents: () => SentLookup;
  readonly catalogue: () => Promise<Catalogue | undefined>;
  /** Of the analytics API, where one is set. */
  readonly statsUrl: string | undefined;
}

/** Plans changes to up to a hundred channels. Throws every problem of all of them at once. */
export function planUpdate(asked: readonly ChannelChange[], deps: UpdateDeps): ChangePlanner {
  return async ({ signal, progress }) => {
    const catalogue = await deps.catalogue();
    const titleOf = titlesIn(catalogue);
    const world = { ...(await readWorld(asked, deps, signal, progress)), catalogue };
    const { items, wrongs } = await planAll(asked, world, deps, signal);
    if (wrongs.length > 0) throw problemsError(wrongs, titleOf);
    const changing = items.filter(({ changes }) => changes).map(({ item }) => item);
    const notes = [
      ...idleNotes(items),
      ...sameNames(changing, world.channels),
      ...templateNotes(changing, world),
      ...(catalogue === undefined ? [] : changing.flatMap((item) => unlistedNote(item, catalogue))),
    ];
    const summary =
      changing.length === 0 ? 'Everything is already as wanted.' : `Change ${changing.length} channel${changing.length === 1 ? '' : 's'}.`;
    return {
      kind: 'update_channels',
      preview: describeItems(summary, changing, notes, undoOf(changing), titleOf),
      items: changing.map((item) => ({ ...item, before: { ...item.before }, after: { ...item.after } })),
      apply: (run: Run) => applyUpdates(run, changing, deps.client),
    };
  };
}

/** The same with the keys of videos that were given by id or title; adds what the catalogue can’t translate to the problems. */
function translated(
  change: ChannelChange,
  field: string,
  catalogue: Catalogue | undefined,
  held: readonly string[] | undefined,
  problems: FieldProblem[],
): ChannelChange {
  if (catalogue === undefined) return change;
  const there = new Set(held);
  const lists = KEY_EDITS.flatMap((list) => {
    const given = change[list];
    const found = given && attempt(problems, () => translateVideos(given, 'key', `${field}.${list}`, catalogue, there).values);
    return found === undefined ? [] : [[list, found] as const];
  });
  return { ...change, ...Object.fromEntries(lists) };
}

type Refused = Extract<Read<Channel>, { readonly refusal: unknown }>;

interface World {
  /** As the list has them. */
  readonly channels: readonly Channel[];
  /** The channel of each change, read by itself. */
  readonly named: readonly Read<Channel>[];
  readonly templates: readonly Template[];
  readonly projects: readonly Project[];
  readonly catalogue: Catalogue | undefined;
}

async function readWorld(
  changes: readonly ChannelChange[],
  { client, account }: UpdateDeps,
  signal: AbortSignal,
  progress: Progress,
): Promise<Omit<World, 'catalogue'>> {
  const wantsTemplates = changes.some(({ templateKey }) => templateKey !== undefined);
  const wantsProjects = changes.some(({ setProjectKeys }) => (setProjectKeys?.length ?? 0) > 0);
  const [channels, templates, projects] = await Promise.all([
    account.allChannels({ signal, progress }),
    wantsTemplates ? client.templates.list(signal).then(({ items }) => items) : [],
    wantsProjects ? account.allProjects({ signal }) : [],
  ]);
  const references = changes.map(({ channel }, index) => ({ reference: channel, field: `changes[${index}].channel` }));
  const named = await account.readChannels(references, channels, { signal });
  return { channels, named, templates, projects };
}

/** What was wrong with one change, or with a part of it. */
interface Wrongs {
  readonly problems: readonly FieldProblem[];
  /** Of a channel that the list shows, and that can't be read by itself. */
  readonly refusal?: VideoHostingError;
  /** Of a channel whose contents are not known: why nothing is sent, and what its views tell. */
  readonly unknown?: { readonly why: string; readonly seen: Seen | undefined };
}

async function planAll(changes: readonly ChannelChange[], world: World, deps: UpdateDeps, signal: AbortSignal) {
  const wrongs: Wrongs[] = [];
  let looks = 0;
  const items: { item: ChannelItem; changes: boolean }[] = [];
  const first = new Map<string, number>();
  const labelOf = shortLabels(world.channels);
  const sent = deps.sentContents();
  for (const [at, change] of changes.entries()) {
    const field = `changes[${at}]`;
    const found = [...emptyProblems(field, change), ...limitProblems(field, change), ...templateProblems(field, change, world.templates)];
    const named = world.named[at];
    const channel = named !== undefined && 'record' in named ? named.record : undefined;
    const refusal = named !== undefined && 'refusal' in named ? unreadable(`${field}.channel`, named, found) : undefined;
    const projectKeys = change.setProjectKeys && projectKeysOf(field, change.setProjectKeys, world.projects, found);
    const earlier = channel && first.get(channel.id);
    if (earlier !== undefined)
      found.push({ field: `${field}.channel`, problem: `is the same channel as changes[${earlier}]: put both into one.` });
    const contents = channel && (await contentsOf(channel, sent));
    const before = found.length;
    const keyed = translated(change, field, world.catalogue, contents?.videoKeys, found);
    wrongs.push({ problems: found, ...(refusal === undefined ? {} : { refusal }) });
    if (channel === undefined || contents === undefined || earlier !== undefined) continue;
    first.set(channel.id, at);
    if (found.length > before) continue;
    const planned = planItem({ field, change: keyed, channel, label: labelOf(channel), contents, projectKeys });
    if ('item' in planned) items.push(planned);
    else if (!planned.unknownContents) wrongs.push(planned);
    else
      wrongs.push({
        problems: planned.problems,
        unknown: { why: planned.why ?? '', seen: looks++ < MAX_LOOKS ? await seenIn(channel, deps, signal) : undefined },
      });
  }
  return { items, wrongs: wrongs.filter(({ problems }) => problems.length > 0) };
}

/** Why a named channel could not be read; returns the service's error where it is that of a channel that the list shows. */
function unreadable(field: string, { refusal, label }: Refused, problems: FieldProblem[]): VideoHostingError | undefined {
  if (label === undefined) problems.push(...(refusal.facts.fields ?? [{ field, problem: refusal.message }]));
  else problems.push({ field, problem: `${label} can’t be read by itself, so it is left alone. ${refusal.message}` });
  return label === undefined ? undefined : refusal;
}

/** Who names a channel and nothing else meant something, and would be told that it is so already. */
function emptyProblems(field: string, { channel: _, ...wanted }: ChannelChange): FieldProblem[] {
  const isEmpty = Object.values(wanted).every((value) => value === undefined);
  return isEmpty ? [{ field, problem: 'says nothing to change: state name, description, templateKey or another field too.' }] : [];
}

/** Channels whose views are looked through for one answer. */
const MAX_LOOKS = 3;
const MAX_SEEN_KEYS = 60;

/** What the view logs tell of a channel's videos, in words: a hint, and said to be no more. */
type Seen = (titleOf: TitleOf) => string;

async function seenIn({ key }: Channel, { client, statsUrl }: UpdateDeps, signal: AbortSignal): Promise<Seen | undefined> {
  if (key === undefined || statsUrl === undefined) return undefined;
  const seen = await seenVideoKeys(client, key, signal);
  if (seen === undefined) return undefined;
  const { videoKeys, views, since } = seen;
  return (titleOf) =>
    ` Seen in ${views} views of it since ${since}, perhaps incomplete and in no order: ${listed(videoKeys, MAX_SEEN_KEYS, titleOf)}.`;
}

/** All that is wrong. What holds for several channels is said once, and how to go on where contents are not known in any case. */
function problemsError(wrongs: readonly Wrongs[], titleOf: TitleOf): VideoHostingError {
  const unknown = wrongs.flatMap((wrong) => wrong.unknown ?? []);
  const isOne = unknown.length === 1;
  const fields = wrongs.flatMap(({ problems, unknown }) => {
    if (unknown === undefined) return problems;
    const more = `${isOne && unknown.why !== '' ? ` ${unknown.why}` : ''}${unknown.seen?.(titleOf) ?? ''}`;
    return problems.map(({ field, problem }) => ({ field, problem: `${problem}${more}` }));
  });
  const refusals = wrongs.flatMap(({ refusal, problems }) => (refusal !== undefined && problems.length === 1 ? [refusal] : []));
  if (refusals[0] !== undefined && refusals.length === wrongs.length) return refusedError(refusals[0], fields);
  if (unknown.length === 0) return invalidArguments(fields);
  const { hint } = new VideoHostingError('contents_unknown', '');
  const looked =
    unknown.length > MAX_LOOKS
      ? ` Views were looked through for the first ${MAX_LOOKS} of these channels only; name fewer to see more.`
      : '';
  const [first] = fields;
  if (unknown.length < wrongs.length) {
    const { message, facts } = invalidArguments(fields);
    return new VideoHostingError('invalid_arguments', message, {
      facts,
      hint: `Correct the other fields. What a channel holds can’t be corrected by you: ${lowerFirst(hint)}${looked}`,
    });
  }
  const whys = [...new Set(unknown.map(({ why }) => why))].filter((why) => why !== '');
  const message =
    fields.length === 1 && first !== undefined
      ? `${first.field}: ${first.problem}`
      : [`What ${fields.length} channels hold is not known, so they are left alone.`, ...whys].join(' ');
  return new VideoHostingError('contents_unknown', message, { facts: { fields, outcome: 'nothing-sent' }, hint: `${hint}${looked}` });
}

/** Where nothing is wrong but that channels can't be read by themselves. */
function refusedError({ code, facts, hint }: VideoHostingError, fields: readonly FieldProblem[]): VideoHostingError {
  const [first] = fields;
  const message =
    fields.length === 1 && first !== undefined
      ? `${first.field}: ${first.problem}`
      : `${fields.length} of the channels can’t be read by themselves.`;
  return new VideoHostingError(code, message, { facts: { ...facts, fields, outcome: 'nothing-sent' }, hint });
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Collects the problem of something that would be thrown. */
function attempt<T>(problems: FieldProblem[], act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
    problems.push(...(error.facts.fields ?? []));
    return undefined;
  }
}

function projectKeysOf(field: string, references: readonly string[], projects: readonly Project[], problems: FieldProblem[]): string[] {
  const keys: string[] = [];
  for (const [at, reference] of references.entries()) {
    const where = `${field}.setProjectKeys[${at}]`;
    const project = attempt(problems, () => findReference('project', where, reference, projects));
    if (project === undefined) continue;
    if (project.key === undefined) problems.push({ field: where, problem: 'the service does not tell this project’s key.' });
    else if (keys.includes(project.key)) problems.push({ field: where, problem: 'names the same project twice.' });
    else keys.push(project.key);
  }
  return keys;
}

function idleNotes(items: readonly { item: ChannelItem; changes: boolean }[]): string[] {
  return items.filter(({ changes }) => !changes).map(({ item }) => `${item.label} is already as wanted; it is left alone.`);
}

function sameNames(items: readonly ChannelItem[], channels: readonly Channel[]): string[] {
  const names = new Map<string, string | undefined>(channels.map(({ id, name }) => [id, name]));
  for (const { id, after } of items) names.set(id, after.name);
  return items
    .filter(
      ({ id, before, after }) => after.name !== before.name && [...names].some(([other, name]) => other !== id && name === after.name),
    )
    .map(({ label, after }) => `${label} will have the same name as another channel: ${JSON.stringify(cleanText(after.name, 120))}.`);
}

/** Keys that come into a channel and that the catalogue doesn't know: the service may refuse them. */
function unlistedNote({ label, before, after }: ChannelItem, catalogue: Catalogue): string[] {
  const held = new Set(before.videoKeys);
  const strange = notInCatalogue(
    (after.videoKeys ?? []).filter((key) => !held.has(key)),
    catalogue,
  );
  if (strange.length === 0) return [];
  return [`${label}: the video catalogue does not know ${strange.length} of the keys: ${listed(strange)}.`];
}

function templateNotes(items: readonly ChannelItem[], { channels, templates }: World): string[] {
  return items.flatMap(({ id, label, after }) => {
    const needs = templates.find(({ key }) => key === after.templateKey)?.planType;
    const has = channels.find((channel) => channel.id === id)?.planType;
    if (needs === undefined || has === undefined || needs <= has) return [];
    return [`${label}: the template wants plan type ${needs} and the channel has ${has}; the service may refuse it.`];
  });
}
