import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SideTable, ZoneOffset } from '../../../src/analytics/contract.ts';
import type { PartFile } from '../../../src/analytics/storage/part-file.ts';
import { DAY_MS, makeLab, patience, SPAN, START_MS, view } from './support.ts';

const text = (name: string) => ({ name, type: 'text' as const });
const TABLES: readonly SideTable[] = [
  {
    name: 'channels',
    columns: [text('key'), text('name')],
    rows: [
      ['c1', 'Webinars “1”'],
      ['c2', null],
    ],
  },
  {
    name: 'videos',
    columns: [text('key'), text('title'), { name: 'length', type: 'integer' }],
    rows: [['v1', "It's", 9_007_199_254_740_991]],
  },
];

let lab: ReturnType<typeof makeLab>;
let part: PartFile;

beforeAll(async () => {
  lab = makeLab();
  const at = (day: number) => (START_MS + day * DAY_MS) * 1_000;
  const [viewer, huge] = ['18446744073709551615', 9_007_199_254_740_991];
  const first = { video_key: 'v1', channel_key: 'c1', started: true, viewer };
  part = await lab.part([
    view({ id: 'a', ts: at(0), ...first, country: 'DE', watch_time: 1, ended: true }),
    view({ id: 'b', ts: at(1), ...first, country: 'FR', watch_time: 2, ended: false }),
    view({ id: 'c', ts: at(1) + 1, video_key: 'v2', channel_key: 'c3', country: 'DE', watch_time: huge, started: false, viewer: '7' }),
    view({ id: 'd', ts: at(2), video_key: 'v2', city: 'Zürich', watch_time: huge }),
  ]);
});
afterAll(() => lab.close());

const ask = (sql: string, offsets: readonly ZoneOffset[] = []) =>
  lab.engine.sandboxed({ parts: [part], span: SPAN, offsets, tables: TABLES, sql, maxRows: 100, ...patience() });

const refusal = (words: string) => ({ code: 'sql_refused', message: expect.stringContaining(words) });
const textOf = ({ rows }: { readonly rows: readonly unknown[] }): string => rows.map((row) => JSON.stringify(row)).join(' ');

/** Queries, and the rows of their answers. */
const LEGAL: readonly (readonly [sql: string, rows: string])[] = [
  ['SELECT country, count(*) AS n FROM views GROUP BY country ORDER BY n DESC, country NULLS LAST', '["DE",2] ["FR",1] [null,1]'],
  [
    "WITH d AS (SELECT date_trunc('day', ts) AS day, count(*) AS n FROM views GROUP BY 1) SELECT day, sum(n) OVER (ORDER BY day) FROM d ORDER BY 1",
    '["2026-03-01T00:00:00",1] ["2026-03-02T00:00:00",3] ["2026-03-03T00:00:00",4]',
  ],
  ['WITH views AS (SELECT * FROM views WHERE started) SELECT count(*) FROM views', '[2]'],
  [
    'SELECT c.name, count(*) FILTER (WHERE v.ended) AS n FROM views v JOIN channels c ON c.key = v.channel_key GROUP BY ALL',
    '["Webinars “1”",1]',
  ],
  ['SELECT title, length FROM videos WHERE key IN (SELECT video_key FROM views)', '["It\'s",9007199254740991]'],
  ['SELECT 1 UNION ALL (SELECT 2 EXCEPT SELECT 3) ORDER BY 1 DESC', '[2] [1]'],
  ['SELECT count(DISTINCT (video_key, country)) FROM views', '[4]'],
  [
    "SELECT strftime(max(ts), '%d.%m.'), max(ts)::DATE, year(max(ts)), max(ts) + INTERVAL 1 DAY FROM views",
    '["03.03.","2026-03-03",2026,"2026-03-04T00:00:00"]',
  ],
  [
    'SELECT min(ts)::TIMESTAMP_S, min(ts)::TIMESTAMP_MS, min(ts)::TIMESTAMP_NS FROM views',
    '["2026-03-01T00:00:00","2026-03-01T00:00:00","2026-03-01T00:00:00"]',
  ],
  ["SELECT min(ts) AT TIME ZONE 'UTC' FROM views", '["2026-03-01T00:00:00Z"]'],
  ['SELECT id FROM views QUALIFY row_number() OVER (PARTITION BY video_key ORDER BY ts DESC) = 1 ORDER BY id', '["b"] ["d"]'],
  ['SELECT (SELECT max(w.id) FROM views w WHERE w.video_key = v.video_key) FROM views v ORDER BY 1', '["b"] ["b"] ["d"] ["d"]'],
  ["SELECT CASE WHEN city ILIKE 'zü%' THEN upper(city) ELSE coalesce(city, '-') END FROM views ORDER BY 1", '["-"] ["-"] ["-"] ["ZÜRICH"]'],
  ['SELECT sum(watch_time), avg(watch_time) > 1, 1 / 4, 0.5, NULL, 1 / 0 FROM views', '["18014398509481985",true,0.25,0.5,null,null]'],
  ["FROM views SELECT string_agg(id, ',' ORDER BY id)", '["a,b,c,d"]'],
  ["SELECT id FROM views WHERE id = ';' OR id = '--' OR id = 'a' -- ; DROP TABLE views\n", '["a"]'],
  ['SELECT country, GROUPING(country), count(*) FROM views GROUP BY ROLLUP (country) ORDER BY 3 DESC LIMIT 1', '[null,1,4]'],
  [
    'WITH x AS (SELECT 1 AS a), y AS (SELECT a FROM x UNION ALL SELECT a + 1 FROM x) (SELECT a FROM y UNION ALL SELECT a FROM x) ORDER BY 1',
    '[1] [1] [2]',
  ],
  ['SELECT (WITH z AS (SELECT max(id) AS m FROM views) SELECT m FROM z) FROM (WITH z AS (SELECT 1) SELECT * FROM z)', '["d"]'],
  ['SELECT * FROM projects', ''],
  [`SELECT ${'('.repeat(500)}1${')'.repeat(500)}`, '[1]'],
];

test.each(LEGAL)('is allowed: %s', async (sql, rows) => {
  expect(textOf(await ask(sql))).toBe(rows);
});

describe('viewers', () => {
  let watched: PartFile;
  /** Six views of three people in Germany and of two videos, four of two in France, five without a viewer in Italy. */
  const VIEWS = [
    ...['1', '2', '3', '1', '1', '2'].map((viewer, index) => ({ viewer, country: 'DE', started: index < 5, video_key: `v${index % 2}` })),
    ...['4', '4', '5', '5'].map((viewer) => ({ viewer, country: 'FR', started: true, video_key: 'v2' })),
    ...[1, 2, 3, 4, 5].map(() => ({ viewer: null, country: 'IT', started: false, video_key: 'v2' })),
  ];
  beforeAll(async () => {
    watched = await lab.part(
      VIEWS.map((values, index) => view({ id: `w${index}`, ts: (START_MS + index * DAY_MS) * 1_000, channel_key: 'c1', ...values })),
    );
  });
  const count = (sql: string) =>
    lab.engine.sandboxed({ parts: [watched], span: SPAN, offsets: [], tables: TABLES, sql, maxRows: 100, ...patience() });

  test.each([
    ['SELECT count(DISTINCT viewer) FROM views', '[5]'],
    ['SELECT sum(1) AS n, count( distinct main.views."viewer" ) FROM views', '[15,5]'],
    ['SELECT count(DISTINCT viewer) FROM views WHERE false', '[0]'],
    ['SELECT v.country, count(DISTINCT v.viewer) AS viewers FROM views AS v GROUP BY ALL ORDER BY 1', '["DE",3] ["FR",null] ["IT",0]'],
    [
      'SELECT country, count(DISTINCT viewer) FROM views GROUP BY country ORDER BY count(DISTINCT viewer) DESC, 1',
      '["DE",3] ["IT",0] ["FR",null]',
    ],
    ['SELECT country FROM views GROUP BY country HAVING count(DISTINCT viewer) > 0', '["DE"]'],
    [
      'SELECT country, count(*) AS Views, count(DISTINCT viewer) FROM views GROUP BY 1 ORDER BY views, country',
      '["FR",4,null] ["IT",5,0] ["DE",6,3]',
    ],
    ["SELECT count(DISTINCT viewer), count(*) FROM views WHERE started AND country IN ('DE', ')')", '[3,5]'],
    ["SELECT started /* ' */, -- '\n count(DISTINCT viewer) FROM views GROUP BY started ORDER BY 1", '[false,null] [true,5]'],
    [
      'WITH d AS (SELECT country, count(DISTINCT viewer) AS n FROM views GROUP BY 1) SELECT count(*) FROM d GROUP BY ROLLUP (country) ORDER BY 1',
      '[1] [1] [1] [3]',
    ],
    [
      "SELECT date_trunc('month', ts) AS month, 100.0 * count(DISTINCT viewer) / count(*) FROM views GROUP BY 1",
      '["2026-03-01T00:00:00",33.333333333333336]',
    ],
    ["SELECT 'count(DISTINCT viewer)', count(DISTINCT viewer) FROM views", '["count(DISTINCT viewer)",5]'],
    [
      'SELECT d.title, count(DISTINCT v.viewer) AS n FROM views v LEFT JOIN videos d ON d.key = v.video_key GROUP BY 1 ORDER BY 1',
      '["It\'s",null] [null,4]',
    ],
    [
      'WITH d AS (SELECT channel_key, count(DISTINCT viewer) AS n FROM views WHERE video_key NOT IN (SELECT key FROM videos) GROUP BY 1) SELECT c.name, d.n FROM channels c JOIN d ON d.channel_key = c.key',
      '["Webinars “1”",4]',
    ],
    ['SELECT max(n) FROM (SELECT country, count(DISTINCT viewer) AS n FROM views GROUP BY 1)', '[3]'],
  ])('are counted, but not in groups of few views: %s', async (sql, rows) => {
    expect(textOf(await count(sql))).toBe(rows);
  });

  test('keep the names of columns and types', async () => {
    const { columns } = await count('SELECT country, count(DISTINCT viewer), count(DISTINCT viewer) AS n FROM views GROUP BY 1');
    expect(columns.map(({ name, type }) => `${name}: ${type}`)).toEqual(['country: text', 'count(DISTINCT viewer): integer', 'n: integer']);
  });

  test('are never linked: of one known view, no query tells which others are of the same person', async () => {
    const pairs = "v.id = o.id OR v.id = 'w0'";
    for (const sql of [
      `SELECT o.id FROM (SELECT id FROM views) o JOIN views v ON ${pairs} GROUP BY o.id HAVING count(DISTINCT v.viewer) = 1`,
      `WITH o AS (SELECT id FROM views) SELECT o.id FROM o JOIN views v ON ${pairs} GROUP BY o.id HAVING count(DISTINCT v.viewer) = 1`,
      "SELECT a.ts, (SELECT count(DISTINCT viewer) FROM views v WHERE v.ts IN (a.ts, TIMESTAMP '2026-03-01')) AS n FROM views a",
    ])
      await expect(count(sql)).rejects.toMatchObject(refusal('views can be read only once'));
    const pair = "SELECT count(DISTINCT viewer) FROM views WHERE ts IN (TIMESTAMP '2026-03-01', TIMESTAMP '2026-03-04')";
    expect((await count(pair)).rows).toEqual([[null]]);
    const byId = count("SELECT count(DISTINCT viewer) FROM views WHERE id IN ('w0', 'w3')");
    await expect(byId).rejects.toMatchObject(refusal('In a query that counts viewers, views has no id.'));
  });

  test('can’t be counted in groups that overlap, by which a view of a small group would be told to be of one person', async () => {
    for (const [sql, words] of [
      ["SELECT count(DISTINCT viewer) FILTER (WHERE country = 'DE'), count(DISTINCT viewer) FROM views", 'has no FILTER: use WHERE'],
      ['SELECT count(DISTINCT viewer) FILTER (WHERE NOT started) FROM views', 'has no FILTER: use WHERE'],
      ['SELECT country, count(DISTINCT viewer) FROM views GROUP BY ROLLUP (country)', 'has each view in one group'],
      ['SELECT country, count(DISTINCT viewer) FROM views GROUP BY CUBE (country, city)', 'has each view in one group'],
      ['SELECT country, count(DISTINCT viewer) FROM views GROUP BY GROUPING SETS ((country), ())', 'has each view in one group'],
      [
        'WITH d AS (SELECT country, count(DISTINCT v.viewer) AS n FROM views v JOIN channels c ON c.key = v.channel_key GROUP BY ROLLUP (1)) SELECT * FROM d',
        'has each view in one group',
      ],
    ] as const)
      await expect(count(sql), sql).rejects.toMatchObject(refusal(words));
  });

  test('can’t be counted over views that something else multiplies, and the answer says how it can be asked', async () => {
    const several = "(VALUES (TIMESTAMP '2026-03-02'), (TIMESTAMP '2026-03-04')) p(t)";
    for (const [sql, words] of [
      [
        `SELECT p.t, count(DISTINCT v.viewer) FROM ${several} JOIN views v ON v.ts = p.t OR v.country = 'DE' GROUP BY 1`,
        'joined only with',
      ],
      [`SELECT p.t, (SELECT count(DISTINCT viewer) FROM views WHERE ts = p.t OR country = 'DE') FROM ${several}`, 'into a CTE'],
      [`SELECT p.t, c.n FROM ${several}, (SELECT count(DISTINCT viewer) AS n FROM views WHERE ts = p.t OR country = 'DE') c`, 'into a CTE'],
      ['SELECT c.key, count(DISTINCT v.viewer) FROM views v JOIN channels c ON c.key >= v.channel_key GROUP BY 1', 'joined only with'],
      ['SELECT c.key, count(DISTINCT v.viewer) FROM views v, channels c GROUP BY 1', 'joined only with'],
      [
        'SELECT d.key, count(DISTINCT v.viewer) FROM views v JOIN channels c ON c.key = v.channel_key JOIN videos d ON c.key = v.channel_key GROUP BY 1',
        'joined only with',
      ],
      [
        'WITH channels AS (SELECT 1 AS key) SELECT count(DISTINCT v.viewer) FROM views v JOIN channels c ON c.key = v.channel_key',
        'the name of a table',
      ],
      ['SELECT count(DISTINCT (viewer)) FROM views', 'with nothing else in the brackets'],
      ["SELECT E'\\' count(DISTINCT viewer) ', count(DISTINCT viewer), '' FROM views", 'with nothing else in the brackets'],
    ] as const)
      await expect(count(sql), sql).rejects.toMatchObject(refusal(words));
  });
});

const CLOCKS = 'now() today() current_date CURRENT_TIMESTAMP current_time localtimestamp get_current_timestamp() age(ts)'.split(' ');
test.each(CLOCKS)('%s is refused, since it is no time of the zone, with the arguments that say it', async (clock) => {
  for (const sql of [`SELECT count(*) FROM views WHERE ts > ${clock}`, `SELECT ${clock} FROM views`])
    await expect(ask(sql)).rejects.toMatchObject({
      code: 'sql_refused',
      message: expect.stringMatching(/^Line 1, column \d+: .* is in UTC, and ts is local to timezone\. Say the time in from and to/),
    });
});

const NEW_YORK = [{ fromMs: Number.MIN_SAFE_INTEGER, offsetSeconds: -18_000 }];
test.each([
  ["ts >= TIMESTAMPTZ '2026-03-01 00:00:00-05'", 'TIMESTAMPTZ'],
  ["ts >= '2026-03-01 00:00'::TIMESTAMP WITH TIME ZONE", 'TIMESTAMPTZ'],
  ["ts >= '2026-03-01T05:00:00Z'", 'a time with an offset'],
  ["ts >= '2026-03-01T00:00:00.5-05:00'", 'a time with an offset'],
  ["ts BETWEEN '2026-03-01 05:00:00+00' AND '2026-03-02'", 'a time with an offset'],
  ['ts >= to_timestamp(1772323200)', 'to_timestamp'],
  ['epoch(ts) >= 1772323200', 'epoch'],
  ['extract(epoch FROM ts) >= 1772323200', 'the epoch of a time'],
  ["ts AT TIME ZONE 'UTC' >= '2026-03-01'", 'timezone'],
  ["ts >= strptime('2026-03-01 00:00 -0500', '%Y-%m-%d %H:%M %z')", '%z'],
  ['ts >= make_timestamp(1772323200000000)', 'make_timestamp() of a number'],
  ['ts >= make_timestamp(1970, 1, 1, 0, 0, 0)', 'the epoch'],
  ["ts >= TIMESTAMP 'epoch' + INTERVAL '1772323200 seconds'", 'the epoch'],
  ["date_diff('second', TIMESTAMP '1970-01-01 00:00', ts) >= 1772323200", 'the epoch'],
  ["ts >= DATE '1970-01-01' + to_seconds(1772323200)", 'the epoch'],
  ["ts >= CAST('2026-03-01 05:00:00' || '+00' AS TIMESTAMP)", 'a time with an offset'],
  ["ts >= concat('2026-03-01', 'T05:00:00Z')::TIMESTAMP", 'a time with an offset'],
  ["ts >= '2026/03/01 05:00:00+00'", 'a time with an offset'],
  ["strftime(ts, '%Y-%m-%dT%H:%M:%S%z') > '2026'", '%z'],
  ["strftime(ts, '%Y-%m-%dT%H:%M:%SZ') > '2026'", 'a time with an offset'],
  ["strftime('%H:%M' || ' %z', ts) > '2026'", '%z'],
  ["ts::VARCHAR || 'Z' > '2026'", 'a time with an offset'],
  ["ts > (SELECT CAST(created AS TIMESTAMP) FROM (SELECT '2026-03-01' AS created))", 'created as a time'],
])('%s is refused where ts is local to another zone than UTC, as the clock is', async (where, name) => {
  const sql = `SELECT count(*) FROM views WHERE ${where}`;
  await expect(ask(sql, NEW_YORK)).rejects.toMatchObject({
    code: 'sql_refused',
    message: expect.stringContaining(
      `${name}${/^(?:to_|epoch|timezone)/.test(name) ? '()' : ''} is not allowed with a timezone other than UTC`,
    ),
  });
  // In UTC, it is what ts is.
  await expect(ask(sql)).resolves.toMatchObject({ rows: [expect.anything()] });
});

test('times of the zone are compared as they are written', async () => {
  const count = async (where: string) => (await ask(`SELECT count(*) FROM views WHERE ${where}`, NEW_YORK)).rows[0]?.[0];
  expect(await count("ts >= TIMESTAMP '2026-02-28 19:00' AND ts < TIMESTAMP '2026-02-28 20:00'")).toBe(1);
  expect(await count("ts >= '2026-02-28T19:00:00' AND ts < '2026-02-28T20:00:00'")).toBe(1);
  expect(await count("country = 'DE' OR city = '2026-03-01'")).toBe(2);
  const least = "make_timestamp(2026, 2, 28, 19, 0, 0) AND CAST('2026-02-28 ' || '20:00' AS TIMESTAMP)";
  expect(await count(`ts BETWEEN ${least}`)).toBe(await count("ts BETWEEN '2026-02-28 19:00' AND '2026-02-28 20:00'"));
  expect(await count("strftime(ts, '%Y-%m-%d %H:%M:%S') = '2026-02-28 19:00:00'")).toBe(1);
  expect(await count("region || '-01' = 'Z' OR concat(country, 'Z') = 'DEZ'")).toBe(2);
});

test.each('current_user session_user user current_schema current_role current_catalog current_database'.split(' '))(
  '%s is no column, and is refused as a name',
  async (name) => {
    await expect(ask(`SELECT ${name} FROM views`)).rejects.toMatchObject(refusal(`"${name}" is not allowed: it is no column`));
    await expect(ask(`SELECT ${name}()`)).rejects.toMatchObject({ code: 'sql_refused' });
  },
);

describe('an SQL error message', () => {
  const messageOf = (sql: string): Promise<unknown> =>
    ask(sql).then(
      () => undefined,
      (error: Error) => error.message,
    );
  test.each([
    ['SELECT vidoe_key\nFROM views', /^Line 1, column 8: .*"vidoe_key" not found.* Candidate bindings: .*"video_key"/],
    ["SELECT 'é',\n  flor(1) FROM views", /^Line 2, column 3: the function "flor" is not allowed; the nearest that are: floor/],
    ['SELECT foo(1) FROM views', /^Line 1, column 8: the function "foo" is not allowed\.$/],
    ['SELECT id FROM view', /there is no table "view"; there are views, channels, projects, videos/],
    ['SELECT id FROM main.views', /write views alone/],
    ['SELECT id FORM views', /syntax error at or near "views"\.$/],
    [
      'SELECT max(ts) last FROM views',
      /^Line 1, column 16: .*\. last is a keyword of SQL: as a name, put it in quotation marks \("last"\)/,
    ],
    ['SELECT 1 AS "é", min(ts) AS a,\n  count(*) Views FROM views', /^Line 2, column 12: .*Views is a keyword of SQL.*\("Views"\)/],
    ['SELECT 1 a b FROM views', /syntax error at or near "b"\.$/],
    ['SELECT id, count(*) FROM views', /^Line 1, column 8: column "id" must appear in the GROUP BY/],
    ['DELETE FROM views', /Only one SELECT statement is allowed/],
    ['SELECT 1; SELECT 2', /Only one SELECT statement is allowed/],
    ['', /Only one SELECT statement is allowed/],
    ['WITH x AS (SELECT * FROM x) SELECT * FROM x', /there is no table "x"/],
    ["SELECT 'abc'[1]", /the operator "ARRAY_EXTRACT" is not allowed/],
    ["SELECT system.main.lower('A')", /the function "lower" is not allowed/],
    ['SELECT * FROM views AT (VERSION => 1)', /write views alone/],
    ['SELECT 1e999', /a number that is too large/],
  ])('names the problem in %j', async (sql, message) => {
    expect(await messageOf(sql)).toMatch(message);
  });

  test('is one line, bounded, and shows no hidden character', async () => {
    expect(await messageOf('SELECT "tx\u202Et\nFROM", 1 FROM views')).toMatch(/^Line 1, column 8: [^\n\u202E]*"txt FROM" not found/);
    const ctes = Array.from({ length: 500 }, (_, index) => `cte_${index} AS (SELECT 1)`).join(', ');
    expect(String(await messageOf(`WITH ${ctes} SELECT * FROM nowhere`))).toHaveLength(2_000);
  });

  test('contains no values from rows', async () => {
    expect(await messageOf('SELECT city::INTEGER FROM views')).toMatch(
      /^Line 1, column 12: Could not convert string \(a value\).*TRY_CAST/,
    );
    expect(await messageOf("SELECT strptime(city, '%Y') FROM views")).toMatch(/^Could not parse string \(a value\)/);
    expect(await messageOf('SELECT watch_time * 9007199254740991 FROM views')).toMatch(/^Overflow in multiplication of INT64 \(values\)/);
  });
});

test('times in SQL are local to the zone, also across a clock change', async () => {
  const offsets = [
    { fromMs: Number.MIN_SAFE_INTEGER, offsetSeconds: 3_600 },
    { fromMs: START_MS + DAY_MS, offsetSeconds: 7_200 },
  ];
  const { rows } = await lab.engine.sandboxed({
    parts: [part],
    span: { fromMs: START_MS, toMs: START_MS + 2 * DAY_MS },
    offsets,
    tables: [],
    sql: 'SELECT id, ts, hour(ts) FROM views ORDER BY id',
    maxRows: 100,
    ...patience(),
  });
  // The span is in UTC, so the offsets neither add nor remove rows.
  expect(rows).toEqual([
    ['a', '2026-03-01T01:00:00', 1],
    ['b', '2026-03-02T02:00:00', 2],
    ['c', '2026-03-02T02:00:00.000001', 2],
  ]);
});

test('a query that uses viewer except for counting is refused with the allowed form', async () => {
  for (const sql of ['viewer FROM views', 'count(*) FROM views GROUP BY viewer', 'count(DISTINCT viewer), max(viewer) FROM views'])
    await expect(ask(`SELECT ${sql}`)).rejects.toMatchObject(refusal('viewer can only be counted, as count(DISTINCT viewer)'));
  for (const sql of ['SELECT views, count(DISTINCT viewer) FROM views', 'SELECT count(DISTINCT viewer) FROM views ORDER BY views'])
    await expect(ask(sql)).rejects.toMatchObject(refusal('a whole row of views can’t be used'));
  const names = 'name columns instead of * (or COLUMNS, or ORDER BY ALL) in a query that counts viewers';
  await expect(ask('SELECT *, (SELECT count(DISTINCT viewer) FROM views) FROM views')).rejects.toMatchObject(refusal(names));
});
