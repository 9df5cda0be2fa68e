import { DAYS, FROM_MS } from './lake.mjs';

const DAY_MS = 86_400_000;
const day = (number) => new Date(FROM_MS + number * DAY_MS).toISOString().slice(0, 10);
const ALL = { from: day(0), to: day(DAYS - 1) };
const LAST_WEEK = { from: day(DAYS - 7), to: day(DAYS - 1) };

/** Ten questions as people ask them: arguments of the tool. */
export const QUESTIONS = {
  'views a day, in Berlin': { ...ALL, timezone: 'Europe/Berlin', groupBy: ['day'], metrics: ['views', 'plays'] },
  'viewers a day': { ...ALL, groupBy: ['day'], metrics: ['unique_viewers'] },
  'videos by completion': { ...ALL, groupBy: ['video'], metrics: ['views', 'completion_rate', 'avg_watch_time'] },
  'countries and devices': { ...ALL, groupBy: ['country', 'device_type'], metrics: ['views'] },
  'one video, a day, with viewers': { ...ALL, videoKeys: ['video-7'], groupBy: ['day'], metrics: ['views', 'unique_viewers'] },
  'last week, an hour': { ...LAST_WEEK, timezone: 'America/New_York', groupBy: ['hour'], metrics: ['views'] },
  'videos on phones in a country': { ...ALL, countries: ['C3'], deviceTypes: ['smartphone'], groupBy: ['video'], metrics: ['views'] },
  'viewers in all': { ...ALL, metrics: ['unique_viewers', 'unique_videos'] },
  'weekdays and hours': { ...ALL, timezone: 'America/New_York', groupBy: ['weekday', 'hour_of_day'], metrics: ['watch_time'] },
  'channels a month, played to the end': { ...ALL, ended: true, groupBy: ['channel', 'month'], metrics: ['views', 'watch_time'] },
};

const COLUMNS = { videoKeys: 'video_key', countries: 'country', deviceTypes: 'device_type' };

/** The same as the store is asked, by the product's own reading of times and zones. */
export function questionOf({ from, to, timezone = 'UTC', metrics, groupBy = [], ended, ...filters }, { resolveSpan, zoneOffsets }) {
  const { fromMs, toMs } = resolveSpan({ from, to, timezone }, Date.now());
  const span = { fromMs, toMs };
  return {
    span,
    metrics,
    groupBy,
    filters: Object.entries(filters).map(([name, values]) => ({ column: COLUMNS[name], values })),
    offsets: zoneOffsets(timezone, span),
    ...(ended === undefined ? {} : { ended }),
  };
}
