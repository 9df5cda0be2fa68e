import { DAY_MS } from '../content/times.ts';
import { createRandom, itemAt, mix, type Random, seedFrom } from '../random.ts';
import { EMBEDS, PLACES, shareTable, VIRAL_EMBED } from './audience.ts';
import type { ViewSource } from './sources.ts';

/** The generated views, oldest first: an entry in each column per view. */
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

/** The index in `PLACES` of where a viewer is. */
export function placeOf(viewer: number): number {
  return itemAt(PLACE_TABLE, mix(viewer, 11) & 1023);
}

/** Makes `count` views over the 14 months before `now` (milliseconds). */
export function createColumns(count: number, seed: number, now: number, sources: readonly ViewSource[]): ViewColumns {
  const size = sources.length === 0 ? 0 : count;
  const columns = emptyColumns(size);
  if (size === 0) return columns;
  const random = createRandom(seedFrom(seed, 'views'));
  const draw = createVideoDraw(random, sources, now);
  const ends = dayEnds(size, now);
  let row = 0;
  for (let day = 0; day < DAYS; day += 1) {
    const dayStart = now - (DAYS - day) * DAY_MS;
    const times = timesOfDay(itemAt(ends, day) - row, dayStart, random);
    for (const time of times) {
      fillRow(columns, row, { time, day, random, sources, draw });
      row += 1;
    }
  }
  return columns;
}

function emptyColumns(count: number): ViewColumns {
  return {
    count,
    time: new Float64Array(count),
    source: new Uint32Array(count),
    channel: new Uint8Array(count),
    viewer: new Uint32Array(count),
    flags: new Uint8Array(count),
    watchSeconds: new Uint32Array(count),
    embed: new Uint8Array(count),
  };
}

/** For each day, how many views there are up to its end: a rising trend, weekends, seasons and one viral day. */
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

interface VideoDraw {
  viral: number;
  /** A video that was out at `time`, by popularity and age. */
  pick(time: number, day: number, german: boolean): number;
}

function createVideoDraw(random: Random, sources: readonly ViewSource[], now: number): VideoDraw {
  const upTo = new Float64Array(sources.length);
  let total = 0;
  sources.forEach((_, index) => {
    total += 1 / (5 + (mix(index, 3) % sources.length));
    upTo[index] = total;
  });
  const oldest = sources.reduce((best, source, index) => (source.published < itemAt(sources, best).published ? index : best), 0);
  const accepts = (source: ViewSource, time: number, day: number, german: boolean): boolean => {
    if (source.published > time) return false;
    if (source.dying && !random.chance(Math.max(0.04, 1 - (1.15 * day) / DAYS))) return false;
    if (german && source.losesGermany && now - time < 35 * DAY_MS && random.chance(0.85)) return false;
    return random.chance(0.3 + 0.7 * Math.exp((source.published - time) / (30 * DAY_MS)));
  };
  const pick = (time: number, day: number, german: boolean): number => {
    for (let attempt = 0; attempt < 32; attempt += 1) {
      const index = lowerBound(upTo, random.next() * total);
      if (accepts(itemAt(sources, index), time, day, german)) return index;
    }
    return oldest;
  };
  return {
    viral: Math.max(
      0,
      sources.findIndex((source) => source.viral),
    ),
    pick,
  };
}

interface RowContext {
  time: number;
  day: number;
  random: Random;
  sources: readonly ViewSource[];
  draw: VideoDraw;
}

function fillRow(columns: ViewColumns, row: number, { time, day, random, sources, draw }: RowContext): void {
  const viewer = Math.floor(random.next() ** 1.6 * Math.max(1, columns.count / 3));
  const german = PLACES[placeOf(viewer)]?.[0] === 'DE';
  const viral = day === VIRAL_DAY && random.chance(0.85);
  const index = viral ? draw.viral : draw.pick(time, day, german);
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
}

/** The first index whose value is not below `wanted`; the last index when there is none. */
function lowerBound(values: Float64Array, wanted: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(values, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
