import { DAYS, FROM_MS } from './views.mjs';

const DAY_MS = 86_400_000;
const ALL = { fromMs: FROM_MS, toMs: FROM_MS + DAYS * DAY_MS };
const last = (days) => ({ fromMs: ALL.toMs - days * DAY_MS, toMs: ALL.toMs });
const video = (...values) => [{ column: 'video_key', values }];

/** Ten questions as people ask them, in the form that the engine is asked in; `zoneOffsets` tells when clocks change. */
export function questions(zoneOffsets) {
  const question = ({ span = ALL, zone = 'UTC', metrics = ['views'], groupBy = [], filters = [], ...more }) => ({
    span,
    metrics,
    groupBy,
    filters,
    offsets: zoneOffsets(zone, span),
    ...more,
  });
  return {
    'views a day, in Berlin': question({ zone: 'Europe/Berlin', groupBy: ['day'], metrics: ['views', 'plays'] }),
    'viewers a day': question({ groupBy: ['day'], metrics: ['unique_viewers'] }),
    'videos by completion': question({ groupBy: ['video'], metrics: ['views', 'completion_rate', 'avg_watch_time'] }),
    'countries and devices': question({ groupBy: ['country', 'device_type'] }),
    'one video, a day, with viewers': question({ filters: video('video-7'), groupBy: ['day'], metrics: ['views', 'unique_viewers'] }),
    'last week, an hour': question({ span: last(7), zone: 'America/New_York', groupBy: ['hour'] }),
    'videos on phones in a country': question({
      filters: [
        { column: 'country', values: ['C3'] },
        { column: 'device_type', values: ['smartphone'] },
      ],
      groupBy: ['video'],
    }),
    'viewers in all': question({ metrics: ['unique_viewers', 'unique_videos'] }),
    'weekdays and hours': question({ zone: 'America/New_York', groupBy: ['weekday', 'hour_of_day'], metrics: ['watch_time'] }),
    'channels a month, played to the end': question({ groupBy: ['channel', 'month'], ended: true, metrics: ['views', 'watch_time'] }),
  };
}
