/** Selects an account's views and verifies that all of them exist. Every question, coverage and SQL query uses `withViews`. */
import { VideoHostingError } from '../../../errors.ts';
import { sentence } from '../../../text/sentence.ts';
import type { Ask, Span } from '../../contract.ts';
import { literal, tableIn } from '../../sql/clickhouse-dialect.ts';
import { assertCovered } from '../coverage.ts';
import { partNames, rowCount, type Segment, type StorageSnapshot, segmentsOf } from '../segments.ts';
import type { Connection } from './connection.ts';
import type { Log } from './log.ts';
import type { StatementOptions } from './retry.ts';
import { partList, TABLES } from './tables.ts';

/** An account's views in some parts. No other file writes conditions on account and part into a question. */
export function viewsIn(connection: Connection, account: string, parts: readonly string[]) {
  return {
    table: tableIn(connection.address.database, TABLES.views),
    conditions: parts.length === 0 ? ['1 = 0'] : [`account = ${literal(account)}`, `part IN (${partList(parts)})`],
  };
}

/** Attempts while other processes replace the views that are being read. */
const MAX_TRIES = 3;

interface StoredViews {
  readonly snapshot: StorageSnapshot;
  readonly segments: readonly Segment[];
  readonly parts: readonly string[];
}

/**
 * Uses the views of a span, and then counts them: rows that exist afterwards existed before. So a shard that lost its
 * disk, or views that were just removed, never lead to an answer that looks complete. Throws `store_incomplete`.
 */
export async function withViews<T>(
  connection: Connection,
  account: string,
  log: Log,
  span: Span,
  { covered = [], ...options }: StatementOptions & Pick<Ask, 'covered'>,
  act: (stored: StoredViews) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const { snapshot } = await log.read(options);
    assertCovered(snapshot.segments, covered);
    const segments = segmentsOf(snapshot.segments, span);
    const parts = partNames(segments);
    const answer = await act({ snapshot, segments, parts });
    const expected = rowCount(segments);
    const found = expected === 0 ? 0 : await countViews(connection, account, parts, options);
    if (found === expected) return answer;
    const isUnchanged = partNames(segmentsOf((await log.read(options)).snapshot.segments, span)).join() === parts.join();
    if (isUnchanged || tries >= MAX_TRIES)
      throw new VideoHostingError(
        'store_incomplete',
        sentence`Of the ${expected} views that the store has to hold for this time, the ClickHouse cluster has ${found}. There is no complete answer.`,
      );
  }
}

export async function countViews(
  connection: Connection,
  account: string,
  parts: readonly string[],
  options: StatementOptions,
  span?: Span,
): Promise<number> {
  const { table, conditions } = viewsIn(connection, account, parts);
  const within = span === undefined ? [] : [`ts >= ${literal(span.fromMs)}`, `ts < ${literal(span.toMs)}`];
  const { rows } = await connection.select(`SELECT count(*) FROM ${table} WHERE ${[...conditions, ...within].join(' AND ')}`, options);
  return Number(rows[0]?.[0] ?? 0);
}
