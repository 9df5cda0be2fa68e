/** The account of the demo service and the writes that it received: what a test of changes checks first. */
import type { DemoRequest } from '../../../src/demo/requests.ts';
import type { DemoService } from '../../harness/service.ts';

/** The requests that could change the account. Reading the view logs is a POST of the other API. */
export function writesOf(demo: DemoService): DemoRequest[] {
  return demo.requests.filter(({ method, api }) => method !== 'GET' && api === 'main');
}

/** Everything that a change could touch, as one text. */
export function stateOf({ world }: DemoService): string {
  return JSON.stringify([[...world.channels.values()], [...world.projects.values()], [...world.videos.values()]]);
}

export interface Content {
  readonly videoKeys: readonly string[];
  readonly projectKeys: readonly string[];
}

/** What a channel really holds. */
export function contentOf(demo: DemoService, id: string): Content {
  const channel = demo.world.channels.get(id);
  if (channel === undefined) throw new RangeError(`no channel ${id}`);
  return { videoKeys: [...channel.videoKeys], projectKeys: [...channel.projectKeys] };
}

/** The id in a request's path. */
export const channelIdIn = ({ path }: Pick<DemoRequest, 'path'>): string => decodeURIComponent(path.split('/')[3] ?? '');

/** The n-th channel, oldest first in the world's own order. */
export function channelAt(demo: DemoService, at: number) {
  const channel = [...demo.world.channels.values()][at];
  if (channel === undefined) throw new RangeError(`no channel at ${at}`);
  return channel;
}

/** Keys of videos that exist. */
export const videoKeysOf = (demo: DemoService, count: number, from = 0): string[] =>
  [...demo.world.videosByKey.keys()].slice(from, from + count);
