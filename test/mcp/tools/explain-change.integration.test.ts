/** Which values account for a change: planted causes are found, and an even decline has none. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { DemoView } from '../../../src/demo/records.ts';
import type { TestClient, Values } from '../../harness/client.ts';
import { type DemoService, startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const DAY_MS = 86_400_000;
const [BEFORE, NOW] = [Date.parse('2026-09-07'), Date.parse('2026-09-14')];
const WEEK = { from: '2026-W38' };
const COMPLETION = { ...WEEK, metric: 'completion_rate' };
const PER_WEEK = 2_400;

/** A time on one of the days of a week that begins then, one after another. */
const onDay = (week: number, index: number, hour = 0): string =>
  new Date(week + (index % 7) * DAY_MS + hour * 3_600_000).toISOString().replace('Z', '+00:00');

let viewers = 0;
/** Adds as many views, each of a viewer of its own unless `viewOf` names one. */
const addViews = (demo: DemoService, count: number, viewOf: (index: number) => Partial<DemoView>) =>
  demo.world.addViews(Array.from({ length: count }, (_, index) => ({ viewerId: `viewer-${viewers++}`, ...viewOf(index) })));

const on = (type: string): Partial<DemoView> => ({ device: { family: 'x', brand: 'b', model: 'm', type } });
const at = (domain: string): Partial<DemoView> => ({ embed: { url: `https://${domain}/p`, domain, type: 1 } });
const inCity = (city: string, country = 'DE'): Partial<DemoView> => ({ geo: { ip: '', country, continent: 'EU', city, region: '' } });

const COUNTRIES = ['DE', 'US', 'FR', 'JP'];
const BROWSERS = ['Chrome', 'Firefox', 'Safari'];

/** One view of a week. All combinations of values are equally frequent. */
function view(demo: DemoService, week: number, index: number): Partial<DemoView> & { readonly day: number } {
  const channels = [...demo.world.channels.values()].slice(0, 5);
  const videos = [...demo.world.videos.values()].slice(0, 8);
  const day = index % 7;
  const country = COUNTRIES[Math.floor(index / 7) % 4] ?? '';
  const hours = (Math.floor(index / 28) % 24) * 3_600_000;
  const channel = channels[Math.floor(index / 3) % 5];
  const video = videos[Math.floor(index / 5) % 8];
  return {
    day,
    date: onDay(week + hours + (index % 3_000) * 1_000, day),
    viewerId: `viewer-${index % 900}`,
    ended: index % 2 === 0,
    muted: Math.floor(index / 11) % 2 === 0,
    geo: { ip: '192.0.2.1', country, continent: 'EU', city: `City of ${country}`, region: '' },
    browser: { family: BROWSERS[Math.floor(index / 13) % 3] ?? '', major: 1, minor: 0 },
    ...(channel && { channelKey: channel.key }),
    ...(video && { videoKey: video.key, projectKey: demo.world.projects.get(video.projectId)?.key ?? '' }),
  };
}

type Planted = ReturnType<typeof view>;

/** An account whose records begin before both weeks and end after them. */
async function emptyWeeks(): Promise<DemoService> {
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  demo.world.addViews([{ date: '2026-08-01T00:00:00.000+00:00' }, { date: '2026-10-01T00:00:00.000+00:00' }]);
  return demo;
}

/** Two weeks with the same views, except those of the second week that `keeps` leaves out. */
async function twoWeeks(keeps: (one: Planted, index: number) => boolean, change?: (one: Planted) => Planted): Promise<DemoService> {
  const demo = await emptyWeeks();
  const indexes = Array.from({ length: PER_WEEK }, (_, index) => index);
  const add = (views: readonly Planted[]) => demo.world.addViews(views.map(({ day: _, ...record }) => record));
  add(indexes.map((index) => view(demo, BEFORE, index)));
  const now = indexes.map((index) => view(demo, NOW, index)).filter(keeps);
  add(change === undefined ? now : now.map(change));
  return demo;
}

const [number, text] = [z.number(), z.string().optional()];
const value = z.union([z.string(), number, z.boolean(), z.null()]);
const ExplainedSchema = z.looseObject({
  total: z.object({ before: number, now: number, change: number }),
  rows: z.array(
    z.object({
      ...{ dimension: z.string(), value, name: text, dimension2: text, value2: z.unknown().optional() },
      ...{ before: number, now: number, change: number, expected: number, unexplained: number },
      standsOut: z.literal(false).optional(),
    }),
  ),
  mix: z
    .array(
      z.object({
        ...{ dimension: z.string(), shiftedShares: number, changedParts: number, since: text },
        shares: z.array(z.looseObject({ value: z.unknown(), before: number, now: number })),
      }),
    )
    .optional(),
  since: text,
  until: text,
  nothingStandsOut: z.literal(true).optional(),
  notes: z.array(z.string()),
});

async function explained(client: TestClient, args: Values = WEEK) {
  const { data, isError, text } = await client.callTool('explain_change', args);
  if (isError) throw new Error(text);
  return ExplainedSchema.parse(data);
}

/** The same of a server of its own. */
const explainedOf = async (demo: DemoService, args?: Values) => explained((await start({ demo })).client, args);

test('a country that stopped watching is found with its numbers, and independent values are not listed', async () => {
  const demo = await twoWeeks(({ geo }) => geo?.country !== 'DE');
  const lost = [...demo.world.views.each()].filter(
    ({ date, geo }) => String(date) < '2026-09-14' && String(date) > '2026-09' && (geo as { country: string }).country === 'DE',
  ).length;
  expect(lost).toBeGreaterThan(500);
  const { total, rows, nothingStandsOut, notes } = await explainedOf(demo);
  expect(total).toEqual({ before: PER_WEEK, now: PER_WEEK - lost, change: -lost });
  // Of what has no views there are no shares.
  expect(notes.join('\n')).toContain('Pairs were compared only of country "DE"');
  expect(notes.join('\n')).not.toContain('within');
  const expected = (lost * -lost) / PER_WEEK;
  // No more exact than views are.
  const rounded = { expected: Math.round(expected), unexplained: Math.round(-lost - expected) };
  const numbers = { before: lost, now: 0, change: -lost, ...rounded };
  // Each country has only one city here, so both are listed.
  expect(rows).toEqual([
    { dimension: 'country', value: 'DE', ...numbers },
    { dimension: 'city', value: 'City of DE', ...numbers },
  ]);
  expect(nothingStandsOut).toBeUndefined();
});

test('causes are sorted by size, and a value that grew against the trend is listed too', async () => {
  const demo = await twoWeeks(({ geo, browser }, index) => geo?.country !== 'US' && (browser?.family !== 'Firefox' || index % 2 === 0));
  const key = [...demo.world.videos.values()][20]?.key ?? '';
  addViews(demo, 300, (index) => ({ date: onDay(NOW, 1, index % 24), videoKey: key, ...inCity('City of FR', 'FR') }));
  const { rows } = await explainedOf(demo);
  expect(rows[0]).toMatchObject({ dimension: 'country', value: 'US', now: 0 });
  expect(rows.find(({ value }) => value === 'Firefox')?.unexplained).toBeLessThan(0);
  const video = rows.find(({ dimension }) => dimension === 'video');
  expect(video).toMatchObject({ value: key, before: 0, now: 300, expected: 0, unexplained: 300 });
  for (const { change, expected, unexplained } of rows) expect(Math.abs(unexplained - (change - expected))).toBeLessThanOrEqual(1);
  const sizes = rows.map(({ unexplained }) => Math.abs(unexplained));
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
});

test('a day without views is found as a day and as a weekday', async () => {
  const { rows } = await explainedOf(await twoWeeks(({ day }) => day !== 2));
  expect(rows.map(({ dimension, value }) => `${dimension} ${value}`)).toEqual(['day 2026-09-16', 'weekday Wednesday']);
});

test('in an even decline nothing stands out, and a note says so', async () => {
  // Leaves out views pseudo-randomly, without a pattern.
  const demo = await twoWeeks((_, index) => (index * 2_654_435_761) % 4_294_967_296 > 1_288_490_188);
  const { total, rows, nothingStandsOut, notes } = await explainedOf(demo);
  expect(total.change).toBeLessThan(-0.25 * PER_WEEK);
  expect(rows).toEqual([]);
  expect(nothingStandsOut).toBe(true);
  expect(notes.join('\n')).toContain('Nothing stands out: no value of a dimension by itself');
  expect(notes.join('\n')).toContain('Pairs of dimensions (one device in one country) were not looked at.');
});

test('a change of a rate is explained by the values that caused it, and viewers are counted once', async () => {
  const demo = await twoWeeks(
    () => true,
    (one) => (one.browser?.family === 'Safari' ? { ...one, ended: false } : one),
  );
  const { client } = await start({ demo });
  const rate = await explained(client, COMPLETION);
  expect(rate.total.change).toBeLessThan(-0.1);
  expect(rate.rows[0]).toMatchObject({ dimension: 'browser', value: 'Safari', now: 0 });
  // Its contribution to the total change, except the part that its size explains.
  expect(rate.rows[0]?.unexplained).toBeLessThan(-0.05);
  const [mix] = rate.mix ?? [];
  expect(mix).toMatchObject({ dimension: 'browser' });
  expect(Math.abs(mix?.shiftedShares ?? 1)).toBeLessThan(0.001);
  expect(mix?.changedParts).toBeCloseTo(rate.total.change, 2);
  expect(rate.notes.join()).not.toMatch(/although|mix by/);
  const viewers = await explained(client, { ...WEEK, metric: 'unique_viewers' });
  expect(viewers.total).toEqual({ before: 900, now: 900, change: 0 });
});

test('explain_change takes filters, another comparison period and a time zone', async () => {
  const { client } = await start({ demo: await twoWeeks(({ geo }) => geo?.country !== 'DE') });
  expect(await explained(client, { ...WEEK, countries: ['France', 'US'] })).toMatchObject({ total: { change: 0 }, nothingStandsOut: true });
  const year = await client.callTool('explain_change', { ...WEEK, compareTo: 'previous_year', timezone: 'Asia/Kolkata' });
  // There are no records of a year before.
  expect(year.data).toMatchObject({ total: { before: null, change: null }, rows: [] });
  expect(year.data).not.toHaveProperty('nothingStandsOut');
  expect(year.text).toContain('no cause can be told');
  const wrong = await client.callTool('explain_change', { from: 'last mnth', metric: 'likes', channels: ['nope'] });
  expect(wrong.isError).toBe(true);
});

describe('of a rate or a mean,', () => {
  type Group = readonly [of: Partial<DemoView>, count: number, share: number];
  /** A week of views of these numbers and the next one, each with `share` of 100 of them completed. */
  async function groups(before: readonly Group[], now: readonly Group[]) {
    const demo = await emptyWeeks();
    for (const [week, parts] of [before, now].entries())
      for (const [more, count, share] of parts)
        addViews(demo, count, (index) => ({
          date: onDay(week === 0 ? BEFORE : NOW, index, index % 24),
          viewerId: `viewer-of-${week}-${index}`,
          ended: index % 100 < share,
          watchTime: share,
          ...more,
        }));
    return demo;
  }
  const WATCHED: readonly Group[] = [
    [on('desktop'), 1800, 80],
    [on('mobile'), 200, 20],
  ];
  const shifted = (share: number): readonly Group[] => [
    [on('desktop'), 600, 85],
    [on('mobile'), 1400, share],
  ];

  test('a shift between values is told with its numbers, although each value rose', async () => {
    const { total, rows, mix, nothingStandsOut, notes } = await explainedOf(await groups(WATCHED, shifted(22)), COMPLETION);
    expect(total).toMatchObject({ before: 0.74, now: 0.409 });
    expect(notes[0]).toBe(
      'completion_rate fell (74 % → 40.9 % of 2000 → 2000 plays) although it rose in each device_type that has one in both times ("mobile" 20 % → 22 % of 200 → 1400 plays, "desktop" 80 % → 85 % of 1800 → 600 plays): their shares of plays shifted.',
    );
    const shares = [
      { value: 'mobile', before: 0.1, now: 0.7, plays: [200, 1400], completion_rate: [0.2, 0.22] },
      { value: 'desktop', before: 0.9, now: 0.3, plays: [1800, 600], completion_rate: [0.8, 0.85] },
    ];
    expect(mix).toEqual([{ dimension: 'device_type', shiftedShares: -0.36, changedParts: 0.029, since: '2026-09-14', shares }]);
    expect(rows.filter(({ dimension }) => dimension === 'device_type')).toEqual([]);
    expect(nothingStandsOut).toBeUndefined();
    // (0.3 - 0.9) * (0.8 - 0.74) + (0.7 - 0.1) * (0.2 - 0.74)
    expect(notes.join('\n')).toMatch(
      /The mix by device_type shifted \(shares of plays: "mobile" 10 % → 70 %, "desktop" 90 % → 30 %\)\. That of "mobile" rose for good from 2026-09-14 on.*\. The whole completion_rate changed by -33\.1 points: the shifted shares make -36 points of that, changes of completion_rate within each device_type 2\.9 points\./,
    );
    expect(notes.join()).not.toContain('Nothing stands out');
  });

  test('a rate that falls while some of its parts fall too is not told as one that rises in each', async () => {
    const { mix, notes } = await explainedOf(await groups(WATCHED, shifted(18)), COMPLETION);
    expect(mix).toMatchObject([{ dimension: 'device_type' }]);
    expect(notes.join('\n')).toContain('The mix by device_type shifted');
    expect(notes.join('\n')).not.toContain('although it');
  });

  test('a value that is new or gone is named, and counts as a shift', async () => {
    const stayed: Group = [at('site.example'), 1000, 80];
    const demo = await groups([stayed, [at('old.example'), 30, 80]], [stayed, [at('bot.example'), 1000, 0]]);
    const { rows, nothingStandsOut, notes } = await explainedOf(demo, COMPLETION);
    expect(rows.filter(({ dimension }) => dimension === 'embed_domain')).toEqual([]);
    expect(nothingStandsOut).toBeUndefined();
    expect(notes.join('\n')).toContain('The mix by embed_domain shifted (shares of plays: "bot.example" 0 % → 50 %');
    const once = notes.find((note) => note.startsWith('Values with plays in only one of the two times'));
    expect(once).toContain('having no completion_rate to compare');
    expect(once).toContain('embed_domain "bot.example" (0 → 1000)');
    expect(once).toContain('embed_domain "old.example" (30 → 0)');
  });

  test('the same rates with the same shares have neither', async () => {
    const { rows, mix, nothingStandsOut, notes } = await explainedOf(await groups(WATCHED, WATCHED), COMPLETION);
    expect({ rows, mix, nothingStandsOut }).toEqual({ rows: [], nothingStandsOut: true });
    expect(notes.join()).not.toMatch(/mix|only one of the two times/);
  });
});

test('what few viewers make by watching much is chance, and the same change of many viewers is a cause', async () => {
  const demoOf = async (people: number) => {
    const demo = await emptyWeeks();
    for (const [week, begin] of [BEFORE, NOW].entries())
      for (const [city, count] of [
        ['Bonn', week === 0 ? 300 : 100],
        ['Ulm', 1_000],
        ['Kiel', 1_000],
      ] as const)
        addViews(demo, count, (index) => ({
          date: onDay(begin, index),
          ...inCity(city),
          // A few people in Bonn watch a hundred times each.
          ...(city === 'Bonn' ? { viewerId: `viewer-in-Bonn-${Math.floor((index * people) / 300)}` } : {}),
        }));
    return demo;
  };
  const { client: many } = await start({ demo: await demoOf(300) });
  expect((await explained(many)).rows.map(({ dimension, value }) => [dimension, value])).toEqual([['city', 'Bonn']]);
  const { client: few } = await start({ demo: await demoOf(3) });
  expect(await explained(few)).toMatchObject({ rows: [], nothingStandsOut: true, total: { change: -200 } });
});

describe('since', () => {
  test.each<[string, (day: number) => boolean, { since: string; until?: string }]>([
    ['on', (day) => day >= 4, { since: '2026-09-18' }],
    ['to the day on which it came back', (day) => day >= 2 && day <= 4, { since: '2026-09-16', until: '2026-09-18' }],
    ['on, from the first day', () => true, { since: '2026-09-14' }],
  ])('a known day %s, the first row departs', async (_, isLost, expected) => {
    const demo = await twoWeeks(({ geo, day }) => geo?.country !== 'DE' || !isLost(day));
    const { rows, since, until, notes } = await explainedOf(demo);
    expect(rows[0]).toMatchObject({ dimension: 'country', value: 'DE' });
    expect({ since, until }).toEqual({ until: undefined, ...expected });
    const when = until === undefined ? ` for good from ${since} on` : ` from ${since} to ${until}, and then came back`;
    expect(notes.join('\n')).toContain(`country "DE" fell${when}`);
  });

  test('is told without a word of all else where there was nothing else before', async () => {
    const demo = await twoWeeks(
      () => true,
      (one) => ({ ...one, ...inCity('', one.day % 2 === 0 ? 'DE' : 'FR') }),
    );
    for (const record of demo.world.views.each())
      if (String(record.date) > '2026-09' && String(record.date) < '2026-09-14') Object.assign(record, { geo: { country: 'IT' } });
    const { rows, notes } = await explainedOf(demo);
    expect(rows[0]).toMatchObject({ dimension: 'country', value: 'IT', before: PER_WEEK, now: 0 });
    expect(notes.join('\n')).toMatch(/country "IT" fell for good from .* on .* the same weekdays of the time before\./);
  });

  test('the day on which clocks change is one of the days', async () => {
    const demo = await startService({ views: 0, now: '2026-12-01T00:00:00.000Z' });
    demo.world.addViews([{ date: '2026-08-01T00:00:00.000+00:00' }, { date: '2026-11-20T00:00:00.000+00:00' }]);
    // Clocks in Berlin go back on Sunday, 25 October.
    for (const [week, begin] of [Date.parse('2026-10-12'), Date.parse('2026-10-19')].entries())
      for (let index = 0; index < 2_800; index += 1) {
        const [day, country] = [index % 7, COUNTRIES[Math.floor(index / 7) % 4] ?? ''];
        if (week === 1 && day >= 5 && country === 'DE') continue;
        // At the same hour of the day in Berlin.
        addViews(demo, 1, () => ({ date: onDay(begin, day, week === 1 && day === 6 ? 13 : 12), ...inCity('', country) }));
      }
    const { rows, notes } = await explainedOf(demo, { from: '2026-W43', timezone: 'Europe/Berlin' });
    expect(rows[0]).toMatchObject({ dimension: 'country', value: 'DE', before: 700, now: 500 });
    expect(notes.join('\n')).toContain('from then: 0, 0)');
  });

  test('is of the rate where a rate is asked for, and is left out where nothing stands out', async () => {
    const demo = await twoWeeks(
      () => true,
      (one) => (one.browser?.family === 'Safari' && one.day >= 3 ? { ...one, ended: false } : one),
    );
    const { client } = await start({ demo });
    const rate = await explained(client, COMPLETION);
    expect(rate).toMatchObject({ rows: [{ value: 'Safari' }], since: '2026-09-17' });
    expect(await explained(client)).not.toHaveProperty('since');
  });
});

describe('a pair of values', () => {
  const SITES = ['a.example', 'b.example', 'c.example', 'd.example'];
  /** Each device on each site, in both weeks; in the second without what is lost. */
  async function sites(isLost: (site: string, device: string, index: number) => boolean, metric?: 'rate') {
    const demo = await emptyWeeks();
    for (const [week, begin] of [BEFORE, NOW].entries())
      for (const site of SITES)
        for (const type of ['mobile', 'desktop', 'tablet'])
          addViews(demo, 250, (index) => {
            const isOut = week === 1 && isLost(site, type, index);
            // What is lost in number is put long before both weeks.
            const date = isOut && metric !== 'rate' ? '2026-08-02T00:00:00.000+00:00' : onDay(begin, index, index % 24);
            const embed = { url: `https://${site}/${index % 9}`, domain: site, type: 1 };
            return { date, ended: !isOut && index % 4 > 0, embed, ...on(type) };
          });
    return (await start({ demo })).client;
  }
  const pairs = ({ rows }: Awaited<ReturnType<typeof explained>>) => rows.filter(({ dimension2 }) => dimension2 !== undefined);

  test('that explains more than either is the first row', async () => {
    const client = await sites((site, device, index) => site === 'b.example' && device === 'mobile' && index % 7 >= 3);
    const answer = await explained(client);
    const pair = { dimension: 'embed_domain', value: 'b.example', dimension2: 'device_type', value2: 'mobile' };
    expect(answer.rows[0]).toMatchObject({ ...pair, before: 250 });
    expect(answer.since).toBe('2026-09-17');
    const notes = answer.notes.join('\n');
    expect(notes).toContain('Pairs were compared only of embed_domain "b.example" with browser, os, device_type, device_brand');
    expect(notes).toContain('Without embed_domain "b.example" and device_type "mobile": 2750 → 2750 views.');
  });

  test('that explains more of a rate is the first row', async () => {
    const client = await sites((site, device) => site === 'c.example' && device === 'tablet', 'rate');
    const answer = await explained(client, COMPLETION);
    expect(pairs(answer)).toMatchObject([{ value: 'c.example', value2: 'tablet', now: 0 }]);
  });

  test('is in no row where one value, or each by itself, explains it', async () => {
    expect(pairs(await explained(await sites((site) => site === 'b.example')))).toEqual([]);
    const eachByItself = (site: string, device: string, index: number) =>
      (site === 'b.example' && index % 2 === 0) || (device === 'mobile' && index % 3 === 0);
    const answer = await explained(await sites(eachByItself));
    expect(answer.rows.length).toBeGreaterThan(1);
    expect(pairs(answer)).toEqual([]);
  });
});

describe('the time before', () => {
  async function weeks(counts: readonly number[]) {
    const demo = await emptyWeeks();
    for (const [index, count] of counts.entries())
      addViews(demo, count, (view) => ({ date: onDay(NOW - (counts.length - 1 - index) * 7 * DAY_MS, view) }));
    return (await start({ demo })).client;
  }
  const READ = { from: '2026-08-03', to: '2026-09-20' };

  test('is said to be unusual only where the times before it are held and tell so', async () => {
    const client = await weeks([300, 310, 290, 305, 900, 301]);
    const before = await explained(client);
    expect(before.notes).toContain(
      'Whether the time before was itself unusual was not tested: it takes 3 of the 6 times of that length before it, and 0 have been read. Only if the user asks whether the time before was unusual: query_analytics from 2026-07-27 to 2026-09-06 (UTC) reads them; then ask explain_change again.',
    );
    await client.callTool('query_analytics', READ);
    expect((await explained(client)).notes).toContain(
      'The time before was itself unusual: 900 views, while the 4 times of that length before it that have been read had 290 to 310, and so has the time asked for.',
    );
  });

  test('has its number of plays beside its rate, and is compared with no rate of much fewer', async () => {
    const client = await weeks([300, 310, 290, 305, 320, 100]);
    await client.callTool('query_analytics', READ);
    const { notes } = await explained(client, { ...WEEK, metric: 'play_rate' });
    expect(notes.join('\n')).toMatch(
      /The time before was not unusual: [\d.]+ % play_rate of 320 views, while the 4 times of that length before it that have been read had [\d.]+ %( to [\d.]+ %)? of 290 to 310 views/,
    );
    const few = await weeks([3, 4, 2, 3, 900, 890]);
    await few.callTool('query_analytics', READ);
    expect((await explained(few, { ...WEEK, metric: 'play_rate' })).notes).toContain(
      'The time before was itself unusual: 900 views, while the 4 times of that length before it that have been read had 2 to 4, too few to compare play_rate with.',
    );
  });

  test('is said to be untestable where the records begin too late, and nothing is advised that would not help', async () => {
    const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
    for (const day of ['2026-08-25', '2026-09-01', '2026-09-08', '2026-09-15', '2026-10-01'])
      addViews(demo, 50, () => ({ date: `${day}T10:00:00.000+00:00` }));
    const { client } = await start({ demo });
    await client.callTool('query_analytics', { from: '2026-07-20', to: '2026-09-20' });
    const { total, notes } = await explained(client);
    expect(total).toEqual({ before: 50, now: 50, change: 0 });
    expect(notes).toContain(
      'Whether the time before was itself unusual can’t be tested: the service’s records give views for only 1 of the 6 times of that length before it, and it takes 3.',
    );
    expect(notes.join('\n')).not.toContain('query_analytics');
  });

  test('is said to be usual where it is', async () => {
    const client = await weeks([300, 310, 290, 305, 280, 320, 100]);
    await client.callTool('query_analytics', READ);
    const { notes } = await explained(client);
    expect(notes).toContain(
      'The time before was not unusual: 320 views, while the 5 times of that length before it that have been read had 280 to 310.',
    );
  });
});

describe('what people ask next', () => {
  /** So many views of a channel in each week, of which each fourth is not watched to the end. */
  async function channels(
    parts: readonly { readonly counts: readonly [number, number]; readonly more: Partial<DemoView>; readonly ends?: number }[],
  ) {
    const demo = await emptyWeeks();
    for (const { counts, more, ends = 4 } of parts)
      for (const [week, count] of counts.entries())
        addViews(demo, count, (index) => ({
          date: onDay(week === 0 ? BEFORE : NOW, index),
          started: true,
          ended: index % 20 < (week === 0 ? 15 : (15 * ends) / 4),
          ...more,
        }));
    return { client: (await start({ demo })).client, keys: [...demo.world.channels.values()].map(({ key }) => key) };
  }

  test('is in the answer: what is left without the first row, in numbers, and what the filters leave out', async () => {
    const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
    const [one = '', two = ''] = [...demo.world.channels.values()].map(({ key }) => key);
    const { client } = await channels([
      { counts: [400, 400], more: { ...on('mobile'), channelKey: one }, ends: 1 },
      { counts: [1000, 1000], more: { ...on('desktop'), channelKey: one } },
      { counts: [300, 200], more: { ...on('mobile'), channelKey: two } },
      { counts: [500, 500], more: { ...on('desktop'), channelKey: two } },
    ]);
    const { rows, notes } = await explained(client, { ...WEEK, channels: [one], metric: 'completion_rate' });
    expect(rows[0]).toMatchObject({ dimension: 'device_type', value: 'mobile', before: 0.75 });
    expect(notes).toContain('Without device_type "mobile": 75 % → 75 % of 1000 → 1000 plays.');
    expect(notes).toContain(
      'In all other views of the account, which the filters leave out: completion_rate 75 % → 75 % of 800 → 700 plays; there device_type "mobile": 75 % → 75 % of 300 → 200 plays, 37.5 % → 28.6 % of all these.',
    );
    expect((await explained(client, COMPLETION)).notes.join()).not.toContain('filters leave out');
    const mondays = await explained(client, { ...WEEK, channels: [one], weekdays: ['monday'] });
    expect(mondays.notes.join('\n')).toContain('In all other views of the account on these weekdays, which the filters leave out');
  });

  test('is whether the values of a shift come from where they came from', async () => {
    const mobile = { counts: [100, 1000], more: { ...on('mobile'), ...at('a.example') }, ends: 1 } as const;
    const desktop = { counts: [1000, 300], more: { ...on('desktop'), ...at('a.example') } } as const;
    const same = await explained((await channels([mobile, desktop])).client, COMPLETION);
    expect(same.notes.join('\n')).toMatch(/Within .*, the shares of plays by those dimensions are about as before\./);
    const elsewhere = { counts: [0, 200], more: { ...on('desktop'), ...at('b.example') } } as const;
    const { client } = await channels([mobile, { ...desktop, counts: [1000, 100] }, elsewhere]);
    const moved = await explained(client, COMPLETION);
    expect(moved.notes.join('\n')).toContain('embed_domain "a.example" 100 % → 33.3 %');
  });
});

test('a value that the question names has no row where it is the whole', async () => {
  const { client } = await start({ demo: await twoWeeks(() => true) });
  for (const filter of [{ countries: ['DE'] }, { countries: ['DE'], weekdays: ['monday'] }, { countries: ['DE'], metric: 'play_rate' }]) {
    const { rows, nothingStandsOut, notes } = await explained(client, { ...WEEK, ...filter });
    expect({ rows, nothingStandsOut }).toEqual({ rows: [], nothingStandsOut: true });
    expect(notes.join('\n')).not.toContain('standsOut');
  }
  const two = await explained(client, { ...WEEK, countries: ['DE', 'FR'], deviceTypes: ['desktop'] });
  expect(two.rows).toMatchObject(['DE', 'FR'].map((value) => ({ value, standsOut: false })));
});

test('values that the question names have a row, also where nothing stands out', async () => {
  const demo = await twoWeeks(() => true);
  const { rows, nothingStandsOut, notes } = await explainedOf(demo, { ...WEEK, countries: ['DE', 'France'], limit: 1 });
  expect(rows).toMatchObject(['DE', 'FR'].map((value) => ({ dimension: 'country', value, standsOut: false })));
  expect(nothingStandsOut).toBe(true);
  expect(notes.join('\n')).toContain('Rows with standsOut false don’t stand out');
});

describe('a value of a time', () => {
  const record = (week: number, day: number, hour: number) => ({ date: onDay(week === 0 ? BEFORE : NOW, day, hour), started: true });

  test('has no number of its own in what the filters leave out', async () => {
    const demo = await emptyWeeks();
    const [one = '', two = ''] = [...demo.world.channels.values()].map(({ key }) => key);
    for (const channelKey of [one, two])
      for (const week of [0, 1])
        for (let index = 0; index < 1_400; index += 1)
          if (!(channelKey === one && week === 1 && index % 7 === 2))
            addViews(demo, 1, () => ({ ...record(week, index, index % 24), channelKey }));
    const { rows, notes } = await explainedOf(demo, { ...WEEK, channels: [one] });
    expect(rows[0]).toMatchObject({ dimension: 'day', value: '2026-09-16', before: 200, now: 0 });
    expect(notes).toContain('In all other views of the account, which the filters leave out: views 1400 → 1400.');
  });

  test('is not crossed with other dimensions, whose views would be those of all times', async () => {
    const demo = await emptyWeeks();
    // At night fewer are watched to the end, and most views move there. Devices shift as a whole.
    for (const week of [0, 1])
      addViews(demo, 2_000, (index) => {
        const isNight = week === 0 ? index % 10 === 0 : index % 10 > 2;
        const device = on(index % 100 < (week === 0 ? 20 : 60) ? 'mobile' : 'desktop');
        return { ...record(week, index, isNight ? 2 : 14), ended: isNight ? index % 5 === 0 : index % 5 > 0, ...device };
      });
    const { mix, notes } = await explainedOf(demo, COMPLETION);
    expect(mix?.[0]).toMatchObject({ dimension: 'hour_of_day' });
    expect(notes.join('\n')).not.toMatch(/within hour_of_day|in hour_of_day|those of hour_of_day/);
  });
});

test('hours of the day are compared only where both times have the same ones', async () => {
  const demo = await emptyWeeks();
  addViews(demo, 24 * 60, (index) => ({ date: onDay(NOW + index * 60_000, 0) }));
  const part = await explainedOf(demo, { from: '2026-09-14T12:00', to: '2026-09-14T18:00' });
  expect(part).toMatchObject({ total: { before: 360, now: 360 }, rows: [], nothingStandsOut: true });
});

test('what is left of a mean over viewers without a value is not made by subtraction', async () => {
  const demo = await emptyWeeks();
  // Half of the viewers of each city watch in the other one too.
  for (const [week, begin] of [BEFORE, NOW].entries())
    addViews(demo, 1_400, (index) => ({
      date: onDay(begin, index),
      viewerId: `viewer-of-${week}-${index < 700 ? index : index - 350}`,
      watchTime: index < 700 && week === 1 ? 5 : 100,
      ...inCity(index < 700 ? 'Bonn' : 'Ulm'),
    }));
  const { total, rows, notes } = await explainedOf(demo, { ...WEEK, metric: 'watch_time_per_viewer' });
  expect(total).toMatchObject({ before: 133.33, now: 70 });
  expect(rows[0]).toMatchObject({ value: 'Bonn', before: 100, now: 5 });
  // In Ulm each of the 700 viewers watched 100, before and now.
  expect(notes.join('\n')).not.toContain('Without city "Bonn"');
});

describe('a mean over viewers', () => {
  /** Of two sites with as many viewers as it says, of which each watches twice, long or short; on both, where it says so. */
  async function sites(counts: readonly (readonly [long: number, short: number])[], onBoth = false) {
    const demo = await emptyWeeks();
    for (const [week, [long, short]] of counts.entries())
      for (const [domain, count, watchTime] of [
        ['long.example', long, 300],
        ['short.example', short, 30],
      ] as const)
        addViews(demo, 2 * count, (index) => ({
          date: onDay(week === 0 ? BEFORE : NOW, index, index % 24),
          viewerId: `${onBoth ? '' : domain} ${week} ${index % count}`,
          watchTime,
          embed: { url: `https://${domain}/p`, domain, type: 1 },
        }));
    return explainedOf(demo, { ...WEEK, metric: 'watch_time_per_viewer' });
  }

  test('that changed since there are more viewers of one value and fewer of another is explained by that', async () => {
    const { total, mix, nothingStandsOut, notes } = await sites([
      [800, 400],
      [400, 800],
    ]);
    expect(total).toMatchObject({ before: 420, now: 240 });
    expect(nothingStandsOut).toBeUndefined();
    expect(mix?.[0]).toMatchObject({ dimension: 'embed_domain', shiftedShares: -180 });
    expect(notes.join('\n')).not.toContain('Nothing stands out');
  });

  test('says of which dimensions shifts were not looked for, since viewers have several of their values', async () => {
    const { nothingStandsOut, notes } = await sites(
      [
        [800, 800],
        [800, 800],
      ],
      true,
    );
    expect(nothingStandsOut).toBeUndefined();
    expect(notes.join('\n')).toMatch(/Shifts between values were not looked for by .*embed_domain.*, as some viewers have several/);
  });

  test('of a count no shift between values is spoken of', async () => {
    const demo = await emptyWeeks();
    for (const begin of [BEFORE, NOW]) addViews(demo, 200, (index) => ({ date: onDay(begin, index), viewerId: `viewer-${index}` }));
    const { nothingStandsOut, notes } = await explainedOf(demo);
    expect(nothingStandsOut).toBe(true);
    expect(notes.join('\n')).toContain('Nothing stands out: no value of a dimension by itself changed the whole');
  });
});

test('names that can’t be read are missed where rows have none for that', async () => {
  const demo = await twoWeeks(() => true);
  const [gone = '', other = ''] = [...demo.world.channels.values()].map(({ key }) => key);
  for (const record of demo.world.views.each())
    if (record.channelKey === gone && String(record.date) > '2026-09-14') record.channelKey = other;
  demo.faults.always({ match: { api: 'main' }, do: { kind: 'status', code: 403 } });
  const { rows, notes } = await explainedOf(demo);
  expect(rows.map(({ dimension, name }) => `${dimension} ${name}`)).toEqual(['channel undefined', 'channel undefined']);
  expect(notes.join('\n')).toContain('Names of channels could not be read');
  expect(notes.join('\n')).not.toMatch(/Names of projects|Titles of videos/);
});

test('wrong arguments are refused', () =>
  expectRefused('explain_change', [
    [{}, 'from: is missing'],
    [{ from: '2026-10-01', metric: 'share' }, 'metric: '],
    [{ from: '2026-10-01', compareTo: 'last_year' }, 'compareTo: '],
    [{ from: '2026-10-01', limit: 0 }, 'limit: '],
    [{ from: '2026-10-01', channels: ['Onbording'] }, '"Onboarding" ('],
  ]));

test('where no view names its viewer, an answer with a cause says that it may be of few people', async () => {
  const demo = await emptyWeeks();
  for (const [week, count] of [
    [BEFORE, 600],
    [NOW, 100],
  ] as const)
    for (const [type, views] of [
      ['tv', count],
      ['desktop', 600],
    ] as const)
      addViews(demo, views, (index) => ({ date: onDay(week, index), viewerId: '', ...on(type) }));
  const { rows, notes } = await explainedOf(demo);
  expect(rows[0]).toMatchObject({ dimension: 'device_type', value: 'tv' });
  expect(notes).toContain(
    'No view of these names its viewer, so each counts as one of another person: the differences may be of few people.',
  );
});

describe('what a total hides', () => {
  /** A month in which phones on one site stop on its 15th day, while all else rises. */
  async function hidden(metricOf: (index: number) => Partial<DemoView> = () => ({})): Promise<TestClient> {
    const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
    const day = (at: number) => new Date(Date.parse('2026-08-02') + at * DAY_MS).toISOString().replace('Z', '+00:00');
    for (let at = 0; at < 60; at += 1) {
      const isLater = at >= 44;
      for (const site of ['a.example', 'b.example', 'c.example'])
        for (const type of ['mobile', 'desktop']) {
          const isGone = isLater && site === 'a.example' && type === 'mobile';
          const count = isGone ? 1 : 12 + ((at * 7 + site.length + type.length) % 5) + (isLater ? 6 : 0);
          addViews(demo, count, (index) => ({ date: day(at), ...on(type), ...at_(site), ...metricOf(index) }));
        }
    }
    return (await start({ demo })).client;
  }
  const at_ = at;

  test('a pair that falls for good inside a time that rose is named with its day, its levels and how likely chance is', async () => {
    const client = await hidden();
    const { data, text } = await client.callTool('explain_change', { from: '2026-09', compareTo: 'previous_period' });
    const { breaks } = z.looseObject({ breaks: z.array(z.looseObject({ chance: z.number() })) }).parse(data);
    expect(breaks[0]).toMatchObject({ since: '2026-09-15', now: 1 });
    expect(new Set([breaks[0]?.value, breaks[0]?.value2])).toEqual(new Set(['mobile', 'a.example']));
    expect(breaks[0]?.chance).toBeLessThan(0.001);
    expect(text).toMatch(
      /Inside the time: device_type "mobile" and embed_domain "a\.example" fell for good from 2026-09-15 on: 1\d(?:\.\d)? → 1 a day \(by chance alone: less than 1 in a million\), the rest of device_type "mobile" 2\d(?:\.\d)? → [34]\d(?:\.\d)?, the rest of embed_domain "a\.example" 1\d(?:\.\d)? → [12]\d(?:\.\d)?/,
    );
    // The day is certain, so no other one is said to fit.
    expect(data).toMatchObject({ since: '2026-09-15' });
    expect(text).not.toContain('fits about as well');
    expect(data).not.toHaveProperty('nothingStandsOut');
  });

  test('one person who comes every day from then on is no break', async () => {
    const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
    for (let day = 0; day < 61; day += 1) {
      const date = new Date(Date.parse('2026-08-01') + day * DAY_MS).toISOString().replace('Z', '+00:00');
      addViews(demo, 300 + (day % 4), (index) => ({ date, ...on(index % 2 === 0 ? 'mobile' : 'desktop'), ...at(`${index % 9}.example`) }));
      if (day >= 46) addViews(demo, 40, () => ({ date, ...on('mobile'), ...at('own.example'), viewerId: 'one' }));
    }
    const { client } = await start({ demo });
    const { data } = await client.callTool('explain_change', { from: '2026-09' });
    expect(data).not.toHaveProperty('breaks');
  });

  test('where the time before lacks records of its days, no cause is told, and no earlier time is to be read where there are none', async () => {
    const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
    for (let at = 0; at < 32; at += 1)
      addViews(demo, 20, (index) => ({
        date: new Date(Date.parse('2026-09-30') + at * DAY_MS).toISOString().replace('Z', '+00:00'),
        ...on(index % 2 === 0 ? 'mobile' : 'desktop'),
      }));
    const { client } = await start({ demo });
    const { data, text } = await client.callTool('explain_change', { from: '2026-10' });
    expect(data).toMatchObject({ total: { before: 20, now: 620 } });
    expect(data).not.toHaveProperty('nothingStandsOut');
    expect(text).toContain('No cause of the whole change can be told, as one of the two times lacks records of days that the other has');
    expect(text).not.toContain('Nothing stands out');
    expect(text).toContain('can’t be tested: the service’s records give views for only 0 of the 6 times of that length before it');
    expect(text).not.toContain('then ask explain_change again');
  });

  test('where nothing broke, it is said of how many values and pairs, and nothing stands out', async () => {
    const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
    for (let at = 0; at < 61; at += 1)
      addViews(demo, 30, (index) => ({
        date: new Date(Date.parse('2026-08-01') + at * DAY_MS).toISOString().replace('Z', '+00:00'),
        ...on(index % 2 === 0 ? 'mobile' : 'desktop'),
        ...at_(index % 3 === 0 ? 'a.example' : 'b.example'),
      }));
    const { client } = await start({ demo });
    const { data, text } = await client.callTool('explain_change', { from: '2026-09' });
    expect(data).toMatchObject({ nothingStandsOut: true });
    expect(data).not.toHaveProperty('breaks');
    expect(text).toMatch(/Inside the time, none of \d+ values and pairs that are large enough fell or rose for good from a day on\./);
    expect(text).toContain('and none fell or rose for good inside the time.');
  });
});
