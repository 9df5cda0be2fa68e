import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SideTable } from '../../../src/analytics/contract.ts';
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
let part: string;

beforeAll(async () => {
  lab = makeLab();
  const at = (day: number) => (START_MS + day * DAY_MS) * 1_000;
  part = await lab.part([
    view({ id: 'a', ts: at(0), video_key: 'v1', channel_key: 'c1', country: 'DE', watch_time: 1, started: true, ended: true }),
    view({ id: 'b', ts: at(1), video_key: 'v1', channel_key: 'c1', country: 'FR', watch_time: 2, started: true, ended: false }),
    view({ id: 'c', ts: at(1) + 1, video_key: 'v2', channel_key: 'c3', country: 'DE', watch_time: 9_007_199_254_740_991, started: false }),
    view({ id: 'd', ts: at(2), video_key: 'v2', city: 'Zürich', watch_time: 9_007_199_254_740_991 }),
  ]);
});
afterAll(() => lab.close());

const ask = (sql: string) => lab.engine.sandboxed({ parts: [part], span: SPAN, tables: TABLES, sql, maxRows: 100, ...patience() });

const LEGAL: readonly (readonly [string, readonly (readonly unknown[])[]])[] = [
  [
    'SELECT country, count(*) AS n FROM views GROUP BY country ORDER BY n DESC, country NULLS LAST',
    [
      ['DE', 2],
      ['FR', 1],
      [null, 1],
    ],
  ],
  [
    "WITH d AS (SELECT date_trunc('day', ts) AS day, count(*) AS n FROM views GROUP BY 1) SELECT day, sum(n) OVER (ORDER BY day) FROM d ORDER BY 1",
    [
      ['2026-03-01T00:00:00', 1],
      ['2026-03-02T00:00:00', 3],
      ['2026-03-03T00:00:00', 4],
    ],
  ],
  ['WITH views AS (SELECT * FROM views WHERE started) SELECT count(*) FROM views', [[2]]],
  [
    'SELECT c.name, count(*) FILTER (WHERE v.ended) AS n FROM views v JOIN channels c ON c.key = v.channel_key GROUP BY ALL',
    [['Webinars “1”', 1]],
  ],
  ['SELECT title, length FROM videos WHERE key IN (SELECT video_key FROM views)', [["It's", 9_007_199_254_740_991]]],
  ['SELECT 1 UNION ALL (SELECT 2 EXCEPT SELECT 3) ORDER BY 1 DESC', [[2], [1]]],
  ['SELECT count(DISTINCT (video_key, country)) FROM views', [[4]]],
  [
    "SELECT strftime(max(ts), '%d.%m.'), max(ts)::DATE, year(max(ts)), max(ts) + INTERVAL 1 DAY FROM views",
    [['03.03.', '2026-03-03', 2026, '2026-03-04T00:00:00']],
  ],
  ["SELECT min(ts) AT TIME ZONE 'UTC' FROM views", [['2026-03-01T00:00:00Z']]],
  ['SELECT id FROM views QUALIFY row_number() OVER (PARTITION BY video_key ORDER BY ts DESC) = 1 ORDER BY id', [['b'], ['d']]],
  ['SELECT (SELECT max(w.id) FROM views w WHERE w.video_key = v.video_key) FROM views v ORDER BY 1', [['b'], ['b'], ['d'], ['d']]],
  [
    "SELECT CASE WHEN city ILIKE 'zü%' THEN upper(city) ELSE coalesce(city, '-') END FROM views ORDER BY 1",
    [['-'], ['-'], ['-'], ['ZÜRICH']],
  ],
  ['SELECT sum(watch_time), avg(watch_time) > 1, 1 / 4, 0.5, NULL, 1 / 0 FROM views', [['18014398509481985', true, 0.25, 0.5, null, null]]],
  ["FROM views SELECT string_agg(id, ',' ORDER BY id)", [['a,b,c,d']]],
  ["SELECT id FROM views WHERE id = ';' OR id = '--' OR id = 'a' -- ; DROP TABLE views\n", [['a']]],
  ['SELECT country, GROUPING(country), count(*) FROM views GROUP BY ROLLUP (country) ORDER BY 3 DESC LIMIT 1', [[null, 1, 4]]],
  [
    'WITH x AS (SELECT 1 AS a), y AS (SELECT a FROM x UNION ALL SELECT a + 1 FROM x) (SELECT a FROM y UNION ALL SELECT a FROM x) ORDER BY 1',
    [[1], [1], [2]],
  ],
  ['SELECT (WITH z AS (SELECT max(id) AS m FROM views) SELECT m FROM z) FROM (WITH z AS (SELECT 1) SELECT * FROM z)', [['d']]],
  ['SELECT * FROM projects', []],
  [`SELECT ${'('.repeat(500)}1${')'.repeat(500)}`, [[1]]],
];

test.each(LEGAL)('%s', async (sql, rows) => {
  expect((await ask(sql)).rows).toEqual(rows);
});

describe('problems are reported with their position', () => {
  const told = (sql: string): Promise<unknown> =>
    ask(sql).then(
      () => undefined,
      (error: Error) => error.message,
    );
  test.each([
    ['SELECT vidoe_key\nFROM views', /^Line 1, column 8: .*"vidoe_key" not found.*\n.*"video_key"/],
    ["SELECT 'é',\n  flor(1) FROM views", /^Line 2, column 3: the function "flor" is not allowed; the nearest that are: floor/],
    ['SELECT foo(1) FROM views', /^Line 1, column 8: the function "foo" is not allowed\.$/],
    ['SELECT id FROM view', /there is no table "view"; there are views, channels, projects, videos/],
    ['SELECT id FROM main.views', /write views alone/],
    ['SELECT id FORM views', /syntax error at or near "views"/],
    ['SELECT id, count(*) FROM views', /^Line 1, column 8: column "id" must appear in the GROUP BY/],
    ['DELETE FROM views', /Only one SELECT statement is allowed/],
    ['SELECT 1; SELECT 2', /Only one SELECT statement is allowed/],
    ['', /Only one SELECT statement is allowed/],
    ['WITH x AS (SELECT * FROM x) SELECT * FROM x', /there is no table "x"/],
    ["SELECT 'abc'[1]", /the operator "ARRAY_EXTRACT" is not allowed/],
    ["SELECT system.main.lower('A')", /the function "lower" is not allowed/],
    ['SELECT * FROM views AT (VERSION => 1)', /write views alone/],
    ['SELECT 1e999', /a number that is too large/],
  ])('%s', async (sql, message) => {
    expect(await told(sql)).toMatch(message);
  });

  test('without the values of rows', async () => {
    expect(await told('SELECT city::INTEGER FROM views')).toMatch(/^Line 1, column 12: Could not convert string \(a value\).*TRY_CAST/);
    expect(await told("SELECT strptime(city, '%Y') FROM views")).toMatch(/^Could not parse string \(a value\)/);
    expect(await told('SELECT watch_time * 9007199254740991 FROM views')).toMatch(/^Overflow in multiplication of INT64 \(values\)/);
  });
});
