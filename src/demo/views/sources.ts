import type { DemoChannel, DemoVideo } from '../records.ts';

/** What the generated views know of a video: its state when the account was made, whatever is edited later. */
export interface ViewSource {
  videoKey: string;
  projectKey: string;
  channelKeys: string[];
  seconds: number;
  published: number;
  /** Shown in the channel that loses its viewers over the months. */
  dying: boolean;
  /** Loses its viewers in Germany in the last five weeks. */
  losesGermany: boolean;
  /** The one that everybody shares on one day. */
  viral: boolean;
}

interface Account {
  videos: readonly DemoVideo[];
  channels: readonly DemoChannel[];
  projectKeys: ReadonlyMap<string, string>;
}

const DYING_CHANNEL = 'Legacy Player Help';
const GERMAN_LOSS_CHANNEL = 'Onboarding';
const VIRAL_CHANNEL = 'Launch: Aurora';

/** Takes down which video was in which channel and project, for the views to be made from later. */
export function createSources(account: Account): ViewSource[] {
  const channelsOf = new Map<string, DemoChannel[]>();
  for (const channel of account.channels) {
    for (const videoKey of channel.videoKeys) {
      const list = channelsOf.get(videoKey);
      if (list === undefined) channelsOf.set(videoKey, [channel]);
      else list.push(channel);
    }
  }
  const viralKey = account.channels.find((channel) => channel.name === VIRAL_CHANNEL)?.videoKeys[0] ?? account.videos[0]?.key;
  return account.videos.map((video) => {
    const channels = channelsOf.get(video.key) ?? [];
    return {
      videoKey: video.key,
      projectKey: account.projectKeys.get(video.projectId) ?? '',
      channelKeys: channels.map((channel) => channel.key),
      seconds: video.seconds,
      published: Date.parse(video.published),
      dying: channels.some((channel) => channel.name === DYING_CHANNEL),
      losesGermany: channels.some((channel) => channel.name === GERMAN_LOSS_CHANNEL),
      viral: video.key === viralKey,
    };
  });
}
