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

const check = (lines: readonly string[], sql = '') => checkTree(sql, lines, 'views_of');

test('counting viewers is allowed, also with a filter and beside a count of rows', () => {
  expect(check(select(COUNT))).toEqual({ countsViewers: true, problems: [] });
  const filtered = ['Function COUNTDistinctIf (children 1)', ' ExpressionList (children 2)', '  Identifier viewer', '  Identifier started'];
  const rows = ['Function count (children 1)', ' ExpressionList (children 1)', '  Asterisk'];
  expect(check(select([...filtered, ...rows]))).toEqual({ countsViewers: true, problems: [] });
  // A query that doesn’t count viewers has no viewer column, so its * is harmless.
  expect(check(select(['Asterisk']))).toEqual({ countsViewers: false, problems: [] });
});

test.each<[string, readonly string[], string]>([
  ['selected', select(['Identifier viewer']), 'viewer can only be counted'],
  ['selected beside their count', select([...COUNT, 'Identifier viewer']), 'viewer can only be counted'],
  ['aliased within their count', select([...COUNT.slice(0, 2), '  Identifier viewer (alias x)']), 'viewer can only be counted'],
  ['counted together with another column', select([...COUNT, '  Identifier id']), 'viewer can only be counted'],
  ['counted by a window function', select([...COUNT, ' WindowDefinition']), 'viewer can only be counted'],
  [
    'used for sorting',
    select(COUNT, ['ExpressionList (children 1)', ' OrderByElement (children 1)', '  Identifier viewer']),
    'viewer can only be counted',
  ],
  ['selected by *', select([...COUNT, 'Asterisk']), 'name columns instead of *'],
  ['selected by a column pattern', select([...COUNT, 'ColumnsRegexpMatcher']), 'ColumnsRegexpMatcher is not allowed'],
  ['selected as part of a whole row', select([...COUNT, 'Identifier v']), 'a whole row of views'],
  [
    'selected from a join without a condition',
    [...select(COUNT), '    TablesInSelectQueryElement (children 1)', '     TableJoin'],
    'join with ON',
  ],
])('a query is refused if viewers are %s', (_, lines, problem) => {
  expect(check(lines).problems.join()).toContain(problem);
});

test('the view behind the table, quoted names beside the count, and statements except SELECT are refused', () => {
  expect(check(select(['Function own.views_of (children 1)'])).problems).toEqual(['views_of can’t be named: the table is views']);
  expect(check(select(COUNT), 'SELECT count(DISTINCT viewer) AS "n" FROM views').problems.join()).toContain('without quotes');
  expect(check(['Explain EXPLAIN (children 1)']).problems).toEqual(['one SELECT is allowed, and nothing else']);
  expect(check(['SelectWithUnionQuery (children 1)', '   Asterisk']).problems).toHaveLength(1);
  expect(check(['']).problems).toHaveLength(1);
});
