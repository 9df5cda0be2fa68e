/** `withTables` puts the allowed tables, as a WITH clause, before a caller’s SELECT. */
import { expect, test } from 'vitest';
import { withTables } from '../../../../src/analytics/storage/clickhouse/sql.ts';

const OURS = 'views AS (SELECT 1)';

test.each([
  ['SELECT 1', 'WITH views AS (SELECT 1)\nSELECT 1\n'],
  ['WITH a AS (SELECT 1) SELECT * FROM a', 'WITH views AS (SELECT 1),\n a AS (SELECT 1) SELECT * FROM a\n'],
  [
    ' -- by country\n/* WITH */ with a AS (SELECT 1)\tSELECT * FROM a',
    'WITH views AS (SELECT 1), -- by country\n/* WITH */ \n a AS (SELECT 1)\tSELECT * FROM a\n',
  ],
  ['# a note\n#! another\nWITH(SELECT 1) AS a SELECT a', 'WITH views AS (SELECT 1),# a note\n#! another\n\n(SELECT 1) AS a SELECT a\n'],
  ['WITHIN', 'WITH views AS (SELECT 1)\nWITHIN\n'],
  ['-- WITH', 'WITH views AS (SELECT 1)\n-- WITH\n'],
  ['/* WITH a', 'WITH views AS (SELECT 1)\n/* WITH a\n'],
])('the tables are added to %j', (sql, whole) => expect(withTables(OURS, sql)).toBe(whole));

test.each(['/**/', '-- \n', ' ', '/*', '--/**/\n'])('the tables are added to a query that follows thousands of %j', (piece) => {
  const sql = piece.repeat(19_900 / piece.length);
  expect(withTables(OURS, `${sql}x`)).toBe(`WITH ${OURS}\n${sql}x\n`);
});
