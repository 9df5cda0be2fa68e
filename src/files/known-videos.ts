import type { VideoHostingError } from '../errors.ts';

/** What a person's own list says of a video. */
export interface KnownVideo {
  readonly id?: string;
  readonly key?: string;
  readonly title?: string;
}

/** The videos by which a list is understood: which of its columns names them, and whether a line is a title. */
export interface KnownVideos {
  /** Why what the user gave for it can’t be used: no video is then known. */
  readonly unusable?: VideoHostingError;
  byId(id: string): KnownVideo | undefined;
  byKey(key: string): KnownVideo | undefined;
  byTitle(title: string): readonly KnownVideo[];
  /** All of them, in no order. */
  entries(): Iterable<KnownVideo>;
}

/** The videos where they are known; undefined where none were given, and where what was given can’t be used. */
export const usable = <Videos extends KnownVideos>(videos: Videos | undefined): Videos | undefined =>
  videos?.unusable === undefined ? videos : undefined;

/** Throws why what was given can’t be used, where only known videos could tell what is meant. */
export function assertUsable(videos: KnownVideos | undefined): void {
  if (videos?.unusable !== undefined) throw videos.unusable;
}

/** Whether a text is the id, the key or the title of a video. */
export const isKnownVideo = (text: string, videos: KnownVideos | undefined): boolean =>
  videos !== undefined && (videos.byId(text) !== undefined || videos.byKey(text) !== undefined || videos.byTitle(text).length > 0);
