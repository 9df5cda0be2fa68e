import * as z from 'zod';
import { maybe } from './shape.ts';

const flag = maybe(z.boolean());
/** Target bitrate of a rendition; 0 means the defaults; the unit is not documented. */
const bitrate = maybe(z.number());
/** Empty means unset. */
const text = maybe(z.string());

/** A project's `options`: how its videos are encoded. */
export const EncodingOptionsSchema = z.looseObject({
  convertToHls: flag,
  convertToMp4: flag,
  convertToOneMp4: flag,
  useOriginalMp4: flag,
  hlsEncrypt: flag,
  bitrate240p: bitrate,
  bitrate360p: bitrate,
  bitrate540p: bitrate,
  bitrate720p: bitrate,
  bitrate1080p: bitrate,
  bitrate1440p: bitrate,
  bitrate2160p: bitrate,
  saveOriginalVideos: flag,
});
export type EncodingOptions = z.output<typeof EncodingOptionsSchema>;

/** A project's `videoOptions`: how its player looks and behaves. */
export const PlayerOptionsSchema = z.looseObject({
  autoplay: flag,
  seekButtons: flag,
  volumeControl: flag,
  fullscreenControl: flag,
  controls: flag,
  captionsOn: flag,
  bigPlayControl: flag,
  qualityControl: flag,
  speedControl: flag,
  fastForward: flag,
  loop: flag,
  muted: flag,
  landscapeFullscreen: flag,
  modal: flag,
  resumePlayback: flag,
  hideLogo: flag,
  cast: flag,
  extraSecurity: flag,
  stickyPlayer: flag,
  pauseOnScroll: flag,
  storeAuth: flag,
  contextMenu: flag,
  playerSkin: text,
  controlsColor: text,
  primaryColor: text,
  preload: text,
  defaultQuality: text,
  /** 1.0 is full volume. */
  volume: maybe(z.number()),
});
export type PlayerOptions = z.output<typeof PlayerOptionsSchema>;
