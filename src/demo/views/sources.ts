import type { DemoChannel, DemoProject, DemoVideo } from '../records.ts';

/** A video as the generated views know it: its state when the account was made, whatever is edited later. */
export interface ViewSource {
  videoKey: string;
  projectKey: string;
  channelKeys: string[];
  seconds: number;
  published: number;
  /** In the channel that loses its viewers over the months. */
  declining: boolean;
  /** Loses its viewers in Germany in the last five weeks. */
  losesGermany: boolean;
  /** Shared by everybody on one day. */
  viral: boolean;
}

const DECLINING_CHANNEL = 'Legacy Player Help';
const GERMAN_LOSS_CHANNEL = 'Onboarding';
const VIRAL_CHANNEL = 'Launch: Aurora';

/** The videos with their channels and project, as a source of generated views. */
export function createSources(
  videos: readonly DemoVideo[],
  channels: readonly DemoChannel[],
  projects: ReadonlyMap<string, DemoProject>,
): ViewSource[] {
  const channelsOf = new Map<string, DemoChannel[]>();
  for (const channel of channels)
    for (const videoKey of channel.videoKeys) channelsOf.set(videoKey, [...(channelsOf.get(videoKey) ?? []), channel]);
  const viralKey = channels.find((channel) => channel.name === VIRAL_CHANNEL)?.videoKeys[0] ?? videos[0]?.key;
  return videos.map((video) => {
    const own = channelsOf.get(video.key) ?? [];
    return {
      videoKey: video.key,
      projectKey: projects.get(video.projectId)?.key ?? '',
      channelKeys: own.map((channel) => channel.key),
      seconds: video.seconds,
      published: Date.parse(video.published),
      declining: own.some((channel) => channel.name === DECLINING_CHANNEL),
      losesGermany: own.some((channel) => channel.name === GERMAN_LOSS_CHANNEL),
      viral: video.key === viralKey,
    };
  });
}
