import type { DemoView } from '../../src/demo/records.ts';
import type { DemoWorld } from '../../src/demo/world.ts';
import type { Task } from '../task.ts';
import { chartsIn, countsOf, distinct, first, placeOf, SAYS_NO, viewsIn } from './support.ts';

const AUGUST = ['2026-08-01T00:00:00Z', '2026-09-01T00:00:00Z'] as const;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'];

/** Questions about views. What is right is counted from the account's log. */
export const ANALYTICS_TASKS: readonly Task[] = [
  {
    id: 'two-channel-viewers',
    says: 'How many different people watched something in our channels Onboarding or How-to in August 2026? Somebody who watched both counts once.',
    knows: 'The whole of August, UTC is fine. I need one number.',
    needs: { query_analytics: ['from', 'to', 'channels', 'metrics'] },
    probes: [
      ['query_analytics', { from: '2026-08-01', to: '2026-08-31', metrics: ['unique_viewers'], channels: ['Onboarding', 'How-to'] }],
    ],
    account: { seed: 41 },
    arrange({ world }) {
      // Forty people watch both channels, so that the sum of the two is wrong.
      for (let viewer = 0; viewer < 40; viewer += 1) {
        const viewerId = `vwr-adde0000${String(viewer).padStart(8, '0')}`;
        addViews(world, 'Onboarding', [{ viewerId, date: `2026-08-1${viewer % 10}T10:00:00.000+00:00` }]);
        addViews(world, 'How-to', [{ viewerId, date: `2026-08-2${viewer % 10}T10:00:00.000+00:00` }]);
      }
      const viewers = (channels: readonly string[], views = viewsIn(world, ...AUGUST, channels)): number =>
        distinct(views.map(({ viewerId }) => viewerId));
      const both = viewers(['Onboarding', 'How-to']);
      // Who opened a video and did not play it may or may not have watched it.
      const played = viewers(
        [],
        viewsIn(world, ...AUGUST, ['Onboarding', 'How-to']).filter(({ started }) => started),
      );
      return {
        example: `${both} different people.`,
        wrong: [`${viewers(['Onboarding']) + viewers(['How-to'])} different people.`],
        says: [[both, played]],
      };
    },
  },
  {
    id: 'weekday-report',
    says: 'For my Monday meeting: the views of Onboarding and How-to together in August 2026, by weekday. Which weekday is the best, and how many views did it have?',
    knows: 'UTC. Both channels added up. A table by weekday is nice.',
    needs: { query_analytics: ['from', 'to', 'channels', 'groupBy'] },
    probes: [['query_analytics', { from: '2026-08-01', to: '2026-08-31', groupBy: ['weekday'], channels: ['Onboarding', 'How-to'] }]],
    account: { seed: 42 },
    arrange({ world }) {
      addViews(
        world,
        'How-to',
        Array.from({ length: 30 }, (_, index) => ({ date: `2026-08-${index % 2 === 0 ? '06' : '20'}T1${index % 10}:00:00.000+00:00` })),
      );
      const days = countsOf(
        viewsIn(world, ...AUGUST, ['Onboarding', 'How-to']).map(({ date }) => WEEKDAYS[new Date(date).getUTCDay()] ?? ''),
      );
      const [day, views] = first(days);
      return {
        example: `${day} is best, with ${views} views.`,
        wrong: [`Sunday is best, with ${views} views.`, `${day}, with 7 views.`],
        says: [new RegExp(day), views],
      };
    },
  },
  {
    id: 'drop-explained',
    says: 'The channel How-to had far fewer views in the week of 7 September than in the week before. Why? Where do they miss?',
    knows:
      'Monday 7 September to Sunday 13 September 2026 against Monday 31 August to Sunday 6 September. We did not change anything in the channel.',
    needs: { explain_change: ['from', 'to', 'channels'] },
    probes: [['explain_change', { from: '2026-09-07', to: '2026-09-13', channels: ['How-to'] }]],
    account: { seed: 43 },
    arrange({ world }) {
      const embed = { url: 'https://partner.example.net/videos', domain: 'partner.example.net', type: 2 };
      // Viewers of the usual sites stay.
      for (const monday of ['2026-08-31', '2026-09-07']) {
        const usual = { url: 'https://www.example.com/', domain: 'www.example.com', type: 1 };
        addViews(
          world,
          'How-to',
          Array.from({ length: 120 }, (_, index) => ({ embed: usual, geo: placeOf(index), date: at(monday, index) })),
        );
      }
      // A partner's site that embedded the channel is gone: 160 views in one week, 4 in the next.
      addViews(
        world,
        'How-to',
        Array.from({ length: 160 }, (_, index) => ({ embed, geo: placeOf(index), date: at('2026-08-31', index) })),
      );
      addViews(
        world,
        'How-to',
        Array.from({ length: 4 }, (_, index) => ({ embed, geo: placeOf(index), date: at('2026-09-07', index * 11) })),
      );
      return {
        example: 'Nearly all of the drop is in views embedded on partner.example.net: they are almost gone.',
        wrong: ['There are fewer viewers in the United States.', 'Nothing stands out.'],
        says: [/partner\.example\.net/],
      };
    },
  },
  {
    id: 'time-zone',
    says: 'How many views did we have on the 1st of September, by our clock here in Tokyo?',
    knows: 'The whole account, 1 September 2026, midnight to midnight in Tokyo.',
    needs: { query_analytics: ['from', 'timezone'] },
    probes: [['query_analytics', { from: '2026-09-01', to: '2026-09-01', timezone: 'Asia/Tokyo' }]],
    account: { seed: 44 },
    arrange({ world }) {
      const views = viewsIn(world, '2026-08-31T15:00:00Z', '2026-09-01T15:00:00Z').length;
      const inUtc = viewsIn(world, '2026-09-01T00:00:00Z', '2026-09-02T00:00:00Z').length;
      if (views === inUtc) throw new Error('The two days must differ.');
      return {
        example: `${views} views on 1 September in Tokyo.`,
        wrong: [`${inUtc} views on 1 September in Tokyo.`, 'About a hundred.'],
        says: [views],
      };
    },
  },
  {
    id: 'chart',
    says: 'Can you draw me a chart of our views per month, January to August 2026? And tell me the strongest month with its number.',
    knows: 'Whole account, UTC, any kind of chart.',
    needs: { query_analytics: ['from', 'to', 'groupBy'], draw_chart: ['report'] },
    account: { seed: 45 },
    arrange({ world }) {
      const views = viewsIn(world, '2026-01-01T00:00:00Z', '2026-09-01T00:00:00Z');
      const [month, count] = first(countsOf(views.map(({ date }) => MONTHS[new Date(date).getUTCMonth()] ?? '')));
      return {
        example: `Here is the chart. ${month} was the strongest month, with ${count} views.`,
        exampleEnding: { calls: [{ tool: 'draw_chart', arguments: {}, isError: false }] },
        wrong: [`Here is the chart. ${month} was the strongest month.`, `December was the strongest month, with ${count} views.`],
        says: [new RegExp(month.slice(0, 3)), count],
        check: ({ calls }) => (chartsIn(calls).length > 0 ? [] : ['no chart was drawn']),
      };
    },
  },
  {
    id: 'sql-median',
    says: 'What is the median watch time of a play on phones and on desktops, in August 2026? Not the average, the median.',
    knows: 'Plays only, so views that were really started. Device types mobile and desktop. UTC.',
    needs: { run_analytics_sql: ['sql', 'from', 'to'] },
    probes: [['run_analytics_sql', { sql: 'SELECT count(*) AS n FROM views', from: '2026-08-01', to: '2026-08-31' }]],
    account: { seed: 46 },
    arrange({ world }) {
      const plays = viewsIn(world, ...AUGUST).filter(({ started }) => started);
      const medianOf = (type: string): number =>
        median(plays.filter(({ device }) => device.type === type).map(({ watchTime }) => watchTime));
      const [phones, desktops] = [medianOf('mobile'), medianOf('desktop')];
      return {
        example: `Phones ${phones}, desktops ${desktops} (unit not documented).`,
        wrong: [`Phones ${phones}, desktops ${desktops + 40}.`, `Phones ${phones + 40}, desktops ${desktops}.`],
        says: [phones, desktops],
      };
    },
  },
  {
    id: 'lost-in-germany',
    says: 'Which video lost the most views in Germany in August 2026 compared with July, and how many?',
    knows: 'Calendar months, UTC, whole account. The title of the video, please.',
    catalogue: true,
    needs: { query_analytics: ['from', 'to', 'groupBy', 'countries', 'compareTo'] },
    probes: [
      ['query_analytics', { from: '2026-08-01', to: '2026-08-31', groupBy: ['video'], countries: ['DE'], compareTo: 'previous_period' }],
    ],
    account: { seed: 47 },
    arrange({ world }) {
      const video = [...world.videos.values()][123];
      if (video === undefined) throw new Error('There are too few videos.');
      world.addViews(Array.from({ length: 60 }, (_, index) => ({ videoKey: video.key, date: at('2026-07-06', index) })));
      const inGermany = (from: string, to: string): number =>
        viewsIn(world, from, to).filter(({ videoKey, geo }) => videoKey === video.key && geo.country === 'DE').length;
      const lost = inGermany('2026-07-01T00:00:00Z', '2026-08-01T00:00:00Z') - inGermany(...AUGUST);
      const title = new RegExp(video.title.replace(/[^\w ]/g, '.'));
      return {
        example: `“${video.title}” lost ${lost}.`,
        wrong: [`“${video.title}” lost 3.`, `“All-hands” lost ${lost}.`],
        says: [[title, new RegExp(video.key)], lost],
      };
    },
  },
  {
    id: 'completion-by-device',
    says: 'Do people on phones finish our videos less often than people on desktops? August 2026, in percent please.',
    knows: 'Of the plays, how many were watched to the end. mobile and desktop. UTC, whole account.',
    needs: { query_analytics: ['from', 'to', 'groupBy', 'metrics'] },
    probes: [['query_analytics', { from: '2026-08-01', to: '2026-08-31', groupBy: ['device_type'], metrics: ['completion_rate'] }]],
    account: { seed: 48 },
    arrange({ world }) {
      const plays = viewsIn(world, ...AUGUST).filter(({ started }) => started);
      const rateOf = (type: string): number => {
        const ofType = plays.filter(({ device }) => device.type === type);
        return (100 * ofType.filter(({ ended }) => ended).length) / ofType.length + 1e-7;
      };
      const [phones, desktops] = [rateOf('mobile'), rateOf('desktop')];
      const shown = (value: number): string => `${value.toFixed(1)} %`;
      return {
        example: `Phones ${shown(phones)}, desktops ${shown(desktops)}.`,
        wrong: [`Phones ${shown(phones + 9)}, desktops ${shown(desktops)}.`, `Phones ${shown(phones)}, desktops ${shown(desktops + 9)}.`],
        says: [phones, desktops],
      };
    },
  },
  {
    id: 'views-unavailable',
    says: 'How many views did we have in August 2026?',
    knows: 'Just the number. If you cannot get it, say so, do not estimate.',
    needs: { query_analytics: ['from', 'to'] },
    account: { seed: 49 },
    arrange({ demo }) {
      demo.faults.always({ match: { api: 'stats' }, do: { kind: 'status', code: 503, retryAfter: 1 } });
      return {
        example: 'I can’t tell: the analytics service does not answer at the moment.',
        wrong: ['There were 0 views in August.', 'About 1,400 views.'],
        says: [SAYS_NO],
        saysNot: [/\b\d[\d,. ]* views\b/i],
      };
    },
  },
];

/** Adds views of the first video of a channel, counted for this channel. */
function addViews(world: DemoWorld, channel: string, patches: readonly Partial<DemoView>[]): void {
  const { key: channelKey, videoKeys } = world.channelNamed(channel);
  world.addViews(patches.map((patch) => ({ videoKey: first(videoKeys), channelKey, ...patch })));
}

/** A time within the week that begins on a day: the first at seven o'clock, each next one an hour later. */
function at(day: string, hours: number): string {
  return new Date(Date.parse(`${day}T07:00:00Z`) + hours * 3_600_000).toISOString().replace('Z', '+00:00');
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [below = 0, above = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (below + above) / 2;
}
