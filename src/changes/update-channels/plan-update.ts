import type { Account } from '../../account/account.ts';
import type { Catalogue } from '../../account/catalogue.ts';
import { contentsOf, type SentLookup } from '../../account/contents.ts';
import { findReference } from '../../account/references.ts';
import { seenVideoKeys } from '../../account/seen-keys.ts';
import { translateVideos } from '../../account/video-references.ts';
import { type FieldProblem, invalidArguments, VideoHostingError } from '../../errors.ts';
import type { Channel } from '../../service/channels.ts';
import type { Client } from '../../service/client.ts';
import { cleanText } from '../../service/foreign-text.ts';
import type { Project } from '../../service/projects.ts';
import type { Template } from '../../service/templates.ts';
import type { ChangePlanner, Progress, Run } from '../plan.ts';
import { applyUpdates } from './apply.ts';
import type { ChannelChange, ChannelItem } from './channel-change.ts';
import { describeItems, undoOf } from './describe.ts';
import { listed } from './edit-keys.ts';
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
    const changes = translated(asked, await deps.catalogue());
    const world = await readWorld(changes, deps, signal, progress);
    const { items, problems, unknown } = await planAll(changes, world, deps, signal);
    if (problems.length > 0) throw problemsError(problems, unknown);
    const changing = items.filter(({ changes }) => changes).map(({ item }) => item);
    const notes = [...idleNotes(items), ...sameNames(changing, world.channels), ...templateNotes(changing, world)];
    const summary =
      changing.length === 0 ? 'Everything is already as wanted.' : `Change ${changing.length} channel${changing.length === 1 ? '' : 's'}.`;
    return {
      kind: 'update_channels',
      preview: describeItems(summary, changing, notes, undoOf(changing)),
      items: changing.map((item) => ({ ...item, before: { ...item.before }, after: { ...item.after } })),
      apply: (run: Run) => applyUpdates(run, changing, deps.client),
    };
  };
}

/** The keys of videos that were given by id or title. Throws all that the catalogue can’t translate. */
function translated(changes: readonly ChannelChange[], catalogue: Catalogue | undefined): readonly ChannelChange[] {
  if (catalogue === undefined) return changes;
  const problems: FieldProblem[] = [];
  const result = changes.map((change, at) => {
    const lists = VIDEO_LISTS.flatMap((list) => {
      const given = change[list];
      const found = given && attempt(problems, () => translateVideos(given, 'key', `changes[${at}].${list}`, catalogue).values);
      return found === undefined ? [] : [[list, found] as const];
    });
    return { ...change, ...Object.fromEntries(lists) };
  });
  if (problems.length > 0) throw invalidArguments(problems);
  return result;
}

const VIDEO_LISTS = ['setVideoKeys', 'addVideoKeys', 'removeVideoKeys', 'firstVideoKeys'] as const;

interface World {
  readonly channels: readonly Channel[];
  readonly templates: readonly Template[];
  readonly projects: readonly Project[];
}

async function readWorld(
  changes: readonly ChannelChange[],
  { client, account }: UpdateDeps,
  signal: AbortSignal,
  progress: Progress,
): Promise<World> {
  const wantsTemplates = changes.some(({ templateKey }) => templateKey !== undefined);
  const wantsProjects = changes.some(({ setProjectKeys }) => (setProjectKeys?.length ?? 0) > 0);
  const [channels, templates, projects] = await Promise.all([
    account.allChannels({ signal, progress }),
    wantsTemplates ? client.templates.list(signal).then(({ items }) => items) : [],
    wantsProjects ? account.allProjects({ signal }) : [],
  ]);
  return { channels, templates, projects };
}

async function planAll(changes: readonly ChannelChange[], world: World, deps: UpdateDeps, signal: AbortSignal) {
  const problems: FieldProblem[] = [];
  let unknown = 0;
  let hints = 0;
  const items: { item: ChannelItem; changes: boolean }[] = [];
  const first = new Map<string, number>();
  const labelOf = shortLabels(world.channels);
  const sent = deps.sentContents();
  for (const [at, change] of changes.entries()) {
    const field = `changes[${at}]`;
    const found = [...limitProblems(field, change), ...templateProblems(field, change, world.templates)];
    const channel = attempt(found, () => findReference('channel', `${field}.channel`, change.channel, world.channels));
    const projectKeys = change.setProjectKeys && projectKeysOf(field, change.setProjectKeys, world.projects, found);
    const earlier = channel && first.get(channel.id);
    if (earlier !== undefined)
      found.push({ field: `${field}.channel`, problem: `is the same channel as changes[${earlier}]: put both into one.` });
    problems.push(...found);
    if (channel === undefined || earlier !== undefined) continue;
    first.set(channel.id, at);
    const planned = planItem({
      field,
      change,
      channel,
      label: labelOf(channel),
      contents: await contentsOf(channel, sent),
      projectKeys,
    });
    if ('item' in planned) items.push(planned);
    else {
      problems.push(...(planned.unknownContents ? await withSeenKeys(planned.problems, channel, hints++, deps, signal) : planned.problems));
      if (planned.unknownContents) unknown += planned.problems.length;
    }
  }
  return { items, problems, unknown };
}

/** Channels whose views are looked through for one answer. */
const MOST_HINTS = 3;
const MOST_SEEN_KEYS = 60;

/** The same problems, with what the view logs tell of the channel's videos: a hint, and said to be no more. */
async function withSeenKeys(
  problems: readonly FieldProblem[],
  { key }: Channel,
  hints: number,
  { client, statsUrl }: UpdateDeps,
  signal: AbortSignal,
): Promise<readonly FieldProblem[]> {
  if (key === undefined || statsUrl === undefined || hints >= MOST_HINTS) return problems;
  const seen = await seenVideoKeys(client, key, signal);
  if (seen === undefined) return problems;
  const { videoKeys, views, since } = seen;
  const hint = ` Seen in ${views} views of it since ${since}, perhaps incomplete and in no order: ${listed(videoKeys, MOST_SEEN_KEYS)}.`;
  return problems.map((problem) => ({ ...problem, problem: problem.problem + hint }));
}

function problemsError(problems: readonly FieldProblem[], unknown: number): VideoHostingError {
  if (unknown < problems.length) return invalidArguments(problems);
  const [first] = problems;
  const message =
    problems.length === 1 && first !== undefined
      ? `${first.field}: ${first.problem}`
      : `What ${problems.length} channels hold is not known, so they are left alone:`;
  return new VideoHostingError('contents_unknown', message, { facts: { fields: problems, outcome: 'nothing-sent' } });
}

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

function templateNotes(items: readonly ChannelItem[], { channels, templates }: World): string[] {
  return items.flatMap(({ id, label, after }) => {
    const needs = templates.find(({ key }) => key === after.templateKey)?.planType;
    const has = channels.find((channel) => channel.id === id)?.planType;
    if (needs === undefined || has === undefined || needs <= has) return [];
    return [`${label}: the template wants plan type ${needs} and the channel has ${has}; the service may refuse it.`];
  });
}
