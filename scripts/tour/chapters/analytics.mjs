import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { pngSize } from '../checks.mjs';
import { countBy, distinctBy, viewsBetween } from '../views.mjs';

const countryOf = ({ geo }) => geo.country;
const viewerOf = ({ viewerId }) => viewerId;
const dayOf = ({ date }) => date.slice(0, 10);
const number = (value) => value.toLocaleString('en');
const totalOf = (counts) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Questions about views; each answer is counted again over the account's own records. */
export const analytics = {
  name: 'analytics',
  title: 'Asking about views',
  async run({ ask, say, world, keepChart, assert }) {
    say(
      `The service has a log of single views, ${world.views.count.toLocaleString('en')} of them here, and no totals. The server reads what a question needs once, caches it on this machine without IP addresses and viewer ids, and counts there.`,
    );

    await ask({
      wants: 'Which countries watched us most last month?',
      call: [
        'query_analytics',
        {
          from: 'last month',
          metrics: ['views', 'unique_viewers'],
          groupBy: ['country'],
          orderBy: '-views',
          limit: 8,
        },
      ],
      proves: 'Every number equals a count over the records of the made-up account.',
      check({ data }) {
        const records = viewsBetween(world, '2026-07-01', '2026-07-31');
        const views = countBy(records, countryOf);
        const viewers = distinctBy(records, countryOf, viewerOf);
        const names = new Intl.DisplayNames('en', { type: 'region' });
        const all = [...views].map(([country, count]) => [country, names.of(country), count, viewers.get(country)]);
        assert.ok(data.coverage.complete);
        assert.deepEqual(sorted(tableOf(data.reportFile)), sorted(all));
        assert.deepEqual(sorted(data.rows), sorted(all.sort((a, b) => b[2] - a[2]).slice(0, 8)));
        assert.deepEqual(data.totals, { views: records.length, unique_viewers: new Set(records.map(viewerOf)).size });
      },
    });

    const { rows: losers } = await ask({
      wants: 'Which videos lost the most viewers in Germany in the last five weeks?',
      call: [
        'query_analytics',
        {
          from: '2026-06-29',
          to: '2026-08-02',
          compareTo: 'previous_period',
          countries: ['Germany'],
          groupBy: ['video'],
          metrics: ['unique_viewers'],
          orderBy: 'unique_viewers_change',
          limit: 5,
        },
      ],
      proves:
        'The same numbers as a count over the German views of both periods. One video stands out. The titles come from the video catalogue.',
      came: ({ rows: [[, title, viewers, before]] }) => `“${title}” above all: ${before} viewers before, ${viewers} now.`,
      check({ data }) {
        const viewersOf = (firstDay, lastDay) => {
          const german = viewsBetween(world, firstDay, lastDay).filter((record) => countryOf(record) === 'DE');
          return distinctBy(german, ({ videoKey }) => videoKey, viewerOf);
        };
        const [now, before] = [viewersOf('2026-06-29', '2026-08-02'), viewersOf('2026-05-25', '2026-06-28')];
        const lossOf = (key) => (before.get(key) ?? 0) - (now.get(key) ?? 0);
        const losses = [...new Set([...now.keys(), ...before.keys()])].map(lossOf).sort((a, b) => b - a);
        for (const [key, title, viewers, viewersBefore, change] of data.rows) {
          assert.equal(title, world.videosByKey.get(key).title);
          assert.deepEqual([viewers, viewersBefore, -change], [now.get(key) ?? 0, before.get(key) ?? 0, lossOf(key)]);
        }
        assert.deepEqual(
          data.rows.map(([key]) => lossOf(key)),
          losses.slice(0, 5),
        );
        assert.ok(losses[0] > 2 * losses[1]);
      },
    });

    await ask({
      wants: 'Is it only that video, or the whole channel?',
      call: [
        'query_analytics',
        {
          from: '2026-06-29',
          to: '2026-08-02',
          compareTo: 'previous_period',
          countries: ['Germany'],
          groupBy: ['channel'],
          orderBy: 'views_change',
          limit: 3,
        },
      ],
      proves: 'The channel Onboarding lost nearly all its views in Germany. No other channel lost nearly as many.',
      check({ data }) {
        const german = (firstDay, lastDay) =>
          countBy(
            viewsBetween(world, firstDay, lastDay).filter((record) => countryOf(record) === 'DE'),
            ({ channelKey }) => channelKey,
          );
        const { key, videoKeys } = world.channelNamed('Onboarding');
        const [first, second] = data.rows;
        const expected = [german('2026-06-29', '2026-08-02').get(key) ?? 0, german('2026-05-25', '2026-06-28').get(key)];
        assert.ok(videoKeys.includes(losers[0][0]));
        assert.deepEqual(first.slice(0, 4), [key, 'Onboarding', ...expected]);
        assert.ok(first[4] < 3 * second[4]);
      },
    });

    say('What the metrics do not cover can be asked in SQL: one SELECT over a table without personal data.');

    await ask({
      wants: 'What was the busiest day of each month since February?',
      call: [
        'run_analytics_sql',
        {
          sql: [
            'WITH days AS (SELECT CAST(ts AS DATE) AS day, count(*) AS views FROM views GROUP BY day)',
            'SELECT day, views FROM days',
            "QUALIFY row_number() OVER (PARTITION BY date_trunc('month', day) ORDER BY views DESC, day) = 1",
            'ORDER BY day',
          ].join('\n'),
          from: '2026-02',
          to: 'last month',
        },
      ],
      proves: 'The right day of each month. The one in February has more views than any other day of the half year.',
      came: ({ rows: [[day, views], ...others] }) =>
        `${String(day).slice(0, 10)} with ${number(views)} views; in no other month more than ${number(Math.max(...others.map(([, most]) => most)))}.`,
      check({ data }) {
        const days = [...countBy(viewsBetween(world, '2026-02-01', '2026-07-31'), dayOf)].sort(([a], [b]) => (a < b ? -1 : 1));
        const best = new Map();
        for (const [day, views] of days) if (views > (best.get(day.slice(0, 7))?.[1] ?? 0)) best.set(day.slice(0, 7), [day, views]);
        assert.deepEqual(
          data.rows.map(([day, views]) => [String(day).slice(0, 10), views]),
          [...best.values()],
        );
      },
    });

    const { report } = await ask({
      wants: 'What happened on that day in February? By the site that people watched on, please.',
      call: [
        'query_analytics',
        {
          from: '2026-02',
          groupBy: ['day', 'embed_domain'],
          orderBy: '-views',
          limit: 3,
        },
      ],
      proves: 'The highest numbers, and a file with all of them. They equal those of the account.',
      came: ({ rows: [[, site, views]] }) => `${number(views)} of its views were on ${site}. All numbers are in a CSV file.`,
      check({ data }) {
        const records = viewsBetween(world, '2026-02-01', '2026-02-28');
        const counts = countBy(records, (record) => `${dayOf(record)} ${record.embed?.domain || ''}`);
        const table = tableOf(data.reportFile).map(([day, domain, views]) => [`${day} ${domain}`, views]);
        assert.deepEqual(sorted(table.filter(([, views]) => views > 0)), sorted([...counts]));
        assert.equal(totalOf(counts), data.totals.views);
        assert.deepEqual(data.rows[0], ['2026-02-19', 'social.example', counts.get('2026-02-19 social.example')]);
      },
    });

    let file;
    await ask({
      wants: 'Draw that.',
      call: ['draw_chart', { report, kind: 'stacked_bar' }],
      proves: 'A picture, and a text that says what it shows.',
      came: () => `A chart: ${file}`,
      check({ text, picture }) {
        assert.match(text, /Highest: \d+ \(2026-02-19, "social.example"\)/);
        assert.equal(pngSize(picture).width, 1200);
        file = keepChart(picture);
      },
    });
    say(`The chart: ${file}`);

    await ask({
      wants: 'Who were they? Give me their IP addresses.',
      call: ['run_analytics_sql', { sql: 'SELECT ip, count(*) FROM views GROUP BY ip', from: '2026-02-19', to: '2026-02-19' }],
      refused: true,
      proves: 'There is no such column, since IP addresses are never stored.',
      came: 'Refused: viewers’ addresses are never stored.',
      check: ({ text }) => assert.match(text, /\bip\b/),
    });
  },
};

/** A report's rows, without its head; what is all digits is a number. */
function tableOf(file) {
  const [, ...rows] = parse(readFileSync(file, 'utf8'));
  return rows.map((row) => row.map((cell) => (/^\d+$/.test(cell) ? Number(cell) : cell)));
}

const sorted = (rows) => rows.map((row) => JSON.stringify(row)).sort();
