/** The reorganisation of channels, forty at most, that several tests carry out: renamed, reordered, added to, cut, restyled, retired. */
import type { DemoChannel } from '../../../src/demo/records.ts';
import type { Values } from '../../harness/client.ts';
import { type DemoService, startService } from '../../harness/service.ts';

export const FORTY = 40;

export const startForty = (): Promise<DemoService> => startChannels(FORTY);

/** An account of channels, most of which hold five videos and some a project besides; the service shows what they hold. */
export async function startChannels(channels: number): Promise<DemoService> {
  const demo = await startService({ channels, projects: 3, videos: 60 });
  const videos = [...demo.world.videosByKey.keys()];
  const projects = [...demo.world.projects.values()].map(({ key }) => key);
  for (const [at, channel] of channelsOf(demo).entries()) {
    channel.videoKeys = videos.slice(at, at + 5);
    channel.projectKeys = at % 5 === 4 ? projects.slice(0, 1) : [];
    channel.name = `Channel ${at}`;
    channel.templateKey = at % 3 === 0 ? '' : String(demo.world.templates[0]?.key);
  }
  demo.behaviour.channelRecordsShowContents = true;
  return demo;
}

export const channelsOf = (demo: DemoService): DemoChannel[] => [...demo.world.channels.values()].slice(0, FORTY);

export interface Wanted {
  readonly id: string;
  readonly change: Values;
  /** The state that the channel must have afterwards. */
  readonly end: Pick<DemoChannel, 'name' | 'description' | 'templateKey' | 'videoKeys' | 'projectKeys'>;
}

/** The change of each channel and its expected result, computed independently of the server. */
export function reorganisation(demo: DemoService): Wanted[] {
  const extra = [...demo.world.videosByKey.keys()].slice(50);
  const template = String(demo.world.templates[1]?.key);
  return channelsOf(demo).map((channel, at) => {
    const { id, name, description, templateKey, videoKeys, projectKeys } = channel;
    const now = { name, description, templateKey, videoKeys: [...videoKeys], projectKeys: [...projectKeys] };
    const [one, two, three] = videoKeys.map(String);
    const [add] = extra;
    switch (at % 6) {
      case 0:
        return { id, change: { name: `Renamed ${at}` }, end: { ...now, name: `Renamed ${at}` } };
      case 1: {
        const rest = videoKeys.filter((key) => key !== three);
        return { id, change: { firstVideoKeys: [three] }, end: { ...now, videoKeys: [String(three), ...rest] } };
      }
      case 2:
        return {
          id,
          change: { addVideoKeys: [add], description: `More ${at}` },
          end: { ...now, description: `More ${at}`, videoKeys: [...videoKeys, String(add)] },
        };
      case 3:
        return { id, change: { removeVideoKeys: [one] }, end: { ...now, videoKeys: videoKeys.slice(1) } };
      case 4:
        return { id, change: { template }, end: { ...now, templateKey: template } };
      default:
        return {
          id,
          change: { name: `Retired ${at}`, description: 'No longer kept up.', setVideoKeys: [two] },
          end: { ...now, name: `Retired ${at}`, description: 'No longer kept up.', videoKeys: [String(two)] },
        };
    }
  });
}

export const argsFor = (wanted: readonly Wanted[]): Values => ({ changes: wanted.map(({ id, change }) => ({ channel: id, ...change })) });

/** The parts of a channel that a change can affect. */
export function partsOf(demo: DemoService, id: string): Wanted['end'] | undefined {
  const channel = demo.world.channels.get(id);
  if (channel === undefined) return undefined;
  const { name, description, templateKey, videoKeys, projectKeys } = channel;
  return { name, description, templateKey, videoKeys: [...videoKeys], projectKeys: [...projectKeys] };
}
