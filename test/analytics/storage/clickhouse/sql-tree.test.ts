/** Trees as ClickHouse 26 writes them; the queries themselves run against a server in `test/cluster/sql.cluster.ts`. */
import { expect, test } from 'vitest';
import { checkTree } from '../../../../src/analytics/storage/clickhouse/sql-tree.ts';

const COUNT = ['Function countDistinct (alias n) (children 1)', ' ExpressionList (children 1)', '  Identifier v.viewer'];
const FROM = [
  'TablesInSelectQuery (children 1)',
  ' TablesInSelectQueryElement (children 1)',
  '  TableExpression (children 1)',
  '   TableIdentifier views (alias v)',
];

const indented = (lines: readonly string[], depth: number): string[] => lines.map((line) => ' '.repeat(depth) + line);

/** The tree of `SELECT … FROM views AS v`, with more of the SELECT after it. */
const select = (shown: readonly string[], more: readonly string[] = []): string[] => [
  'SelectWithUnionQuery (children 1)',
  ' ExpressionList (children 1)',
  '  SelectQuery (children 2)',
  '   ExpressionList (children 1)',
  ...indented(shown, 4),
  ...indented(FROM, 3),
  ...indented(more, 3),
];

const orderBy = (...term: string[]) => ['ExpressionList (children 1)', ' OrderByElement (children 1)', ...indented(term, 2)];

const call = (name: string, ...args: readonly string[]): string[] => [
  `Function ${name} (children 1)`,
  ` ExpressionList (children ${args.length})`,
  ...args.map((arg) => `  ${arg}`),
];

const SQL = 'SELECT count(DISTINCT v.viewer) AS n FROM views AS v';
const check = (lines: readonly string[], sql = SQL, isLocal = false) => checkTree(sql, lines, 'views_of', isLocal);

const FILTERED = ['Function COUNTDistinctIf (children 1)', ' ExpressionList (children 2)', '  Identifier viewer', '  Identifier started'];

test('viewers can be counted, also beside a count of rows, but not in groups of few views', () => {
  expect(check(select(COUNT))).toEqual({
    countsViewers: true,
    sql: 'SELECT CASE WHEN count(v.viewer) BETWEEN 1 AND 4 THEN NULL ELSE count(DISTINCT v.viewer) END AS n FROM views AS v',
    problems: [],
  });
  const rows = ['Function count (children 1)', ' ExpressionList (children 1)', '  Asterisk'];
  const sql = "SELECT countDistinct(viewer) + 1, count(*) FROM views AS v WHERE city <> 'count(DISTINCT viewer)'";
  expect(check(select([...COUNT, ...rows]), sql)).toEqual({
    countsViewers: true,
    sql: "SELECT CASE WHEN count(viewer) BETWEEN 1 AND 4 THEN NULL ELSE countDistinct(viewer) END + 1, count(*) FROM views AS v WHERE city <> 'count(DISTINCT viewer)'",
    problems: [],
  });
  // A query that doesn’t count viewers has no viewer column, so its * is harmless.
  expect(check(select(['Asterisk']), 'SELECT * FROM views')).toEqual({ countsViewers: false, sql: 'SELECT * FROM views', problems: [] });
});

test('rows are sorted by the alias of a column, also one that is called as the table', () => {
  const views = ['Function count (alias views) (children 1)', ' ExpressionList'];
  expect(check(select([...COUNT, ...views], orderBy('Identifier views'))).problems).toEqual([]);
  const inside = ['Function toString (children 1)', ' ExpressionList (children 1)', '  Identifier views'];
  for (const lines of [
    select(COUNT, orderBy('Identifier views')),
    select([...COUNT, ...views], orderBy(...inside)),
    select([...COUNT, ...views], orderBy('Identifier v.views')),
    select([...COUNT, ...views, 'Identifier views']),
  ])
    expect(check(lines).problems.join()).toContain('a whole row of views');
});

/** A further table of the FROM of `select`, with a condition of its join. */
const joined = (table: string, ...condition: string[]): string[] => [
  '    TablesInSelectQueryElement (children 2)',
  '     TableExpression (children 1)',
  ...indented(table.split('\n'), 6),
  '     TableJoin (children 1)',
  ...indented(condition, 6),
];
const equals = (left: string, right: string, name = 'equals') => [
  `Function ${name} (children 1)`,
  ' ExpressionList (children 2)',
  `  Identifier ${left}`,
  `  Identifier ${right}`,
];
const CHANNELS = 'TableIdentifier channels (alias c)';
const subquery = (lines: readonly string[]) => ['Subquery (children 1)', ...indented(lines, 1)];

test('a text that names what is refused is a text', () => {
  expect(check(select(COUNT), `${SQL} WHERE city = 'with rollup cube('`).problems).toEqual([]);
});

test('views are joined with the tables of names by their keys, and a CTE with the counts is joined with anything', () => {
  const names = [
    ...joined(CHANNELS, ...equals('c.key', 'v.channel_key')),
    ...joined('TableIdentifier videos', ...equals('v.video_key', 'videos.key')),
  ];
  expect(check([...select(COUNT), ...names]).problems).toEqual([]);
  const lines = [
    'SelectWithUnionQuery (children 1)',
    ' ExpressionList (children 1)',
    '  SelectQuery (children 3)',
    '   ExpressionList (children 1)',
    '    WithElement (children 1)',
    ...indented(subquery(select(COUNT)), 5),
    ...indented(FROM, 3).map((line) => line.replace('views (alias v)', 'd')),
    ...joined('TableIdentifier e', ...equals('d.a', 'e.b', 'less')),
  ];
  expect(check(lines).problems).toEqual([]);
});

const beside = (table: string, ...condition: string[]) => [...select(COUNT), ...joined(table, ...condition)];
const ofNumbers = subquery(select(['Literal 1']))
  .join('\n')
  .replace('TableIdentifier views (alias v)', 'TableIdentifier numbers');
const NAMED_CHANNELS = 'WITH channels AS (SELECT 1) SELECT count(DISTINCT viewer) FROM views AS v';

test.each<[string, readonly string[], string, string?]>([
  ['in a second reading of views', beside('TableIdentifier views (alias w)', ...equals('v.city', 'w.city')), 'read only once'],
  ['joined with what multiplies them', beside(CHANNELS, ...equals('c.key', 'v.city', 'less')), 'joined only with'],
  ['joined by another table’s key', beside(CHANNELS, ...equals('d.key', 'v.channel_key')), 'joined only with'],
  ['joined with a subquery', beside(ofNumbers, ...equals('c.key', 'v.channel_key')), 'joined only with'],
  ['in an expression, once for each row of something else', select(subquery(select(COUNT))).slice(0, -FROM.length), 'into a CTE'],
  ['joined with a CTE that has the name of a table', select(COUNT), 'the name of a table', NAMED_CHANNELS],
  ['in a text with a comment', select(COUNT), 'comments', `${SQL} -- x`],
  ['in a text with a backslash', select(COUNT), 'backslashes', `${SQL} WHERE city = '\\'`],
  ['with a filter', select(FILTERED), 'has no FILTER: use WHERE', 'SELECT count(DISTINCT viewer) FILTER (WHERE started) FROM views AS v'],
  ['in totals of groups', select(COUNT), 'has each view in one group', `${SQL} GROUP BY country WITH ROLLUP`],
  ['in groups and all together', select(COUNT), 'has each view in one group', `${SQL} GROUP BY country WITH TOTALS`],
  ['in all groups of some columns', select(COUNT), 'has each view in one group', `${SQL} GROUP BY CUBE (country, city)`],
  ['in several groupings', select(COUNT), 'has each view in one group', `${SQL} GROUP BY grouping\nsets ((country), ())`],
  ['in several rows of a view', select([...COUNT, ...call('arrayJoin', 'Identifier x')]), 'arrayJoin() is not allowed'],
  ['in another form', select(COUNT), 'with nothing else in the brackets', 'SELECT count(DISTINCT (viewer)) FROM views AS v'],
])('a query is refused if viewers are counted %s', (_, lines, problem, sql) => {
  expect(check(lines, sql).problems.join()).toContain(problem);
});

test.each(['now', 'NOW', 'today', 'now64', 'current_date', 'UTCTimestamp'])('%s() is refused, with the arguments that say it', (clock) => {
  const lines = select([`Function ${clock} (children 1)`, ' ExpressionList']);
  const problem = expect.stringMatching(/is in UTC, .*Say the time in from and to/);
  expect(check(lines, `SELECT ${clock}() FROM views`).problems).toEqual([problem]);
});

const WITHOUT_CONDITION = ['    TablesInSelectQueryElement (children 1)', '     TableJoin'];

test.each<[string, readonly string[], string]>([
  ['selected', select(['Identifier viewer']), 'viewer can only be counted'],
  ['selected beside their count', select([...COUNT, 'Identifier viewer']), 'viewer can only be counted'],
  ['aliased within their count', select([...COUNT.slice(0, 2), '  Identifier viewer (alias x)']), 'viewer can only be counted'],
  ['counted together with another column', select([...COUNT, '  Identifier id']), 'viewer can only be counted'],
  ['counted by a window function', select([...COUNT, ' WindowDefinition']), 'viewer can only be counted'],
  ['used for sorting', select(COUNT, orderBy('Identifier viewer')), 'viewer can only be counted'],
  ['selected by *', select([...COUNT, 'Asterisk']), 'name columns instead of *'],
  ['selected by a column pattern', select([...COUNT, 'ColumnsRegexpMatcher']), 'ColumnsRegexpMatcher is not allowed'],
  ['selected as part of a whole row', select([...COUNT, 'Identifier v']), 'a whole row of views'],
  ['selected from a join without a condition', [...select(COUNT), ...WITHOUT_CONDITION], 'join with ON'],
])('a query is refused if viewers are %s', (_, lines, problem) => {
  expect(check(lines).problems.join()).toContain(problem);
});

test('the view behind the table, quoted names beside the count, and statements except SELECT are refused', () => {
  expect(check(select(['Function own.views_of (children 1)'])).problems).toEqual(['views_of can’t be named: the table is views']);
  expect(check(select(COUNT), 'SELECT count(DISTINCT viewer) AS "n" FROM views').problems.join()).toContain('no quoted names');
  expect(check(['Explain EXPLAIN (children 1)']).problems).toEqual(['one SELECT is allowed, and nothing else']);
  expect(check(['SelectWithUnionQuery (children 1)', '   Asterisk']).problems).toHaveLength(1);
  expect(check(['']).problems).toHaveLength(1);
});

const INSTANTS: readonly (readonly [string, readonly string[]])[] = [
  ['a time with an offset', call('greaterOrEquals', 'Identifier ts', "Literal '2026-10-06 00:00:00-04:00'")],
  ['a time with an offset', call('toDateTime64', "Literal '2026-10-06T04:00:00Z'", 'Literal UInt64_3')],
  ['parseDateTimeBestEffort()', call('parseDateTimeBestEffort', 'Identifier city')],
  ['toUnixTimestamp()', call('toUnixTimestamp', 'Identifier ts')],
  ['fromUnixTimestamp64Milli()', call('fromUnixTimestamp64Milli', 'Literal UInt64_1')],
  ['toDateTime() of a number', call('toDateTime', 'Literal UInt64_1790000000')],
  ['a zone in toDateTime()', call('toDateTime', "Literal '2026-10-06 00:00:00'", "Literal 'America/New_York'")],
  ['a zone in toHour()', call('toHour', 'Identifier ts', "Literal 'UTC'")],
  ['CAST() of a number', call('CAST', 'Literal UInt64_1790000000', "Literal 'DateTime'")],
  ['toDateTime() of a number', call('toDateTime', ...call('plus', 'Literal UInt64_1790000000', 'Literal UInt64_3600'))],
  ['toDateTime() of a number', call('toDateTime', 'Literal UInt64_0')],
  ['toDate() of a number', call('toDate', 'Literal UInt64_20000')],
  ['the epoch', call('toDateTime', "Literal '1970-01-01 00:00:00'")],
  ['the epoch', call('makeDateTime', 'Literal UInt64_1970', 'Literal UInt64_1', 'Literal UInt64_1', 'Literal UInt64_0')],
  ['a time with an offset', call('CAST', ...call('concat', "Literal '2026-10-06 04:00:00'", "Literal '+00'"), "Literal 'DateTime'")],
  ['a time with an offset', call('toDateTime', ...call('concat', 'Identifier city', "Literal 'T04:00:00Z'"))],
  ['a time with an offset', call('concat', ...call('toString', 'Identifier ts'), "Literal 'Z'")],
  ['%z', call('formatDateTime', 'Identifier ts', "Literal '%Y-%m-%dT%H:%i:%S%z'")],
  ['a time with an offset', call('formatDateTime', 'Identifier ts', "Literal '%Y-%m-%dT%H:%i:%SZ'")],
  ['ts as a number', call('toInt64', 'Identifier ts')],
  ['ts as a number', call('CAST', 'Identifier ts', "Literal 'UInt32'")],
  ['created as a time', call('toDateTime', 'Identifier c.created')],
  ['a type with a zone', call('CAST', "Literal '2026-10-06 00:00:00'", "Literal 'DateTime64(3, \\'America/New_York\\')'")],
];

test.each(INSTANTS)('with a time zone, %s is refused, since ts is local to that zone', (what, lines) => {
  expect(check(select(lines), SQL, true).problems).toEqual([
    expect.stringContaining(`${what} is not allowed with a timezone other than UTC`),
  ]);
  expect(check(select(lines), SQL, false).problems).toEqual([]);
});

test('with a time zone, local times and texts that only look like a zone are read', () => {
  for (const lines of [
    call('greaterOrEquals', 'Identifier ts', "Literal '2026-10-06 00:00:00'"),
    call('toDateTime64', "Literal '2026-10-06 00:00:00.000'", 'Literal UInt64_3'),
    call('CAST', "Literal '2026-10-06'", "Literal 'DateTime64(3)'"),
    call('toHour', 'Identifier ts'),
    call('toDate', 'Identifier ts'),
    call('toInt64', 'Identifier watch_time'),
    call('makeDateTime', 'Literal UInt64_2026', 'Literal UInt64_10', 'Literal UInt64_6', 'Literal UInt64_0'),
    call('concat', 'Identifier country', "Literal 'Z'"),
    call('formatDateTime', 'Identifier ts', "Literal '%Y'"),
    call('equals', 'Identifier embed_url', "Literal 'Europe/Berlin'"),
  ])
    expect(check(select(lines), SQL, true).problems).toEqual([]);
});

test.each(['currentUser', 'user', 'current_database', 'hostName', 'version'])('%s() is refused: it tells of the server', (name) => {
  expect(check(select([`Function ${name} (children 1)`, ' ExpressionList']), SQL).problems).toEqual([
    `${name}() is not allowed: it tells of the server and not of views`,
  ]);
});
