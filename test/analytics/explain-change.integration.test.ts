/** Which values account for a change: planted causes are found, and an even decline has none. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { DemoView } from '../../src/demo/records.ts';
import type { TestClient, Values } from '../harness/client.ts';
import { type DemoService, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

const DAY_MS = 86_400_000;
const [BEFORE, NOW] = [Date.parse('2026-09-07'), Date.parse('2026-09-14')];
const WEEK = { from: '2026-W38' };
const PER_WEEK = 2_400;

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
    date: new Date(week + day * DAY_MS + hours + (index % 3_000) * 1_000).toISOString().replace('Z', '+00:00'),
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

const ExplainedSchema = z.looseObject({
  total: z.object({ before: z.number(), now: z.number(), change: z.number() }),
  rows: z.array(
    z.object({
      dimension: z.string(),
      value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
      name: z.string().optional(),
      before: z.number(),
      now: z.number(),
      change: z.number(),
      expected: z.number(),
      unexplained: z.number(),
    }),
  ),
  nothingStandsOut: z.literal(true).optional(),
  notes: z.array(z.string()),
});

async function explained(client: TestClient, args: Values = WEEK) {
  const { data, isError, text } = await client.callTool('explain_change', args);
  if (isError) throw new Error(text);
  return ExplainedSchema.parse(data);
}

test('a country that stopped watching is found with its numbers, and independent values are not listed', async () => {
  const demo = await twoWeeks(({ geo }) => geo?.country !== 'DE');
  const { client } = await start({ demo });
  const lost = [...demo.world.views.each()].filter(
    ({ date, geo }) => String(date) < '2026-09-14' && String(date) > '2026-09' && (geo as { country: string }).country === 'DE',
  ).length;
  expect(lost).toBeGreaterThan(500);
  const { total, rows, nothingStandsOut } = await explained(client);
  expect(total).toEqual({ before: PER_WEEK, now: PER_WEEK - lost, change: -lost });
  const expected = (lost * -lost) / PER_WEEK;
  const numbers = {
    before: lost,
    now: 0,
    change: -lost,
    expected: Number(expected.toFixed(3)),
    unexplained: Number((-lost - expected).toFixed(3)),
  };
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
  demo.world.addViews(
    Array.from({ length: 300 }, (_, index) => ({
      date: `2026-09-15T${String(index % 24).padStart(2, '0')}:00:00.000+00:00`,
      videoKey: key,
      geo: { ip: '', country: 'FR', continent: 'EU', city: 'City of FR', region: '' },
    })),
  );
  const { client } = await start({ demo });
  const { rows } = await explained(client);
  expect(rows[0]).toMatchObject({ dimension: 'country', value: 'US', now: 0 });
  expect(rows.find(({ value }) => value === 'Firefox')?.unexplained).toBeLessThan(0);
  expect(rows.find(({ dimension }) => dimension === 'video')).toMatchObject({
    value: key,
    before: 0,
    now: 300,
    expected: 0,
    unexplained: 300,
  });
  for (const { change, expected, unexplained } of rows) expect(unexplained).toBeCloseTo(change - expected, 2);
  const sizes = rows.map(({ unexplained }) => Math.abs(unexplained));
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
});

test('a day without views is found as a day and as a weekday', async () => {
  const { client } = await start({ demo: await twoWeeks(({ day }) => day !== 2) });
  const { rows } = await explained(client);
  expect(rows.map(({ dimension, value }) => [dimension, value])).toEqual([
    ['day', '2026-09-16'],
    ['weekday', 'Wednesday'],
  ]);
});

test('in an even decline nothing stands out, and a note says so', async () => {
  // Leaves out views pseudo-randomly, without a pattern.
  const { client } = await start({ demo: await twoWeeks((_, index) => (index * 2_654_435_761) % 4_294_967_296 > 1_288_490_188) });
  const { total, rows, nothingStandsOut, notes } = await explained(client);
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
  const rate = await explained(client, { ...WEEK, metric: 'completion_rate' });
  expect(rate.total.change).toBeLessThan(-0.1);
  expect(rate.rows[0]).toMatchObject({ dimension: 'browser', value: 'Safari', now: 0 });
  // Its contribution to the total change, except the part that its size explains.
  expect(rate.rows[0]?.unexplained).toBeLessThan(-0.05);
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
  /** Two weeks of views of these numbers, each with `share` of 100 of them completed. */
  async function groups(
    weeks: readonly (readonly { readonly count: number; readonly share: number; readonly more: Partial<DemoView> }[])[],
  ) {
    const demo = await emptyWeeks();
    for (const [week, parts] of weeks.entries()) {
      const start = week === 0 ? BEFORE : NOW;
      for (const { count, share, more } of parts)
        demo.world.addViews(
          Array.from({ length: count }, (_, index) => ({
            date: new Date(start + (index % 7) * DAY_MS + (index % 24) * 3_600_000).toISOString().replace('Z', '+00:00'),
            viewerId: `viewer-${week}-${index}`,
            ended: index % 100 < share,
            watchTime: share,
            ...more,
          })),
        );
    }
    return demo;
  }
  const on = (type: string): Partial<DemoView> => ({ device: { family: 'x', brand: 'b', model: 'm', type } });
  const at = (domain: string): Partial<DemoView> => ({ embed: { url: `https://${domain}/p`, domain, type: 1 } });

  test('a shift between values is told with its numbers, although each value rose', async () => {
    const demo = await groups([
      [
        { count: 1800, share: 80, more: on('desktop') },
        { count: 200, share: 20, more: on('mobile') },
      ],
      [
        { count: 600, share: 85, more: on('desktop') },
        { count: 1400, share: 22, more: on('mobile') },
      ],
    ]);
    const { client } = await start({ demo });
    const { total, rows, nothingStandsOut, notes } = await explained(client, { ...WEEK, metric: 'completion_rate' });
    expect(total).toMatchObject({ before: 0.74, now: 0.409 });
    expect(rows.filter(({ dimension }) => dimension === 'device_type')).toEqual([]);
    expect(nothingStandsOut).toBeUndefined();
    // (0.3 - 0.9) * (0.8 - 0.74) + (0.7 - 0.1) * (0.2 - 0.74)
    expect(notes).toContain(
      'The mix by device_type shifted (shares of plays: "mobile" 10 % → 70 %, "desktop" 90 % → 30 %). With each completion_rate as it was, that alone changes the whole by -0.36, of -0.331.',
    );
    expect(notes.join()).not.toContain('Nothing stands out');
  });

  test('a value that is new or gone is named, and counts as a shift', async () => {
    const demo = await groups([
      [
        { count: 1000, share: 80, more: at('site.example') },
        { count: 30, share: 80, more: at('old.example') },
      ],
      [
        { count: 1000, share: 80, more: at('site.example') },
        { count: 1000, share: 0, more: at('bot.example') },
      ],
    ]);
    const { client } = await start({ demo });
    const { rows, nothingStandsOut, notes } = await explained(client, { ...WEEK, metric: 'completion_rate' });
    expect(rows.filter(({ dimension }) => dimension === 'embed_domain')).toEqual([]);
    expect(nothingStandsOut).toBeUndefined();
    expect(notes.join('\n')).toContain('The mix by embed_domain shifted (shares of plays: "bot.example" 0 % → 50 %');
    const once = notes.find((note) => note.startsWith('Values with plays in only one of the two times'));
    expect(once).toContain('having no completion_rate to compare');
    expect(once).toContain('embed_domain "bot.example" (0 → 1000)');
    expect(once).toContain('embed_domain "old.example" (30 → 0)');
  });

  test('the same rates with the same shares have neither', async () => {
    const week = [
      { count: 1500, share: 80, more: on('desktop') },
      { count: 500, share: 20, more: on('mobile') },
    ];
    const { client } = await start({ demo: await groups([week, week]) });
    const { rows, nothingStandsOut, notes } = await explained(client, { ...WEEK, metric: 'completion_rate' });
    expect({ rows, nothingStandsOut }).toEqual({ rows: [], nothingStandsOut: true });
    expect(notes.join()).not.toMatch(/mix|only one of the two times/);
  });
});

test('what few viewers make by watching much is chance, and the same change of many viewers is a cause', async () => {
  const demoOf = async (viewers: number) => {
    const demo = await emptyWeeks();
    for (const [week, begin] of [BEFORE, NOW].entries())
      for (const [city, count] of [
        ['Bonn', week === 0 ? 300 : 100],
        ['Ulm', 1_000],
        ['Kiel', 1_000],
      ] as const)
        demo.world.addViews(
          Array.from({ length: count }, (_, index) => ({
            date: new Date(begin + (index % 7) * DAY_MS).toISOString().replace('Z', '+00:00'),
            // A few people in Bonn watch a hundred times each.
            viewerId: city === 'Bonn' ? `viewer-${Math.floor((index * viewers) / 300)}` : `viewer-${city}-${week}-${index}`,
            geo: { ip: '', country: 'DE', continent: 'EU', city, region: '' },
          })),
        );
    return demo;
  };
  const { client: many } = await start({ demo: await demoOf(300) });
  expect((await explained(many)).rows.map(({ dimension, value }) => [dimension, value])).toEqual([['city', 'Bonn']]);
  const { client: few } = await start({ demo: await demoOf(3) });
  expect(await explained(few)).toMatchObject({ rows: [], nothingStandsOut: true, total: { change: -200 } });
});
