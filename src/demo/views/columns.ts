import { createRandom, DAY_MS, itemAt, lowerBound, mix, type Random, seedFrom } from '../random.ts';
import { EMBEDS, PLACES, shareTable, VIRAL_EMBED } from './audience.ts';
import type { ViewSource } from './sources.ts';

/** The generated views, oldest first: one entry per view in each column. */
export interface ViewColumns {
  count: number;
  /** Milliseconds since 1970. */
  time: Float64Array;
  /** Index of the video among the sources. */
  source: Uint32Array;
  /** Index among the video's channels, or 255 for none. */
  channel: Uint8Array;
  viewer: Uint32Array;
  /** Bits: 1 started, 2 ended, 4 muted. */
  flags: Uint8Array;
  watchSeconds: Uint32Array;
  embed: Uint8Array;
}

export const NO_CHANNEL = 255;
const DAYS = 425;
const VIRAL_DAY = 260;
const WEEKDAY_SHARE = [0.62, 1.1, 1.18, 1.2, 1.12, 0.95, 0.58];
const HOUR_SHARE = [2, 1, 1, 1, 1, 2, 4, 7, 10, 12, 12, 11, 10, 12, 13, 13, 12, 10, 8, 8, 7, 6, 4, 3];
const PLACE_TABLE = shareTable(PLACES.map((place) => place[4]));
const EMBED_TABLE = shareTable(EMBEDS.map((entry) => entry.share));
const HOUR_TABLE = shareTable(HOUR_SHARE);

/** The index in `PLACES` of a viewer's place. */
export function placeOf(viewer: number): number {
  return itemAt(PLACE_TABLE, mix(viewer, 11) & 1023);
}

/** Generates `count` views over the 14 months before `now` (milliseconds). */
export function createColumns(count: number, seed: number, now: number, sources: readonly ViewSource[]): ViewColumns {
  const size = sources.length === 0 ? 0 : count;
  const columns: ViewColumns = {
    count: size,
    time: new Float64Array(size),
    source: new Uint32Array(size),
    channel: new Uint8Array(size),
    viewer: new Uint32Array(size),
    flags: new Uint8Array(size),
    watchSeconds: new Uint32Array(size),
    embed: new Uint8Array(size),
  };
  if (size === 0) return columns;
  const random = createRandom(seedFrom(seed, 'views'));
  const fillRow = createFiller(columns, random, sources, now);
  const ends = dayEnds(size, now);
  let row = 0;
  for (let day = 0; day < DAYS; day += 1) {
    const dayStart = now - (DAYS - day) * DAY_MS;
    for (const time of timesOfDay(itemAt(ends, day) - row, dayStart, random)) {
      fillRow(row, time, day);
      row += 1;
    }
  }
  return columns;
}

/** The number of views up to the end of each day: a rising trend, weekends, seasons and one viral day. */
function dayEnds(count: number, now: number): number[] {
  const weights = Array.from({ length: DAYS }, (_, day) => {
    const date = new Date(now - (DAYS - day) * DAY_MS);
    const season = 1 + 0.25 * Math.cos(((date.getUTCMonth() - 10) / 12) * 2 * Math.PI);
    const trend = 0.7 + (0.6 * day) / DAYS;
    return trend * season * itemAt(WEEKDAY_SHARE, date.getUTCDay()) * (day === VIRAL_DAY ? 7 : 1);
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let running = 0;
  return weights.map((weight, day) => {
    running += weight;
    return day === DAYS - 1 ? count : Math.floor((running / total) * count);
  });
}

function timesOfDay(count: number, dayStart: number, random: Random): Float64Array {
  const midnight = Math.floor(dayStart / DAY_MS) * DAY_MS;
  const times = new Float64Array(count);
  for (let i = 0; i < count; i += 1) {
    const hour = itemAt(HOUR_TABLE, random.int(1024));
    const time = midnight + hour * 3_600_000 + random.int(3_600_000);
    times[i] = time < dayStart ? time + DAY_MS : time;
  }
  return times.sort();
}

/** Draws the video of a view at `time`, by popularity and age. */
function createVideoDraw(random: Random, sources: readonly ViewSource[], now: number) {
  const upTo = new Float64Array(sources.length);
  let total = 0;
  sources.forEach((_, index) => {
    total += 1 / (5 + (mix(index, 3) % sources.length));
    upTo[index] = total;
  });
  const oldest = sources.reduce((best, source, index) => (source.published < itemAt(sources, best).published ? index : best), 0);
  const accepts = (source: ViewSource, time: number, day: number, german: boolean): boolean => {
    if (source.published > time) return false;
    if (source.declining && !random.chance(Math.max(0.04, 1 - (1.15 * day) / DAYS))) return false;
    if (german && source.losesGermany && now - time < 35 * DAY_MS && random.chance(0.85)) return false;
    return random.chance(0.3 + 0.7 * Math.exp((source.published - time) / (30 * DAY_MS)));
  };
  return (time: number, day: number, german: boolean): number => {
    for (let attempt = 0; attempt < 32; attempt += 1) {
      const index = lowerBound(upTo, random.next() * total);
      if (accepts(itemAt(sources, index), time, day, german)) return index;
    }
    return oldest;
  };
}

function createFiller(columns: ViewColumns, random: Random, sources: readonly ViewSource[], now: number) {
  const drawVideo = createVideoDraw(random, sources, now);
  const viralVideo = sources.findIndex((source) => source.viral);
  return (row: number, time: number, day: number): void => {
    const viewer = Math.floor(random.next() ** 1.6 * Math.max(1, columns.count / 3));
    const german = PLACES[placeOf(viewer)]?.[0] === 'DE';
    const viral = day === VIRAL_DAY && random.chance(0.85);
    const index = viral ? viralVideo : drawVideo(time, day, german);
    const source = itemAt(sources, index);
    const started = random.chance(0.94);
    const share = viral ? Math.min(1, random.next() * 1.6) : random.next() ** 0.8 * 1.15;
    const ended = started && share >= 0.97;
    columns.time[row] = time;
    columns.source[row] = index;
    columns.channel[row] = source.channelKeys.length > 0 && random.chance(0.8) ? random.int(source.channelKeys.length) : NO_CHANNEL;
    columns.viewer[row] = viewer;
    columns.flags[row] = (started ? 1 : 0) | (ended ? 2 : 0) | (random.chance(0.22) ? 4 : 0);
    columns.watchSeconds[row] = started ? Math.round(source.seconds * share) : 0;
    columns.embed[row] = viral ? VIRAL_EMBED : itemAt(EMBED_TABLE, random.int(1024));
  };
}
