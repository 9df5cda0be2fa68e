import type { DemoWorld } from '../../src/demo/world.ts';

export interface ChannelState {
  name: string;
  description: string;
  templateKey: string;
  videoKeys: string[];
  projectKeys: string[];
  privateLinkEnabled: boolean;
}

export interface ProjectState {
  name: string;
  description: string;
  region: string;
  planType: number;
}

/** What an account holds, as far as a task can be about it. By id; what was created since the start has no known id. */
export interface AccountState {
  channels: Record<string, ChannelState>;
  projects: Record<string, ProjectState>;
  /** The project that each video is in. */
  projectOf: Record<string, string>;
  /** For each video that calls to action were copied to, the ids of the videos they are from, one for each copy. */
  copies: Record<string, string[]>;
  createdChannels: ChannelState[];
  createdProjects: ProjectState[];
}

/** The state now; what `since` did not have counts as created. */
export function accountState(world: DemoWorld, since?: AccountState): AccountState {
  const state: AccountState = { channels: {}, projects: {}, projectOf: {}, copies: {}, createdChannels: [], createdProjects: [] };
  for (const channel of world.channels.values()) {
    const { name, description, templateKey, videoKeys, projectKeys, privateLinkEnabled } = channel;
    const held = { name, description, templateKey, videoKeys: [...videoKeys], projectKeys: [...projectKeys], privateLinkEnabled };
    if (since !== undefined && !Object.hasOwn(since.channels, channel.id)) state.createdChannels.push(held);
    else state.channels[channel.id] = held;
  }
  for (const { id, name, description, region, planType } of world.projects.values()) {
    const held = { name, description, region, planType };
    if (since !== undefined && !Object.hasOwn(since.projects, id)) state.createdProjects.push(held);
    else state.projects[id] = held;
  }
  for (const video of world.videos.values()) {
    state.projectOf[video.id] = video.projectId;
    if (video.ctaCopies.length > 0) state.copies[video.id] = video.ctaCopies.map(({ sourceId }) => sourceId);
  }
  return state;
}

/** The one channel of this name. */
export function channelIn(account: AccountState, name: string): ChannelState {
  const found = Object.values(account.channels).filter((channel) => channel.name === name);
  const [channel] = found;
  if (channel === undefined || found.length > 1) throw new RangeError(`${found.length} channels are named ${name}.`);
  return channel;
}

/** What is not as wanted, a line each. */
export function differences(wanted: AccountState, actual: AccountState): string[] {
  const lines = [
    ...recordDifferences('channel', wanted.channels, actual.channels),
    ...recordDifferences('project', wanted.projects, actual.projects),
    ...listDifferences('created channel', wanted.createdChannels, actual.createdChannels),
    ...listDifferences('created project', wanted.createdProjects, actual.createdProjects),
    ...valueDifferences('the project of video', wanted.projectOf, actual.projectOf),
    ...valueDifferences('the copies of calls to action on video', wanted.copies, actual.copies),
  ];
  const shown = 12;
  return lines.length <= shown ? lines : [...lines.slice(0, shown), `… and ${lines.length - shown} more differences`];
}

type Fields = Record<string, object>;

function recordDifferences(kind: string, wanted: Fields, actual: Fields): string[] {
  return Object.entries(wanted).flatMap(([id, record]) =>
    Object.entries(record).flatMap(([field, value]) => {
      // Both have the same fields: they are made by the same function.
      const found = (actual[id] as Record<string, unknown> | undefined)?.[field];
      if (isSame(value, found)) return [];
      const name = 'name' in record ? ` “${record.name}”` : '';
      return [`${kind}${name}: ${field} is ${brief(found)}, wanted ${brief(value)}`];
    }),
  );
}

function listDifferences(kind: string, wanted: readonly object[], actual: readonly object[]): string[] {
  const left = actual.map((record) => JSON.stringify(record));
  const missing = wanted.filter((record) => {
    const index = left.indexOf(JSON.stringify(record));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return [
    ...missing.map((record) => `${kind} is missing: ${brief(record)}`),
    ...left.map((record) => `${kind} was not asked for: ${brief(record)}`),
  ];
}

function valueDifferences(what: string, wanted: Record<string, unknown>, actual: Record<string, unknown>): string[] {
  const ids = new Set([...Object.keys(wanted), ...Object.keys(actual)]);
  return [...ids].flatMap((id) =>
    isSame(wanted[id], actual[id]) ? [] : [`${what} ${id} is ${brief(actual[id])}, wanted ${brief(wanted[id])}`],
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function brief(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
