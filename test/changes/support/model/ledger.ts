/** The model that the server is checked against: the true state of every channel at each version, and what the service showed of it. */
import { distort } from '../../../../src/demo/distort.ts';
import type { DemoChannel } from '../../../../src/demo/records.ts';
import type { DemoService } from '../../../harness/service.ts';
import type { Want } from './commands.ts';

export interface State {
  readonly version: number;
  readonly name: string;
  readonly description: string;
  readonly templateKey: string;
  readonly videoKeys: readonly string[];
  readonly projectKeys: readonly string[];
}

function stateOf({ version, name, description, templateKey, videoKeys, projectKeys }: DemoChannel): State {
  return { version, name, description, templateKey, videoKeys: [...videoKeys], projectKeys: [...projectKeys] };
}

/** What a person states of a channel. */
export interface Stated {
  readonly videoKeys: readonly string[];
  readonly projectKeys: readonly string[];
}

export function createLedger(demo: DemoService) {
  const history = new Map<string, State>();
  const stale = new Map<string, { readonly version: number; left: number }>();
  /** The version that each channel last showed when it was asked for alone. */
  const seen = new Map<string, number>();

  const note = (id: string): void => {
    const channel = demo.world.channels.get(id);
    if (channel !== undefined) history.set(`${id}@${channel.version}`, stateOf(channel));
  };

  const shown = (id: string): Partial<DemoChannel> => {
    const channel = demo.world.channels.get(id);
    return channel === undefined ? {} : distort('channels', channel, demo.behaviour); // a channel with some fields left out
  };

  return {
    note,
    noteAll(): void {
      for (const id of demo.world.channels.keys()) note(id);
    },
    at(id: string, version: number | undefined): State {
      const found = history.get(`${id}@${version}`);
      if (found === undefined) throw new RangeError(`the model knows no version ${version} of ${id}`);
      return found;
    },
    /** A channel was read alone: what it showed may be stale. */
    read(id: string): void {
      const former = stale.get(id);
      const channel = demo.world.channels.get(id);
      if (former !== undefined && former.left > 0) {
        former.left -= 1;
        seen.set(id, former.version);
      } else if (channel !== undefined) seen.set(id, channel.version);
    },
    seen: (id: string): number | undefined => seen.get(id),
    /** The versions that all of them last showed. */
    allSeen: (): ReadonlyMap<string, number> => new Map(seen),
    updated(id: string, former: number): void {
      stale.set(id, { version: former, left: demo.behaviour.staleReads });
      note(id);
    },
    isStale: (id: string): boolean => (stale.get(id)?.left ?? 0) > 0,
    /** Whether the service shows a field of a channel. */
    shows: (id: string, field: keyof DemoChannel): boolean => (shown(id)[field] ?? undefined) !== undefined,
    /** Whether the service lets the versions of a channel be told apart. */
    tells: (id: string): boolean => (shown(id).version ?? shown(id).updated ?? undefined) !== undefined,
  };
}

export interface Names {
  readonly video: (at: number) => string;
  readonly project: (at: number) => string;
}

/** The list after the verbs, computed independently: without the removed, the added at the end, the first ones first. */
export function videosAfter(held: readonly string[], want: Want, { video }: Names): readonly string[] {
  const keys = (list: readonly number[] | undefined) => (list ?? []).map(video);
  const base = want.set === undefined ? [...held] : keys(want.set);
  const removed = keys(want.remove);
  const left = base.filter((key) => !removed.includes(key));
  const added = keys(want.add).filter((key) => !left.includes(key));
  const first = keys(want.first);
  return [...first, ...[...left, ...added].filter((key) => !first.includes(key))];
}
