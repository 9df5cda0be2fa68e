import type { DemoView } from '../../src/demo/records.ts';
import type { Ending, Task } from '../task.ts';
import { chartsIn, countsOf, placeOf, viewsIn } from './support.ts';

const QUARTER = ['2026-04-01T00:00:00Z', '2026-07-01T00:00:00Z'] as const;
const BEFORE = ['2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const;
const TITLES = ['Views, Q2 2026', 'Top channels, Q2 2026'];
const SLIDE = 'Views and plays, 2026';
/** Before it, the account of `fewer-days` has no views. */
const FIRST_DAY = '2026-02-11';
const DAY_MS = 86_400_000;
const UP = /\b(?:up|more|rose|risen|rise|grew|growth|higher|increas\w*|gain\w*|plus)\b|\+/i;
const DOWN = /\b(?:down|less|fewer|fell|fallen|drop\w*|declin\w*|lower|decreas\w*|minus|lost)\b|[-−–]\s?\d/i;
/** Never taken for a whole number, which would have to be exact. */
const inPercent = (part: number, whole: number): number => (100 * part) / whole + 1e-7;

/** Reports of several parts, and numbers that mislead. What is right is counted from the account's log. */
export const REPORT_TASKS: readonly Task[] = [
  {
    id: 'board-report',
    says: `I am writing the board’s report on the second quarter of 2026. First page: our views by month as a chart with the title “${TITLES[0]}”, and in words how many views the quarter had and by how many percent that is up or down on the quarter before.`,
    knows: 'April to June against January to March, UTC, the whole account. One decimal is enough.',
    next: [
      {
        says: `Second page: the five channels with the most views in that quarter, each with its share of all our views in percent, and a bar chart of them with the title “${TITLES[1]}”.`,
        knows: 'All views of the quarter are 100 %, those outside of channels too; these are no channel, though. UTC.',
      },
      {
        says: 'Last page: how many views of the quarter came from Germany, Austria and Switzerland together, without those on our own intranet (intranet.test)? And which share of all views without the intranet is that?',
        knows: 'The viewer’s country. Views that were not embedded anywhere count, they are not on the intranet. UTC.',
      },
    ],
    needs: {
      query_analytics: ['from', 'to', 'groupBy', 'metrics', 'compareTo', 'countries', 'embedDomains'],
      draw_chart: ['report', 'title'],
    },
    probes: [
      ['query_analytics', { from: '2026-04-01', to: '2026-06-30', groupBy: ['month'], compareTo: 'previous_period' }],
      ['query_analytics', { from: '2026-04-01', to: '2026-06-30', countries: ['DE', 'AT', 'CH'], embedDomains: ['!intranet.test'] }],
    ],
    account: { seed: 81 },
    arrange({ world }) {
      const embed = { url: 'https://intranet.test/start', domain: 'intranet.test', type: 3 };
      const geo = { ip: '192.0.2.9', city: 'Berlin', country: 'DE', region: 'BE', continent: 'EU' };
      world.addViews(
        Array.from({ length: 500 }, (_, index) => ({
          embed,
          geo,
          date: new Date(Date.parse('2026-05-04T08:00:00Z') + index * 3_000_000).toISOString().replace('Z', '+00:00'),
        })),
      );
      const views = viewsIn(world, ...QUARTER);
      const earlier = viewsIn(world, ...BEFORE).length;
      const change = inPercent(views.length - earlier, earlier);
      const [direction, opposite] = change > 0 ? [UP, 'down'] : [DOWN, 'up'];
      const nameOf = new Map([...world.channels.values()].map(({ key, name }) => [key, name]));
      const counted = countsOf(views.flatMap(({ channelKey }) => (channelKey === undefined ? [] : [channelKey])));
      const top = counted
        .slice(0, 5)
        .map(([key, count]) => ({ name: nameOf.get(key) ?? '', count, share: inPercent(count, views.length) }));
      if (counted[4]?.[1] === counted[5]?.[1]) throw new Error('The fifth channel must be one.');
      const outside = views.filter((view) => view.embed?.domain !== 'intranet.test');
      const isDach = ({ geo: { country } }: DemoView): boolean => ['DE', 'AT', 'CH'].includes(country);
      const dach = outside.filter(isDach).length;
      const percent = (value: number): string => `${Math.abs(value).toFixed(1)} %`;
      const inAll = views.filter(isDach).length;
      return {
        earlier: [
          {
            example: `The chart is there. ${views.length} views, ${change > 0 ? 'up' : 'down'} ${percent(change)} on the quarter before.`,
            wrong: [
              `${views.length} views, ${change > 0 ? 'up' : 'down'} ${percent(change + 7)}.`,
              `${views.length} views, ${opposite} by ${percent(change)}.`,
              `${views.length + 91} views, ${change > 0 ? 'up' : 'down'} ${percent(change)}.`,
            ],
            says: [views.length, Math.abs(change), direction],
          },
          {
            example: top.map(({ name, count, share }) => `${name}: ${count} views, ${percent(share)}`).join('\n'),
            wrong: [
              top.map(({ name, share }) => `${name}: ${percent(share * 1.3)}`).join('\n'),
              top
                .slice(1)
                .map(({ name, share }) => `${name}: ${percent(share)}`)
                .join('\n'),
            ],
            says: top.flatMap(({ name, share }) => [new RegExp(name.replace(/[^\w ]/g, '.')), share]),
          },
        ],
        example: `${dach} views, ${percent(inPercent(dach, outside.length))} of all without the intranet.`,
        wrong: [
          `${inAll} views, ${percent(inPercent(inAll, views.length))}.`,
          `${dach} views, ${percent(inPercent(dach, outside.length) * 1.2)}.`,
        ],
        says: [dach, inPercent(dach, outside.length)],
        exampleEnding: { calls: TITLES.map((title) => ({ tool: 'draw_chart', arguments: { title }, isError: false })) },
        wrongEndings: [{ calls: [] }, { calls: [{ tool: 'draw_chart', arguments: { title: TITLES[0] }, isError: false }] }],
        check: (ending) => chartsDrawn(ending),
      };
    },
  },
  {
    id: 'rate-falls',
    says: 'The completion rate of our channel How-to fell in the first two weeks of September and I don’t see why, we did not touch anything. Do people on phones suddenly give up earlier, or those on desktops? Or what is it?',
    knows: '1 to 14 September 2026 against 18 to 31 August. UTC. Completed means watched to the end, of all plays.',
    needs: { explain_change: ['from', 'to', 'metric', 'channels'] },
    probes: [['explain_change', { from: '2026-09-01', to: '2026-09-14', metric: 'completion_rate', channels: ['How-to'] }]],
    account: { seed: 82, views: 4000 },
    arrange({ world }) {
      const { key: channelKey, videoKeys } = world.channelNamed('How-to');
      const plays = (day: string, type: 'desktop' | 'mobile', count: number, rate: number): Partial<DemoView>[] =>
        Array.from({ length: count }, (_, index) => ({
          channelKey,
          videoKey: videoKeys[index % 4] ?? '',
          started: true,
          // Spread evenly.
          ended: Math.floor((index + 1) * rate) > Math.floor(index * rate),
          device: type === 'desktop' ? { family: 'Other', type } : { family: 'iPhone', brand: 'Apple', model: 'iPhone', type },
          date: new Date(Date.parse(`${day}T00:10:00Z`) + Math.floor((index * 14 * 86_000_000) / count))
            .toISOString()
            .replace('Z', '+00:00'),
        }));
      world.addViews([...plays('2026-08-18', 'desktop', 1500, 0.6), ...plays('2026-08-18', 'mobile', 400, 0.25)]);
      world.addViews([...plays('2026-09-01', 'desktop', 600, 0.64), ...plays('2026-09-01', 'mobile', 1600, 0.29)]);
      const rates = (from: string, to: string): number[] => {
        const started = viewsIn(world, from, to, ['How-to']).filter((view) => view.started);
        return [undefined, 'desktop', 'mobile'].map((type) => {
          const of = started.filter(({ device }) => type === undefined || device.type === type);
          return inPercent(of.filter(({ ended }) => ended).length, of.length);
        });
      };
      const [before, now] = [rates('2026-08-18T00:00:00Z', '2026-09-01T00:00:00Z'), rates('2026-09-01T00:00:00Z', '2026-09-15T00:00:00Z')];
      const [all = 0, desktops = 0, phones = 0] = now;
      const [allBefore = 0, desktopsBefore = 0, phonesBefore = 0] = before;
      if (all >= allBefore || desktops <= desktopsBefore || phones <= phonesBefore)
        throw new Error('The whole must fall while its parts rise.');
      return {
        example: `Neither: on phones it rose to ${phones.toFixed(1)} %, on desktops to ${desktops.toFixed(1)} %. But far more of the plays are on phones now, where fewer are completed, so the whole fell to ${all.toFixed(1)} %.`,
        wrong: [
          `People on phones give up earlier: only ${phones.toFixed(1)} % of them finish, on desktops ${desktops.toFixed(1)} %.`,
          'The mix has shifted to phones, and both finish less often than before.',
          'Nothing stands out.',
        ],
        says: [
          /\b(?:phones?|mobile)/i,
          /\b(?:shares?|mix|shift\w*|proportion|composition|more (?:of the |of your )?(?:plays|views|people|viewers)|weight\w*|larger part|bigger part)\b/i,
          /\b(?:both|each|either|neither|rose|risen|ris(?:e|ing)|increas\w*|improv\w*|higher|better|up)\b/i,
          phones,
          desktops,
        ],
      };
    },
  },
  {
    id: 'hidden-break',
    says: 'August 2026 was the best month that our channel How-to ever had. Before I tell everybody: did anything in it break or get lost in the course of the month that the good total hides? If so where exactly, and since which day?',
    knows: 'Within August, UTC, views. Compare with July if that helps. We did not change anything in the channel.',
    needs: { explain_change: ['from', 'to', 'channels'], query_analytics: ['from', 'to', 'channels', 'groupBy', 'deviceTypes'] },
    probes: [
      ['explain_change', { from: '2026-08', channels: ['How-to'] }],
      ['query_analytics', { from: '2026-08', channels: ['How-to'], groupBy: ['day', 'embed_domain', 'device_type'] }],
    ],
    account: { seed: 83, views: 4000 },
    arrange({ world }) {
      const { key: channelKey, videoKeys } = world.channelNamed('How-to');
      const daily = (domain: string, type: 'desktop' | 'mobile', from: string, to: string, count: number): Partial<DemoView>[] =>
        daysFrom(from, to).flatMap((day) =>
          Array.from({ length: count }, (_, index) => ({
            channelKey,
            videoKey: videoKeys[index % 4] ?? '',
            embed: { url: `https://${domain}/videos`, domain, type: 2 },
            device: type === 'desktop' ? { family: 'Other', type } : { family: 'iPhone', brand: 'Apple', model: 'iPhone', type },
            geo: placeOf(index),
            date: timeOn(day, (index * 1440) / count),
          })),
        );
      const [partner, own] = ['partner.example.net', 'www.example.com'];
      world.addViews([
        ...daily(partner, 'mobile', '2026-07-01', '2026-08-17', 12),
        ...daily(partner, 'mobile', '2026-08-17', '2026-09-15', 1),
        // As many on desktops there, so that the site as a whole hardly falls.
        ...daily(partner, 'desktop', '2026-07-01', '2026-08-17', 8),
        ...daily(partner, 'desktop', '2026-08-17', '2026-09-15', 16),
        ...daily(own, 'mobile', '2026-07-01', '2026-08-08', 10),
        ...daily(own, 'mobile', '2026-08-08', '2026-09-15', 24),
        ...daily(own, 'desktop', '2026-07-01', '2026-08-08', 20),
        ...daily(own, 'desktop', '2026-08-08', '2026-09-15', 32),
      ]);
      const [july, august] = [
        ['2026-07-01T00:00:00Z', '2026-08-01T00:00:00Z'] as const,
        ['2026-08-01T00:00:00Z', '2026-09-01T00:00:00Z'] as const,
      ];
      if (viewsIn(world, ...august, ['How-to']).length <= viewsIn(world, ...july, ['How-to']).length)
        throw new Error('The whole must rise.');
      return {
        example:
          'Yes: views on phones on partner.example.net broke off on 17 August, from twelve a day to one. Desktops there and all other sites rose.',
        wrong: [
          'No. Every site and every device rose.',
          'Yes: views on partner.example.net fell a little after 17 August.',
          'Yes: phones on partner.example.net, somewhen in the month.',
        ],
        says: [/partner\.example\.net/i, /\b(?:phones?|mobiles?|iphones?)\b/i, /\b1[67](?:th)?\b|08-1[67]/],
      };
    },
  },
  {
    id: 'fewer-days',
    says: 'By how many percent did our views grow from the first to the second quarter of 2026? One fair number for the slide, please.',
    knows:
      'The whole account, UTC. We may have come to this service only in the course of the winter. If the quarters can’t be compared as they are, I need what can be compared, and why.',
    next: [
      {
        says: `Thanks. And a chart “${SLIDE}” by month, February to June 2026, with the views and the plays. Which of these months has the lowest play rate, and how low is it?`,
        knows: 'Plays are views that were started. If it takes two charts, give both that title. One decimal.',
      },
    ],
    needs: { query_analytics: ['from', 'to', 'groupBy', 'metrics', 'compareTo'], draw_chart: ['report', 'title'] },
    probes: [['query_analytics', { from: '2026-Q2', compareTo: 'previous_period' }]],
    account: { seed: 84, views: 0 },
    arrange({ world }) {
      const keys = [...world.videos.values()].slice(0, 40).map(({ key }) => key);
      const daily = (from: string, to: string, count: number, played: number): Partial<DemoView>[] =>
        daysFrom(from, to).flatMap((day, number) =>
          Array.from({ length: count + (number % 3) }, (_, index) => ({
            videoKey: keys[(number + index * 7) % keys.length] ?? '',
            started: (index * 7 + number) % 20 < played * 20,
            geo: placeOf(index + number),
            date: timeOn(day, (index * 1440) / (count + 3)),
          })),
        );
      world.addViews([
        ...daily(FIRST_DAY, '2026-03-01', 40, 0.8),
        ...daily('2026-03-01', '2026-04-01', 39, 0.75),
        ...daily('2026-04-01', '2026-05-01', 35, 0.7),
        ...daily('2026-05-01', '2026-06-01', 34, 0.5),
        ...daily('2026-06-01', '2026-07-01', 36, 0.65),
        ...daily('2026-07-01', '2026-09-15', 36, 0.7),
      ]);
      const [before, now] = [viewsIn(world, ...BEFORE).length, viewsIn(world, ...QUARTER).length];
      const days = daysFrom(FIRST_DAY, '2026-04-01').length;
      const [dailyBefore, dailyNow] = [before / days, now / 91];
      const fell = inPercent(dailyBefore - dailyNow, dailyBefore);
      const may = viewsIn(world, '2026-05-01T00:00:00Z', '2026-06-01T00:00:00Z');
      const rate = inPercent(may.filter(({ started }) => started).length, may.length);
      const looksLike = inPercent(now - before, before).toFixed(1);
      if (now <= before || fell <= 0) throw new Error('The whole must rise, and fall per day.');
      return {
        earlier: [
          {
            example: `The quarters can’t be compared as they are: there are no views before 11 February, so the first has ${days} days. Per day, views fell by ${fell.toFixed(1)} %, from ${dailyBefore.toFixed(1)} to ${dailyNow.toFixed(1)}.`,
            wrong: [
              `Views grew by ${looksLike} %, from ${before} to ${now}.`,
              `Views grew by ${looksLike} %; there are records from 11 February on, ${days} days.`,
              `Per day, views fell by ${fell.toFixed(1)} %.`,
            ],
            says: [
              [/\b11(?:th)?(?: of)? Feb/i, /Feb\w* 11\b/i, /02-11/, days],
              [/\bper[ -](?:calendar )?day\b/i, /\b(?:a|each|every) day\b/i, /\bdaily\b|\/\s?day\b/i],
              [fell, dailyNow],
              [
                /\b(?:down|fewer|fell|fallen|drop\w*|declin\w*|lower|decreas\w*|less|shr[aiu]nk\w*|minus)\b/i,
                /[-−–]\s?\d+(?:[.,]\d+)?\s?%/,
              ],
            ],
          },
        ],
        example: `Here is the chart. May has the lowest play rate, ${rate.toFixed(1)} %.`,
        wrong: [
          `Here is the chart. June has the lowest play rate, ${rate.toFixed(1)} %.`,
          'Here is the chart. May has the lowest play rate, 65.0 %.',
        ],
        says: [/\bMay\b|2026-05/, rate],
        exampleEnding: { calls: [{ tool: 'draw_chart', arguments: { title: SLIDE }, isError: false }] },
        check: (ending) => chartsDrawn(ending, [SLIDE]),
      };
    },
  },
];

/** Days (ISO) from the first up to, not including, the last. */
function daysFrom(first: string, end: string): string[] {
  const [from, to] = [Date.parse(first), Date.parse(end)];
  return Array.from({ length: (to - from) / DAY_MS }, (_, index) => new Date(from + index * DAY_MS).toISOString().slice(0, 10));
}

function timeOn(day: string, minutes: number): string {
  return new Date(Date.parse(day) + Math.floor(minutes * 60_000)).toISOString().replace('Z', '+00:00');
}

function chartsDrawn({ calls }: Ending, titles: readonly string[] = TITLES): string[] {
  const drawn = chartsIn(calls).map(({ arguments: { title } }) => String(title));
  return titles.filter((title) => !drawn.some((one) => one.includes(title))).map((title) => `no chart is titled “${title}”`);
}
