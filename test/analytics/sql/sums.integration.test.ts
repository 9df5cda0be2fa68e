/** A sum of several columns is an expression in its row of the table of metrics, and the same in every dialect. */
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SumFrom } from '../../../src/analytics/metrics.ts';
import { clickHouse } from '../../../src/analytics/sql/clickhouse-dialect.ts';
import { duckDb } from '../../../src/analytics/sql/dialect.ts';
import { sumSql } from '../../../src/analytics/sql/sums.ts';

type Described = Pick<SumFrom, 'kind' | 'from'>;

const WATCHED: Described = {
  kind: 'count',
  from: { columns: ['watch_time', 'duration'], sql: (watched, duration) => `${watched} >= 0.9 * ${duration}` },
};
const PRODUCT: Described = {
  kind: 'amount',
  from: { columns: ['watch_time', 'duration'], sql: (watched, duration) => `${watched} * ${duration}` },
};
const ON_A_PAGE: Described = {
  kind: 'count',
  from: {
    columns: ['started', 'muted', 'embed_domain'],
    sql: (started, muted, page) => `${started} AND NOT ${muted} AND ${page} IS NOT NULL`,
  },
};

const VIEWS = `(VALUES
  (9, 10, true, false, 'a.example'),
  (8, 10, true, true, 'a.example'),
  (1, 1, true, false, ''),
  (NULL, 10, NULL, false, 'a.example'),
  (5, NULL, true, false, NULL)) AS views(watch_time, duration, started, muted, embed_domain)`;
const HUGE = `(VALUES (9007199254740991::BIGINT, 9007199254740991::BIGINT)) AS views(watch_time, duration)`;

let duck: DuckDBInstance;
beforeAll(async () => {
  duck = await DuckDBInstance.create();
});
afterAll(() => duck.closeSync());

async function inDuckDb(row: Described, views = VIEWS): Promise<number[]> {
  const { sum, known } = sumSql(row);
  const connection = await duck.connect();
  try {
    const [values = []] = (await connection.runAndReadAll(`SELECT ${sum(duckDb)}, ${known()} FROM ${views}`)).getRows();
    return values.map(Number);
  } finally {
    connection.closeSync();
  }
}

test('counts the views in which it is true, and those of which it is known', async () => {
  expect(await inDuckDb(WATCHED)).toEqual([2, 3]);
  expect(await inDuckDb(ON_A_PAGE)).toEqual([1, 4]);
});

test('adds up what every view that has both columns makes', async () => {
  expect(await inDuckDb(PRODUCT)).toEqual([90 + 80 + 1, 3]);
});

test('a product of the largest numbers that are stored is large, and no error', async () => {
  expect(await inDuckDb(PRODUCT, HUGE)).toEqual([(2 ** 53 - 1) ** 2, 1]);
});

test('is the same SQL for ClickHouse, but for how it is counted and added up', () => {
  const dialect = clickHouse('t', []);
  const [watched, duration] = ['(watch_time * 1e0)', '(duration * 1e0)'];
  expect(sumSql(WATCHED).sum(dialect)).toBe(`countIf((${watched} >= 0.9 * ${duration}) = 1)`);
  expect(sumSql(PRODUCT).sum(dialect)).toBe(`coalesce(sum(toFloat64((${watched} * ${duration}))), 0)`);
  expect(sumSql(PRODUCT).known()).toBe(`count((${watched} * ${duration}))`);
});
